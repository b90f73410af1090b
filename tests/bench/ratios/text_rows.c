/* Texts of pages as answers show them: escapes, notation, Markdown, code, addresses. */
#include "act/keyboard.h"
#include "base/base64.h"
#include "base/display.h"
#include "base/glob.h"
#include "base/limits.h"
#include "base/notation.h"
#include "browser/filename.h"
#include "browser/webm.h"
#include "devserver/output.h"
#include "ratios/ratios.h"
#include "reply/assertion.h"
#include "reply/code.h"
#include "reply/session_log.h"
#include "reply/shorten.h"
#include "reply/url_params.h"
#include "view/cursors.h"
#include "view/path.h"

#define INTO_TEXT(name, call) \
	static void name(const struct str *in) \
	{ \
		_cleanup_(str_done) struct str out = {}; \
\
		call; \
	}

INTO_TEXT(quote, str_append_quoted(&out, in->data, in->len))
INTO_TEXT(line, display_line(&out, in->data))
INTO_TEXT(row, display_row(&out, in->data))
INTO_TEXT(whole_row, display_whole_row(&out, in->data, BESIDE_NOTATION))
INTO_TEXT(text, display_text(&out, in->data, BESIDE_NOTATION))
INTO_TEXT(block, display_block(&out, in->data))
INTO_TEXT(message, display_message(&out, in->data))
INTO_TEXT(answer, display_answer(&out, in->data))
INTO_TEXT(code_block, display_code(&out, "yaml", in->data))
INTO_TEXT(notation_of, notation_text(&out, in->data))
INTO_TEXT(word, notation_word(&out, in->data))
INTO_TEXT(notation_quoted, notation_quote(&out, in->data, in->len))
INTO_TEXT(plain_output, output_plain(&out, in->data, in->len))
INTO_TEXT(file_name, file_name_safe(&out, in->data, 1, 255))
INTO_TEXT(statement, code_statement(&out, CODE_JAVA, &(const struct code_call){ .verb = CODE_GOTO, .text = in->data }))
INTO_TEXT(assertion, assertion_statement(&out, CODE_TYPESCRIPT, ASSERT_SNAPSHOT, "locator", in->data))
INTO_TEXT(code_quoted, code_quote(&out, in->data, '\''))

static void is_line(const struct str *in)
{
	notation_is_line(in->data, in->len);
}

static void plain(const struct str *in)
{
	is_printable(in->data);
}

static void redact_url(const struct str *in)
{
	static const char *const names[] = { "token", "secret", "access_token", NULL };
	_cleanup_(str_done) struct str text = {};

	str_append_len(&text, in->data, in->len);
	url_params_redact(names, &text);
}

static void base64(const struct str *in)
{
	_cleanup_(str_done) struct str out = {};
	uint8_t *bytes = must(malloc(in->len));

	base64_encode(&out, (const uint8_t *)in->data, in->len);
	base64_decode(out.data, out.len, bytes);
	base64_decode(in->data, in->len, bytes);
	free(bytes);
}

/* A pattern that follows many states for each character. It ends after LIMIT_GLOB_STEPS. */
static void glob(const struct str *in)
{
	const char *reason;
	struct glob *g = glob_new("**a*{a,aa,aaa}*a**b", &reason);

	glob_matches(g, in->data);
	glob_free(g);
}

/* Several times, because a pattern has at most LIMIT_GLOB bytes. */
static void glob_pattern(const struct str *in)
{
	for (unsigned i = 0; i < 100; i++) {
		const char *reason;
		struct glob *g = glob_new(in->data, &reason);

		NEEDED(g);
		glob_matches(g, "https://host.example/a/b/c");
		glob_free(g);
	}
}

static void cut(const struct str *in)
{
	_cleanup_(str_done) struct str out = {};
	struct cursors all;

	cursors_init(&all);
	cursors_cut_text(&all, in->data, in->len, LIMIT_ANSWER, LIMIT_ANSWER_LINES_COUNT, true, &out);
	for (unsigned i = 0; i < 10; i++) {
		char name[16];

		snprintf(name, sizeof(name), "c%u", all.last);
		str_reset(&out);
		cursors_show(&all, name, LIMIT_ANSWER, &out);
	}
	cursors_done(&all);
}

static void shorten(const struct str *in)
{
	struct result res = {};
	struct cursors rests;

	str_append_len(&res.content, in->data, in->len);
	rests_init(&rests);
	answer_shorten(&rests, &res);
	rests_done(&rests);
	result_done(&res);
}

static void chord(const struct str *in)
{
	struct keystroke key;
	const char *unknown;
	int len;

	keystroke_parse(in->data, &key, &unknown, &len);
}

static void session_log(const struct str *in)
{
	_cleanup_(str_done) struct str out = {};

	session_log_print(&out, "tool", in->data, in->data);
}

static void addresses(const struct str *in)
{
	struct output_address found;
	size_t at = 0;

	while (output_next_address(in->data, &at, &found))
		;
}

static void port_in_use(const struct str *in)
{
	int port;

	output_find_port_in_use(in->data, &port);
}

static void last_lines(const struct str *in)
{
	output_last_lines(in->data, UINT32_MAX);
}

/* Kept in pieces, as a program writes them. */
static void keep_end(const struct str *in)
{
	_cleanup_(str_done) struct str kept = {};

	for (size_t at = 0; at + 16 <= in->len; at += 16)
		output_keep_end(&kept, in->data + at, 16, LIMIT_COMMAND_ERRORS);
}

/* A fragment that comes in pieces, and never ends. */
static void webm(const struct str *in)
{
	static const uint8_t head[] = { 0x03, 0, 0, 0, 'm', 'd', 'a', 't' };
	struct webm *w = webm_new(-1);

	webm_feed(w, head, sizeof(head));
	for (size_t at = 0; at + 1024 <= in->len; at += 1024)
		webm_feed(w, (const uint8_t *)in->data + at, 1024);
	webm_free(w);
}

const struct ratio_row ratio_text_rows[] = {
	{ "str_append_quoted: control characters", 200000, quote, .unit = "\1" },
	{ "str_append_quoted: quotes and backslashes", 200000, quote, .unit = "\"\\" },
	{ "str_append_quoted: no UTF-8", 200000, quote, .unit = "\xe2\x80" },
	{ "display_line: escape sequences", 200000, line, .unit = "\x1b[2m" },
	{ "display_line: separators of lines", 100000, line, .unit = "\u2028" },
	{ "display_row: empty lines", 200000, row, .unit = "\n" },
	{ "display_row: carriage returns", 200000, row, .unit = "\r\n" },
	{ "display_whole_row: blanks", 400000, whole_row, .unit = " " },
	{ "display_text: rows", 100000, text, .unit = "- e1\n" },
	{ "display_text: lines that are nearly fences", 100000, text, .unit = "  `` \n" },
	{ "display_text: one line of refs", 200000, text, .unit = "e1x " },
	{ "display_block: headings", 100000, block, .unit = "###### x\n" },
	{ "display_block: a line for each second byte", 200000, block, .unit = "a\n" },
	{ "display_block: control characters", 200000, block, .unit = "\1" },
	{ "display_message: rows", 100000, message, .unit = "   - x\n" },
	{ "display_answer: own escape sequences", 200000, answer, .unit = "\x1b[22m\n" },
	{ "display_code: fences", 100000, code_block, .unit = "````\n" },
	{ "display_code: one run of backticks", 400000, code_block, .unit = "`" },
	{ "is_printable: separators at the end", 400000, plain, .unit = "\xc2\xa0", .tail = "\u2028" },
	{ "notation_text: digits", 400000, notation_of, .head = "e", .unit = "1" },
	{ "notation_text: names of frames", 200000, notation_of, .unit = " f1f" },
	{ "notation_text: letters", 400000, notation_of, .unit = "a", .tail = " \"" },
	{ "notation_text: separators", 200000, notation_of, .unit = " | " },
	{ "notation_word: ellipses", 100000, word, .unit = "…" },
	{ "notation_quote: ellipses", 100000, notation_quoted, .unit = "…\"" },
	{ "notation_is_line: blanks before digits", 200000, is_line, .unit = " c1x" },
	{ "cursors_cut_text: empty lines", 400000, cut, .unit = "\n" },
	{ "cursors_cut_text: one line", 300000, cut, .unit = "x" },
	{ "cursors_cut_text: a long line and others", 300000, cut, .unit = "x", .tail = "\na\nb\n" },
	{ "answer_shorten: texts", 5000, shorten, .unit = "{\"type\":\"text\",\"text\":\"# x\"},", .tail = "{}" },
	{ "answer_shorten: one text", 200000, shorten, .head = "{\"type\":\"text\",\"text\":\"", .unit = "\\n", .tail = "\"}" },
	{ "answer_shorten: backslashes before the type", 200000, shorten, .head = "{\"text\":\"", .unit = "\\\\",
	  .tail = "\",\"type\":\"text\"}" },
	{ "url_params_redact: parameters", 100000, redact_url, .unit = "?token=a" },
	{ "url_params_redact: percent signs", 200000, redact_url, .head = "?token=%", .unit = "25" },
	{ "url_params_redact: brackets", 100000, redact_url, .unit = "?token[" },
	{ "url_params_redact: names without a value", 100000, redact_url, .unit = "?token&access_toke" },
	{ "url_params_redact: encoded brackets", 100000, redact_url, .head = "?token", .unit = "%5B%5B" },
	{ "code_statement: quotes", 200000, statement, .unit = "\"\\" },
	{ "code_quote: line ends", 200000, code_quoted, .unit = "'\n" },
	{ "assertion_statement: backticks and braces", 200000, assertion, .unit = "`${" },
	{ "base64: digits and padding", 400000, base64, .unit = "a=" },
	{ "glob_matches: a long URL", 20000, glob, .unit = "a" },
	{ "glob_new: braces", 200, glob_pattern, .unit = "{a,b}" },
	{ "glob_new: parents in a path", 200, glob_pattern, .head = "http://h", .unit = "/a", .close = "/.." },
	{ "file_name_safe: dots and slashes", 1000, file_name, .unit = "./\u2028" },
	{ "output_plain: open sequences", 200000, plain_output, .unit = "\x1b[" },
	{ "output_next_address: schemes", 100000, addresses, .unit = "http://localhost:" },
	{ "output_find_port_in_use: digits", 100000, port_in_use, .head = "EADDRINUSE ", .unit = "9x" },
	{ "output_find_port_in_use: phrases in lines", 50000, port_in_use, .unit = "is in use 80\n" },
	{ "output_last_lines: line ends", 400000, last_lines, .unit = "x\n" },
	{ "output_keep_end: short pieces", 20000, keep_end, .unit = "0123456789abcdef" },
	{ "webm_feed: a fragment in pieces", 40000, webm,
	  .unit = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
		  "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" },
	{ "keystroke_parse: modifiers", 20000, chord, .unit = "Control+", .tail = "A" },
	{ "session_log_print: sections", 10000, session_log, .head = "{", .unit = "\"s#\":[\"```\\n### x\"],",
	  .tail = "\"z\":{}}" },
	{ "session_log_print: a text", 200000, session_log, .head = "{\"text\":\"", .unit = "```\\n", .tail = "\"}" },
	{},
};
