#include "base/node.h"

#include <stdio.h>
#include <string.h>

static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

bool node_name_is_valid(const char *name)
{
	size_t len = strspn(name, allowed);

	return len > 0 && len < NODE_NAME_SIZE && !name[len];
}

void node_make_id(const char *node, const char *random, char *ret, size_t size)
{
	snprintf(ret, size, "%s%s%s", node ? node : "", node ? "." : "", random);
}

bool node_of_id(const char *id, char ret[NODE_NAME_SIZE])
{
	size_t len = strspn(id, allowed);

	if (len == 0 || len >= NODE_NAME_SIZE || id[len] != '.')
		return false;
	memcpy(ret, id, len);
	ret[len] = '\0';
	return true;
}

bool node_is_other(const char *own, const char *id, char ret[NODE_NAME_SIZE])
{
	return own && node_of_id(id, ret) && strcmp(ret, own) != 0;
}
