#include "main/environment.h"

#include <stddef.h>
#include <string.h>

const char *environment_get(char *const env[], const char *name)
{
	size_t len = strlen(name);

	for (int i = 0; env && env[i]; i++)
		if (!strncmp(env[i], name, len) && env[i][len] == '=')
			return env[i] + len + 1;
	return NULL;
}
