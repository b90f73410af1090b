#include "view/fold.h"

#include <stdlib.h>
#include <string.h>

#include "view/path.h"
#include "view/print.h"

#define RUN_LEAST 8    /* like things in a row, of which the first ones stand for all */
#define RUN_SHOWN 3    /* of them */
#define RUN_WHOLE 800u /* bytes: shorter runs are shown as far as there is room */
#define SMALL 80u      /* bytes that a unit has at least, or it is not shown */
#define NOTE_ROOM 44u  /* for "… 12,345 more lines, cursor c1234", without its indentation */
#define GAPS_MAX 16u   /* parts of a range that are not shown */
#define BELOW_HEADINGS " bytes below these headings: browser_read a section, or cursor c"
#define CUT_LEAST 20u    /* bytes of a row that is cut */
#define SECTION_LONG 400 /* bytes: sections of this mean length are shown by their headings */
#define BESIDE_SHARE 12  /* landmarks beside the main content have this part of a view that has not room for all */
#define WEIGHT_CHOSEN 8  /* dialogs and messages, and what has a chosen row; against 1 */
#define WEIGHT_VISIBLE 3 /* in the viewport */
#define ROWS_CHOSEN (ROW_FOCUSED | ROW_PLACE)
#define CHOSEN_MAX 2u      /* rows that are shown in any case: frames can have some of their own */
#define CHOSEN_LEAST 1000u /* bytes of a view in which they also have their path */
#define CHOSEN_ROOM 100u   /* bytes of them in it */
#define CONTENTS_KNOWN 256 /* more than the levels that rows have with the headings of one of them */

/* What comes before a row, so that a range of rows is measured at once. */
struct measure {
	size_t bytes;
	uint32_t chosen, messages, visible; /* rows */
};

/* A row with those in it, or a heading with what follows it until the next one of its level. */
struct unit {
	size_t first, end;
	size_t want;  /* bytes of all of it */
	size_t least; /* bytes without which it is not shown */
	size_t share; /* bytes that it gets */
	unsigned weight;
	char like; /* units with the same are like things */
	bool is_section, is_shown;
	bool is_beside; /* not of the main content */
};

/* What units a range of rows has. */
struct contents {
	size_t first, end;
	size_t sections, bytes; /* of them */
	bool is_one;            /* there is one unit */
};

struct folding {
	struct cursors *cursors; /* NULL: a trial */
	struct outline *outline;
	struct printer printer;
	struct measure *before; /* of each row from `first` on */
	size_t first;
	struct contents *contents; /* CONTENTS_KNOWN ranges that were looked at */
	unsigned notes;            /* cursors that were or would be added */
	size_t small;              /* SMALL, or more when there would be too many notes */
	unsigned gaps_max;         /* in one range; fewer then */
	size_t chosen[CHOSEN_MAX]; /* rows */
	bool is_shown[CHOSEN_MAX];
	size_t chosen_count;
};

static void write_range(struct folding *f, size_t first, size_t end, size_t budget);

static bool is_heading(const struct outline_row *r)
{
	return r->kind >= '1' && r->kind <= '6';
}

/* ---- measuring ---- */

static size_t indent(const struct folding *f, size_t row)
{
	unsigned depth = f->outline->rows[row].depth;

	return (depth > f->printer.base ? depth - f->printer.base : 0) + (f->printer.mark ? strlen(f->printer.mark) : 0);
}

/* Bytes of a line, or of " | " and a part of one. */
static size_t row_cost(const struct folding *f, size_t row)
{
	return f->outline->rows[row].len + MAX(indent(f, row) + 1, (size_t)3);
}

static size_t note_cost(const struct folding *f, size_t row)
{
	return NOTE_ROOM + indent(f, row) + 1;
}

static void measure(struct folding *f, size_t first, size_t end)
{
	struct measure sum = {};

	f->before = must(calloc(end - first + 1, sizeof(*f->before)));
	f->first = first;
	for (size_t i = first; i < end; i++) {
		const struct outline_row *r = &f->outline->rows[i];

		f->before[i - first] = sum;
		sum.bytes += row_cost(f, i);
		sum.chosen += (r->flags & ROWS_CHOSEN) != 0;
		sum.messages += r->kind == 'D';
		sum.visible += (r->flags & ROW_VISIBLE) != 0;
		if ((r->flags & ROWS_CHOSEN) && f->chosen_count < CHOSEN_MAX)
			f->chosen[f->chosen_count++] = i;
	}
	f->before[end - first] = sum;
}

static size_t cost(const struct folding *f, size_t first, size_t end)
{
	return f->before[end - f->first].bytes - f->before[first - f->first].bytes;
}

static bool is_chosen(const struct folding *f, const struct unit *u)
{
	return f->before[u->end - f->first].chosen > f->before[u->first - f->first].chosen;
}

static unsigned weigh(const struct folding *f, size_t first, size_t end)
{
	const struct measure *a = &f->before[first - f->first], *b = &f->before[end - f->first];

	if (b->chosen > a->chosen || b->messages > a->messages)
		return WEIGHT_CHOSEN;
	return b->visible > a->visible ? WEIGHT_VISIBLE : 1;
}

/* ---- units ---- */

static size_t end_of_section(const struct outline *c, size_t heading, size_t end)
{
	size_t i = c->rows[heading].end;

	while (i < end && !(is_heading(&c->rows[i]) && c->rows[i].kind <= c->rows[heading].kind))
		i = c->rows[i].end;
	return MIN(i, end);
}

static struct unit unit_at(const struct folding *f, size_t first, size_t end)
{
	const struct outline *c = f->outline;
	struct unit u = { .first = first, .end = MIN((size_t)c->rows[first].end, end), .like = c->rows[first].kind };

	if (is_heading(&c->rows[first])) {
		u.end = end_of_section(c, first, end);
		u.is_section = true;
	}
	u.want = cost(f, u.first, u.end);
	u.least = MIN(u.want, f->small + 2 * indent(f, first));
	u.weight = weigh(f, u.first, u.end);
	u.is_beside = u.weight != WEIGHT_CHOSEN && is_beside_main(c, first);
	return u;
}

/* The caller frees the result. */
static struct unit *units_of(const struct folding *f, size_t first, size_t end, size_t *count)
{
	size_t max = 0;
	struct unit *units;

	for (size_t i = first; i < end; i = f->outline->rows[i].end)
		max++;
	units = must(calloc(max + 1, sizeof(*units)));
	*count = 0;
	for (size_t i = first; i < end; i = units[*count - 1].end)
		units[(*count)++] = unit_at(f, i, end);
	return units;
}

/* ---- notes ---- */

/* The number of a cursor to the rows, which a trial does not add. */
static unsigned add_cursor(struct folding *f, size_t first, size_t end, size_t offset)
{
	f->notes++;
	return f->cursors ? cursors_add_rows(f->cursors, f->outline, first, end, offset) : 0;
}

static void write_note(struct folding *f, size_t first, size_t end, size_t count, const char *noun)
{
	print_line(&f->printer, f->outline->rows[first].depth);
	str_append(f->printer.out, "… ");
	print_number(f->printer.out, count);
	str_appendf(f->printer.out, " more %.*s, cursor c%u", (int)(strlen(noun) - (count == 1)), noun,
		    add_cursor(f, first, end, 0));
}

static void show_rows(struct folding *f, size_t first, size_t end)
{
	print_rows(&f->printer, first, end);
	for (size_t i = 0; i < f->chosen_count; i++)
		f->is_shown[i] |= f->chosen[i] >= first && f->chosen[i] < end;
}

/* What the units are called together. */
static const char *noun_of(const struct folding *f, const struct unit *units, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (units[i].is_section != units[0].is_section || (!units[i].is_section && units[i].like != units[0].like))
			return "parts";
	return units[0].is_section ? "sections" : path_noun(f->outline, units[0].first);
}

/* Units that are not shown. */
static void write_gap(struct folding *f, const struct unit *units, size_t count)
{
	size_t first = units[0].first, end = units[count - 1].end;

	if (cost(f, first, end) <= note_cost(f, first))
		show_rows(f, first, end);
	else
		write_note(f, first, end, count, noun_of(f, units, count));
}

/* ---- shares ---- */

static int compare_need(const void *a, const void *b)
{
	const struct unit *x = *(struct unit *const *)a, *y = *(struct unit *const *)b;
	size_t need = (x->want - x->least) / x->weight, other = (y->want - y->least) / y->weight;

	return need < other ? -1 : need > other ? 1 : x->first < y->first ? -1 : 1;
}

/*
 * Gives those of the units that are `beside` the main content, or the others, of `rest` what they want beyond their least, or an equal part
 * of what the smaller ones leave, by weight. Returns what is left.
 */
static size_t share_among(struct unit *units, size_t count, bool beside, size_t rest)
{
	_cleanup_(freep) struct unit **order = must(calloc(count + 1, sizeof(*order)));
	size_t weights = 0, n = 0;

	for (size_t i = 0; i < count; i++) {
		if (!units[i].is_shown || units[i].is_beside != beside)
			continue;
		order[n++] = &units[i];
		weights += units[i].weight;
	}
	qsort(order, n, sizeof(struct unit *), compare_need);
	for (size_t i = 0; i < n; i++) {
		struct unit *u = order[i];
		size_t more = MIN(u->want - u->least, rest * u->weight / weights);

		u->share = u->least + more;
		rest -= more;
		weights -= u->weight;
	}
	return rest;
}

/* The main content comes first: what is beside it has at most `most` of the room, and what is left. */
static void share_out(struct unit *units, size_t count, size_t rest, size_t most)
{
	size_t wanted = 0, beside;

	for (size_t i = 0; i < count; i++)
		wanted += units[i].is_shown && units[i].is_beside ? units[i].want - units[i].least : 0;
	beside = MIN(wanted, most);
	share_among(units, count, true, beside + share_among(units, count, false, rest - beside));
}

/* The first units of each long run of like things stand for all. */
static bool may_be_shown(const struct folding *f, const struct unit *units, size_t begin, size_t end, size_t i)
{
	return end - begin < RUN_LEAST || i - begin < RUN_SHOWN || units[i].weight == WEIGHT_CHOSEN ||
	       cost(f, units[begin].first, units[end - 1].end) <= RUN_WHOLE;
}

/* What counts first: 0 is what has a chosen row, then dialogs and messages, what is in the viewport, and the rest. */
static unsigned rank_of(const struct folding *f, const struct unit *u)
{
	return is_chosen(f, u) ? 0 : u->weight == WEIGHT_CHOSEN ? 1 : u->weight == WEIGHT_VISIBLE ? 2 : 3;
}

/* Shows the units of a rank that have room, and returns what is left of `budget`. A unit between two that are not shown parts a gap. */
static size_t choose_rank(struct folding *f, struct unit *units, size_t count, unsigned rank, size_t budget, unsigned *gap_count)
{
	size_t note = note_cost(f, units[0].first);

	for (size_t begin = 0, end; begin < count; begin = end) {
		for (end = begin + 1; end < count && units[end].like == units[begin].like; end++)
			;
		for (size_t i = begin; i < end; i++) {
			size_t gaps = (i > 0 && !units[i - 1].is_shown) + (i + 1 < count && !units[i + 1].is_shown);
			size_t need = units[i].least + (gaps == 2 ? note : 0);

			if (need > budget || (gaps == 2 && *gap_count >= f->gaps_max) || rank_of(f, &units[i]) != rank ||
			    !may_be_shown(f, units, begin, end, i))
				continue;
			units[i].is_shown = true;
			budget = budget - need + (gaps == 0 ? note : 0);
			*gap_count += gaps - 1;
		}
	}
	return budget;
}

/* Long sections of a document: their headings, and one note for all that is below them. */
static bool are_long(size_t sections, size_t bytes, size_t budget)
{
	return sections >= RUN_SHOWN && bytes / sections > SECTION_LONG && bytes > budget;
}

static bool is_document(const struct unit *units, size_t count, size_t budget)
{
	size_t sections = 0, bytes = 0;

	for (size_t i = 0; i < count; i++) {
		sections += units[i].is_section;
		bytes += units[i].is_section ? units[i].want : 0;
	}
	return are_long(sections, bytes, budget);
}

/* Each level of a page asks for all levels below it, so what is known of a range is kept. */
static const struct contents *contents_of(struct folding *f, size_t first, size_t end)
{
	struct contents *known = &f->contents[first % CONTENTS_KNOWN];

	if (known->first == first && known->end == end)
		return known;
	*known = (struct contents){ .first = first, .end = end };
	for (size_t i = first, next; i < end; i = next) {
		struct unit u = unit_at(f, i, end);

		next = u.end;
		known->is_one = i == first && next == end;
		known->sections += u.is_section;
		known->bytes += u.is_section ? u.want : 0;
	}
	return known;
}

/* Whether what is in the unit, or in the only unit in it, is a document. */
static bool holds_document(struct folding *f, const struct unit *u, size_t budget)
{
	const struct contents *inner;
	size_t first = u->first;

	do
		inner = contents_of(f, ++first, u->end);
	while (inner->is_one);
	return are_long(inner->sections, inner->bytes, budget);
}

/* Its headings say what a list of its contents beside it says. */
static bool has_document(struct folding *f, const struct unit *units, size_t count, size_t budget)
{
	for (size_t i = 0; i < count; i++)
		if (!units[i].is_beside && units[i].want > budget && holds_document(f, &units[i], budget))
			return true;
	return false;
}

static void choose(struct folding *f, struct unit *units, size_t count, size_t budget)
{
	size_t note = note_cost(f, units[0].first), rest = budget > note ? budget - note : 0;
	unsigned gaps = 1;
	bool any = false;

	for (unsigned rank = 0; rank <= 3; rank++)
		rest = choose_rank(f, units, count, rank, rest, &gaps);
	for (size_t i = 0; i < count; i++)
		any |= units[i].is_shown;
	units[0].is_shown |= !any; /* so that a reader comes forward whatever the budget */
	share_out(units, count, rest, has_document(f, units, count, budget) ? 0 : rest / BESIDE_SHARE);
}

/* ---- writing ---- */

/* The row alone, cut where it is too long. Returns the bytes that it takes. */
static size_t write_head(struct folding *f, size_t row, size_t budget)
{
	const struct outline_row *r = &f->outline->rows[row];
	size_t begin = f->printer.out->len, taken = indent(f, row) + NOTE_ROOM, len;

	if (row_cost(f, row) <= budget || r->len <= CUT_LEAST) {
		show_rows(f, row, row + 1);
		return f->printer.out->len - begin;
	}
	len = print_cut(&f->printer, row, 0, budget > taken + CUT_LEAST ? budget - taken : CUT_LEAST);
	str_append(f->printer.out, "… ");
	print_number(f->printer.out, r->len - len);
	str_appendf(f->printer.out, " more bytes, cursor c%u", add_cursor(f, row, row + 1, len));
	for (size_t i = 0; i < f->chosen_count; i++)
		f->is_shown[i] |= f->chosen[i] == row;
	return f->printer.out->len - begin;
}

static void write_unit(struct folding *f, const struct unit *u)
{
	size_t note = note_cost(f, u->first) + 1, inside = u->first + 1, head;

	if (u->want <= u->share) {
		show_rows(f, u->first, u->end);
	} else if (u->end == inside) {
		write_head(f, u->first, u->share);
	} else {
		head = write_head(f, u->first, MAX(u->share, 2 * note) / 2);
		if (u->share > head + f->small + 2 * (indent(f, inside) + note))
			write_range(f, inside, u->end, u->share - head);
		else
			write_note(f, inside, u->end, u->end - inside, "lines");
	}
}

/* The headings of a section, as far as there is room. Returns the bytes of the rest. */
static size_t write_section(struct folding *f, const struct unit *u, size_t stop)
{
	size_t hidden = 0;

	for (size_t i = u->first; i < u->end; i++) {
		size_t len = f->printer.out->len;

		if (is_heading(&f->outline->rows[i]) && len + 2 * note_cost(f, i) < stop)
			write_head(f, i, MIN(stop - len, SMALL + note_cost(f, i)));
		else
			hidden += f->outline->rows[i].len;
	}
	return hidden;
}

static void write_headings(struct folding *f, const struct unit *units, size_t count, size_t budget)
{
	size_t begin = f->printer.out->len, note = note_cost(f, units[0].first) + strlen(BELOW_HEADINGS), hidden = 0;
	size_t stop = begin + (budget > note ? budget - note : 0);

	for (size_t i = 0; i < count; i++) {
		struct unit u = units[i];
		size_t left = stop > f->printer.out->len ? stop - f->printer.out->len : 0;

		if (left < u.least)
			hidden += u.want;
		else if (u.is_section && u.weight != WEIGHT_CHOSEN)
			hidden += write_section(f, &u, stop);
		else {
			u.share = MAX(left / 4, u.least);
			write_unit(f, &u);
		}
	}
	print_line(&f->printer, f->outline->rows[units[0].first].depth);
	str_append(f->printer.out, "… ");
	print_number(f->printer.out, hidden);
	str_appendf(f->printer.out, BELOW_HEADINGS "%u", add_cursor(f, units[0].first, units[count - 1].end, 0));
}

static void write_units(struct folding *f, struct unit *units, size_t count, size_t budget)
{
	size_t end;

	if (is_document(units, count, budget)) {
		write_headings(f, units, count, budget);
		return;
	}
	choose(f, units, count, budget);
	for (size_t i = 0; i < count; i = end) {
		end = i + 1;
		while (!units[i].is_shown && end < count && !units[end].is_shown)
			end++;
		if (units[i].is_shown)
			write_unit(f, &units[i]);
		else
			write_gap(f, units + i, end - i);
	}
}

static void write_range(struct folding *f, size_t first, size_t end, size_t budget)
{
	_cleanup_(freep) struct unit *units = NULL;
	size_t count;

	if (cost(f, first, end) <= budget) {
		show_rows(f, first, end);
		return;
	}
	units = units_of(f, first, end, &count);
	write_units(f, units, count, budget);
}

/* ---- all of it ---- */

static void restart(struct folding *f)
{
	f->notes = 0;
	memset(f->is_shown, 0, sizeof(f->is_shown));
}

/* Folds without cursors. Returns the number of chosen rows for which there was no room. */
static unsigned attempt(struct folding *f, size_t first, size_t end, size_t budget)
{
	_cleanup_(str_done) struct str text = {};
	struct folding trial = *f;
	unsigned missing = 0;

	trial.cursors = NULL;
	trial.printer.out = &text;
	restart(&trial);
	write_range(&trial, first, end, budget);
	f->notes = trial.notes;
	for (size_t i = 0; i < f->chosen_count; i++)
		missing += !trial.is_shown[i];
	return missing;
}

/* A chosen row that has no room among the others is below them. */
static void write_chosen(struct folding *f, size_t row, bool path)
{
	size_t len = f->printer.out->len;

	f->printer.is_open = false;
	f->printer.base = f->outline->rows[row].depth;
	str_append(f->printer.out, len ? "\nin " : "in ");
	if (!path || !path_append(f->outline, row, f->printer.out))
		str_truncate(f->printer.out, len);
	write_head(f, row, path ? CHOSEN_ROOM + NOTE_ROOM : CUT_LEAST + NOTE_ROOM);
}

static void fold(struct folding *f, size_t first, size_t end, size_t budget)
{
	size_t each = budget >= CHOSEN_LEAST ? PATH_MAX_BYTES + CHOSEN_ROOM + NOTE_ROOM : CUT_LEAST + NOTE_ROOM;
	size_t others = budget > f->chosen_count * each + SMALL ? budget - f->chosen_count * each : SMALL;
	unsigned missing;

	while ((missing = attempt(f, first, end, budget)), f->notes > FOLD_CURSORS_MAX && f->small < budget) {
		f->small *= 2;
		f->gaps_max = (f->gaps_max + 1) / 2;
	}
	restart(f);
	write_range(f, first, end, missing ? others : budget);
	for (size_t i = 0; i < f->chosen_count; i++)
		if (!f->is_shown[i])
			write_chosen(f, f->chosen[i], budget >= CHOSEN_LEAST);
}

void fold_marked(struct cursors *cursors, struct outline *c, size_t first, size_t end, unsigned base, const char *mark,
		 size_t budget, struct str *out)
{
	struct folding f = { .cursors = cursors,
			     .outline = c,
			     .small = SMALL,
			     .gaps_max = GAPS_MAX,
			     .printer = { .outline = c, .out = out, .base = base, .mark = mark } };

	if (first >= end)
		return;
	f.contents = must(calloc(CONTENTS_KNOWN, sizeof(*f.contents)));
	measure(&f, first, end);
	if (mark)
		f.chosen_count = 0;
	if (cost(&f, first, end) <= budget)
		show_rows(&f, first, end);
	else
		fold(&f, first, end, budget);
	free(f.before);
	free(f.contents);
}

void fold_rows(struct cursors *cursors, struct outline *c, size_t first, size_t end, unsigned base, size_t budget, struct str *out)
{
	fold_marked(cursors, c, first, end, base, NULL, budget, out);
}
