#include "act/listeners.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "engine/cdp/cdp.h"
#include "page/nodes.h"
#include "page/frame.h"
#include "scripts/scripts.h"

/*
 * The nodes on the path of the events, with the document last, and its window. They are requested as objects of the
 * page's own world: for objects of another world the browser returns the listeners of that world. `pierce` would return
 * those of all worlds, but crashes the renderer when such objects are collected later (Chromium 156).
 */
struct listeners {
	struct listened {
		struct engine_call resolved, listed;
	} nodes[LIMIT_EVENT_PATH_COUNT];
	size_t count;
	struct engine_call window;
	struct str types; /* the inside of a JSON array */
};

static void listeners_done(struct listeners *l)
{
	for (size_t i = 0; i < l->count; i++) {
		engine_call_done(&l->nodes[i].resolved);
		engine_call_done(&l->nodes[i].listed);
	}
	engine_call_done(&l->window);
	str_done(&l->types);
}

/* The document comes last. */
static int resolve_path(struct task *t, struct frame *f, struct listeners *l)
{
	_cleanup_(json_freep) struct json *path = NULL;
	int r;

	r = nodes_serialize(t, f, "browserd.eventPath()", false, &path);
	if (r < 0)
		return r;
	json_foreach(node, nodes_list(path))
		if (l->count < ARRAY_SIZE(l->nodes))
			cdp_send(t, frame_target(f), &l->nodes[l->count++].resolved, "DOM.resolveNode",
				 "{backendNodeId: ?, objectGroup: 'browserd'}", (int)json_int(node, "value.backendNodeId", 0));
	return l->count ? 0 : -ESTALE;
}

static void list(struct task *t, struct frame *f, struct engine_call *call, const char *object)
{
	cdp_send(t, frame_target(f), call, "DOMDebugger.getEventListeners", "{objectId: ?, depth: 1}", object);
	call->max_reply = LIMIT_LISTENERS;
}

static int list_window(struct task *t, struct frame *f, struct listeners *l, const char *document)
{
	_cleanup_(json_freep) struct json *window = NULL;
	const char *object;
	int r;

	r = cdp_call(t, frame_target(f), &window, "Runtime.callFunctionOn",
		     "{functionDeclaration: ?, objectId: ?, objectGroup: 'browserd'}", window_script, document);
	object = json_str(window, "result.result.objectId");
	if (r == 0 && object)
		list(t, f, &l->window, object);
	return r == 0 && !object ? -ESTALE : r;
}

/* Nodes that were removed meanwhile are omitted. */
static int list_path(struct task *t, struct frame *f, struct listeners *l)
{
	const char *object = NULL;
	int r = 0;

	for (size_t i = 0; r == 0 && i < l->count; i++) {
		r = nodes_await(t, &l->nodes[i].resolved);
		object = json_str(cdp_call_result(&l->nodes[i].resolved), "object.objectId");
		if (r == 0 && object)
			list(t, f, &l->nodes[i].listed, object);
	}
	if (r == 0)
		r = object ? list_window(t, f, l, object) : -ESTALE;
	for (size_t i = 0; r == 0 && i < l->count; i++)
		r = nodes_await(t, &l->nodes[i].listed);
	return r == 0 ? nodes_await(t, &l->window) : r;
}

/* scripts/functions/listeners.js adds a listener of its own to the page's world. */
static bool is_own(struct frame *f, const char *type)
{
	return strncmp(type, page_target_id(frame_page(f)), strlen(page_target_id(frame_page(f)))) == 0;
}

static void collect(struct frame *f, const struct engine_call *call, struct str *types)
{
	json_foreach(listener, json_get(cdp_call_result(call), "listeners")) {
		const char *type = json_text(listener, "type");

		if (!is_own(f, type))
			str_json(types, "? ?", JSON_COMMA(types->len), strlen(type) > LIMIT_EVENT_TYPE ? "other" : type);
	}
}

int listeners_find(struct task *t, struct frame *f)
{
	_cleanup_(listeners_done) struct listeners l = {};
	int r;

	if (!frame_alive(f) || !frame_world(f))
		return -ESTALE;
	r = resolve_path(t, f, &l);
	if (r == 0)
		r = list_path(t, f, &l);
	for (size_t i = 0; r == 0 && i < l.count; i++)
		collect(f, &l.nodes[i].listed, &l.types);
	if (r == 0)
		collect(f, &l.window, &l.types);
	cdp_post(frame_target(f), "Runtime.releaseObjectGroup", "{objectGroup: 'browserd'}");
	return r < 0 ? r : frame_script(t, f, NULL, "answerListeners", "{types: [?]}", JSON_RAW(str_text(&l.types)));
}
