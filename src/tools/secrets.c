#include "tools/secrets.h"

#include <string.h>

const struct secret *secret_find(const struct app *app, const char *name)
{
	for (const struct secret *s = app->secrets; s && s->name; s++)
		if (strcmp(s->name, name) == 0)
			return s;
	return NULL;
}

static void hide(struct str *text, const struct secret *s)
{
	size_t len = strlen(s->value);
	struct str shown = {};
	const char *at = text->data, *next;

	for (; (next = strstr(at, s->value)); at = next + len) {
		str_append_len(&shown, at, (size_t)(next - at));
		str_appendf(&shown, "<secret>%s</secret>", s->name);
	}
	str_append(&shown, at);
	str_done(text);
	*text = shown;
}

void secrets_hide(const struct app *app, struct str *text)
{
	for (const struct secret *s = app->secrets; s && s->name; s++)
		if (text->len && strstr(text->data, s->value))
			hide(text, s);
}
