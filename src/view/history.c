#include "view/history.h"

#include <string.h>

#include "base/limits.h"

#define LANDMARK_LEAST 120 /* bytes: shorter ones are shown */
#define LANDMARKS_MAX 32u  /* that are looked for: each is compared with those of the page before */

static struct outline *history_forget(struct history *h, size_t i)
{
	return i == 0 ? outline_unref(h->outlines[i]) : outline_drop(h->outlines[i]);
}

void history_done(struct history *h)
{
	for (size_t i = 0; i < HISTORY_COUNT; i++)
		h->outlines[i] = history_forget(h, i);
	h->landmarks = outline_drop(h->landmarks);
}

/* The newest one becomes the second. */
static void push_down(struct history *h)
{
	outline_drop(h->outlines[HISTORY_COUNT - 1]);
	memmove(h->outlines + 1, h->outlines, (HISTORY_COUNT - 1) * sizeof(*h->outlines));
	h->outlines[0] = NULL;
	outline_keep(h->outlines[1]);
	outline_unref(h->outlines[1]);
}

size_t history_size(const struct history *h)
{
	size_t bytes = h->landmarks ? outline_size(h->landmarks) : 0;

	for (size_t i = 0; i < HISTORY_COUNT; i++)
		bytes += h->outlines[i] ? outline_size(h->outlines[i]) : 0;
	return bytes;
}

/* A large page is the only one that is kept. */
static void history_make_room(struct history *h, const struct outline *c)
{
	size_t bytes = outline_size(c);

	for (size_t i = 0; i < HISTORY_COUNT; i++) {
		if (h->outlines[i])
			bytes += outline_size(h->outlines[i]);
		if (bytes > LIMIT_VIEW_KEPT)
			h->outlines[i] = history_forget(h, i);
	}
}

void history_add(struct history *h, struct outline *c)
{
	if (history_seen(h) && history_seen(h)->revision == c->revision)
		h->outlines[0] = outline_unref(h->outlines[0]);
	else
		push_down(h);
	history_make_room(h, c);
	if (outline_size(c) <= LIMIT_VIEW_KEPT)
		h->outlines[0] = outline_ref(c);
}

struct outline *history_find(const struct history *h, unsigned revision)
{
	for (size_t i = 0; i < HISTORY_COUNT; i++)
		if (h->outlines[i] && h->outlines[i]->revision == revision)
			return outline_ref(h->outlines[i]);
	return NULL;
}

static bool row_has_ref(const struct outline *c, size_t row, const char *ref, size_t wanted)
{
	size_t count, len;
	const struct mark *marks = row_marks(c, row, &count);

	for (size_t i = 0; i < count; i++) {
		const char *at = marks[i].kind == MARK_REF ? row_ref_at(c, row, &marks[i], &len) : NULL;

		if (at && len == wanted && memcmp(at, ref, len) == 0)
			return true;
	}
	return false;
}

static bool has_ref(const struct outline *c, const char *ref)
{
	size_t wanted = strlen(ref);

	for (size_t i = 0; i < c->count; i++)
		if (row_has_ref(c, i, ref, wanted))
			return true;
	return false;
}

static unsigned revision_with_ref(struct outline *kept, const char *ref)
{
	_cleanup_(outline_unrefp) struct outline *c = outline_ref(kept);

	return c && has_ref(c, ref) ? c->revision : 0;
}

unsigned history_find_ref(const struct history *h, const char *ref)
{
	unsigned revision = 0;

	for (size_t i = 0; !revision && i < HISTORY_COUNT; i++)
		revision = revision_with_ref(h->outlines[i], ref);
	return revision ? revision : revision_with_ref(h->landmarks, ref);
}

void history_list(const struct history *h, struct str *out)
{
	size_t begin = out->len;

	for (size_t i = 0; i < HISTORY_COUNT; i++)
		if (h->outlines[i])
			str_appendf(out, "%sr%u", out->len > begin ? ", " : "", h->outlines[i]->revision);
	if (out->len == begin)
		str_append(out, "none");
}

/* ---- landmarks ---- */

static bool history_is_repeated(const struct outline *c, size_t row)
{
	size_t bytes = 0;

	if (!is_beside_main(c, row))
		return false;
	for (size_t i = row; i < c->rows[row].end && bytes < LANDMARK_LEAST; i++)
		bytes += c->rows[i].len;
	return bytes >= LANDMARK_LEAST;
}

static bool are_equal(const struct outline *a, size_t first, const struct outline *b, size_t other, bool but_refs)
{
	size_t count = a->rows[first].end - first;

	if (b->rows[other].end - other != count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (a->rows[first + i].kind != b->rows[other + i].kind || !row_equals(a, first + i, b, other + i, but_refs))
			return false;
	return true;
}

/* The landmark of `known` that says the same, or SIZE_MAX. */
static size_t find_landmark(const struct outline *known, const struct outline *c, size_t row)
{
	for (size_t i = 0; i < known->count; i++)
		if (known->rows[i].kind == 'L' && are_equal(c, row, known, i, true))
			return i;
	return SIZE_MAX;
}

/* Its row without the contents, and where these are. */
static void append_reference(const struct outline *c, size_t row, const struct outline *known, bool same_refs, unsigned cursor,
			     struct str *out)
{
	row_append_line(c, row, out);
	str_truncate(out, out->len - 1 - (c->rows[row].len - row_label_length(c, row)));
	str_appendf(out, " as in r%u", known->revision);
	if (!same_refs)
		str_appendf(out, " with other refs, cursor c%u", cursor);
	str_append_char(out, '\n');
}

/* The rows of `c` with a line for each landmark that is as in `known`; false: none is. */
static bool history_shorten_known(struct outline *c, const struct outline *known,
				  unsigned (*cursor)(void *data, struct outline *c, size_t first, size_t end), void *data,
				  struct str *rows)
{
	unsigned looked = 0;
	bool any = false;

	for (size_t i = 0; i < c->count;) {
		bool looks = looked < LANDMARKS_MAX && history_is_repeated(c, i);
		size_t same = looks ? find_landmark(known, c, i) : SIZE_MAX;

		looked += looks;
		if (same == SIZE_MAX) {
			row_append_line(c, i++, rows);
			continue;
		}
		any = true;
		if (are_equal(c, i, known, same, false))
			append_reference(c, i, known, true, 0, rows);
		else
			append_reference(c, i, known, false, cursor(data, c, i, c->rows[i].end), rows);
		i = c->rows[i].end;
	}
	return any;
}

struct outline *history_shorten(struct history *h, struct outline *c,
				unsigned (*cursor)(void *data, struct outline *c, size_t first, size_t end), void *data)
{
	_cleanup_(outline_unrefp) struct outline *known = outline_ref(h->landmarks);
	_cleanup_(str_done) struct str rows = {};
	struct outline *shortened = NULL;

	if (known && known->revision && history_shorten_known(c, known, cursor, data, &rows) &&
	    outline_new(&rows, &shortened) == 0) {
		shortened->revision = c->revision;
		return shortened;
	}
	outline_drop(h->landmarks);
	h->landmarks = outline_size(c) <= LIMIT_VIEW_KEPT ? outline_keep(c) : NULL;
	return outline_ref(c);
}
