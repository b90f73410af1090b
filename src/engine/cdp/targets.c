#include "engine/cdp/targets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/str.h"
#include "engine/cdp/cdp.h"
#include "engine/events.h"

static enum target_kind target_kind_of(const char *type)
{
	static const char *const types[] = {
		[TARGET_PAGE] = "page",
		[TARGET_FRAME] = "iframe",
		[TARGET_SHARED_WORKER] = "shared_worker",
		[TARGET_SERVICE_WORKER] = "service_worker",
	};

	for (unsigned kind = TARGET_PAGE; kind < ARRAY_SIZE(types); kind++)
		if (strcmp(types[kind], type) == 0)
			return kind;
	return TARGET_OTHER;
}

struct target_info cdp_read_target(const struct json *info)
{
	return (struct target_info){
		.id = json_text(info, "targetId"),
		.kind = target_kind_of(json_text(info, "type")),
		.type = json_text(info, "type"),
		.subtype = json_text(info, "subtype"),
		.title = json_text(info, "title"),
		.url = json_text(info, "url"),
		.context = json_text(info, "browserContextId"),
		.opener = json_text(info, "openerId"),
		.parent_frame = json_text(info, "parentFrameId"),
		.reaches_opener = json_bool(info, "canAccessOpener", false),
		.attached = json_bool(info, "attached", false),
	};
}

bool cdp_read_attachment(const struct json *params, struct engine_attachment *ret)
{
	*ret = (struct engine_attachment){
		.id = json_str(params, "sessionId"),
		.target = cdp_read_target(json_get(params, "targetInfo")),
		.waits = json_bool(params, "waitingForDebugger", false),
	};
	return engine_id_is_valid(ret->id) && *ret->target.type;
}

/* ---- the list ---- */

void engine_ask_targets(struct task *t, struct engine_target *root, struct engine_call *call)
{
	cdp_send(t, root, call, "Target.getTargets", "{}");
}

void engine_take_targets(struct engine_call *call, struct target_list *ret)
{
	const struct json *list = json_get(cdp_call_result(call), "targetInfos");

	ret->items = must(realloc(ret->items, (ret->count + json_count(list) + 1) * sizeof(*ret->items)));
	ret->replies = must(realloc(ret->replies, (ret->reply_count + 1) * sizeof(*ret->replies)));
	json_foreach(info, list)
		ret->items[ret->count++] = cdp_read_target(info);
	ret->replies[ret->reply_count++] = TAKE_PTR(call->reply);
}

int engine_list_targets(struct task *t, _borrowed_ struct engine_target *root, struct target_list *ret)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	int r;

	*ret = (struct target_list){};
	engine_ask_targets(t, root, &call);
	r = engine_await(t, &call);
	if (r == 0)
		engine_take_targets(&call, ret);
	return r;
}

/* Older browsers do not say which their own context is: it is the one that the list of the others lacks. */
static const char *find_own_context(const struct json *contexts, const struct target_list *targets)
{
	const char *id = json_str(contexts, "defaultBrowserContextId");
	_cleanup_(names_done) struct names listed = { .compare = strcmp };

	if (id)
		return id;
	json_foreach(other, json_get(contexts, "browserContextIds"))
		names_add(&listed, json_text(other, NULL));
	names_sort(&listed);
	for (size_t i = 0; i < targets->count; i++)
		if (*targets->items[i].context && !names_have(&listed, targets->items[i].context))
			return targets->items[i].context;
	return "";
}

int engine_own_context(struct task *t, _borrowed_ struct engine_target *root, struct str *ret_id, struct target_list *ret)
{
	_cleanup_(engine_call_done) struct engine_call contexts = {};
	int r;

	*ret = (struct target_list){};
	cdp_send(t, root, &contexts, "Target.getBrowserContexts", "{}");
	r = engine_list_targets(t, root, ret);
	if (r == 0)
		r = engine_await(t, &contexts);
	if (r == 0)
		str_set(ret_id, find_own_context(cdp_call_result(&contexts), ret));
	return r;
}

int engine_title(struct task *t, _borrowed_ struct engine_target *root, const char *id, const char **ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	int r = cdp_call(t, root, &reply, "Target.getTargetInfo", "{targetId: ?}", id);

	*ret = arena_strdup(task_arena(t), json_text(reply, "result.targetInfo.title"));
	return r;
}

/* ---- attachments ---- */

void engine_attach_new(struct engine_target *s)
{
	cdp_post(s, "Target.setAutoAttach", "{autoAttach: true, waitForDebuggerOnStart: true, flatten: true}");
}

void engine_resume(struct engine_target *s)
{
	cdp_post(s, "Runtime.runIfWaitingForDebugger", "{}");
}

void engine_attach(struct task *t, struct engine_target *root, struct engine_call *call, const char *id)
{
	cdp_send(t, root, call, "Target.attachToTarget", "{targetId: ?, flatten: true}", id);
}

const char *engine_attached(const struct engine_call *call)
{
	return json_str(cdp_call_result(call), "sessionId");
}

void engine_detach(struct engine_target *root, const char *attachment)
{
	cdp_post(root, "Target.detachFromTarget", "{sessionId: ?}", attachment);
}

void engine_refuse(struct engine_target *from, const char *attachment)
{
	cdp_session_refuse(from, attachment);
}

bool engine_let_run(struct engine_target *root, const char *attachment)
{
	struct engine_target *s = cdp_session_new(cdp_session_connection(root), attachment, NULL, NULL);

	if (!s) {
		cdp_session_refuse(root, attachment);
		return false;
	}
	engine_resume(s);
	engine_target_free(s);
	return true;
}

void engine_close_target(struct engine_target *root, const char *id)
{
	cdp_post(root, "Target.closeTarget", "{targetId: ?}", id);
}

int engine_bring_to_front(struct task *t, _borrowed_ struct engine_target *s)
{
	if (t)
		return cdp_call(t, s, NULL, "Page.bringToFront", "{}");
	cdp_post(s, "Page.bringToFront", "{}");
	return 0;
}

int engine_confirm(struct task *t, struct engine_target *s)
{
	return cdp_call(t, s, NULL, "Runtime.getIsolateId", "{}");
}

int engine_confirm_page(struct task *t, _borrowed_ struct engine_target *s)
{
	return cdp_call(t, s, NULL, "Page.getFrameTree", "{}");
}
