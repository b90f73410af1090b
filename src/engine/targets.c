#include "engine/targets.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"

void target_list_done(struct target_list *l)
{
	for (size_t i = 0; i < l->reply_count; i++)
		json_free(l->replies[i]);
	free(l->replies);
	free(l->items);
}

const struct target_info *target_list_find(const struct target_list *l, const char *id)
{
	for (size_t i = 0; i < l->count; i++)
		if (strcmp(l->items[i].id, id) == 0)
			return &l->items[i];
	return NULL;
}
