#include "reply/url_params.h"

#include <string.h>

#define REDACTED "<redacted>"

static bool begins_parameter(char c)
{
	return c == '?' || c == '&' || c == '#';
}

/* Characters that end a value, or the URL that it is in. */
static size_t value_length(const char *value)
{
	return strcspn(value, "&# \t\r\n\"'`<>()[]{}\\");
}

/* The value of the parameter that begins at `p`; NULL if its name is not in `names`, or the value is empty. */
static const char *value_at(const char *const *names, const char *p)
{
	for (; *names; names++) {
		size_t len = strlen(*names);

		if (strncmp(p, *names, len) == 0 && p[len] == '=' && value_length(p + len + 1) > 0)
			return p + len + 1;
	}
	return NULL;
}

void url_params_redact(const char *const *names, struct str *text)
{
	struct str redacted = {};
	const char *from = str_text(text), *value;

	for (const char *p = from; names && *p; p++) {
		if (!begins_parameter(*p))
			continue;
		value = value_at(names, p + 1);
		if (!value)
			continue;
		str_append_len(&redacted, from, (size_t)(value - from));
		str_append(&redacted, REDACTED);
		from = value + value_length(value);
		p = from - 1;
	}
	if (!redacted.len)
		return;
	str_append(&redacted, from);
	str_move(text, &redacted);
}
