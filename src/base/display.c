#include "base/display.h"

#include <string.h>

#include "base/notation.h"

#define INDENT "    " /* Markdown recognises no heading or fence after four blanks */

/* The escape sequences of answers' own lines, which dim the log of a call. */
static const char *const own_sequences[] = { "\x1b[2m", "\x1b[22m" };

static bool is_compact;

void display_set_compact(bool compact)
{
	is_compact = compact;
}

/* Length in bytes of the character at `p` if it is shown as an escape, otherwise 0. */
static size_t escaped(const char *p, size_t left, unsigned *ret_code)
{
	return *p == '\t' ? 0 : unprintable_sequence(p, left, ret_code);
}

static void append_escape(struct str *out, unsigned code)
{
	static const char shorts[] = "\bb\ff\nn\rr";

	for (const char *e = shorts; *e; e += 2)
		if ((unsigned)*e == code) {
			str_append_len(out, (const char[]){ '\\', e[1] }, 2);
			return;
		}
	str_appendf(out, "\\u%04x", code);
}

/* Length of the escape sequence at `p` if the server itself has written it, else 0. */
static size_t own_sequence(const char *p, size_t left)
{
	for (size_t i = 0; *p == '\x1b' && i < ARRAY_SIZE(own_sequences); i++) {
		size_t len = strlen(own_sequences[i]);

		if (left >= len && memcmp(p, own_sequences[i], len) == 0)
			return len;
	}
	return 0;
}

/* Appends one line without its terminator. `keeps_own`: with the server's own escape sequences. */
static void append_printable(struct str *out, const char *p, const char *end, bool keeps_own)
{
	const char *start = p;
	unsigned code;

	while (p < end) {
		size_t own = keeps_own ? own_sequence(p, (size_t)(end - p)) : 0;
		size_t len = own ? 0 : escaped(p, (size_t)(end - p), &code);

		if (!len) {
			p += own ? own : 1;
			continue;
		}
		str_append_len(out, start, (size_t)(p - start));
		append_escape(out, code);
		start = p += len;
	}
	str_append_len(out, start, (size_t)(p - start));
}

void display_line(struct str *out, const char *text)
{
	append_printable(out, text, text + strlen(text), false);
}

bool display_is_plain(const char *text)
{
	unsigned code;

	for (const char *p = text, *end = text + strlen(text); p < end; p++)
		if (*p != '\n' && !(p[0] == '\r' && p[1] == '\n') && escaped(p, (size_t)(end - p), &code))
			return false;
	return true;
}

/* An ATX heading or a fence (CommonMark 4.2, 4.5), after at most three blanks. Responses use no other Markdown structure. */
static bool is_structure(const char *line, size_t len)
{
	size_t blanks = 0, hashes = 0;

	while (blanks < len && blanks < 3 && line[blanks] == ' ')
		blanks++;
	line += blanks;
	len -= blanks;
	if (len >= 3 && (!memcmp(line, "```", 3) || !memcmp(line, "~~~", 3)))
		return true;
	while (hashes < len && line[hashes] == '#')
		hashes++;
	return hashes >= 1 && hashes <= 6 && (hashes == len || strchr(" \t", line[hashes]));
}

/* The beginning of a row of an answer, such as "- Page URL: ". */
static bool is_row(const char *line, size_t len)
{
	size_t blanks = 0;

	while (blanks < len && blanks < 3 && line[blanks] == ' ')
		blanks++;
	return len - blanks >= 2 && line[blanks] == '-' && (line[blanks + 1] == ' ' || line[blanks + 1] == '\t');
}

/* Whether the line would be read as a part of an answer. */
static bool is_answer(const char *line, size_t len)
{
	return is_structure(line, len) || is_row(line, len) || (is_compact && notation_is_line(line, len));
}

static bool is_further_line(const char *line, size_t len)
{
	return len > 0 && (len < strlen(INDENT) || memcmp(line, INDENT, strlen(INDENT)) != 0);
}

/*
 * Appends one line of a text, with what is unprintable in it made visible; the CR of CR LF stays. Returns the start of the next line,
 * NULL after the last one.
 */
static const char *append_line(struct str *out, const char *line, bool keeps_own)
{
	size_t len = strcspn(line, "\n"), shown = len > 0 && line[len] && line[len - 1] == '\r' ? len - 1 : len;

	append_printable(out, line, line + shown, keeps_own);
	str_append_len(out, line + shown, len - shown);
	if (!line[len])
		return NULL;
	str_append_char(out, '\n');
	return line + len + 1;
}

void display_whole_row(struct str *out, const char *text)
{
	size_t len = strcspn(text, "\n");

	if (is_answer(text, len))
		str_append(out, INDENT);
	display_row(out, text);
}

void display_row(struct str *out, const char *text)
{
	for (const char *line = text; line; line = append_line(out, line, false))
		if (line > text && is_further_line(line, strcspn(line, "\n")))
			str_append(out, INDENT);
}

static bool looks_like_answer(const char *text)
{
	const char *line = text;

	for (;;) {
		size_t len = strcspn(line, "\n");

		if (is_answer(line, len))
			return true;
		if (!line[len])
			return false;
		line += len + 1;
	}
}

void display_text(struct str *out, const char *text)
{
	bool indented = looks_like_answer(text);

	for (const char *line = text; line; line = append_line(out, line, false))
		if (indented && *line && *line != '\n')
			str_append(out, INDENT);
}

static void append_block(struct str *out, const char *text, bool has_rows)
{
	for (const char *line = text; line; line = append_line(out, line, true)) {
		size_t len = strcspn(line, "\n");

		if (is_structure(line, len) || (!has_rows && is_row(line, len)))
			str_append(out, INDENT);
	}
}

void display_block(struct str *out, const char *text)
{
	append_block(out, text, true);
}

void display_message(struct str *out, const char *text)
{
	append_block(out, text, false);
}

void display_answer(struct str *out, const char *text)
{
	for (const char *line = text; line;)
		line = append_line(out, line, true);
}

/* Length of the longest run of backticks at the beginning of a line, leading blanks ignored. */
static size_t longest_fence(const char *text)
{
	size_t longest = 0;

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		longest = MAX(longest, strspn(line + strspn(line, " \t"), "`"));
	}
	return longest;
}

void display_code(struct str *out, const char *language, const char *text)
{
	size_t ticks = MAX(longest_fence(text) + 1, 3u);

	for (size_t i = 0; i < ticks; i++)
		str_append_char(out, '`');
	str_appendf(out, "%s\n", language);
	for (const char *line = text; line;)
		line = append_line(out, line, false);
	str_append_char(out, '\n');
	for (size_t i = 0; i < ticks; i++)
		str_append_char(out, '`');
}
