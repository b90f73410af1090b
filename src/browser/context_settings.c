#include "browser/context_settings.h"

#include "base/error.h"
#include "browser/internal.h"
#include "engine/context.h"
#include "page/exposed.h"
#include "page/overrides.h"

int context_grant_permissions(struct task *t, struct context *c, const struct json *names, const char *origin)
{
	const char **list = arena_alloc(task_arena(t), (json_count(names) + 1) * sizeof(*list));
	_cleanup_(engine_call_done) struct engine_call call = {};
	struct clipboard_grants clipboard = {};
	int r = context_refuse_lent(t, c, "permissions");
	size_t count = 0;

	if (r < 0)
		return r;
	json_foreach(name, names) {
		const char *text = json_text(name, NULL);

		if (!engine_knows_permission(text))
			return task_fail(t, -ERR_INVALID_PARAMETERS, "Unknown permission: %s", text);
		if (!clipboard_takes_grant(context_pages(c), text, &clipboard))
			list[count++] = text;
	}
	list[count] = NULL;
	page_group_grant_clipboard(context_pages(c), &clipboard, origin ? origin : "");
	engine_grant(t, context_pages(c)->browser, &call, context_id(c), list, origin);
	return engine_await(t, &call);
}

int context_clear_permissions(struct task *t, struct context *c)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	int r = context_refuse_lent(t, c, "permissions");

	if (r < 0)
		return r;
	page_group_grant_clipboard(context_pages(c), &(const struct clipboard_grants){}, "");
	engine_ungrant(t, context_pages(c)->browser, &call, context_id(c));
	return engine_await(t, &call);
}

int context_set_headers(struct task *t, struct context *c, const struct json *headers)
{
	return page_group_set_headers(t, context_pages(c), headers);
}

int context_set_geolocation(struct task *t, struct context *c, const struct geolocation *place)
{
	return page_group_set_geolocation(t, context_pages(c), place);
}

int context_add_init_script(struct task *t, struct context *c, const char *source)
{
	return page_group_add_init_script(t, context_pages(c), source);
}

int context_expose(struct task *t, struct context *c, const char *name)
{
	return page_group_expose(t, context_pages(c), name);
}

void context_receive_calls(struct context *c, struct exposed_receiver *r)
{
	context_pages(c)->exposed_receiver = r;
}
