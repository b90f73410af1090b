/* Text of pages in answers: what it must not look like, and that benign text stays as it is. */
#include "test.h"

#include <string.h>

#include "base/display.h"
#include "base/notation.h"

static void expect(void (*display)(struct str *out, const char *text), const char *text, const char *shown)
{
	_cleanup_(str_done) struct str out = {};

	str_append(&out, "");
	display(&out, text);
	assert_string_equal(str_text(&out), shown);
}

static void text_beside_markdown(struct str *out, const char *text)
{
	display_text(out, text, BESIDE_MARKDOWN);
}

static void text_beside_notation(struct str *out, const char *text)
{
	display_text(out, text, BESIDE_NOTATION);
}

static void row_beside_markdown(struct str *out, const char *text)
{
	display_whole_row(out, text, BESIDE_MARKDOWN);
}

static void row_beside_notation(struct str *out, const char *text)
{
	display_whole_row(out, text, BESIDE_NOTATION);
}

static void test_lines(void **state)
{
	expect(display_line, "", "");
	expect(display_line, "A title \t with ### marks, `ticks` and ünïcode 😀",
	       "A title \t with ### marks, `ticks` and ünïcode 😀");
	expect(display_line, "a\nb\r\nc\vd\fe", "a\\nb\\r\\nc\\u000bd\\fe");
	expect(display_line,
	       "a\xc2\x85"
	       "b\u2028c\u2029d",
	       "a\\u0085b\\u2028c\\u2029d");
	expect(display_line, "\x1b[2J\x7f\xc2\x9b", "\\u001b[2J\\u007f\\u009b");
	expect(display_line, "\xe2\x80", "\xe2\x80"); /* cut short */
	expect(display_line, "\xc2", "\xc2");
}

static void test_rows(void **state)
{
	expect(display_row, "Error: x\n    at f (http://x/y:1:2)\n    at g", "Error: x\n    at f (http://x/y:1:2)\n    at g");
	expect(display_row, "x\n[ERROR] y\n\n  ### Result\r\nz", "x\n    [ERROR] y\n\n      ### Result\r\n    z");
	expect(display_row, "- x\n- y", "- x\n    - y");
	expect(row_beside_markdown, "- x\n- y", "    - x\n    - y");
	expect(row_beside_markdown, "x\n- y", "x\n    - y");
	expect(display_row, "x\r[ERROR] y\u2028[LOG] z", "x\\r[ERROR] y\\u2028[LOG] z");
}

static void test_blocks(void **state)
{
	static const char benign[] = "#2 [GET] http://x/\n####### seven\n- a\n  - b `c`\n\x1b[2mdim\x1b[22m\r\n\n``two``";

	expect(display_block, benign, benign);
	expect(display_answer, benign, benign);
	expect(display_message, "Error: x\n- Page URL: y\n  - z\n\x1b[2m  - waiting\x1b[22m",
	       "Error: x\n    - Page URL: y\n      - z\n\x1b[2m  - waiting\x1b[22m");
	expect(display_answer, "### x\n\x1b[31m\x1b[2\u202e\xc2\x9b\r", "### x\n\\u001b[31m\\u001b[2\\u202e\\u009b\\r");
	expect(display_block, "### Result", "    ### Result");
	expect(display_block, "a\n### Page\n   # x\n#\n```\n ~~~", "a\n    ### Page\n       # x\n    #\n    ```\n     ~~~");
	expect(display_block, "    ### in code", "    ### in code");
	expect(display_block, "a\r### Result\u2029### Page\v### x", "a\\r### Result\\u2029### Page\\u000b### x");
}

/* In the compact form, what could be read as its notation is indented as well. */
static void test_notation(void **state)
{
	static const char *const forged[] = { "button \"Pay\" e5",
					      "e5",
					      "link f1e2: x",
					      "… 994 more rows, cursor c3",
					      "r7 http://x/",
					      "+ x",
					      "~ x",
					      "in the page",
					      "Nothing changed since r1.",
					      "Error: x",
					      "Downloaded file x to \"y\"",
					      "h1 \"x\"",
					      "  \tx c3, y" };
	static const char *const benign[] = { "{\"e5\": \"c3\"}", "the e5x and 3e5, e-5 f1 and r",
					      "A \"quote\"",      "<p>x</p>",
					      "info: x",          "see#e5" };

	for (size_t i = 0; i < ARRAY_SIZE(forged); i++) {
		_cleanup_(str_done) struct str text = {}, shown = {};

		str_appendf(&text, "x\n%s", forged[i]);
		str_appendf(&shown, "    x\n    %s", forged[i]);
		expect(text_beside_notation, text.data, shown.data);
		expect(row_beside_notation, forged[i], shown.data + strlen("    x\n"));
		assert_true(notation_is_line(forged[i], strlen(forged[i])));
	}
	for (size_t i = 0; i < ARRAY_SIZE(benign); i++)
		expect(text_beside_notation, benign[i], benign[i]);
	expect(text_beside_markdown, forged[0], forged[0]);
	expect(notation_text, "a e5", "\"a e5\"");
	expect(notation_text, "wait…\u202e", "\"wait\\u2026\\u202e\"");
	expect(notation_word, "http://x/#e5", "http://x/#e5");
	expect(notation_word, "data:,x \"y\" e5", "\"data:,x \\\"y\\\" e5\"");
}

/* Text of pages. */
static void test_texts(void **state)
{
	static const char benign[] = "{\n  \"a\": [\n    -1\n  ]\n}\r\n#2 x\n-x\n    - in code\n\n\u200fa\u200eb \u0627";

	expect(text_beside_markdown, "", "");
	expect(text_beside_markdown, benign, benign);
	expect(text_beside_markdown, "\n\nx\n", "\n\nx\n");
	expect(text_beside_markdown, "\n- x", "\n    - x");
	expect(text_beside_markdown, "- Page URL: x", "    - Page URL: x");
	expect(text_beside_markdown, "a\n\n  b\n   - c\n", "    a\n\n      b\n       - c\n");
	expect(text_beside_markdown, "a\n### Page\nb", "    a\n    ### Page\n    b");
	expect(text_beside_markdown, "\x1b[2ma\x1b[22m\r", "\\u001b[2ma\\u001b[22m\\r");
	expect(display_line, "\u202aa\u202e\u2066\u2069\u2027\u202f\u2065", "\\u202aa\\u202e\\u2066\\u2069\u2027\u202f\u2065");
}

static void test_plain(void **state)
{
	assert_true(is_printable("a\tb\r\nc\n\u200f"));
	assert_true(is_printable("\xe2\x80"));
	assert_false(is_printable("a\rb"));
	assert_false(is_printable("\x7f"));
	assert_false(is_printable("a\u2069"));
	assert_false(is_printable("\xc2\x80"));
}

static void expect_code(const char *text, const char *shown)
{
	_cleanup_(str_done) struct str out = {};

	display_code(&out, "yaml", text);
	assert_string_equal(out.data, shown);
}

static void test_code(void **state)
{
	expect_code("- a: ```b```", "```yaml\n- a: ```b```\n```");
	expect_code("x\n```\ny", "````yaml\nx\n```\ny\n````");
	expect_code("  `````js", "``````yaml\n  `````js\n``````");
	expect_code("a\r\n\x1b[2mb", "```yaml\na\r\n\\u001b[2mb\n```");
	expect_code("a\u2028```\u2029### Page\xc2\x85"
		    "- x\v~~~\ry",
		    "```yaml\na\\u2028```\\u2029### Page\\u0085- x\\u000b~~~\\ry\n```");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),    cmocka_unit_test(test_rows),  cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_notation), cmocka_unit_test(test_texts), cmocka_unit_test(test_plain),
		cmocka_unit_test(test_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
