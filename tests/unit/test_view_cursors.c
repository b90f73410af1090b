/* Cursors: their names, how long they live, and that the parts of a text or row are all of it. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "view/fold.h"
#include "view_fixture.h"

static void cursors_have_names(void **state)
{
	static const char *const malformed[] = { "",    "c",   "x1",  "c1x",  "C1",     "1",   " c1", "c 1",
						 "c-1", "c+1", "c1+", "c1+x", "c1+1+1", "c1 ", "r1",  "e1" };
	_cleanup_(outline_unrefp) struct outline *c = simple_page(3);
	_cleanup_(str_done) struct str out = {};
	struct cursors all;

	cursors_init(&all);
	assert_int_equal(ask_cursor(&all, "c1", &out), CURSOR_UNKNOWN);
	assert_int_equal(cursors_add_rows(&all, c, 1, 4, 0), 1);
	assert_int_equal(ask_cursor(&all, "c1", &out), CURSOR_SHOWN);
	assert_string_equal(out.data, "in table e1\nrow | 0\nrow | 1\nrow | 2");
	assert_int_equal(ask_cursor(&all, "c1+2", &out), CURSOR_SHOWN);
	assert_string_equal(out.data, "in table e1\nrow | 2");
	assert_int_equal(ask_cursor(&all, "c1+0", &out), CURSOR_SHOWN);
	assert_int_equal(ask_cursor(&all, "c0", &out), CURSOR_UNKNOWN);
	assert_int_equal(ask_cursor(&all, "c2", &out), CURSOR_UNKNOWN);
	assert_int_equal(ask_cursor(&all, "c18446744073709551616", &out), CURSOR_UNKNOWN);
	for (size_t i = 0; i < ARRAY_SIZE(malformed); i++)
		assert_int_equal(ask_cursor(&all, malformed[i], &out), CURSOR_MALFORMED);
	cursors_done(&all);
}

static void cursors_end(void **state)
{
	_cleanup_(outline_unrefp) struct outline *c = simple_page(3);
	_cleanup_(str_done) struct str out = {};
	struct cursors all;

	cursors_init(&all);
	cursors_add_rows(&all, c, 1, 4, 0);
	assert_int_equal(ask_cursor(&all, "c1+3", &out), CURSOR_BEYOND);
	assert_int_equal(ask_cursor(&all, "c1+18446744073709551615", &out), CURSOR_BEYOND);
	assert_int_equal(ask_cursor(&all, "c1+99999999999999999999", &out), CURSOR_BEYOND);
	assert_int_equal(out.len, 0);
	cursors_add_text(&all, "one\ntwo\nthree", 13);
	assert_int_equal(ask_cursor(&all, "c2+1", &out), CURSOR_SHOWN);
	assert_string_equal(out.data, "two\nthree");
	assert_int_equal(ask_cursor(&all, "c2+3", &out), CURSOR_BEYOND);
	cursors_done(&all);
}

static void old_cursors_are_forgotten(void **state)
{
	_cleanup_(outline_unrefp) struct outline *c = simple_page(3);
	_cleanup_(str_done) struct str out = {};
	struct cursors all;

	cursors_init(&all);
	for (unsigned i = 0; i < LIMIT_CURSORS_COUNT + 2; i++)
		cursors_add_rows(&all, c, 1, 4, 0);
	assert_int_equal(all.count, LIMIT_CURSORS_COUNT);
	assert_int_equal(ask_cursor(&all, "c1", &out), CURSOR_FORGOTTEN);
	assert_int_equal(ask_cursor(&all, "c2", &out), CURSOR_FORGOTTEN);
	assert_int_equal(ask_cursor(&all, "c3", &out), CURSOR_SHOWN);
	assert_int_equal(c->keeps, LIMIT_CURSORS_COUNT);
	cursors_done(&all);
	assert_int_equal(c->keeps, 0);
	assert_int_equal(c->refs, 1);
}

/* What cursors keep, an outline that several keep counted once. */
static size_t bytes_kept(const struct outline *const *outlines, size_t count)
{
	size_t bytes = 0;

	for (size_t i = 0; i < count; i++)
		bytes += outlines[i]->keeps ? outline_size(outlines[i]) : 0;
	return bytes;
}

static void cursors_keep_a_limited_number_of_bytes(void **state)
{
	struct outline *pages[6];
	struct cursors all;

	cursors_init(&all);
	all.limit = 4u << 20;
	for (size_t i = 0; i < ARRAY_SIZE(pages); i++)
		pages[i] = simple_page(20000);
	for (unsigned i = 0; i < 500; i++) {
		struct outline *c = pages[random_below(ARRAY_SIZE(pages))];

		for (unsigned n = random_below(30); n-- > 0;)
			cursors_add_rows(&all, c, 1, 4, 0);
		assert_true(all.count <= LIMIT_CURSORS_COUNT);
		assert_true(bytes_kept((const struct outline *const *)pages, ARRAY_SIZE(pages)) <= all.limit + outline_size(c));
	}
	cursors_done(&all);
	for (size_t i = 0; i < ARRAY_SIZE(pages); i++) {
		assert_int_equal(pages[i]->refs, 1);
		outline_unref(pages[i]);
	}
}

/* All cursors of an answer about a page that is larger than the limit lead somewhere. */
static void cursors_of_one_large_page_stay(void **state)
{
	_cleanup_(outline_unrefp) struct outline *c = simple_page(99000), *other = simple_page(10);
	_cleanup_(str_done) struct str out = {};
	struct cursors all;

	cursors_init(&all);
	all.limit = 1u << 20;
	assert_true(outline_size(c) > all.limit);
	cursors_add_rows(&all, other, 1, 4, 0);
	for (unsigned i = 0; i < 10; i++)
		cursors_add_rows(&all, c, 1 + i, 100 + i, 0);
	assert_int_equal(ask_cursor(&all, "c1", &out), CURSOR_CROWDED_OUT);
	for (unsigned i = 2; i <= 11; i++) {
		char name[8];

		snprintf(name, sizeof(name), "c%u", i);
		assert_int_equal(ask_cursor(&all, name, &out), CURSOR_SHOWN);
	}
	cursors_done(&all);
}

/* Whoever reads on has the earlier cursors, too. */
static void cursors_of_one_text_keep_it_once(void **state)
{
	_cleanup_(str_done) struct str text = {}, out = {};
	struct cursors all;
	char name[16] = "c1";

	while (text.len < 3u << 20)
		str_append(&text, "A line of a text that is read part by part.\n");
	cursors_init(&all);
	cursors_cut_text(&all, text.data, text.len, 9000, LIMIT_ANSWER_LINES_COUNT, false, &out);
	for (unsigned i = 1; i < 40; i++) {
		snprintf(name, sizeof(name), "c%u", i);
		assert_int_equal(ask_cursor(&all, name, &out), CURSOR_SHOWN);
	}
	assert_int_equal(ask_cursor(&all, "c1", &out), CURSOR_SHOWN);
	assert_int_equal(ask_cursor(&all, "c1+60000", &out), CURSOR_SHOWN);
	assert_true(cursors_size(&all) < 2 * text.len);
	cursors_done(&all);
	assert_int_equal(ask_cursor(&all, "c1", &out), CURSOR_DROPPED);
	assert_int_equal(cursors_size(&all), 0);
}

/* An agent that reads two lists in turns. */
static void cursors_of_two_pages_keep_each_once(void **state)
{
	_cleanup_(outline_unrefp) struct outline *a = simple_page(20000), *b = simple_page(20000);
	_cleanup_(str_done) struct str out = {};
	struct cursors all;

	cursors_init(&all);
	for (unsigned i = 0; i < LIMIT_CURSORS_COUNT; i++)
		cursors_add_rows(&all, i % 2 ? a : b, 1, 4, 0);
	assert_in_range(cursors_size(&all), outline_size(a) + outline_size(b), outline_size(a) + outline_size(b) + 64 * 200);
	assert_int_equal(ask_cursor(&all, "c1", &out), CURSOR_SHOWN);
	cursors_done(&all);
}

/* The text of an answer without the note that ends it; `next` returns the cursor in this, 0: there is none. */
static size_t without_note(const struct str *answer, unsigned *next)
{
	const char *note = NULL;

	for (const char *at = str_text(answer); (at = strstr(at, "\n… ")); at++)
		note = at;
	*next = 0;
	if (!note || cursors_in(note, next, 1) != 1)
		return answer->len;
	return (size_t)(note - answer->data);
}

static void check_characters(const char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t sequence = utf8_sequence(text + i, len - i);

		assert_true(sequence > 0);
		i += sequence;
	}
}

static void add_random_text(struct str *text, size_t len)
{
	static const char *const pieces[] = { "a", "word ", "é", "雪", "😀", "\n", " … 5 more rows, cursor c1", "\\", "\"", "  " };
	bool lines = random_chance(500);

	while (text->len < len) {
		const char *piece = pieces[random_below(ARRAY_SIZE(pieces))];

		if (*piece != '\n' || (lines && text->len && text->data[text->len - 1] != '\n'))
			str_append(text, piece);
	}
}

/* What the cursors of a text lead to is put together again. */
static void join_parts(struct cursors *all, const char *text, size_t len, size_t budget, size_t lines, struct str *joined)
{
	_cleanup_(str_done) struct str out = {};
	unsigned next, before = 0;

	cursors_cut_text(all, text, len, budget, lines, false, &out);
	for (bool goes_on = false;;) {
		size_t shown = without_note(&out, &next), skipped = goes_on ? strlen("…") : 0, ends = 0;

		check_characters(out.data, out.len);
		assert_true(out.len <= budget);
		for (size_t i = 0; i < out.len; i++)
			ends += out.data[i] == '\n';
		assert_true(ends < lines);
		if (goes_on)
			assert_memory_equal(out.data, "…", strlen("…"));
		str_append_len(joined, out.data + skipped, shown - skipped);
		goes_on = joined->len < len && text[joined->len] != '\n';
		if (!goes_on && joined->len < len)
			str_append_char(joined, '\n');
		if (!next)
			return;
		assert_true(next > before);
		before = next;
		{
			char name[16];

			snprintf(name, sizeof(name), "c%u", next);
			str_reset(&out);
			assert_int_equal(cursors_show(all, name, budget, &out), CURSOR_SHOWN);
		}
		lines = LIMIT_ANSWER_LINES_COUNT;
	}
}

static void texts_are_cut_between_characters(void **state)
{
	for (unsigned i = 0; i < 300; i++) {
		_cleanup_(str_done) struct str text = {}, joined = {};
		struct cursors all;

		add_random_text(&text, random_below(20000));
		cursors_init(&all);
		join_parts(&all, str_text(&text), text.len, 100 + random_below(LIMIT_ANSWER), 3 + random_below(300), &joined);
		assert_int_equal(joined.len, text.len);
		assert_memory_equal(joined.data, text.data, text.len);
		cursors_done(&all);
	}
}

static void short_texts_are_not_cut(void **state)
{
	_cleanup_(str_done) struct str out = {};
	struct cursors all;

	cursors_init(&all);
	cursors_cut_text(&all, "", 0, 1000, 10, false, &out);
	assert_int_equal(out.len, 0);
	cursors_cut_text(&all, "a\nb\nc", 5, 5, 3, false, &out);
	assert_string_equal(out.data, "a\nb\nc");
	assert_int_equal(all.count, 0);
	str_reset(&out);
	cursors_cut_text(&all, "a\nb\nc\nd", 7, 1000, 3, false, &out);
	assert_string_equal(out.data, "a\nb\n… 3 more bytes, cursor c1");
	cursors_done(&all);
}

/* Of an answer with lines, so that one of them does not hide the others. */
static void long_lines_are_shortened(void **state)
{
	for (unsigned others = 10; others <= 1000; others += 990) {
		_cleanup_(str_done) struct str text = {}, out = {};
		struct cursors all;

		str_append(&text, "first: ");
		for (unsigned i = 0; i < 10000; i++)
			str_append(&text, "ö ");
		for (unsigned i = 0; i < others; i++)
			str_appendf(&text, "\nline %u, which has some more words", i);
		cursors_init(&all);
		cursors_cut_text(&all, text.data, text.len, 9000, LIMIT_ANSWER_LINES_COUNT, true, &out);
		assert_in_range(out.len, 8000, 9000);
		check_characters(out.data, out.len);
		assert_non_null(strstr(out.data, "ö…\nline 0,") ? out.data : strstr(out.data, "ö …\nline 0,"));
		assert_non_null(strstr(out.data, "\nline 9, which has some more words\n"));
		assert_non_null(strstr(out.data, " bytes of long lines, cursor c1 to all of them"));
		assert_int_equal(strstr(out.data, " more bytes, cursor c2") != NULL, others > 10);
		assert_true(cursors_size(&all) < text.len + 1000);
		assert_int_equal(ask_cursor(&all, "c1", &out), CURSOR_SHOWN);
		assert_memory_equal(out.data, text.data, 800);
		cursors_done(&all);
	}
}

static void broken_characters_do_not_stop_a_text(void **state)
{
	_cleanup_(str_done) struct str text = {}, out = {};
	struct cursors all;
	unsigned next = 0;

	while (text.len < 5000)
		str_append_char(&text, '\x80');
	cursors_init(&all);
	cursors_cut_text(&all, text.data, text.len, 1000, 100, false, &out);
	for (unsigned i = 0; i < 20; i++) {
		char name[16];

		if (cursors_in(out.data, &next, 1) != 1)
			break;
		snprintf(name, sizeof(name), "c%u", next);
		next = 0;
		assert_int_equal(ask_cursor(&all, name, &out), CURSOR_SHOWN);
	}
	assert_int_equal(next, 0);
	cursors_done(&all);
}

/* ---- long rows ---- */

/* The parts of a row that is cut, without the quotes that each has of its own. */
static void join_row(const char *text, size_t budget, struct str *joined)
{
	_cleanup_(str_done) struct str row = {}, out = {};
	_cleanup_(outline_unrefp) struct outline *c = NULL;
	bool quoted = *text == '"';
	struct cursors all;
	unsigned next = 0, before = 0;

	add_row(&row, 0, 't', "", text);
	c = outline_of(row.data);
	cursors_init(&all);
	fold_rows(&all, c, 0, 1, 0, budget, &out);
	do {
		const char *note = strstr(out.data, "… "), *begin = out.data;
		size_t len;
		char name[16];

		before = next;
		next = 0;
		assert_true(out.len <= budget + FOLD_SLACK);
		check_characters(out.data, out.len);
		assert_true(!note || cursors_in(note, &next, 1) == 1);
		len = note ? (size_t)(note - begin) : out.len;
		if (before) {
			assert_memory_equal(begin, "…", strlen("…"));
			begin += strlen("…");
			len -= strlen("…");
		}
		if (quoted) {
			assert_true(len >= 2 && begin[0] == '"' && begin[len - 1] == '"');
			begin++;
			len -= 2;
		}
		str_append_len(joined, begin, len);
		assert_true(!next || next > before);
		snprintf(name, sizeof(name), "c%u", next);
		str_reset(&out);
		if (next)
			assert_int_equal(cursors_show(&all, name, budget, &out), CURSOR_SHOWN);
	} while (next);
	cursors_done(&all);
}

static void long_rows_are_put_together_again(void **state)
{
	static const char *const pieces[] = { "a", "word ", "é", "雪", "😀", "\\", "- ", "e" };
	static const char *const quoted_pieces[] = { "a", "word ", "é", "\\\\", "\\\"", "\\u2028", "\\n", ": ", " | " };

	for (unsigned i = 0; i < 200; i++) {
		_cleanup_(str_done) struct str text = {}, joined = {};
		bool quoted = random_chance(500);
		size_t len = 300 + random_below(5000);

		while (text.len < len)
			str_append(&text, quoted ? quoted_pieces[random_below(ARRAY_SIZE(quoted_pieces))] :
						   pieces[random_below(ARRAY_SIZE(pieces))]);
		if (quoted) {
			str_prepend(&text, "\"", 1);
			str_append_char(&text, '"');
		}
		join_row(text.data, 200 + random_below(1500), &joined);
		assert_int_equal(joined.len, text.len - (quoted ? 2 : 0));
		assert_memory_equal(joined.data, text.data + quoted, joined.len);
	}
}

static void rows_of_backslashes_have_an_end(void **state)
{
	_cleanup_(str_done) struct str text = {}, joined = {};

	while (text.len < 3000)
		str_append(&text, "\\");
	join_row(text.data, 400, &joined);
	assert_string_equal(joined.data, text.data);
}

/* No part of a text looks as if it were a line of its own. */
static void what_goes_on_looks_so(void **state)
{
	_cleanup_(str_done) struct str row = {}, out = {};
	_cleanup_(outline_unrefp) struct outline *c = NULL;
	struct cursors all;

	for (unsigned i = 0; i < 500; i++)
		str_append(&row, "- button Pay ~ ");
	str_prepend(&row, "0 t - k\ttext ", strlen("0 t - k\ttext "));
	c = outline_of(row.data);
	cursors_init(&all);
	fold_rows(&all, c, 0, 1, 0, 1000, &out);
	assert_int_equal(ask_cursor(&all, "c1", &out), CURSOR_SHOWN);
	for (char *rest = out.data, *line; (line = strsep(&rest, "\n"));)
		assert_memory_equal(line, "…", strlen("…"));
	cursors_done(&all);
}

static int begin(void **state)
{
	random_begin();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cursors_have_names),
		cmocka_unit_test(cursors_end),
		cmocka_unit_test(old_cursors_are_forgotten),
		cmocka_unit_test(cursors_keep_a_limited_number_of_bytes),
		cmocka_unit_test(cursors_of_one_large_page_stay),
		cmocka_unit_test(cursors_of_one_text_keep_it_once),
		cmocka_unit_test(cursors_of_two_pages_keep_each_once),
		cmocka_unit_test(texts_are_cut_between_characters),
		cmocka_unit_test(short_texts_are_not_cut),
		cmocka_unit_test(long_lines_are_shortened),
		cmocka_unit_test(broken_characters_do_not_stop_a_text),
		cmocka_unit_test(long_rows_are_put_together_again),
		cmocka_unit_test(rows_of_backslashes_have_an_end),
		cmocka_unit_test(what_goes_on_looks_so),
	};

	return cmocka_run_group_tests(tests, begin, NULL);
}
