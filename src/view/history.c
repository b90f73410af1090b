#include "view/history.h"

#include <string.h>

#include "base/limits.h"

#define LANDMARK_LEAST 120 /* bytes: shorter ones are shown */
#define LANDMARKS_MAX 32u  /* that are looked for: each is compared with those of the page before */

void history_done(struct history *h)
{
	for (size_t i = 0; i < HISTORY_COUNT; i++)
		h->outlines[i] = outline_unref(h->outlines[i]);
	h->landmarks = outline_unref(h->landmarks);
}

/* A large page is the only one that is kept. */
static void make_room(struct history *h, const struct outline *c)
{
	size_t bytes = outline_size(c);

	for (size_t i = 0; i < HISTORY_COUNT; i++) {
		if (h->outlines[i])
			bytes += outline_size(h->outlines[i]);
		if (i == HISTORY_COUNT - 1 || bytes > LIMIT_VIEW_KEPT)
			h->outlines[i] = outline_unref(h->outlines[i]);
	}
}

void history_add(struct history *h, struct outline *c)
{
	make_room(h, c);
	if (outline_size(c) > LIMIT_VIEW_KEPT)
		return;
	memmove(h->outlines + 1, h->outlines, (HISTORY_COUNT - 1) * sizeof(*h->outlines));
	h->outlines[0] = outline_ref(c);
}

struct outline *history_find(const struct history *h, unsigned revision)
{
	for (size_t i = 0; i < HISTORY_COUNT; i++)
		if (h->outlines[i] && h->outlines[i]->revision == revision)
			return h->outlines[i];
	return NULL;
}

/* ---- landmarks ---- */

static bool is_named(const struct outline *c, size_t row, const char *role)
{
	size_t len = strlen(role);

	return c->rows[row].len >= len && strncmp(row_text(c, row), role, len) == 0 && strchr(" :\n", row_text(c, row)[len]);
}

static bool is_repeated(const struct outline *c, size_t row)
{
	size_t bytes = 0;

	if (c->rows[row].kind != 'L' || !(is_named(c, row, "banner") || is_named(c, row, "contentinfo") ||
					  is_named(c, row, "navigation") || is_named(c, row, "complementary")))
		return false;
	for (size_t i = row; i < c->rows[row].end; i++)
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

static void append_line(const struct outline *c, size_t row, struct str *out)
{
	const char *text = str_text(&c->text), *begin = row_text(c, row);

	while (begin > text && begin[-1] != '\n')
		begin--;
	str_append_len(out, begin, (size_t)(row_text(c, row) + c->rows[row].len - begin));
	str_append_char(out, '\n');
}

/* Its row without the contents, and where these are. */
static void append_reference(const struct outline *c, size_t row, const struct outline *known, bool same_refs, unsigned cursor,
			     struct str *out)
{
	append_line(c, row, out);
	str_truncate(out, out->len - 1 - (c->rows[row].len - row_label_length(c, row)));
	str_appendf(out, " as in r%u", known->revision);
	if (!same_refs)
		str_appendf(out, " with other refs, cursor c%u", cursor);
	str_append_char(out, '\n');
}

struct outline *history_shorten(struct history *h, struct outline *c,
				unsigned (*cursor)(void *data, struct outline *c, size_t first, size_t end), void *data)
{
	_cleanup_(str_done) struct str rows = {};
	struct outline *shortened = NULL;
	unsigned looked = 0;
	bool any = false;

	for (size_t i = 0; h->landmarks && h->landmarks->revision && i < c->count;) {
		bool looks = looked < LANDMARKS_MAX && is_repeated(c, i);
		size_t same = looks ? find_landmark(h->landmarks, c, i) : SIZE_MAX;

		looked += looks;
		if (same == SIZE_MAX) {
			append_line(c, i++, &rows);
			continue;
		}
		any = true;
		if (are_equal(c, i, h->landmarks, same, false))
			append_reference(c, i, h->landmarks, true, 0, &rows);
		else
			append_reference(c, i, h->landmarks, false, cursor(data, c, i, c->rows[i].end), &rows);
		i = c->rows[i].end;
	}
	if (any && outline_new(&rows, &shortened) == 0)
		return shortened;
	outline_unref(h->landmarks);
	h->landmarks = outline_size(c) <= LIMIT_VIEW_KEPT ? outline_ref(c) : NULL;
	return outline_ref(c);
}
