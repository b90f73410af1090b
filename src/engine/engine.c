#include "engine/engine.h"

#include <stdio.h>
#include <string.h>

bool engine_id_is_valid(const char *id)
{
	size_t len = id ? strnlen(id, ENGINE_ID_SIZE) : 0;

	for (size_t i = 0; i < len; i++)
		if (id[i] <= ' ' || id[i] > '~' || id[i] == '"' || id[i] == '\\')
			return false;
	return len > 0 && len < ENGINE_ID_SIZE;
}

void engine_id_set(char dst[ENGINE_ID_SIZE], const char *id)
{
	snprintf(dst, ENGINE_ID_SIZE, "%s", id ? id : "");
}
