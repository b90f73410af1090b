#include "test.h"

#include "view_reader.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/notation.h"
#include "view/difference.h"
#include "view_fixture.h"

#define LABEL_MAX 60 /* bytes of a label in a path, SHORT_MAX behind "after" */
#define SHORT_MAX 40

/* ---- what a text says ---- */

static bool is_quoted(const char *text, size_t at)
{
	bool quoted = false;

	for (size_t i = 0; i < at; i++)
		if (text[i] == '"')
			quoted = !quoted;
	return quoted;
}

/* The last or the first place of `what` outside of quotes, or NULL. */
static const char *find_outside(const char *text, const char *what, bool last)
{
	const char *found = NULL;

	for (const char *at = text; (at = strstr(at, what)) && (last || !found); at++)
		if (!is_quoted(text, (size_t)(at - text)))
			found = at;
	return found;
}

/* The first ref outside of quotes; 0: none. */
static size_t ref_in(const char *text, const char **ref)
{
	for (const char *at = text; (at = strchr(at, ' ')); at++) {
		size_t len = is_quoted(text, (size_t)(at - text)) ? 0 : notation_name(at + 1, strlen(at + 1), "e");

		*ref = at + 1;
		if (len)
			return len;
	}
	return 0;
}

/* Outside of quotes only whole words are shown, so that no part of a ref is. */
static size_t begin_of_word(const char *text, size_t end)
{
	size_t at = end;

	while (at > 0 && text[at - 1] != ' ')
		at--;
	return at > 0 && !is_quoted(text, end) ? at : end;
}

static void cut(struct str *out, const char *text, size_t len, size_t max)
{
	size_t end = len;

	if (len > max) {
		for (end = max; ((unsigned char)text[end] & 0xc0) == 0x80; end--)
			;
		end = begin_of_word(text, end);
	}
	str_append_len(out, text, end);
	if (end < len)
		str_append(out, is_quoted(text, end) ? "...\"" : "...");
}

static void append_label(struct str *out, const char *text, size_t max)
{
	const char *colon = find_outside(text, ": ", false);

	cut(out, text, colon ? (size_t)(colon - text) : strlen(text), max);
}

/* ---- what is known ---- */

struct known {
	struct known *around, **in;
	size_t count;
	size_t row; /* of the view in which it was; SIZE_MAX: new */
	char *text; /* NULL: the page */
};

static struct known *known_new(const char *text, size_t len, size_t row)
{
	struct known *n = NEW(struct known);

	n->text = must(strndup(text, len));
	n->row = row;
	return n;
}

static void known_insert(struct known *around, size_t at, struct known *n)
{
	around->in = must(realloc(around->in, (around->count + 1) * sizeof(struct known *)));
	memmove(around->in + at + 1, around->in + at, (around->count - at) * sizeof(struct known *));
	around->in[at] = n;
	around->count++;
	n->around = around;
}

static size_t place_of(const struct known *n)
{
	size_t at = 0;

	while (n->around->in[at] != n)
		at++;
	return at;
}

static void known_take_out(struct known *n)
{
	size_t at = place_of(n);

	n->around->count--;
	memmove(n->around->in + at, n->around->in + at + 1, (n->around->count - at) * sizeof(struct known *));
}

static void known_free(struct known *n)
{
	for (size_t i = 0; i < n->count; i++)
		known_free(n->in[i]);
	free(n->in);
	free(n->text);
	free(n);
}

static struct known *known_of(const struct outline *c)
{
	struct known *page = NEW(struct known), **all = must(calloc(c->count + 1, sizeof(*all)));

	for (size_t i = 0; i < c->count; i++) {
		struct known *around = row_parent(c, i) == i ? page : all[row_parent(c, i)];

		all[i] = known_new(row_text(c, i), c->rows[i].len, i);
		known_insert(around, around->count, all[i]);
	}
	free(all);
	return page;
}

static void append_path(struct str *out, const struct known *n, unsigned levels)
{
	if (n->around->around && levels > 1) {
		append_path(out, n->around, levels - 1);
		str_append(out, " > ");
	}
	append_label(out, n->text, LABEL_MAX);
}

static struct known *find_path(struct known *n, const char *path)
{
	struct known *found = NULL;

	if (!n->around && strcmp(path, "the page") == 0)
		return n;
	if (n->around) {
		_cleanup_(str_done) struct str own = {};

		append_path(&own, n, 3);
		if (strcmp(own.data, path) == 0)
			return n;
	}
	for (size_t i = 0; i < n->count && !found; i++)
		found = find_path(n->in[i], path);
	return found;
}

static struct known *find_ref(struct known *n, const char *ref, size_t len)
{
	const char *own;
	struct known *found = NULL;

	if (n->text && len && ref_in(n->text, &own) == len && memcmp(own, ref, len) == 0)
		return n;
	for (size_t i = 0; i < n->count && !found; i++)
		found = find_ref(n->in[i], ref, len);
	return found;
}

static struct known *find_old(struct known *n, size_t row)
{
	struct known *found = n->text && n->row == row ? n : NULL;

	for (size_t i = 0; i < n->count && !found; i++)
		found = find_old(n->in[i], row);
	return found;
}

/* ---- reading a difference ---- */

struct reader {
	struct known *page, *left;       /* and what was in rows that are one line now, as far as it is not elsewhere */
	const struct outline *old, *new; /* the truth, for rows without refs */
	struct cursors *cursors;
	struct known *container, *after; /* where the lines are; NULL: at the end, or where they were */
	bool has_place;
	struct known *open[128]; /* of the lines that are added: what the next ones are in, by their depths */
	unsigned depth;
	const char *text; /* for messages */
};

static void wrong(const struct reader *r, const char *what, const char *line)
{
	fail_msg("%s: %s\nin this difference:\n%s", what, line, r->text);
}

/* The model gives new elements old refs, so of two rows with the same one the newer is meant. */
static struct known *find_after(const struct reader *r, const char *label)
{
	struct known *found = NULL;

	for (size_t i = 0; i < r->container->count; i++) {
		struct known *n = r->container->in[i];
		_cleanup_(str_done) struct str own = {};
		const char *ref;
		size_t len = ref_in(n->text, &ref);

		if (len)
			str_append_len(&own, ref, len);
		else
			append_label(&own, n->text, SHORT_MAX);
		if (strcmp(str_text(&own), label) == 0 && (!found || n->row == SIZE_MAX))
			found = n;
	}
	if (!found)
		wrong(r, "no such row to be after", label);
	return found;
}

static void read_heading(struct reader *r, const char *line)
{
	const char *first = find_outside(line, ", first", true), *after = find_outside(line, ", after ", true);
	_cleanup_(str_done) struct str path = {};

	str_append_len(&path, line, first ? (size_t)(first - line) : after ? (size_t)(after - line) : strlen(line));
	r->container = find_path(r->page, path.data);
	if (!r->container)
		wrong(r, "no such path", path.data);
	r->has_place = first || after;
	r->after = after ? find_after(r, after + strlen(", after ")) : NULL;
	r->depth = 0;
}

/* The next row in the place that the heading names. */
static void put(struct reader *r, struct known *n)
{
	if (!r->has_place)
		known_insert(r->container, r->container->count, n);
	else
		known_insert(r->container, r->after ? place_of(r->after) + 1 : 0, n);
	r->after = n;
}

static void append_without_refs(struct str *out, const char *text)
{
	const char *ref;
	size_t len;

	while ((len = ref_in(text, &ref))) {
		str_append_len(out, text, (size_t)(ref - text));
		text = ref + len;
	}
	str_append(out, text);
}

/* The row in the container that is the same but for its refs: the page has written it again. */
static struct known *find_text(struct reader *r, const char *text)
{
	_cleanup_(str_done) struct str wanted = {};

	append_without_refs(&wanted, text);
	for (size_t i = 0; i < r->container->count; i++) {
		_cleanup_(str_done) struct str own = {};

		append_without_refs(&own, r->container->in[i]->text);
		if (r->container->in[i]->row != SIZE_MAX && strcmp(str_text(&own), str_text(&wanted)) == 0)
			return r->container->in[i];
	}
	return NULL;
}

/* What a changed row without a known ref was: the row of the same element. */
static struct known *ask_truth(struct reader *r, const char *text)
{
	for (size_t i = 0; i < r->new->count; i++) {
		if (r->new->rows[i].len != strlen(text) || memcmp(row_text(r->new, i), text, strlen(text)) != 0)
			continue;
		for (size_t j = 0; j < r->old->count; j++)
			if (r->old->rows[j].key == r->new->rows[i].key)
				return find_old(r->container, j);
	}
	return NULL;
}

/* `role: a | b` and `a | b` are rows with all that is in them. */
static bool is_whole(const char *text)
{
	return find_outside(text, ": ", false) || find_outside(text, " | ", false);
}

/* "button "Save" e9 (was e5)": of an element that the reader knows by another ref. */
static struct known *take_former_ref(struct reader *r, char *text)
{
	char *was = strstr(text, " (was ");
	const char *ref;
	size_t len;

	if (!was)
		return NULL;
	*was = 0;
	len = ref_in(was + 1, &ref);
	return len ? find_ref(r->page, ref, len) : NULL;
}

static void read_changed(struct reader *r, char *text)
{
	struct known *n = take_former_ref(r, text);
	const char *ref;
	size_t len = ref_in(text, &ref);

	if (!n && len)
		n = find_ref(r->page, ref, len);
	if (!n && len)
		n = find_ref(r->left, ref, len);
	if (!n)
		n = find_text(r, text);
	if (!n)
		n = ask_truth(r, text);
	if (!n)
		wrong(r, "what has changed is not known", text);
	free(n->text);
	n->text = must(strdup(text));
	while (is_whole(text) && n->count) {
		struct known *inside = n->in[n->count - 1];

		known_take_out(inside);
		known_insert(r->left, 0, inside);
	}
	if (r->has_place) {
		known_take_out(n);
		put(r, n);
	} else if (n->around != r->container) {
		wrong(r, "moved to no place", text);
	}
	r->depth = 0;
}

static void read_rows(struct reader *r, const char *text, unsigned base);

static bool is_row(const struct reader *r, const char *text)
{
	for (size_t i = 0; i < r->new->count; i++)
		if (r->new->rows[i].len == strlen(text) && memcmp(row_text(r->new, i), text, strlen(text)) == 0)
			return true;
	return false;
}

/* The rest of a row that was cut. */
static void append_rest(struct reader *r, struct str *row, const char *note)
{
	_cleanup_(str_done) struct str rest = {};
	unsigned number = 0;
	char name[16];
	const char *begin;

	assert_int_equal(cursors_in(note, &number, 1), 1);
	snprintf(name, sizeof(name), "c%u", number);
	assert_int_equal(cursors_show(r->cursors, name, LIMIT_VALUE, &rest), CURSOR_SHOWN);
	begin = strstr(rest.data, "…");
	assert_non_null(begin);
	begin += strlen("…");
	if (*begin == '"') {
		assert_true(row->len && row->data[row->len - 1] == '"');
		str_truncate(row, row->len - 1);
		begin++;
	}
	str_append(row, begin);
}

/* Headings of a document, which the cursor below them leads to again, with all that is between them. */
static void take_back_headings(struct reader *r, const char *rest, unsigned depth)
{
	struct known *around = depth ? r->open[depth - 1] : r->container, *n;

	while ((n = depth ? around->count ? around->in[around->count - 1] : NULL : r->after) && n->row == SIZE_MAX &&
	       strstr(rest, n->text)) {
		if (depth == 0)
			r->after = place_of(n) ? around->in[place_of(n) - 1] : NULL;
		known_take_out(n);
		known_free(n);
	}
}

static void read_note(struct reader *r, const char *note, unsigned depth)
{
	_cleanup_(str_done) struct str rest = {};
	unsigned number = 0;
	char name[16];

	assert_int_equal(cursors_in(note, &number, 1), 1);
	snprintf(name, sizeof(name), "c%u", number);
	assert_int_equal(cursors_show(r->cursors, name, LIMIT_VALUE, &rest), CURSOR_SHOWN);
	if (strstr(note, "below these headings"))
		take_back_headings(r, rest.data, depth);
	read_rows(r, rest.data, depth);
}

static void read_added(struct reader *r, const char *line, unsigned base)
{
	unsigned depth = base + (unsigned)strspn(line, " ");
	_cleanup_(str_done) struct str row = {};
	const char *text = line + strspn(line, " "), *note = strstr(text, "… ");
	struct known *n;

	if (note == text) {
		read_note(r, text, depth);
		return;
	}
	str_append_len(&row, text, note ? (size_t)(note - text) : strlen(text));
	if (note)
		append_rest(r, &row, note);
	if (depth > r->depth)
		wrong(r, "too deep", line);
	for (const char *part = row.data, *end; part; part = *end ? end + 3 : NULL) { /* short rows share a line */
		end = is_row(r, part) ? NULL : find_outside(part, " | ", false);
		end = end ? end : part + strlen(part);
		n = known_new(part, (size_t)(end - part), SIZE_MAX);
		if (depth == 0)
			put(r, n);
		else
			known_insert(r->open[depth - 1], r->open[depth - 1]->count, n);
		r->open[depth] = n;
	}
	r->depth = depth + 1;
}

/* What a cursor leads to. */
static void read_rows(struct reader *r, const char *text, unsigned base)
{
	_cleanup_(freep) char *lines = must(strdup(text));

	for (char *rest = lines, *line; (line = strsep(&rest, "\n"));)
		if (strncmp(line, "in ", 3) != 0)
			read_added(r, line, base);
}

/* Whether `said` is how a difference names the row. */
static bool is_said(const char *said, const char *text)
{
	const char *dots = strstr(said, "..."), *ref, *own;
	size_t len;

	if (!dots)
		return strcmp(said, text) == 0;
	if (strncmp(said, text, (size_t)(dots - said)) != 0)
		return false;
	dots += dots[3] == '"' ? 4 : 3;
	len = ref_in(dots, &ref);
	return !len || (ref_in(text, &own) == len && memcmp(own, ref, len) == 0);
}

/* Whether the rows, which are old ones, are those that are gone. */
static bool is_run(const struct known *container, size_t at, size_t count, const char *first, const char *last)
{
	const struct known *begin = container->in[at], *end = at + count > container->count ? NULL : container->in[at + count - 1];

	return end && begin->row != SIZE_MAX && end->row != SIZE_MAX && is_said(first, begin->text) && is_said(last, end->text);
}

static void read_gone(struct reader *r, const char *line)
{
	unsigned long count = strtoul(line, NULL, 10);
	const char *colon = strstr(line, ": "), *to = find_outside(line, " to ", true);
	_cleanup_(str_done) struct str first = {};

	if (count >= 3 && colon && to) {
		str_append_len(&first, colon + 2, (size_t)(to - colon - 2));
	} else {
		count = 1;
		str_append(&first, line);
	}
	for (size_t at = 0; at < r->container->count; at++) {
		if (!is_run(r->container, at, count, first.data, count > 1 ? to + 4 : first.data))
			continue;
		while (count-- > 0) {
			struct known *n = r->container->in[at];

			known_take_out(n);
			known_free(n);
		}
		return;
	}
	wrong(r, "what is gone is not known", line);
}

static void read_difference(struct reader *r, const char *text)
{
	_cleanup_(freep) char *lines = must(strdup(text));

	r->text = text;
	for (char *rest = lines, *line; (line = strsep(&rest, "\n"));) {
		if (strncmp(line, "in ", 3) == 0)
			read_heading(r, line + 3);
		else if (!r->container)
			wrong(r, "no heading above", line);
		else if (strncmp(line, "~ ", 2) == 0)
			read_changed(r, line + 2);
		else if (strncmp(line, "+ ", 2) == 0)
			read_added(r, line + 2, 0);
		else if (strncmp(line, "- ", 2) == 0)
			read_gone(r, line + 2);
		else
			wrong(r, "no line of a difference", line);
	}
}

/* ---- comparing ---- */

/* Short rows share a line, so rows without others in them are compared by their parts. */
static void append_parts(struct str *out, const struct known *n, unsigned depth)
{
	for (size_t i = 0; i < n->count; i++) {
		const char *text = n->in[i]->text, *part;

		while (n->in[i]->count == 0 && (part = find_outside(text, " | ", false))) {
			str_appendf(out, "%*s%.*s\n", (int)depth, "", (int)(part - text), text);
			text = part + 3;
		}
		str_appendf(out, "%*s%s\n", (int)depth, "", text);
		append_parts(out, n->in[i], depth + 1);
	}
}

static void check_known(const struct reader *r)
{
	_cleanup_(str_done) struct str known = {}, expected = {};
	struct known *truth = known_of(r->new);

	append_parts(&known, r->page, 0);
	append_parts(&expected, truth, 0);
	known_free(truth);
	if (strcmp(str_text(&known), str_text(&expected)) != 0)
		fail_msg("after this difference:\n%s\na reader knows:\n%s\nbut the page is:\n%s", r->text, str_text(&known),
			 str_text(&expected));
}

void check_difference(const struct outline *old, struct outline *new)
{
	_cleanup_(str_done) struct str text = {};
	struct cursors cursors;
	struct reader r = {
		.page = known_of(old), .left = NEW(struct known), .old = old, .new = new, .cursors = &cursors, .text = ""
	};
	enum difference result;
	size_t left_out;

	cursors_init(&cursors);
	result = difference_write(&cursors, old, new, true, SIZE_MAX, &text, &left_out);
	if (result != DIFFERENCE_UNKNOWN && result != DIFFERENCE_TOO_LONG) { /* a view says it then */
		if (text.len)
			read_difference(&r, text.data);
		check_known(&r);
	}
	known_free(r.page);
	known_free(r.left);
	cursors_done(&cursors);
}
