#include "view/rank.h"

#include <stdlib.h>
#include <string.h>

#include "view/match.h"

#define RUN_LEAST 8       /* like rows next to each other, of which the first ones stand for all */
#define RUN_SHOWN 3       /* of them */
#define RUN_READ 200      /* rows of one that are read; for what is in a longer one a reader searches */
#define RUN_WHOLE 800u    /* bytes: shorter runs are shown as far as there is room */
#define UNIT_MOST 300u    /* bytes of a row with those in it that are shown together */
#define ITEM_MOST 600u    /* bytes of an item that is */
#define UNIT_SHARE 4      /* both are at most this part of a view */
#define SECTIONS_LEAST 3  /* of a document */
#define SECTION_LONG 400u /* bytes: sections of this mean length are shown by their headings */
#define OTHERS_SHARE 4    /* of a document, less than this part is anything but text */
#define MAIN_LEAST 40u    /* bytes of the main content; of a page that has less nothing is beside it */
#define FOOTER "contentinfo"
#define INHERITED \
	(TRAIT_BESIDE | TRAIT_FOOTER | TRAIT_CONTENTS | TRAIT_MESSAGE | TRAIT_RUN | TRAIT_LONG_RUN | TRAIT_DOCUMENT | \
	 TRAIT_IN_UNIT | TRAIT_SUMMED)

static const struct measure *measured(const struct ranks *r, size_t row)
{
	return &r->before[row - r->first];
}

/* ---- single rows ---- */

/* What a user acts on, but for links, which texts are full of. */
static bool is_control(const struct outline *c, size_t row)
{
	size_t len;

	if (c->rows[row].kind == 'I' || c->rows[row].kind == 'C' || row_has_role(c, row, "link"))
		return false;
	row_ref(c, row, &len);
	return len && c->rows[row].end == row + 1;
}

static bool is_in_table(const struct outline *c, size_t row)
{
	size_t parent = row_parent(c, row);

	return c->rows[row].kind == 'I' && parent != row &&
	       (row_has_role(c, parent, "table") || row_has_role(c, parent, "grid") || row_has_role(c, parent, "treegrid"));
}

static void rank_measure(struct ranks *r, unsigned base, size_t indent)
{
	const struct outline *c = r->outline;
	struct measure sum = {};

	for (size_t i = r->first; i < r->end; i++) {
		const struct outline_row *row = &c->rows[i];
		size_t blanks = row->depth > base ? row->depth - base : 0, bytes = row->len + MAX(blanks + indent + 1, (size_t)3);
		bool control = is_control(c, i);

		r->before[i - r->first] = sum;
		sum.bytes += bytes;
		sum.others += control || is_in_table(c, i) ? bytes : 0;
		sum.chosen += (row->flags & ROWS_CHOSEN) != 0;
		sum.messages += row->kind == 'D' || (row->flags & ROW_INVALID);
		sum.controls += control;
		sum.visible += (row->flags & ROW_VISIBLE) != 0;
		sum.sums += (row->flags & ROW_SUMS) != 0;
	}
	r->before[r->end - r->first] = sum;
}

static bool has_chosen(const struct ranks *r, size_t first, size_t end)
{
	return measured(r, end)->chosen > measured(r, first)->chosen;
}

/* ---- rows next to each other ---- */

/* A number that rows which are like each other have in common; 0 for one that is like no other. */
static uint64_t likeness(const struct outline *c, size_t row)
{
	const struct outline_row *r = &c->rows[row];
	const char *text = row_text(c, row);
	uint64_t role = 0;

	if (r->kind == 'I' || r->kind == 't')
		return (uint64_t)r->kind;
	if (r->kind != 'A' && r->kind != 'C' && r->kind != 'o')
		return 0;
	for (size_t i = 0; i < r->len && i < sizeof(role) - 1 && text[i] != ' ' && text[i] != ':'; i++)
		role = role << 8 | (uint8_t)text[i];
	return role << 8 | (uint8_t)r->kind;
}

static void find_runs(struct ranks *r, size_t first, size_t end)
{
	for (size_t begin = first, run; begin < end; begin = run) {
		uint64_t like = likeness(r->outline, begin);
		size_t count = 0, place = 0;

		for (run = begin; run < end && (run == begin || (like && likeness(r->outline, run) == like)); run = end_in(r, run))
			count++;
		if (count < RUN_LEAST || ranks_cost(r, begin, run) <= RUN_WHOLE)
			continue;
		for (size_t i = begin; i < run; i = end_in(r, i))
			if (place++ >= RUN_SHOWN && !has_chosen(r, i, end_in(r, i)) &&
			    measured(r, end_in(r, i))->messages == measured(r, i)->messages)
				r->traits[i - r->first] |= TRAIT_RUN | (count > RUN_READ ? TRAIT_LONG_RUN : 0);
	}
}

/*
 * Whether the rows are a document: long sections below headings, which are texts for the most part. They begin behind a title, which has a
 * heading of its own, and what follows that.
 */
static bool find_document(struct ranks *r, size_t first, size_t end)
{
	const struct outline_row *rows = r->outline->rows;
	size_t counts[7] = {}, sections = 0, begin = end, start = end, bytes, others;
	int level = 0;

	for (size_t i = first; i < end; i = end_in(r, i))
		counts[is_heading(&rows[i]) ? rows[i].kind - '0' : 0]++;
	while (level < 6 && sections < SECTIONS_LEAST)
		sections += counts[++level];
	if (sections < SECTIONS_LEAST)
		return false;
	for (size_t i = first; i < end && start == end; i = end_in(r, i)) {
		if (!is_heading(&rows[i]) || rows[i].kind > '0' + level)
			continue;
		if (begin < end || rows[i].kind == '0' + level)
			start = i;
		begin = MIN(begin, i);
	}
	if (start == end)
		return false;
	bytes = ranks_cost(r, begin, end);
	others = measured(r, end)->others - measured(r, begin)->others;
	if (bytes / sections <= SECTION_LONG || bytes <= r->budget || others > bytes / OTHERS_SHARE)
		return false;
	for (size_t i = start; i < end; i = end_in(r, i))
		r->traits[i - r->first] |= TRAIT_DOCUMENT;
	return true;
}

/* What the rows of one container are together. Returns whether they are a document. */
static bool look_into(struct ranks *r, size_t first, size_t end, bool may_be_document)
{
	uint32_t previous = NO_ROW;

	for (size_t i = first; i < end; i = end_in(r, i)) {
		r->previous[i - r->first] = previous;
		previous = (uint32_t)i;
	}
	find_runs(r, first, end);
	return may_be_document && find_document(r, first, end);
}

/* ---- the tree ---- */

/* The row after the one and those in it that it sums up. */
static size_t after_summed(const struct ranks *r, size_t row)
{
	return r->outline->rows[row].flags & ROW_SUMS ? end_in(r, row) : row + 1;
}

/* Bytes of the rows, without those that are summed up. */
static size_t count_shown(const struct ranks *r, size_t first, size_t end)
{
	size_t bytes = 0;

	for (size_t i = first; i < end; i = after_summed(r, i))
		bytes += ranks_cost(r, i, i + 1);
	return bytes;
}

/* Returns whether there is main content, and so something beside it. */
static bool count_main(struct ranks *r)
{
	size_t footers = 0, beside = 0, next, all = count_shown(r, r->first, r->end);

	for (size_t i = r->first; i < r->end; i = next) {
		size_t *bytes = row_has_role(r->outline, i, FOOTER) ? &footers : &beside;

		next = i + 1;
		if (!is_beside_main(r->outline, i))
			continue;
		next = end_in(r, i);
		*bytes += count_shown(r, i, next);
	}
	if (all - beside - footers < MAIN_LEAST)
		footers = beside = 0;
	r->main_bytes = all - beside - footers;
	r->beside_bytes = beside;
	return beside + footers > 0;
}

static uint16_t traits_of_landmark(const struct ranks *r, size_t row)
{
	const struct outline *c = r->outline;

	if (!is_beside_main(c, row))
		return 0;
	return TRAIT_BESIDE | (row_has_role(c, row, FOOTER) ? TRAIT_FOOTER : 0) |
	       (row_has_role(c, row, "banner") ? 0 : TRAIT_CONTENTS);
}

static bool is_unit(const struct ranks *r, size_t row)
{
	size_t end = end_in(r, row), most = r->outline->rows[row].kind == 'I' ? ITEM_MOST : UNIT_MOST;

	return end > row + 1 && ranks_cost(r, row, end) <= MIN(most, r->budget / UNIT_SHARE) && !has_chosen(r, row, end) &&
	       measured(r, end)->sums == measured(r, row)->sums && measured(r, end)->messages == measured(r, row + 1)->messages;
}

static void find_traits(struct ranks *r, bool beside)
{
	r->is_document = look_into(r, r->first, r->end, true);
	r->has_document = r->is_document;
	for (size_t i = r->first; i < r->end; i++) {
		size_t parent = parent_in(r, i);
		uint16_t *traits = &r->traits[i - r->first];
		bool is_document;

		if (parent != i)
			*traits |= r->traits[parent - r->first] & INHERITED;
		if (parent != i && r->outline->rows[parent].flags & ROW_SUMS)
			*traits |= TRAIT_SUMMED;
		*traits |= beside ? traits_of_landmark(r, i) : 0;
		*traits |= r->outline->rows[i].kind == 'D' ? TRAIT_MESSAGE : 0;
		if (parent != i && has_trait(r, parent, TRAIT_UNIT))
			*traits |= TRAIT_IN_UNIT;
		else if (!(*traits & (TRAIT_IN_UNIT | TRAIT_DOCUMENT)) && is_unit(r, i))
			*traits |= TRAIT_UNIT;
		if (end_in(r, i) == i + 1)
			continue;
		is_document = look_into(r, i + 1, end_in(r, i), !(*traits & (TRAIT_DOCUMENT | TRAIT_BESIDE)));
		*traits |= is_document ? TRAIT_HAS_DOCUMENT : 0;
		r->has_document |= is_document;
	}
}

/* ---- ranks ---- */

static bool has_control(const struct ranks *r, size_t row)
{
	size_t end = has_trait(r, row, TRAIT_UNIT) ? end_in(r, row) : row + 1;

	return measured(r, end)->controls > measured(r, row)->controls;
}

/* Of a range without a row in the viewport, nothing is known. */
static bool is_seen(const struct ranks *r, size_t row)
{
	return !measured(r, r->end)->visible || measured(r, end_in(r, row))->visible > measured(r, row)->visible;
}

static enum rank rank_beside(const struct ranks *r, size_t row, bool frame)
{
	const struct outline *c = r->outline;
	bool landmark = is_beside_main(c, row);

	if (has_trait(r, row, TRAIT_RUN))
		return RANK_BESIDE_REST;
	if (has_trait(r, row, TRAIT_FOOTER))
		return landmark && frame ? RANK_BESIDE : RANK_BESIDE_REST;
	if (r->has_document && has_trait(r, row, TRAIT_CONTENTS) && !landmark)
		return RANK_BESIDE_REST;
	return landmark ? RANK_BESIDE : has_control(r, row) ? RANK_BESIDE_CONTROL : RANK_LINKS;
}

/* Of the sections of a document: the headings, and what can be acted on. A control that several sections have says nothing of any. */
static enum rank rank_in_document(struct ranks *r, size_t row, bool seen)
{
	uint64_t hash, *known;

	if (is_heading(&r->outline->rows[row]))
		return RANK_FRAME;
	if (!is_control(r->outline, row))
		return RANK_NONE;
	hash = row_hash(r->outline, row);
	known = &r->controls[hash % CONTROLS_KNOWN];
	if (*known == hash)
		return RANK_NONE;
	*known = hash;
	return seen ? RANK_CONTROL : RANK_CONTROL_BELOW;
}

static enum rank rank_of(struct ranks *r, size_t row)
{
	const struct outline_row *of = &r->outline->rows[row];
	bool seen = is_seen(r, row);
	bool frame = is_heading(of) || (end_in(r, row) > row + 1 && !has_trait(r, row, TRAIT_UNIT));

	if (of->flags & ROWS_CHOSEN)
		return RANK_CHOSEN;
	if (has_trait(r, row, TRAIT_SUMMED))
		return RANK_SUMMED;
	if (has_trait(r, row, TRAIT_IN_UNIT))
		return RANK_NONE;
	if ((has_trait(r, row, TRAIT_MESSAGE) || (of->flags & ROW_INVALID)) && !has_trait(r, row, TRAIT_RUN))
		return RANK_MESSAGE;
	if (has_trait(r, row, TRAIT_BESIDE))
		return rank_beside(r, row, frame);
	if (has_trait(r, row, TRAIT_DOCUMENT))
		return rank_in_document(r, row, seen);
	if (has_trait(r, row, TRAIT_LONG_RUN))
		return seen ? RANK_LONG_RUN_SEEN : RANK_LONG_RUN;
	if (has_trait(r, row, TRAIT_RUN))
		return seen ? RANK_RUN_SEEN : RANK_RUN;
	if (frame)
		return seen ? RANK_FRAME : RANK_FRAME_BELOW;
	if (has_control(r, row))
		return seen ? RANK_CONTROL : row_has_role(r->outline, row, "button") ? RANK_BUTTON_BELOW : RANK_CONTROL_BELOW;
	return seen ? RANK_SEEN : RANK_BELOW;
}

static void rank_sort(struct ranks *r)
{
	size_t next[RANK_COUNT];

	for (size_t i = r->first; i < r->end; i++) {
		r->rank[i - r->first] = (uint8_t)rank_of(r, i);
		r->begin[r->rank[i - r->first] + 1]++;
	}
	for (size_t rank = 0; rank < RANK_COUNT; rank++)
		r->begin[rank + 1] += r->begin[rank];
	memcpy(next, r->begin, sizeof(next));
	for (size_t i = r->first; i < r->end; i++)
		r->order[next[r->rank[i - r->first]]++] = (uint32_t)i;
}

void ranks_init(struct ranks *r, const struct outline *c, size_t first, size_t end, unsigned base, size_t indent, size_t budget)
{
	size_t count = end - first + 1;

	*r = (struct ranks){ .outline = c, .first = first, .end = end, .budget = budget };
	r->before = must(calloc(count, sizeof(*r->before)));
	r->traits = must(calloc(count, sizeof(*r->traits)));
	r->rank = must(calloc(count, sizeof(*r->rank)));
	r->previous = must(calloc(count, sizeof(*r->previous)));
	r->order = must(calloc(count, sizeof(*r->order)));
	rank_measure(r, base, indent);
	find_traits(r, count_main(r));
	rank_sort(r);
}

void ranks_done(struct ranks *r)
{
	free(r->before);
	free(r->traits);
	free(r->rank);
	free(r->previous);
	free(r->order);
}
