#include "browser/context_settings.h"

#include "base/error.h"
#include "browser/internal.h"
#include "engine/cdp/cdp.h"
#include "page/emulate.h"
#include "page/exposed.h"
#include "page/overrides.h"

/* Members of CDP parameters: the context, unless it is the browser's own. */
static void print_context(struct context *c, struct str *out)
{
	if (*context_id(c))
		str_json(out, ", browserContextId: ?", context_id(c));
}

int context_grant_permissions(struct task *t, struct context *c, const struct json *names, const char *origin)
{
	_cleanup_(str_done) struct str list = {}, more = {};
	struct clipboard_grants clipboard = {};

	json_foreach(name, names) {
		const char *text = json_str(name, NULL), *permission = text ? permission_find(text) : NULL;

		if (!permission)
			return task_fail(t, -ERR_INVALID_PARAMETERS, "Unknown permission: %s", text ? text : "");
		if (!clipboard_takes_grant(context_pages(c), text, &clipboard))
			str_json(&list, "? ?", JSON_COMMA(list.len), permission);
	}
	page_group_grant_clipboard(context_pages(c), &clipboard, origin ? origin : "");
	if (origin)
		str_json(&more, ", origin: ?", origin);
	print_context(c, &more);
	return cdp_call(t, context_pages(c)->browser, NULL, "Browser.grantPermissions", "{permissions: [?] ?}",
			JSON_RAW(str_text(&list)), JSON_RAW(str_text(&more)));
}

int context_clear_permissions(struct task *t, struct context *c)
{
	_cleanup_(str_done) struct str more = {};

	page_group_grant_clipboard(context_pages(c), &(const struct clipboard_grants){}, "");
	if (*context_id(c))
		str_json(&more, "browserContextId: ?", context_id(c));
	return cdp_call(t, context_pages(c)->browser, NULL, "Browser.resetPermissions", "{?}", JSON_RAW(str_text(&more)));
}

int context_set_headers(struct task *t, struct context *c, const struct json *headers)
{
	return page_group_set_headers(t, context_pages(c), headers);
}

int context_set_geolocation(struct task *t, struct context *c, const struct json *place)
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
