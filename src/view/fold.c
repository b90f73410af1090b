#include "view/fold.h"

#include <stdlib.h>
#include <string.h>

#include "view/path.h"
#include "view/print.h"

#define RUN_LEAST 8      /* like things in a row, of which the first ones stand for all */
#define RUN_SHOWN 3      /* of them */
#define UNIT_ROOM 40     /* bytes that a unit has at least, or some are not shown */
#define SMALL 80         /* what is no longer is shown rather than replaced by a note */
#define SECTION_LONG 400 /* bytes: sections of this mean length are shown by their headings */
#define WEIGHT_CHOSEN 8  /* what has the focus, the place of the action, dialogs and messages; against 1 */
#define WEIGHT_VISIBLE 3 /* in the viewport */
#define ROWS_CHOSEN (ROW_FOCUSED | ROW_PLACE)

/* A row with those in it, or a heading with what follows it until the next one of its level. */
struct unit {
	size_t first, end;
	size_t want;  /* bytes of all of it */
	size_t share; /* bytes that it gets */
	unsigned weight;
	char like; /* units with the same are like things */
	bool is_section, is_shown;
};

struct folding {
	struct cursors *cursors;
	struct outline *outline;
	struct printer printer;
};

static void write_range(struct folding *f, size_t first, size_t end, size_t budget);

static bool is_heading(const struct outline_row *r)
{
	return r->kind >= '1' && r->kind <= '6';
}

static size_t cost(const struct outline *c, size_t first, size_t end)
{
	size_t bytes = 0;

	for (size_t i = first; i < end; i++)
		bytes += c->rows[i].len + c->rows[i].depth + 1u;
	return bytes;
}

static unsigned weigh(const struct outline *c, size_t first, size_t end)
{
	unsigned weight = 1;

	for (size_t i = first; i < end; i++) {
		if ((c->rows[i].flags & ROWS_CHOSEN) || c->rows[i].kind == 'D')
			return WEIGHT_CHOSEN;
		if (c->rows[i].flags & ROW_VISIBLE)
			weight = WEIGHT_VISIBLE;
	}
	return weight;
}

static size_t end_of_section(const struct outline *c, size_t heading, size_t end)
{
	size_t i = c->rows[heading].end;

	while (i < end && !(is_heading(&c->rows[i]) && c->rows[i].kind <= c->rows[heading].kind))
		i = c->rows[i].end;
	return MIN(i, end);
}

static struct unit unit_at(const struct outline *c, size_t first, size_t end)
{
	struct unit u = { .first = first, .end = MIN((size_t)c->rows[first].end, end), .like = c->rows[first].kind };

	if (is_heading(&c->rows[first])) {
		u.end = end_of_section(c, first, end);
		u.is_section = true;
	}
	u.want = cost(c, u.first, u.end);
	u.weight = weigh(c, u.first, u.end);
	return u;
}

/* The caller frees the result. */
static struct unit *units_of(const struct outline *c, size_t first, size_t end, size_t *count)
{
	size_t max = 0;
	struct unit *units;

	for (size_t i = first; i < end; i = c->rows[i].end)
		max++;
	units = must(calloc(max + 1, sizeof(*units)));
	*count = 0;
	for (size_t i = first; i < end; i = units[*count - 1].end)
		units[(*count)++] = unit_at(c, i, end);
	return units;
}

/* ---- notes ---- */

static void write_note(struct folding *f, size_t first, size_t end, size_t count, const char *noun)
{
	print_line(&f->printer, f->outline->rows[first].depth);
	str_append(f->printer.out, "… ");
	print_number(f->printer.out, count);
	str_appendf(f->printer.out, " more %s, cursor c%u", noun, cursors_add_rows(f->cursors, f->outline, first, end, 0));
}

static const char *noun_of(const struct folding *f, const struct unit *u)
{
	return u->is_section ? "sections" : path_noun(f->outline, u->first);
}

/* The units that are not shown, from `from` until `to`. */
static void write_gap(struct folding *f, const struct unit *units, size_t from, size_t to)
{
	size_t want = 0;

	for (size_t i = from; i < to; i++)
		want += units[i].want;
	if (want <= SMALL)
		print_rows(&f->printer, units[from].first, units[to - 1].end);
	else
		write_note(f, units[from].first, units[to - 1].end, to - from, noun_of(f, &units[from]));
}

/* ---- shares ---- */

static int compare_need(const void *a, const void *b)
{
	const struct unit *x = *(struct unit *const *)a, *y = *(struct unit *const *)b;
	size_t need = x->want / x->weight, other = y->want / y->weight;

	return need < other ? -1 : need > other ? 1 : x->first < y->first ? -1 : 1;
}

/* Gives each unit what it wants, or an equal part of what the smaller ones leave, by weight. */
static void share_out(struct unit *units, size_t count, size_t budget)
{
	_cleanup_(freep) struct unit **order = must(calloc(count + 1, sizeof(*order)));
	size_t weights = 0, n = 0;

	for (size_t i = 0; i < count; i++) {
		if (!units[i].is_shown)
			continue;
		order[n++] = &units[i];
		weights += units[i].weight;
	}
	qsort(order, n, sizeof(struct unit *), compare_need);
	for (size_t i = 0; i < n; i++) {
		size_t fair = budget * order[i]->weight / weights;

		order[i]->share = MIN(order[i]->want, fair);
		budget -= order[i]->share;
		weights -= order[i]->weight;
	}
}

/* Shows the first units of each long run of like things, and those that must be shown; of so many that none would have room, the first. */
static void choose(struct unit *units, size_t count, size_t budget)
{
	size_t room = MAX(budget / UNIT_ROOM, 1u), shown = 0, end;

	for (size_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count && units[end].like == units[i].like; end++)
			;
		for (size_t j = i; j < end; j++)
			units[j].is_shown = end - i < RUN_LEAST || j - i < RUN_SHOWN || units[j].weight == WEIGHT_CHOSEN;
	}
	for (size_t i = 0; i < count; i++) {
		if (units[i].is_shown && units[i].weight < WEIGHT_CHOSEN && shown >= room)
			units[i].is_shown = false;
		shown += units[i].is_shown;
	}
}

/* ---- writing ---- */

/* The row alone, cut where it is too long. */
static void write_head(struct folding *f, size_t row, size_t budget)
{
	const struct outline_row *r = &f->outline->rows[row];
	size_t len;

	if (r->len <= MAX(budget, (size_t)SMALL)) {
		print_row(&f->printer, row);
		return;
	}
	len = print_cut(&f->printer, row, 0, MAX(budget, (size_t)SMALL));
	if (len < r->len) {
		str_append(f->printer.out, "… ");
		print_number(f->printer.out, r->len - len);
		str_appendf(f->printer.out, " more bytes, cursor c%u", cursors_add_rows(f->cursors, f->outline, row, row + 1, len));
	}
}

static void write_unit(struct folding *f, const struct unit *u)
{
	size_t head = f->outline->rows[u->first].len + f->outline->rows[u->first].depth + 1u;

	if (u->want <= MAX(u->share, (size_t)SMALL)) {
		print_rows(&f->printer, u->first, u->end);
		return;
	}
	write_head(f, u->first, u->share);
	if (u->end == u->first + 1)
		return;
	if (u->share > head + SMALL)
		write_range(f, u->first + 1, u->end, u->share - head);
	else
		write_note(f, u->first + 1, u->end, u->end - u->first - 1, "lines");
}

/* Long sections of a document: their headings, and one note for all that is below them. */
static bool is_document(const struct unit *units, size_t count, size_t budget)
{
	size_t sections = 0, bytes = 0;

	for (size_t i = 0; i < count; i++) {
		sections += units[i].is_section;
		bytes += units[i].is_section ? units[i].want : 0;
	}
	return sections >= RUN_SHOWN && bytes / sections > SECTION_LONG && bytes > budget;
}

static void write_headings(struct folding *f, const struct unit *units, size_t count, size_t budget)
{
	size_t begin = f->printer.out->len, hidden = 0;

	for (size_t i = 0; i < count; i++) {
		if (f->printer.out->len - begin > budget)
			break;
		if (!units[i].is_section || units[i].weight == WEIGHT_CHOSEN) {
			struct unit u = units[i];

			u.share = MIN(u.want, budget / 4);
			write_unit(f, &u);
			continue;
		}
		print_row(&f->printer, units[i].first);
		for (size_t j = units[i].first + 1; j < units[i].end; j++) {
			if (is_heading(&f->outline->rows[j]) && f->printer.out->len - begin <= budget)
				print_row(&f->printer, j);
			else
				hidden += f->outline->rows[j].len;
		}
	}
	print_line(&f->printer, f->outline->rows[units[0].first].depth);
	str_append(f->printer.out, "… ");
	print_number(f->printer.out, hidden);
	str_appendf(f->printer.out, " bytes below these headings, cursor c%u",
		    cursors_add_rows(f->cursors, f->outline, units[0].first, units[count - 1].end, 0));
}

static void write_units(struct folding *f, struct unit *units, size_t count, size_t budget)
{
	size_t end;

	if (is_document(units, count, budget)) {
		write_headings(f, units, count, budget);
		return;
	}
	choose(units, count, budget);
	share_out(units, count, budget);
	for (size_t i = 0; i < count; i = end) {
		for (end = i + 1; !units[i].is_shown && end < count && !units[end].is_shown && units[end].like == units[i].like;
		     end++)
			;
		if (units[i].is_shown)
			write_unit(f, &units[i]);
		else
			write_gap(f, units, i, end);
	}
}

static void write_range(struct folding *f, size_t first, size_t end, size_t budget)
{
	_cleanup_(freep) struct unit *units = NULL;
	size_t count;

	if (cost(f->outline, first, end) <= budget) {
		print_rows(&f->printer, first, end);
		return;
	}
	units = units_of(f->outline, first, end, &count);
	write_units(f, units, count, budget);
}

void fold_marked(struct cursors *cursors, struct outline *c, size_t first, size_t end, unsigned base, const char *mark,
		 size_t budget, struct str *out)
{
	struct folding f = { .cursors = cursors,
			     .outline = c,
			     .printer = { .outline = c, .out = out, .base = base, .mark = mark } };

	if (first < end)
		write_range(&f, first, end, budget);
}

void fold_rows(struct cursors *cursors, struct outline *c, size_t first, size_t end, unsigned base, size_t budget, struct str *out)
{
	fold_marked(cursors, c, first, end, base, NULL, budget, out);
}
