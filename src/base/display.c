#include "base/display.h"

#include <string.h>

#define INDENT "    " /* Markdown recognises no heading or fence after four blanks */

/* Length in bytes of the line terminator at `p`, 0 if there is none. U+0085, U+2028 and U+2029 take several bytes. */
static size_t line_end(const char *p)
{
	unsigned char c = (unsigned char)*p, second = c ? (unsigned char)p[1] : 0;

	if (c >= '\n' && c <= '\r')
		return 1;
	if (c == 0xc2 && second == 0x85)
		return 2;
	return c == 0xe2 && second == 0x80 && ((unsigned char)p[2] == 0xa8 || (unsigned char)p[2] == 0xa9) ? 3 : 0;
}

static void append_escape(struct str *out, const char *p, size_t len)
{
	static const char shorts[] = "\bb\ff\nn\rr";

	for (const char *e = shorts; *e; e += 2)
		if (*e == *p) {
			str_append_len(out, (const char[]){ '\\', e[1] }, 2);
			return;
		}
	str_appendf(out, "\\u%04x", len == 3 ? 0x2000u + ((unsigned char)p[2] & 0x3f) : (unsigned char)p[len - 1]);
}

/* Length in bytes of the control character at `p` (C0, DEL, C1), which a terminal would act on; 0 if there is none. */
static size_t control(const char *p)
{
	unsigned char c = (unsigned char)*p, second = c ? (unsigned char)p[1] : 0;

	if ((c < ' ' && c != '\t') || c == 0x7f)
		return 1;
	return c == 0xc2 && second >= 0x80 && second <= 0x9f ? 2 : 0;
}

/* Appends one line without its terminator, escaping line separators and, if `control` says so, control characters. */
static void append_printable(struct str *out, const char *p, const char *end, bool controls)
{
	const char *start = p;
	size_t len;

	while (p < end) {
		len = line_end(p);
		if (!len && !controls)
			len = control(p);
		if (!len) {
			p++;
			continue;
		}
		str_append_len(out, start, (size_t)(p - start));
		append_escape(out, p, len);
		start = p += len;
	}
	str_append_len(out, start, (size_t)(p - start));
}

void display_line(struct str *out, const char *text)
{
	append_printable(out, text, text + strlen(text), false);
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

static bool is_further_line(const char *line, size_t len)
{
	return len > 0 && (len < strlen(INDENT) || memcmp(line, INDENT, strlen(INDENT)) != 0);
}

/*
 * Appends one line of a text, with its other line terminators and its control characters made visible; the CR of CR LF stays. Returns
 * the start of the next line, NULL after the last one.
 */
static const char *append_line(struct str *out, const char *line)
{
	size_t len = strcspn(line, "\n"), shown = len > 0 && line[len] && line[len - 1] == '\r' ? len - 1 : len;

	append_printable(out, line, line + shown, true);
	str_append_len(out, line + shown, len - shown);
	if (!line[len])
		return NULL;
	str_append_char(out, '\n');
	return line + len + 1;
}

static void append_lines(struct str *out, const char *text, bool is_row)
{
	for (const char *line = text; line; line = append_line(out, line)) {
		size_t len = strcspn(line, "\n");

		if (is_row ? line > text && is_further_line(line, len) : is_structure(line, len))
			str_append(out, INDENT);
	}
}

void display_row(struct str *out, const char *text)
{
	append_lines(out, text, true);
}

void display_block(struct str *out, const char *text)
{
	append_lines(out, text, false);
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
		line = append_line(out, line);
	str_append_char(out, '\n');
	for (size_t i = 0; i < ticks; i++)
		str_append_char(out, '`');
}
