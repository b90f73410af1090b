#include "browser/filename.h"

#include <ctype.h>
#include <string.h>

#define EXTENSION_MAX 32 /* bytes; a longer one is cut like the rest */

static bool is_safe(unsigned char c)
{
	return c >= 0x80 || isalnum(c) || c == '-';
}

static void append_safe(struct str *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (is_safe((unsigned char)text[i]))
			str_append_char(out, text[i]);
		else if (i == 0 || is_safe((unsigned char)text[i - 1]))
			str_append_char(out, '-');
}

/* Whole characters of UTF-8. */
static void cut(struct str *s, size_t len)
{
	if (s->len <= len)
		return;
	while (len > 0 && ((unsigned char)s->data[len] & 0xC0) == 0x80)
		len--;
	s->data[len] = '\0';
	s->len = len;
}

/* With its dot; NULL: it has none. A dot that begins the name begins no extension. */
static const char *extension_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && dot > name && dot[1] && !strchr(dot, '/') && strlen(dot) <= EXTENSION_MAX ? dot : NULL;
}

void file_name_safe(struct str *out, const char *suggested, unsigned copy, size_t max)
{
	const char *extension = extension_of(suggested);
	_cleanup_(str_done) struct str stem = {}, end = {};

	append_safe(&stem, suggested, extension ? (size_t)(extension - suggested) : strlen(suggested));
	if (copy)
		str_appendf(&end, "-%u", copy);
	if (extension) {
		str_append_char(&end, '.');
		append_safe(&end, extension + 1, strlen(extension + 1));
	}
	if (!stem.len && !end.len)
		str_append(&stem, "download");
	cut(&stem, max - MIN(end.len, max));
	str_append(out, str_text(&stem));
	str_append(out, str_text(&end));
}
