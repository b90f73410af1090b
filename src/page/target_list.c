#include "page/target_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/macros.h"
#include "cdp/cdp.h"

void target_list_done(struct target_list *l)
{
	free(l->items);
	json_freep(&l->reply);
}

const struct target_info *target_list_find(const struct target_list *l, const char *id)
{
	for (size_t i = 0; i < l->count; i++)
		if (strcmp(l->items[i].id, id) == 0)
			return &l->items[i];
	return NULL;
}

static struct target_info parse(const struct json *from)
{
	return (struct target_info){
		.id = json_text(from, "targetId"),
		.type = json_text(from, "type"),
		.title = json_text(from, "title"),
		.url = json_text(from, "url"),
		.attached = json_bool(from, "attached", false),
	};
}

int target_list_fetch(struct task *t, _borrowed_ struct cdp_session *root, struct target_list *ret)
{
	const struct json *list;
	struct json *reply = NULL;
	int r;

	r = cdp_call(t, root, &reply, "Target.getTargets", "{}");
	if (r < 0)
		return r;
	list = json_get(reply, "result.targetInfos");
	*ret = (struct target_list){ .items = must(calloc(json_count(list) + 1, sizeof(struct target_info))), .reply = reply };
	json_foreach(info, list)
		ret->items[ret->count++] = parse(info);
	return 0;
}
