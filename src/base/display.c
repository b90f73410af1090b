#include "base/display.h"

#include <string.h>

#include "base/notation.h"

#define INDENT "    " /* Markdown recognises no heading or fence after four blanks */

/* The escape sequences of answers' own lines, which dim the log of a call. */
static const char *const own_sequences[] = { "\x1b[2m", "\x1b[22m" };

static void append_escape(struct str *out, unsigned code)
{
	static const char shorts[] = "\bb\ff\nn\rr";

	for (const char *e = shorts; *e; e += 2)
		if ((unsigned)*e == code) {
			str_append_len(out, (const char[]){ '\\', e[1] }, 2);
			return;
		}
	str_append_unicode_escape(out, code);
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

/*
 * Text on its way to the output: what comes from `start` on has not been appended. It is appended where something else comes in between, as
 * a text may have a line for every second byte.
 */
struct display {
	struct str *out;
	const char *start;
	bool keeps_own; /* the server's own escape sequences */
};

static void append_until(struct display *d, const char *to)
{
	str_append_len(d->out, d->start, (size_t)(to - d->start));
	d->start = to;
}

/* The first bytes of characters that may be shown as an escape (unprintable_sequence()), tabs excepted. */
static const bool first_bytes[256] = {
	[0 ... '\t' - 1] = true, ['\t' + 1 ... ' ' - 1] = true, [0x7f] = true, [0xc2] = true, [0xe2] = true
};

static inline bool may_be_escaped(char c)
{
	return first_bytes[(unsigned char)c];
}

/* Shows one line without its terminator. */
static void show_line(struct display *d, const char *p, const char *end)
{
	unsigned code;

	while (p < end) {
		size_t own = 0, len = 0;

		if (may_be_escaped(*p)) {
			own = d->keeps_own ? own_sequence(p, (size_t)(end - p)) : 0;
			len = own ? 0 : unprintable_sequence(p, (size_t)(end - p), &code);
		}
		if (!len) {
			p += own ? own : 1;
			continue;
		}
		append_until(d, p);
		append_escape(d->out, code);
		d->start = p += len;
	}
}

void display_line(struct str *out, const char *text)
{
	const char *end = text + strlen(text);
	struct display d = { .out = out, .start = text };

	show_line(&d, text, end);
	append_until(&d, end);
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
static bool is_answer(const char *line, size_t len, enum display_beside beside)
{
	return is_structure(line, len) || is_row(line, len) || (beside == BESIDE_NOTATION && notation_is_line(line, len));
}

typedef bool (*line_test)(const char *text, const char *line, size_t len);

/* Lines of a text with what is unprintable in them made visible; the CR of CR LF stays. Those of `indented` (may be NULL) are indented. */
static void append_lines(struct str *out, const char *text, line_test indented, bool keeps_own)
{
	struct display d = { .out = out, .start = text, .keeps_own = keeps_own };

	for (const char *line = text;;) {
		const char *end = strchrnul(line, '\n');
		size_t len = (size_t)(end - line);

		if (indented && indented(text, line, len)) {
			append_until(&d, line);
			str_append(out, INDENT);
		}
		show_line(&d, line, *end && len > 0 && end[-1] == '\r' ? end - 1 : end);
		if (!*end) {
			append_until(&d, end);
			return;
		}
		line = end + 1;
	}
}

static bool is_further_line(const char *text, const char *line, size_t len)
{
	return line > text && len > 0 && (len < strlen(INDENT) || memcmp(line, INDENT, strlen(INDENT)) != 0);
}

void display_whole_row(struct str *out, const char *text, enum display_beside beside)
{
	size_t len = strcspn(text, "\n");

	if (is_answer(text, len, beside))
		str_append(out, INDENT);
	display_row(out, text);
}

void display_row(struct str *out, const char *text)
{
	append_lines(out, text, is_further_line, false);
}

static bool looks_like_answer(const char *text, enum display_beside beside)
{
	const char *line = text;

	for (;;) {
		size_t len = strcspn(line, "\n");

		if (is_answer(line, len, beside))
			return true;
		if (!line[len])
			return false;
		line += len + 1;
	}
}

static bool has_contents(const char *text, const char *line, size_t len)
{
	return len > 0;
}

void display_text(struct str *out, const char *text, enum display_beside beside)
{
	append_lines(out, text, looks_like_answer(text, beside) ? has_contents : NULL, false);
}

static bool is_structure_line(const char *text, const char *line, size_t len)
{
	return is_structure(line, len);
}

static bool is_row_or_structure(const char *text, const char *line, size_t len)
{
	return is_structure(line, len) || is_row(line, len);
}

void display_block(struct str *out, const char *text)
{
	append_lines(out, text, is_structure_line, true);
}

void display_message(struct str *out, const char *text)
{
	append_lines(out, text, is_row_or_structure, true);
}

void display_answer(struct str *out, const char *text)
{
	append_lines(out, text, NULL, true);
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
	append_lines(out, text, NULL, false);
	str_append_char(out, '\n');
	for (size_t i = 0; i < ticks; i++)
		str_append_char(out, '`');
}
