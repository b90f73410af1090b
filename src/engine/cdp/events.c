/* Events of targets as structs: frames, navigations, execution contexts, dialogs, other targets, drags. */
#include "engine/cdp/events.h"

#include <string.h>

#include "base/limits.h"
#include "base/log.h"
#include "engine/cdp/internal.h"
#include "engine/cdp/targets.h"

/* ---- frames and their documents ---- */

static void events_on_frame_attached(struct engine_target *s, const struct json *params, void *data)
{
	REPORT(s, frames, attached, s, json_str(params, "frameId"), json_str(params, "parentFrameId"));
}

static void on_frame_detached(struct engine_target *s, const struct json *params, void *data)
{
	if (strcmp(json_text(params, "reason"), "swap") != 0) /* swap: it goes on in another process */
		REPORT(s, frames, removed, s, json_str(params, "frameId"));
}

static struct engine_document document_of(const struct json *frame)
{
	return (struct engine_document){
		.frame = json_str(frame, "id"),
		.parent = json_str(frame, "parentId"),
		.id = json_str(frame, "loaderId"),
		.url = json_text(frame, "url"),
		.fragment = json_text(frame, "urlFragment"),
		.name = json_text(frame, "name"),
		.failed = json_text(frame, "unreachableUrl"),
	};
}

static void events_on_frame_navigated(struct engine_target *s, const struct json *params, void *data)
{
	struct engine_document d = document_of(json_get(params, "frame"));

	d.restored = strcmp(json_text(params, "type"), "BackForwardCacheRestore") == 0;
	REPORT(s, frames, navigated, s, &d);
}

static void on_navigated_within_document(struct engine_target *s, const struct json *params, void *data)
{
	const char *url = json_str(params, "url");

	if (url)
		REPORT(s, frames, moved, s, json_str(params, "frameId"), url);
}

/* 0: another state, which nothing waits for. */
static enum load_state load_state_of(const char *name)
{
	static const struct {
		const char *name;
		enum load_state state;
	} states[] = {
		{ "commit", LOAD_COMMIT },
		{ "DOMContentLoaded", LOAD_DOMCONTENTLOADED },
		{ "load", LOAD_LOAD },
		{ "networkIdle", LOAD_NETWORKIDLE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(states); i++)
		if (strcmp(states[i].name, name) == 0)
			return states[i].state;
	return 0;
}

static void on_lifecycle_event(struct engine_target *s, const struct json *params, void *data)
{
	const char *document = json_str(params, "loaderId");
	enum load_state state = load_state_of(json_text(params, "name"));

	if (document && state)
		REPORT(s, frames, loaded, s, json_str(params, "frameId"), document, state);
}

static const struct cdp_event frame_events[] = {
	{ "Page.lifecycleEvent", on_lifecycle_event },
	/* A page chooses the length of its name. Without the event it would be taken for the one before. */
	{ "Page.frameNavigated", events_on_frame_navigated, .longest = LIMIT_CDP_MESSAGE },
	{ "Page.navigatedWithinDocument", on_navigated_within_document },
	{ "Page.frameAttached", events_on_frame_attached },
	{ "Page.frameDetached", on_frame_detached },
	{},
};

void engine_ask_frames(struct task *t, struct engine_target *s, struct engine_call *call)
{
	cdp_post(s, "Page.enable", "{}");
	cdp_send(t, s, call, "Page.getFrameTree", "{}");
}

/* `left`: how many more are read, as the browser may list any number. */
static void read_tree(const struct json *tree, unsigned *left, void (*take)(const struct engine_document *d, void *data),
		      void *data)
{
	struct engine_document d;

	if (*left == 0)
		return;
	--*left;
	d = document_of(json_get(tree, "frame"));
	take(&d, data);
	json_foreach(child, json_get(tree, "childFrames"))
		read_tree(child, left, take, data);
}

void engine_read_frames(const struct engine_call *call, unsigned count, void (*take)(const struct engine_document *d, void *data),
			void *data)
{
	read_tree(json_get(cdp_call_result(call), "frameTree"), &count, take, data);
}

/* ---- navigations ---- */

static void on_frame_requested_navigation(struct engine_target *s, const struct json *params, void *data)
{
	if (strcmp(json_text(params, "disposition"), "currentTab") == 0)
		REPORT(s, navigations, requested, s, json_str(params, "frameId"));
}

static void on_frame_started_navigating(struct engine_target *s, const struct json *params, void *data)
{
	const char *type = json_str(params, "navigationType");

	if (type)
		REPORT(s, navigations, started, s, json_str(params, "frameId"), json_text(params, "loaderId"),
		       strcmp(type, "sameDocument") == 0);
}

static void on_frame_stopped_loading(struct engine_target *s, const struct json *params, void *data)
{
	REPORT(s, navigations, stopped, s, json_str(params, "frameId"));
}

static const struct cdp_event navigation_events[] = {
	{ "Page.frameRequestedNavigation", on_frame_requested_navigation },
	{ "Page.frameStartedNavigating", on_frame_started_navigating },
	{ "Page.frameStoppedLoading", on_frame_stopped_loading },
	{},
};

/* ---- execution contexts ---- */

static void on_context_created(struct engine_target *s, const struct json *params, void *data)
{
	const struct json *context = json_get(params, "context");
	const struct engine_world w = {
		.id = (int)json_int(context, "id", 0),
		.frame = json_str(context, "auxData.frameId"),
		.name = json_text(context, "name"),
		.is_page = json_bool(context, "auxData.isDefault", false),
	};

	REPORT(s, worlds, created, s, &w);
}

static void on_context_destroyed(struct engine_target *s, const struct json *params, void *data)
{
	REPORT(s, worlds, destroyed, s, (int)json_int(params, "executionContextId", 0));
}

static void on_contexts_cleared(struct engine_target *s, const struct json *params, void *data)
{
	REPORT(s, worlds, cleared, s);
}

static void take_message(struct engine_target *s, const struct json *params)
{
	const struct engine_message m = {
		.world = (int)json_int(params, "executionContextId", 0),
		.function = json_text(params, "name"),
		.text = json_str(params, "payload"),
	};

	if (m.text)
		REPORT(s, worlds, message, s, &m);
}

static bool events_may_be_long(const struct engine_target *s, const char *text, size_t len)
{
	size_t name_len = 0;
	const char *name = cdp_raw_string(text, len, "params.name", &name_len);

	return name && HEARS(s, worlds, may_be_long) && s->hears->worlds->may_be_long(name, name_len, s->data);
}

static void on_binding_called(struct engine_target *s, const char *text, size_t len, void *data)
{
	_cleanup_(json_freep) struct json *message = NULL;

	if (len > LIMIT_OBSERVED_MESSAGE && !events_may_be_long(s, text, len))
		log_warning("dropped a message of %zu bytes from a script", len);
	else if (json_parse(text, len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &message) == 0)
		take_message(s, json_get(message, "params"));
}

static const struct cdp_event world_events[] = {
	{ "Runtime.executionContextCreated", on_context_created },
	{ "Runtime.executionContextDestroyed", on_context_destroyed },
	{ "Runtime.executionContextsCleared", on_contexts_cleared },
	{ "Runtime.bindingCalled", .raw = on_binding_called, .longest = LIMIT_CDP_MESSAGE },
	{},
};

/* ---- dialogs and file choosers ---- */

static void on_dialog_opening(struct engine_target *s, const struct json *params, void *data)
{
	const struct opened_dialog d = {
		.type = json_text(params, "type"),
		.message = json_text(params, "message"),
		.url = json_str(params, "url"),
	};

	REPORT(s, modals, dialog_opened, s, &d);
}

static void events_on_dialog_closed(struct engine_target *s, const struct json *params, void *data)
{
	REPORT(s, modals, dialog_closed, s, json_bool(params, "result", false), json_str(params, "userInput"));
}

/* Choosers of the File System Access API have no field: Chromium refuses them after this event, and has no way to give them files. */
static void events_on_chooser_opened(struct engine_target *s, const struct json *params, void *data)
{
	REPORT(s, modals, chooser_opened, s, (int)json_int(params, "backendNodeId", 0));
}

static const struct cdp_event modal_events[] = {
	/* A page waits for the answer to a dialog, however long its message is. */
	{ "Page.javascriptDialogOpening", on_dialog_opening, .longest = LIMIT_CDP_MESSAGE },
	{ "Page.javascriptDialogClosed", events_on_dialog_closed },
	{ "Page.fileChooserOpened", events_on_chooser_opened },
	{},
};

/* ---- targets ---- */

static void events_on_crashed(struct engine_target *s, const struct json *params, void *data)
{
	REPORT(s, targets, crashed, s);
}

static void on_target_attached(struct engine_target *s, const struct json *params, void *data)
{
	struct engine_attachment a;

	if (cdp_read_attachment(params, &a))
		REPORT(s, targets, attached, s, &a);
}

static void on_target_detached(struct engine_target *s, const struct json *params, void *data)
{
	REPORT(s, targets, detached, s, json_text(params, "sessionId"));
}

static const struct cdp_event target_events[] = {
	{ "Inspector.targetCrashed", events_on_crashed },
	{ "Target.attachedToTarget", on_target_attached },
	{ "Target.detachedFromTarget", on_target_detached },
	{},
};

/* ---- drags ---- */

static void on_drag_intercepted(struct engine_target *s, const struct json *params, void *data)
{
	_cleanup_(str_done) struct str what = {};

	json_print(&what, json_get(params, "data"));
	REPORT(s, drags, started, s, str_text(&what));
}

static const struct cdp_event drag_events[] = {
	{ "Input.dragIntercepted", on_drag_intercepted },
	{},
};

/* ---- all of them ---- */

static const struct cdp_event page_events[] = {
	{ .rows = frame_events },      { .rows = world_events },    { .rows = cdp_traffic_events },
	{ .rows = navigation_events }, { .rows = modal_events },    { .rows = target_events },
	{ .rows = drag_events },       { .rows = cdp_tool_events }, {},
};

struct engine_target *engine_target_new(struct engine_target *from, const char *attachment, const struct engine_events *events,
					void *data)
{
	struct engine_target *s = cdp_session_new(from->connection, attachment, page_events, data);

	if (s)
		s->hears = events;
	return s;
}
