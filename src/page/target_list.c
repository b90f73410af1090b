#include "page/target_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/macros.h"
#include "engine/cdp/cdp.h"

#define SOON (2 * USEC_PER_SEC)

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

static void add(struct target_list *l, struct json *reply)
{
	const struct json *list = json_get(reply, "result.targetInfos");

	l->items = must(realloc(l->items, (l->count + json_count(list) + 1) * sizeof(*l->items)));
	json_foreach(info, list)
		l->items[l->count++] = parse(info);
	l->replies[l->reply_count++] = reply;
}

int target_list_fetch_all(struct task *t, struct engine_target *const *roots, size_t count, struct target_list *ret)
{
	struct engine_call *calls = arena_alloc(task_arena(t), count * sizeof(*calls));
	usec_t outer = task_deadline(t);
	int r = 0;

	*ret = (struct target_list){ .replies = must(calloc(count, sizeof(*ret->replies))) };
	memset(calls, 0, count * sizeof(*calls));
	for (size_t i = 0; i < count; i++)
		cdp_send(t, roots[i], &calls[i], "Target.getTargets", "{}");
	if (count > 1)
		task_set_deadline(t, MIN(outer, clock_now() + SOON));
	for (size_t i = 0; i < count; i++) {
		int failure = task_cancelled(t) ? -ECANCELED : engine_await(t, &calls[i]);

		if (failure == 0)
			add(ret, TAKE_PTR(calls[i].reply));
		else if (count == 1 || task_cancelled(t))
			r = failure;
		engine_call_done(&calls[i]);
	}
	task_set_deadline(t, outer);
	return r;
}

int target_list_fetch(struct task *t, _borrowed_ struct engine_target *root, struct target_list *ret)
{
	return target_list_fetch_all(t, &root, 1, ret);
}
