#include "browser/listeners.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "browser/internal.h"

/* A node's listeners. The last two calls are for the windows: that of the isolated world, and the page's own. */
struct listeners {
	struct cdp_call calls[LIMIT_EVENT_PATH_COUNT + 2];
	size_t count;
	struct str types; /* the inside of a JSON array */
};

static void listeners_done(struct listeners *l)
{
	for (size_t i = 0; i < l->count; i++)
		cdp_call_done(&l->calls[i]);
	str_done(&l->types);
}

/*
 * With `pierce` the browser tells of the listeners of all worlds on a node. For a window it never does: only of those of
 * the world that the object belongs to.
 */
static void ask_object(struct task *t, struct frame *f, struct listeners *l, const char *object)
{
	if (object && l->count < ARRAY_SIZE(l->calls))
		cdp_send(t, f->cdp, &l->calls[l->count++], "DOMDebugger.getEventListeners", "{objectId: %s, depth: 1, pierce: true}", object);
}

static int call_object(struct task *t, struct frame *f, const char *object, const char *function, struct json **ret)
{
	return cdp_call(t, f->cdp, ret, "Runtime.callFunctionOn",
			"{functionDeclaration: %s, objectId: %s, objectGroup: 'browserd'}", function, object);
}

/* The window of the page's world, by way of the document there. `this` of a plain function is one that no page can replace. */
static int ask_window(struct task *t, struct frame *f, struct listeners *l, const char *document)
{
	static const char window[] = "function() { return (function() { return this })() }";
	_cleanup_(json_freep) struct json *node = NULL, *resolved = NULL, *own = NULL, *foreign = NULL;
	const char *object;
	int r;

	r = call_object(t, f, document, window, &own);
	if (r == 0 && f->cdp)
		r = cdp_call(t, f->cdp, &node, "DOM.describeNode", "{objectId: %s, depth: 0}", document);
	if (r == 0 && f->cdp)
		r = cdp_call(t, f->cdp, &resolved, "DOM.resolveNode", "{backendNodeId: %d, objectGroup: 'browserd'}",
			     (int)json_int(node, "result.node.backendNodeId", 0));
	object = json_str(resolved, "result.object.objectId");
	if (r == 0 && object && f->cdp)
		r = call_object(t, f, object, window, &foreign);
	if (r < 0 || !f->cdp)
		return r < 0 ? r : -ESTALE;
	ask_object(t, f, l, json_str(own, "result.result.objectId"));
	ask_object(t, f, l, json_str(foreign, "result.result.objectId"));
	return 0;
}

static int ask_path(struct task *t, struct frame *f, struct listeners *l)
{
	_cleanup_(json_freep) struct json *path = NULL, *nodes = NULL;
	const char *object, *document = NULL;
	int r;

	r = cdp_call(t, f->cdp, &path, "Runtime.evaluate",
		     "{expression: '[...browserd.eventPath(), document]', contextId: %d, objectGroup: 'browserd'}", f->world);
	object = json_str(path, "result.result.objectId");
	if (r < 0 || !object || !f->cdp)
		return r < 0 ? r : -ESTALE;
	r = cdp_call(t, f->cdp, &nodes, "Runtime.getProperties", "{objectId: %s, ownProperties: true}", object);
	if (r < 0 || !f->cdp)
		return r < 0 ? r : -ESTALE;
	json_foreach(property, json_get(nodes, "result.result")) {
		const char *id = json_str(property, "value.objectId");

		if (!id)
			continue;
		document = id;
		if (l->count < LIMIT_EVENT_PATH_COUNT)
			ask_object(t, f, l, id);
	}
	return document ? ask_window(t, f, l, document) : -ESTALE;
}

/* Listeners of our own are known by their script: that of the listeners in the isolated world's window. */
static void collect(struct listeners *l)
{
	const struct json *own = cdp_call_result(&l->calls[l->count - 2]);
	const char *script = json_str(json_first(json_get(own, "listeners")), "scriptId");

	for (size_t i = 0; i < l->count; i++)
		json_foreach(listener, json_get(cdp_call_result(&l->calls[i]), "listeners"))
			if (!script || strcmp(json_text(listener, "scriptId"), script) != 0)
				str_json(&l->types, l->types.len ? ", %s" : "%s", json_text(listener, "type"));
}

int listeners_find(struct task *t, struct frame *f)
{
	_cleanup_(listeners_done) struct listeners l = {};
	int r;

	if (!f->cdp || !f->world)
		return -ESTALE;
	r = ask_path(t, f, &l);
	for (size_t i = 0; r == 0 && i < l.count; i++)
		r = cdp_await(t, &l.calls[i]);
	if (r == 0)
		collect(&l);
	if (f->cdp)
		cdp_post(f->cdp, "Runtime.releaseObjectGroup", "{objectGroup: 'browserd'}");
	return r < 0 ? r : frame_script(t, f, NULL, "answerListeners", "{types: [%p]}", str_text(&l.types));
}
