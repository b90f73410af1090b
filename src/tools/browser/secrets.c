#include "tools/browser/secrets.h"

#include <string.h>

const struct secret *secret_find(const struct app *app, const char *name)
{
	for (const struct secret *s = app->secrets; s && s->name; s++)
		if (strcmp(s->name, name) == 0)
			return s;
	return NULL;
}
