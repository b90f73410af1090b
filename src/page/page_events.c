/*
 * CDP events about pages: frames, documents, execution contexts, dialogs, crashes. One table serves the page's own CDP
 * session and those of its frames in other processes.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/limits.h"
#include "observe/normalise.h"
#include "page/address.h"
#include "page/intercept.h"
#include "page/options.h"
#include "page/page_observe.h"
#include "page/state.h"

static void on_frame_attached(struct cdp_session *s, const struct json *params, void *data)
{
	const char *id = json_str(params, "frameId");

	if (id)
		page_add_frame(data, id, json_str(params, "parentFrameId"), s);
}

/* Detaches a frame, then its descendants. The frame is removed first because the browser's data may contain a cycle. */
static void detach_tree(struct page *p, struct frame *root)
{
	char id[CDP_ID_SIZE];
	struct frame *f;

	cdp_id_set(id, root->id);
	frame_detach(root);
	do {
		TAILQ_FOREACH(f, &p->frames, link)
			if (f != p->main && strcmp(f->parent_id, id) == 0)
				break;
		if (f)
			detach_tree(p, f);
	} while (f);
}

static void on_frame_detached(struct cdp_session *s, const struct json *params, void *data)
{
	struct page *p = data;
	struct frame *f = page_find_frame(p, json_str(params, "frameId"));
	const char *reason = json_str(params, "reason");

	if (!f || f == p->main || (reason && strcmp(reason, "swap") == 0)) /* swap: it goes on in another process */
		return;
	detach_tree(p, f);
}

/* Adds the refused address to the journal, as a message of the browser. */
static void log_refusal(struct page *p, struct cdp_session *s)
{
	_cleanup_(json_freep) struct json *params = NULL;
	_cleanup_(str_done) struct str text = {};

	str_json(&text, "{entry: {source: 'security', level: 'error', text: %s, url: '', timestamp: %lld}}", p->strayed.data,
		 (long long)time(NULL) * 1000);
	if (json_parse(text.data, text.len, LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &params) == 0)
		normalise_log(page_journal(p), cdp_session_id(s), params);
}

/*
 * Every navigation that a client requests passes address_check(). A page that reaches a forbidden address in another way
 * (scripts, redirects, history, restored pages) is navigated away from it.
 */
static void send_away(struct page *p, struct cdp_session *s)
{
	const char *url = page_url(p);

	if (p->role != PAGE_DRIVEN)
		return;
	if (address_may_stay(url, page_options(p)->files)) {
		if (p->astray)
			log_refusal(p, s); /* now, as the messages of a document go with it */
		p->astray = false;
		return;
	}
	p->astray = true;
	str_reset(&p->strayed);
	str_appendf(&p->strayed, "The page went to %.200s, an address that may not be opened; it was sent to about:blank", url);
	cdp_post(p->cdp, "Page.navigate", "{url: 'about:blank'}");
}

static void on_frame_navigated(struct cdp_session *s, const struct json *params, void *data)
{
	struct page *p = data;
	const struct json *frame = json_get(params, "frame");
	const char *id = json_str(frame, "id"), *parent_id = json_str(frame, "parentId");
	struct frame *f = page_find_frame(p, id);

	if (!id)
		return;
	if (!f && !parent_id && s == p->cdp) { /* the root frame got another id */
		f = p->main;
		cdp_id_set(f->id, id);
	}
	if (!f)
		f = page_add_frame(p, id, parent_id, s);
	f->cdp = s;
	frame_set_loader(f, json_str(frame, "loaderId"));
	if (strcmp(json_text(params, "type"), "BackForwardCacheRestore") == 0) /* it loads nothing */
		f->load_states |= LOAD_DOMCONTENTLOADED | LOAD_LOAD;
	str_reset(&f->url);
	str_append(&f->url, json_text(frame, "url"));
	str_append(&f->url, json_text(frame, "urlFragment"));
	if (f == p->main && strncmp(str_text(&f->url), ERROR_PAGE, strlen(ERROR_PAGE)) == 0)
		frame_number(f);
	if (f == p->main && p->cdp)
		send_away(p, s);
	waitq_wake(&p->changed);
}

static void on_navigated_within_document(struct cdp_session *s, const struct json *params, void *data)
{
	struct page *p = data;
	struct frame *f = page_find_frame(p, json_str(params, "frameId"));
	const char *url = json_str(params, "url");

	if (!f || !url)
		return;
	str_reset(&f->url);
	str_append(&f->url, url);
	waitq_wake(&p->changed);
}

static void on_frame_started_navigating(struct cdp_session *s, const struct json *params, void *data)
{
	struct page *p = data;
	const char *type = json_str(params, "navigationType");

	if (page_find_frame(p, json_str(params, "frameId")) != p->main || !type || strcmp(type, "sameDocument") == 0)
		return;
	p->navigating = true;
	p->stopped = false;
	p->navigation_began = clock_now();
	waitq_wake(&p->changed);
}

static void on_frame_stopped_loading(struct cdp_session *s, const struct json *params, void *data)
{
	struct page *p = data;

	if (page_find_frame(p, json_str(params, "frameId")) != p->main)
		return;
	p->navigating = false;
	p->stopped = true;
	waitq_wake(&p->changed);
}

static unsigned load_state_of(const char *name)
{
	static const struct {
		const char *name;
		unsigned state;
	} states[] = {
		{ "commit", LOAD_COMMIT },
		{ "DOMContentLoaded", LOAD_DOMCONTENTLOADED },
		{ "load", LOAD_LOAD },
		{ "networkIdle", LOAD_NETWORKIDLE },
	};

	for (size_t i = 0; name && i < ARRAY_SIZE(states); i++)
		if (strcmp(states[i].name, name) == 0)
			return states[i].state;
	return 0;
}

static void on_lifecycle_event(struct cdp_session *s, const struct json *params, void *data)
{
	struct page *p = data;
	struct frame *f = page_find_frame(p, json_str(params, "frameId"));
	const char *loader_id = json_str(params, "loaderId");
	unsigned state = load_state_of(json_str(params, "name"));

	if (!f || !loader_id || !state)
		return;
	if (state == LOAD_COMMIT)
		frame_set_loader(f, loader_id);
	if (strcmp(f->loader_id, loader_id) != 0)
		return;
	f->load_states |= state;
	waitq_wake(&p->changed);
}

static void on_context_created(struct cdp_session *s, const struct json *params, void *data)
{
	const struct json *context = json_get(params, "context");
	const char *name = json_str(context, "name");
	struct frame *f = page_find_frame(data, json_str(context, "auxData.frameId"));

	if (f && json_bool(context, "auxData.isDefault", false))
		f->page_world = (int)json_int(context, "id", 0);
	if (!f || !name || strcmp(name, WORLD_NAME) != 0)
		return;
	f->cdp = s;
	f->world = (int)json_int(context, "id", 0);
}

static void on_context_destroyed(struct cdp_session *s, const struct json *params, void *data)
{
	struct page *p = data;
	int id = (int)json_int(params, "executionContextId", 0);
	struct frame *f;

	TAILQ_FOREACH(f, &p->frames, link) {
		if (f->cdp == s && f->world == id)
			f->world = 0;
		if (f->cdp == s && f->page_world == id)
			f->page_world = 0;
	}
}

/* "press FATE" of scripts/arrival.js, "snapshot NUMBER TEXT" of scripts/snapshot.js. */
static void on_frame_report(struct frame *f, const char *text)
{
	static const char snapshot[] = "snapshot ";

	if (strncmp(text, snapshot, strlen(snapshot)) != 0)
		f->press = strcmp(text, "press blocked") == 0 ? PRESS_BLOCKED : PRESS_ARRIVED;
	else if (f->receiver)
		f->receiver->piece(f->receiver, text + strlen(snapshot));
}

static void on_report(struct cdp_session *s, const struct json *params, void *data)
{
	struct page *p = data;
	int id = (int)json_int(params, "executionContextId", 0);
	const char *text = json_str(params, "payload");
	struct frame *f;

	if (p->handler && text) {
		p->handler->message(p->handler, text);
		return;
	}
	TAILQ_FOREACH(f, &p->frames, link)
		if (f->cdp == s && f->world == id && text)
			on_frame_report(f, text);
	waitq_wake(&p->changed);
}

static void on_contexts_cleared(struct cdp_session *s, const struct json *params, void *data)
{
	struct page *p = data;
	struct frame *f;

	TAILQ_FOREACH(f, &p->frames, link)
		if (f->cdp == s)
			f->world = f->page_world = 0;
}

static void on_response_received(struct cdp_session *s, const struct json *params, void *data)
{
	const char *loader_id = json_str(params, "loaderId");
	const char *request_id = json_str(params, "requestId");
	struct frame *f;

	page_observe_response(s, params, data);
	if (!loader_id || !request_id || strcmp(loader_id, request_id) != 0) /* only a document's own request */
		return;
	f = page_find_frame(data, json_str(params, "frameId"));
	if (!f)
		return;
	cdp_id_set(f->response_id, loader_id);
	f->status = (int)json_int(params, "response.status", 0);
	str_reset(&f->status_text);
	str_append(&f->status_text, json_str(params, "response.statusText") ? json_str(params, "response.statusText") : "");
}

static void on_data_received(struct cdp_session *s, const struct json *params, void *data)
{
	((struct page *)data)->traffic.received = clock_now();
}

static void on_dialog_opening(struct cdp_session *s, const struct json *params, void *data)
{
	const char *type = json_str(params, "type");

	normalise_dialog_opened(page_journal(data), cdp_session_id(s), params);
	page_on_dialog_opening(data, type ? type : "unknown", json_text(params, "message"));
}

static void on_dialog_closed(struct cdp_session *s, const struct json *params, void *data)
{
	normalise_dialog_closed(page_journal(data), cdp_session_id(s), params);
	page_on_dialog_closed(data);
}

static void on_chooser_opened(struct cdp_session *s, const struct json *params, void *data)
{
	page_on_chooser_opened(data, (int)json_int(params, "backendNodeId", 0));
}

static void on_drag_intercepted(struct cdp_session *s, const struct json *params, void *data)
{
	struct page *p = data;

	if (!p->dragging)
		return;
	str_reset(&p->drag_data);
	json_print(&p->drag_data, json_get(params, "data"));
	waitq_wake(&p->changed);
}

static void on_crashed(struct cdp_session *s, const struct json *params, void *data)
{
	struct page *p = data;

	if (s != p->cdp)
		return;
	p->crashed = true;
	page_close(p);
}

static void on_target_attached(struct cdp_session *s, const struct json *params, void *data)
{
	const char *session_id = json_str(params, "sessionId");
	const char *type = json_str(params, "targetInfo.type");

	if (session_id && type)
		child_target_attached(data, session_id, type, json_str(params, "targetInfo.targetId"));
}

static void on_target_detached(struct cdp_session *s, const struct json *params, void *data)
{
	child_target_detached(data, json_str(params, "sessionId"));
}

const struct cdp_event page_event_table[] = {
	{ "Page.lifecycleEvent", on_lifecycle_event },
	{ "Page.frameNavigated", on_frame_navigated },
	{ "Page.navigatedWithinDocument", on_navigated_within_document },
	{ "Page.frameStartedNavigating", on_frame_started_navigating },
	{ "Page.frameStoppedLoading", on_frame_stopped_loading },
	{ "Page.frameAttached", on_frame_attached },
	{ "Page.frameDetached", on_frame_detached },
	{ "Page.javascriptDialogOpening", on_dialog_opening },
	{ "Page.javascriptDialogClosed", on_dialog_closed },
	{ "Page.fileChooserOpened", on_chooser_opened },
	{ "Runtime.executionContextCreated", on_context_created },
	{ "Runtime.executionContextDestroyed", on_context_destroyed },
	{ "Runtime.executionContextsCleared", on_contexts_cleared },
	{ "Runtime.bindingCalled", on_report },
	{ "Runtime.consoleAPICalled", page_observe_console },
	{ "Runtime.exceptionThrown", page_observe_exception },
	{ "Log.entryAdded", page_observe_log },
	{ "Network.requestWillBeSent", page_observe_request },
	{ "Network.responseReceived", on_response_received },
	{ "Network.dataReceived", on_data_received, .unread = true },
	{ "Network.loadingFinished", page_observe_finished },
	{ "Network.loadingFailed", page_observe_failed },
	{ "Network.requestServedFromCache", page_observe_cached },
	{ "Network.webSocketCreated", page_observe_websocket_created },
	{ "Network.webSocketHandshakeResponseReceived", page_observe_websocket_opened },
	{ "Network.webSocketFrameSent", page_observe_websocket_sent },
	{ "Network.webSocketFrameReceived", page_observe_websocket_received },
	{ "Network.webSocketFrameError", page_observe_websocket_error },
	{ "Network.webSocketClosed", page_observe_websocket_closed },
	{ "Input.dragIntercepted", on_drag_intercepted },
	{ "Fetch.requestPaused", intercept_paused },
	{ "Inspector.targetCrashed", on_crashed },
	{ "Target.attachedToTarget", on_target_attached },
	{ "Target.detachedFromTarget", on_target_detached },
	{},
};
