#include "view/fold.h"

#include <stdlib.h>
#include <string.h>

#include "view/match.h"
#include "view/path.h"
#include "view/print.h"
#include "view/rank.h"

#define NOTE_ROOM 44u  /* for "… 12,345 more lines, cursor c1234", without its indentation */
#define NOTE_EACH 256u /* bytes of a view for each note that it may have */
#define NOTES_LEAST 8u
#define BELOW_HEADINGS " bytes below these headings: browser_read a section, or cursor c"
#define CUT_LEAST 20u                        /* bytes of a row that is cut */
#define CUT_SAVES 40u                        /* bytes without which a row is not cut */
#define LABEL_MAX 60                         /* bytes of the label of a row of which the beginning is not shown */
#define LINE_SHARE 8                         /* a row has at most this part of a view before the others have what they need, */
#define LINE_LEAST 60u                       /* or these bytes */
#define TRIES_MAX 200u                       /* rows of one rank without room, after which no other is tried */
#define BESIDE_SHARE 5                       /* what is beside the main content has at most this part of a view */
#define FULL 16                              /* parts of a view */
#define ROWS_SHOWN (ROW_FOCUSED | ROW_PLACE) /* in any case, */
#define CHOSEN_MAX 2u                        /* but no more: frames can have some of their own */
#define CHOSEN_LEAST 1000u                   /* bytes of a view in which they also have their path */
#define CHOSEN_ROOM 100u                     /* bytes of them in it */

/*
 * Up to which part a view may be filled by the rows of a rank, so that those after them have some room, too; 0: they are not shown. What is
 * left then is for all of them, in a brief view for those that `use_rest`. Brief is one of which the call did not say how much it wants.
 */
static const struct {
	unsigned brief, whole;
	bool use_rest;
} share_table[RANK_NONE] = {
	[RANK_CHOSEN] = { FULL, FULL, true },
	[RANK_MESSAGE] = { 10, 10, true },
	[RANK_FRAME] = { 11, 11, true },
	[RANK_CONTROL] = { 12, 12, true },
	[RANK_SEEN] = { 12, 12, true },
	[RANK_BESIDE] = { 14, 14, true },
	[RANK_BESIDE_CONTROL] = { 14, 14, true },
	[RANK_LINKS] = { 14, 14, true },
	[RANK_BUTTON_BELOW] = { 15, 15, true },
	[RANK_FRAME_BELOW] = { 15, 15, true },
	[RANK_LONG_RUN_SEEN] = { 8, 15, false },
	[RANK_RUN_SEEN] = { 10, 15, false },
	[RANK_CONTROL_BELOW] = { FULL, FULL, true },
	[RANK_BELOW] = { FULL, FULL, true },
	[RANK_RUN] = { 8, FULL, false },
	[RANK_LONG_RUN] = { 0, FULL, false },
	[RANK_BESIDE_REST] = { 0, FULL, false },
	[RANK_SUMMED] = { 0, FULL, false },
};

/* What a view has of a row. */
enum shown { HIDDEN, SHOWN, SHOWN_WHOLE /* with all that is in it */ };

/* What rows take, or the note for them. */
struct take {
	long bytes;
	int notes;
};

/* A row of which the beginning is shown. */
struct cut {
	size_t row, room;
};

struct folding {
	struct cursors *cursors;
	struct outline *outline;
	struct printer printer;
	struct ranks ranks;
	size_t first, end, budget;
	bool is_brief;
	bool is_search;   /* of a row that is cut, what was searched for is shown */
	uint8_t *shown;   /* enum shown of each row from `first` on */
	struct take used; /* by the rows that are shown, and by the notes for all others */
	long beside;      /* bytes of the rows that are beside the main content, */
	long beside_max;  /* which may have so many */
	size_t line_max;  /* bytes of a row that is not cut */
	unsigned notes_max;
	struct cut cuts[FOLD_CURSORS_MAX + 1];
	size_t cut_count;
	size_t missing[CHOSEN_MAX]; /* chosen rows that have no room where they are */
	size_t missing_count;
};

/* ---- what rows take ---- */

static size_t indent(const struct folding *f, size_t row)
{
	unsigned depth = f->outline->rows[row].depth;

	return (depth > f->printer.base ? depth - f->printer.base : 0) + (f->printer.mark ? strlen(f->printer.mark) : 0);
}

static size_t note_cost(const struct folding *f, size_t row)
{
	return NOTE_ROOM + indent(f, row) + 1;
}

static struct take sum(struct take a, struct take b)
{
	return (struct take){ a.bytes + b.bytes, a.notes + b.notes };
}

static struct take less(struct take a, struct take b)
{
	return (struct take){ a.bytes - b.bytes, a.notes - b.notes };
}

static bool fold_is_shown(const struct folding *f, size_t row)
{
	return f->shown[row - f->first] != HIDDEN;
}

/* Rows next to each other that take `bytes`, of which `row` is one: the note, or all of them where that saves nothing. */
static struct take take_gap(const struct folding *f, size_t row, size_t bytes)
{
	size_t note = note_cost(f, row);

	return bytes <= note ? (struct take){ (long)bytes, 0 } : (struct take){ (long)note, 1 };
}

/* Rows of this length are cut. */
static bool fold_is_long(const struct folding *f, size_t row)
{
	return f->outline->rows[row].len > f->line_max + NOTE_ROOM + CUT_SAVES;
}

static struct take take_row(const struct folding *f, size_t row)
{
	if (fold_is_long(f, row))
		return (struct take){ (long)(f->line_max + NOTE_ROOM + indent(f, row) + 1), 1 };
	return (struct take){ (long)ranks_cost(&f->ranks, row, row + 1), 0 };
}

static size_t end_of_container(const struct folding *f, size_t row)
{
	size_t parent = parent_in(&f->ranks, row);

	return parent == row ? f->end : end_in(&f->ranks, parent);
}

/* Whether there is a note for the row while it is hidden: its document has one for all that is below its headings. */
static bool is_noted(const struct folding *f, size_t row)
{
	return !fold_is_shown(f, row) && !has_trait(&f->ranks, row, TRAIT_DOCUMENT);
}

/* Bytes of the hidden rows right before the row; not all of them if they are more than a note. */
static size_t hidden_before(const struct folding *f, size_t row)
{
	size_t bytes = 0;

	for (uint32_t at = f->ranks.previous[row - f->first]; at != NO_ROW && is_noted(f, at) && bytes <= note_cost(f, row);
	     at = f->ranks.previous[at - f->first])
		bytes += ranks_cost(&f->ranks, at, end_in(&f->ranks, at));
	return bytes;
}

static size_t hidden_after(const struct folding *f, size_t row)
{
	size_t bytes = 0, end = end_of_container(f, row), next;

	for (size_t at = end_in(&f->ranks, row); at < end && is_noted(f, at) && bytes <= note_cost(f, row); at = next) {
		next = end_in(&f->ranks, at);
		bytes += ranks_cost(&f->ranks, at, next);
	}
	return bytes;
}

/* What the hidden rows take that would be next to the row if it was shown, and if not. */
static void take_neighbours(const struct folding *f, size_t row, struct take *shown, struct take *hidden)
{
	size_t before, after;

	*shown = *hidden = (struct take){};
	if (has_trait(&f->ranks, row, TRAIT_DOCUMENT))
		return;
	before = hidden_before(f, row);
	after = hidden_after(f, row);
	*shown = sum(take_gap(f, row, before), take_gap(f, row, after));
	*hidden = take_gap(f, row, before + ranks_cost(&f->ranks, row, end_in(&f->ranks, row)) + after);
}

/* The note of a document whose rows begin with `first`. */
static struct take take_document_note(const struct folding *f, size_t first, bool is_document)
{
	return is_document ? (struct take){ (long)(note_cost(f, first) + strlen(BELOW_HEADINGS)), 1 } : (struct take){};
}

/* The rows from `first` until `end` of one container while all of them are hidden. */
static struct take take_hidden(const struct folding *f, size_t first, size_t end, bool is_document)
{
	struct take note = {};

	if (first >= end)
		return note;
	note = take_document_note(f, first, is_document);
	return has_trait(&f->ranks, first, TRAIT_DOCUMENT) ? note :
							     sum(note, take_gap(f, first, ranks_cost(&f->ranks, first, end)));
}

static bool has_document(const struct folding *f, size_t row)
{
	return has_trait(&f->ranks, row, TRAIT_HAS_DOCUMENT);
}

/* What more the view takes with the row and what is around it; if that is more than `room`, not all of it. `whole`: with all that is in it. */
static struct take take_more(const struct folding *f, size_t row, bool whole, long room)
{
	size_t end = end_in(&f->ranks, row);
	struct take more, shown, hidden;

	if (whole)
		more = (struct take){ (long)ranks_cost(&f->ranks, row, end), 0 };
	else
		more = sum(take_row(f, row), take_hidden(f, row + 1, end, has_document(f, row)));
	for (;;) {
		size_t parent = parent_in(&f->ranks, row);

		take_neighbours(f, row, &shown, &hidden);
		more = sum(more, shown);
		if (parent == row || fold_is_shown(f, parent) || more.bytes > room + (long)note_cost(f, row))
			return less(more, hidden);
		more = sum(more, sum(take_row(f, parent), take_document_note(f, parent + 1, has_document(f, parent))));
		row = parent;
	}
}

/* ---- choosing ---- */

static void show_one(struct folding *f, size_t row, size_t room)
{
	f->shown[row - f->first] = SHOWN;
	if (f->outline->rows[row].len > room && f->cut_count < ARRAY_SIZE(f->cuts))
		f->cuts[f->cut_count++] = (struct cut){ row, room };
}

static void fold_show(struct folding *f, size_t row, bool whole)
{
	size_t at = row, end = end_in(&f->ranks, row);

	for (size_t parent; !fold_is_shown(f, at); at = parent) {
		parent = parent_in(&f->ranks, at);
		show_one(f, at, fold_is_long(f, at) && !(whole && at == row) ? f->line_max : SIZE_MAX);
		if (parent == at)
			break;
	}
	if (!whole || end == row + 1)
		return;
	memset(f->shown + (row - f->first), SHOWN, end - row);
	f->shown[row - f->first] = SHOWN_WHOLE;
}

static bool try_row(struct folding *f, size_t row, enum rank rank, size_t limit)
{
	bool whole = has_trait(&f->ranks, row, TRAIT_UNIT), is_beside = rank >= RANK_BESIDE && rank <= RANK_LINKS;
	struct take all, more = take_more(f, row, whole, (long)limit - f->used.bytes);

	all = sum(f->used, more);
	if (all.bytes > (long)limit || all.notes > (int)f->notes_max)
		return false;
	if (is_beside && f->beside + more.bytes > f->beside_max)
		return false;
	f->beside += is_beside ? more.bytes : 0;
	f->used = all;
	fold_show(f, row, whole);
	return true;
}

static void choose_rank(struct folding *f, enum rank rank, size_t limit)
{
	unsigned failed = 0;

	for (size_t i = f->ranks.begin[rank]; i < f->ranks.begin[rank + 1] && failed < TRIES_MAX && f->used.bytes < (long)limit;
	     i++) {
		size_t row = f->ranks.order[i];

		if (!fold_is_shown(f, row))
			failed += !try_row(f, row, rank, limit);
	}
}

/* Chosen rows without room where they are have some below the others. */
static void choose_chosen(struct folding *f)
{
	size_t each = f->budget >= CHOSEN_LEAST ? PATH_MAX_BYTES + CHOSEN_ROOM + NOTE_ROOM : CUT_LEAST + NOTE_ROOM;
	const struct ranks *r = &f->ranks;
	unsigned failed = 0;

	for (size_t i = r->begin[RANK_CHOSEN]; i < r->begin[RANK_CHOSEN + 1] && failed < TRIES_MAX; i++) {
		size_t row = r->order[i];

		if (fold_is_shown(f, row) || try_row(f, row, RANK_CHOSEN, f->budget))
			continue;
		failed++;
		/* What is new is below its heading, and nothing else. What was searched for is found below cursors. */
		if (f->printer.mark || !(f->outline->rows[row].flags & ROWS_SHOWN) || f->missing_count == CHOSEN_MAX)
			continue;
		f->missing[f->missing_count++] = row;
		f->budget = f->budget > each ? f->budget - each : 0;
	}
}

/* The main content of a brief view is shown whole if it fits beside the others. */
static bool is_roomy(const struct folding *f)
{
	return f->ranks.main_bytes + MIN(f->ranks.beside_bytes, f->budget / BESIDE_SHARE) + NOTES_LEAST * NOTE_ROOM / 2 <=
	       f->budget;
}

static size_t fold_limit_of(const struct folding *f, enum rank rank, bool last)
{
	bool all = f->is_brief ? share_table[rank].use_rest : true;

	if ((last && all) || (f->is_brief && rank < RANK_BESIDE_REST && is_roomy(f)))
		return f->budget;
	return f->budget * (f->is_brief ? share_table[rank].brief : share_table[rank].whole) / FULL;
}

/* A reader comes forward whatever the budget. */
static void choose_first(struct folding *f)
{
	size_t notes = 3 * note_cost(f, f->first), room = f->budget > notes ? f->budget - notes : 0;

	show_one(f, f->first, MAX(room, (size_t)CUT_LEAST));
	f->used.bytes = (long)f->budget;
}

static bool is_any_shown(const struct folding *f)
{
	for (size_t i = 0; i < f->end - f->first; i++)
		if (f->shown[i])
			return true;
	return false;
}

/* What is left is for the rows that are cut. */
static void stretch(struct folding *f)
{
	size_t limit = f->is_brief && !is_roomy(f) ? f->budget / 2 : f->budget;

	for (size_t i = 0; i < f->cut_count && f->used.bytes < (long)limit; i++) {
		struct cut *cut = &f->cuts[i];
		size_t len = f->outline->rows[cut->row].len, left = limit - (size_t)f->used.bytes;
		size_t more = len - cut->room <= left + NOTE_ROOM ? len - cut->room : left;

		cut->room += more;
		f->used.bytes += (long)MIN(more, left);
	}
}

static void fold_choose(struct folding *f)
{
	f->used = take_hidden(f, f->first, f->end, f->ranks.is_document);
	choose_chosen(f);
	for (unsigned last = 0; last <= 1; last++) {
		f->beside_max = (long)(last && !f->is_brief ? f->budget : f->budget / BESIDE_SHARE);
		for (enum rank rank = RANK_MESSAGE; rank < RANK_NONE; rank++)
			choose_rank(f, rank, fold_limit_of(f, rank, last));
	}
	if (!is_any_shown(f))
		choose_first(f);
	stretch(f);
}

/* ---- writing ---- */

static void write_note(struct folding *f, size_t first, size_t end, size_t count, const char *noun)
{
	print_line(&f->printer, f->outline->rows[first].depth);
	str_append(f->printer.out, "… ");
	print_number(f->printer.out, count);
	str_appendf(f->printer.out, "%s %.*s, cursor c%u", has_trait(&f->ranks, first, TRAIT_SUMMED) ? "" : " more",
		    (int)(strlen(noun) - (count == 1)), noun, cursors_add_rows(f->cursors, f->outline, first, end, 0));
}

/* Rows of one container that are hidden. */
static void write_gap(struct folding *f, size_t first, size_t end)
{
	const char *noun = path_noun(f->outline, first);
	size_t count = 0;

	if (ranks_cost(&f->ranks, first, end) <= note_cost(f, first)) {
		print_rows(&f->printer, first, end);
		return;
	}
	for (size_t i = first; i < end; i = end_in(&f->ranks, i), count++)
		if (f->outline->rows[i].kind != f->outline->rows[first].kind)
			noun = "parts";
	write_note(f, first, end, count, noun);
}

static const struct cut *find_cut(const struct folding *f, size_t row)
{
	for (size_t i = 0; i < f->cut_count; i++)
		if (f->cuts[i].row == row)
			return &f->cuts[i];
	return NULL;
}

/* Up to `room` bytes of the row. `*from`: where they begin. Returns their length. */
static size_t write_part(struct folding *f, size_t row, size_t room, size_t *from)
{
	const struct outline *c = f->outline;
	size_t label = c->rows[row].has_contents ? row_label_length(c, row) : 0;

	*from = f->is_search ? begin_around(c, row, room) : 0;
	print_line(&f->printer, c->rows[row].depth);
	if (*from > label && label) {
		append_shortened(c, row, label, LABEL_MAX, f->printer.out);
		str_append(f->printer.out, ": ");
	}
	return print_part(&f->printer, row, *from, room);
}

/* Where the row begins with something else than its beginning, the cursor leads to all of it. */
static void write_row(struct folding *f, size_t row, size_t room)
{
	size_t len = f->outline->rows[row].len, shown, from;

	if (len <= room) {
		print_row(&f->printer, row);
		return;
	}
	shown = write_part(f, row, room, &from);
	if (shown == len)
		return;
	str_append(f->printer.out, "… ");
	print_number(f->printer.out, len - shown);
	str_appendf(f->printer.out, " more bytes, cursor c%u",
		    cursors_add_rows(f->cursors, f->outline, row, row + 1, from ? 0 : shown));
}

static void write_shown(struct folding *f, size_t row)
{
	const struct cut *cut = find_cut(f, row);

	if (f->shown[row - f->first] == SHOWN_WHOLE)
		print_rows(&f->printer, row, end_in(&f->ranks, row));
	else
		write_row(f, row, cut ? cut->room : SIZE_MAX);
}

/* For what is hidden below the headings of a document. */
static void write_document_note(struct folding *f, size_t first, size_t end)
{
	size_t hidden = 0;

	for (size_t i = first; i < end; i++)
		if (has_trait(&f->ranks, i, TRAIT_DOCUMENT) && !fold_is_shown(f, i))
			hidden += f->outline->rows[i].len;
	if (!hidden)
		return;
	print_line(&f->printer, f->outline->rows[first].depth);
	str_append(f->printer.out, "… ");
	print_number(f->printer.out, hidden);
	str_appendf(f->printer.out, BELOW_HEADINGS "%u", cursors_add_rows(f->cursors, f->outline, first, end, 0));
}

/* The rows of one container, and what is in them. */
static void write_range(struct folding *f, size_t first, size_t end, bool is_document)
{
	size_t gap = first, next;

	for (size_t i = first; i < end; i = next) {
		next = end_in(&f->ranks, i);
		if (is_noted(f, i))
			continue;
		if (gap < i)
			write_gap(f, gap, i);
		gap = next;
		if (!fold_is_shown(f, i))
			continue;
		write_shown(f, i);
		if (next > i + 1 && f->shown[i - f->first] == SHOWN)
			write_range(f, i + 1, next, has_document(f, i));
	}
	if (gap < end)
		write_gap(f, gap, end);
	if (is_document)
		write_document_note(f, first, end);
}

static void write_missing(struct folding *f, size_t row, bool path)
{
	size_t len = f->printer.out->len;

	f->printer.is_open = false;
	f->printer.base = f->outline->rows[row].depth;
	str_append(f->printer.out, len ? "\nin " : "in ");
	if (!path || !path_append(f->outline, row, f->printer.out))
		str_truncate(f->printer.out, len);
	write_row(f, row, path ? CHOSEN_ROOM : CUT_LEAST);
}

/* ---- all of it ---- */

static bool fold_fits(const struct folding *f)
{
	size_t all = ranks_cost(&f->ranks, f->first, f->end);

	if (all > f->budget || !f->is_brief)
		return all <= f->budget;
	return !f->ranks.before[f->end - f->first].sums && all - f->ranks.main_bytes <= f->budget / BESIDE_SHARE;
}

static void fold(struct folding *f, size_t first, size_t end, size_t budget)
{
	size_t mark = f->printer.mark ? strlen(f->printer.mark) : 0;

	if (first >= end)
		return;
	f->first = first;
	f->end = end;
	f->budget = budget;
	f->line_max = MAX(budget / LINE_SHARE, (size_t)LINE_LEAST);
	f->notes_max = MIN((unsigned)(budget / NOTE_EACH), FOLD_CURSORS_MAX);
	f->notes_max = MAX(f->notes_max, NOTES_LEAST);
	ranks_init(&f->ranks, f->outline, first, end, f->printer.base, mark, budget);
	if (fold_fits(f)) {
		print_rows(&f->printer, first, end);
	} else {
		f->shown = must(calloc(end - first, 1));
		fold_choose(f);
		write_range(f, first, end, f->ranks.is_document);
		for (size_t i = 0; i < f->missing_count; i++)
			write_missing(f, f->missing[i], budget >= CHOSEN_LEAST);
		free(f->shown);
	}
	ranks_done(&f->ranks);
}

void fold_rows(struct cursors *cursors, struct outline *c, size_t first, size_t end, unsigned base, size_t budget, struct str *out)
{
	fold_marked(cursors, c, first, end, base, NULL, budget, out);
}

void fold_marked(struct cursors *cursors, struct outline *c, size_t first, size_t end, unsigned base, const char *mark,
		 size_t budget, struct str *out)
{
	struct folding f = { .cursors = cursors,
			     .outline = c,
			     .is_brief = mark != NULL,
			     .printer = { .outline = c, .out = out, .base = base, .mark = mark } };

	fold(&f, first, end, budget);
}

void fold_briefly(struct cursors *cursors, struct outline *c, size_t budget, struct str *out)
{
	struct folding f = { .cursors = cursors, .outline = c, .is_brief = true, .printer = { .outline = c, .out = out } };

	fold(&f, 0, c->count, budget);
}

void fold_found(struct cursors *cursors, struct outline *c, size_t first, size_t end, size_t budget, struct str *out)
{
	struct folding f = { .cursors = cursors,
			     .outline = c,
			     .is_search = true,
			     .printer = { .outline = c, .out = out, .base = c->rows[first].depth } };

	fold(&f, first, end, budget);
}
