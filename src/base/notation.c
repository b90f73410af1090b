#include "base/notation.h"

#include <ctype.h>
#include <string.h>

#define ELLIPSIS "…" /* begins the line of a cursor */

static bool ends_word(const char *text, size_t at, size_t len)
{
	return at == len || (!isalnum((unsigned char)text[at]) && text[at] != '_');
}

static size_t skip_digits(const char *text, size_t at, size_t len)
{
	while (at < len && isdigit((unsigned char)text[at]))
		at++;
	return at;
}

size_t notation_name(const char *text, size_t len, const char *letters)
{
	size_t at = 0, end;

	if (len > 1 && text[0] == 'f' && isdigit((unsigned char)text[1]))
		at = skip_digits(text, 1, len);
	if (at >= len || !text[at] || !strchr(at ? "e" : letters, text[at]))
		return 0;
	end = skip_digits(text, at + 1, len);
	return end > at + 1 && ends_word(text, end, len) ? end : 0;
}

static bool notation_has_name(const char *line, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t') && notation_name(line + i, len - i, "ecr"))
			return true;
	return false;
}

/* A role and a name: `button "`. */
static bool has_label(const char *line, size_t len)
{
	size_t at = 0;

	while (at < len && (islower((unsigned char)line[at]) || isdigit((unsigned char)line[at])))
		at++;
	return at > 0 && at + 1 < len && line[at] == ' ' && line[at + 1] == '"';
}

/* How lines begin that are no rows. */
static bool is_own_line(const char *line, size_t len)
{
	static const char *const begin_table[] = { ELLIPSIS,
						   "+ ",
						   "~ ",
						   "- ",
						   "in ",
						   "Error:",
						   "Nothing changed since",
						   "Call log:",
						   "console:",
						   "tabs:",
						   "HTTP status:",
						   "The page ",
						   "The navigation ",
						   "Nothing here opens ",
						   "A navigation failed: ",
						   "No match",
						   "saved ",
						   "Download",
						   "No snapshot",
						   "The snapshot " };

	for (size_t i = 0; i < ARRAY_SIZE(begin_table); i++)
		if (len >= strlen(begin_table[i]) && memcmp(line, begin_table[i], strlen(begin_table[i])) == 0)
			return true;
	return false;
}

bool notation_is_line(const char *line, size_t len)
{
	while (len > 0 && (*line == ' ' || *line == '\t')) {
		line++;
		len--;
	}
	return is_own_line(line, len) || has_label(line, len) || notation_has_name(line, len);
}

size_t whole_characters(const char *text, size_t len, size_t room)
{
	size_t at = MIN(room, len);

	while (at > 0 && at < len && ((unsigned char)text[at] & 0xc0) == 0x80)
		at--;
	if (at == 0 && len > 0) /* no UTF-8 */
		at = room > 0 && room < len ? room : 1;
	return at;
}

void notation_quote(struct str *out, const char *text, size_t len)
{
	_cleanup_(str_done) struct str quoted = {};

	str_append_quoted(&quoted, text, len);
	for (const char *at = str_text(&quoted), *mark; *at; at = mark + (*mark ? strlen(ELLIPSIS) : 0)) {
		mark = strstr(at, ELLIPSIS);
		mark = mark ? mark : at + strlen(at);
		str_append_len(out, at, (size_t)(mark - at));
		str_append(out, *mark ? "\\u2026" : "");
	}
}

void notation_text(struct str *out, const char *text)
{
	size_t len = strlen(text);

	if (strpbrk(text, "\"\n") || strstr(text, ELLIPSIS) || strstr(text, " | ") || !is_printable(text) ||
	    notation_is_line(text, len))
		notation_quote(out, text, len);
	else
		str_append_len(out, text, len);
}

void notation_word(struct str *out, const char *text)
{
	size_t len = strlen(text);

	if (strpbrk(text, " \t\"\n|") || strstr(text, ELLIPSIS) || !is_printable(text) || notation_name(text, len, "ecr"))
		notation_quote(out, text, len);
	else
		str_append_len(out, text, len);
}
