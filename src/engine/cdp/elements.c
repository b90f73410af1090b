/* Objects that the browser keeps for these questions are in the group "browserd", which each question releases when it ends. */
#include "engine/elements.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "engine/cdp/cdp.h"
#include "scripts/scripts.h"

#define COORDINATE_MAX 1e9

static void release_objects(const struct engine_frame *at)
{
	if (at->target)
		cdp_post(at->target, "Runtime.releaseObjectGroup", "{objectGroup: 'browserd'}");
}

/* engine_await() for a question about one node: that the browser does not know the node any more is no failure. */
static int await_node(struct task *t, struct engine_call *call)
{
	int r = call->method ? engine_await(t, call) : 0;

	return r == -EREMOTE ? 0 : r;
}

static const char *object_of(const struct engine_call *resolved)
{
	return json_str(cdp_call_result(resolved), "object.objectId");
}

/* ---- the frames of elements ---- */

static int element_object(struct task *t, const struct engine_frame *at, const char *handle, const char **ret_id)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	const char *id;
	int r;

	r = cdp_call(t, at->target, &reply, "Runtime.callFunctionOn",
		     "{functionDeclaration: 'a=>browserd.element(a)', arguments: [{value: {ref: ?}}], executionContextId: ?, "
		     "objectGroup: 'browserd'}",
		     handle, at->own_world);
	if (r < 0)
		return r;
	id = json_str(reply, "result.result.objectId");
	if (!id || json_get(reply, "result.exceptionDetails"))
		return -ENOENT;
	*ret_id = arena_strdup(task_arena(t), id);
	return 0;
}

int cdp_page_object(struct task *t, const struct engine_frame *at, const char *handle, const char **ret_id)
{
	_cleanup_(json_freep) struct json *node = NULL, *resolved = NULL;
	const char *ours = NULL, *id;
	int r = element_object(t, at, handle, &ours);

	if (r == -ENOENT)
		return task_fail(t, -ESTALE, "the frame was removed meanwhile");
	if (r == 0)
		r = cdp_call(t, at->target, &node, "DOM.describeNode", "{objectId: ?}", ours);
	if (r == 0)
		r = cdp_call(t, at->target, &resolved, "DOM.resolveNode", "{backendNodeId: ?, objectGroup: 'browserd'}",
			     json_int(node, "result.node.backendNodeId", 0));
	if (r < 0)
		return r;
	id = json_str(resolved, "result.object.objectId");
	if (!id)
		return task_fail(t, -ESTALE, "the element was removed meanwhile");
	*ret_id = arena_strdup(task_arena(t), id);
	return 0;
}

int engine_frame_of(struct task *t, const struct engine_frame *at, const char *handle, char ret_id[ENGINE_ID_SIZE])
{
	_cleanup_(json_freep) struct json *reply = NULL;
	const char *object = NULL;
	int r = element_object(t, at, handle, &object);

	if (r < 0)
		return r;
	r = cdp_call(t, at->target, &reply, "DOM.describeNode", "{objectId: ?}", object);
	release_objects(at);
	engine_id_set(ret_id, json_str(reply, "result.node.frameId"));
	return r;
}

/* In whole pixels, as this method wants it; places come from scripts of pages. */
static int coordinate(double n)
{
	return (int)fmin(fmax(n, -COORDINATE_MAX), COORDINATE_MAX);
}

int engine_frame_at(struct task *t, const struct engine_frame *main, struct point at, char ret_shown[ENGINE_ID_SIZE],
		    char ret_document[ENGINE_ID_SIZE])
{
	_cleanup_(json_freep) struct json *hit = NULL, *node = NULL;
	int r;

	r = cdp_call(t, main->target, &hit, "DOM.getNodeForLocation", "{x: ?, y: ?}", coordinate(at.x), coordinate(at.y));
	if (r == 0)
		r = cdp_call(t, main->target, &node, "DOM.describeNode", "{backendNodeId: ?}",
			     json_int(hit, "result.backendNodeId", 0));
	engine_id_set(ret_shown, json_str(node, "result.node.frameId"));
	engine_id_set(ret_document, json_str(hit, "result.frameId"));
	return r == -EREMOTE ? 0 : r; /* refused: there is no element at the point */
}

int engine_owner_script(struct task *t, const struct engine_frame *child, const char *function, const char *point,
			struct json **ret)
{
	_cleanup_(json_freep) struct json *owner = NULL, *node = NULL, *reply = NULL;
	const struct engine_frame *parent = child->parent;
	const char *declaration =
		arena_printf(task_arena(t), "function(point){return browserd.%s({frame: this, point})}", function);
	int r;

	*ret = NULL;
	r = cdp_call(t, parent->target, &owner, "DOM.getFrameOwner", "{frameId: ?}", child->id);
	if (r == 0)
		r = cdp_call(t, parent->target, &node, "DOM.resolveNode",
			     "{backendNodeId: ?, executionContextId: ?, objectGroup: 'browserd'}",
			     json_int(owner, "result.backendNodeId", 0), parent->own_world);
	if (r < 0)
		return r;
	r = cdp_call(t, parent->target, &reply, "Runtime.callFunctionOn",
		     "{functionDeclaration: ?, objectId: ?, arguments: [{value: ?}], returnByValue: true}", declaration,
		     json_str(node, "result.object.objectId"), JSON_RAW(point));
	release_objects(parent);
	*ret = json_extract(TAKE_PTR(reply), "result.result.value");
	return r;
}

/* ---- the names of frames ---- */

struct owner {
	struct engine_call found, resolved;
};

struct owners {
	struct owner *list;
	size_t count;
};

static void owners_done(struct owners *o)
{
	for (size_t i = 0; i < o->count; i++) {
		engine_call_done(&o->list[i].found);
		engine_call_done(&o->list[i].resolved);
	}
	free(o->list);
}

static bool has_world(const struct engine_frame *f)
{
	return f && f->target && f->own_world;
}

static int resolve_owners(struct task *t, const struct engine_frame **frames, struct owners *o)
{
	int r = 0;

	for (size_t i = 0; i < o->count; i++)
		if (frames[i] && frames[i]->parent && frames[i]->parent->target)
			cdp_send(t, frames[i]->parent->target, &o->list[i].found, "DOM.getFrameOwner", "{frameId: ?}",
				 frames[i]->id);
	for (size_t i = 0; r == 0 && i < o->count; i++) {
		const struct json *owner;

		r = await_node(t, &o->list[i].found);
		owner = cdp_call_result(&o->list[i].found);
		if (r == 0 && owner && has_world(frames[i]->parent))
			cdp_send(t, frames[i]->parent->target, &o->list[i].resolved, "DOM.resolveNode",
				 "{backendNodeId: ?, executionContextId: ?, objectGroup: 'browserd'}",
				 json_int(owner, "backendNodeId", 0), frames[i]->parent->own_world);
	}
	return r;
}

static int name_owners(struct task *t, const struct engine_frame **frames, struct owners *o)
{
	int r = 0;

	for (size_t i = 0; i < o->count; i++) {
		const char *object = NULL;

		if (r == 0)
			r = await_node(t, &o->list[i].resolved);
		if (r == 0)
			object = object_of(&o->list[i].resolved);
		if (object && frames[i]->parent && frames[i]->parent->target)
			cdp_post(frames[i]->parent->target, "Runtime.callFunctionOn",
				 "{functionDeclaration: 'function(name){browserd.nameFrame({element: this, name})}', objectId: ?, "
				 "arguments: [{value: ?}], silent: true}",
				 object, frames[i]->id);
		else
			frames[i] = NULL;
	}
	return r;
}

int engine_name_frames(struct task *t, struct engine_target *s, const struct engine_frame **list, size_t count)
{
	_cleanup_(owners_done) struct owners o = { must(calloc(count, sizeof(*o.list))), count };
	int r = resolve_owners(t, list, &o);

	if (r == 0)
		r = name_owners(t, list, &o);
	for (size_t i = 0; i < count; i++)
		if (o.list[i].resolved.method && list[i] && list[i]->parent)
			release_objects(list[i]->parent);
	return r;
}

/* ---- nodes ---- */

/*
 * The nodes in the list that the expression gives, as a deep serialization of WebDriver BiDi: nodes_list(ret) has {value: {backendNodeId,
 * ...}} for each; one that is listed twice has no id the second time. `shadow`: with the shadow roots of the elements, closed ones included.
 */
static int serialize_nodes(struct task *t, const struct engine_frame *at, const char *expression, bool shadow, struct json **ret)
{
	return cdp_call(t, at->target, ret, "Runtime.evaluate",
			"{expression: ?, contextId: ?, objectGroup: 'browserd', serializationOptions: {serialization: 'deep', "
			"maxDepth: 1, additionalParameters: {maxNodeDepth: 0, includeShadowTree: ?}}}",
			expression, at->own_world, shadow ? "all" : "none");
}

static const struct json *nodes_list(const struct json *reply)
{
	return json_get(reply, "result.result.deepSerializedValue.value");
}

/* ---- closed shadow roots ---- */

struct closed_root {
	int node; /* backend id */
	struct engine_call resolved, kept;
};

struct closed_roots {
	struct closed_root list[LIMIT_CLOSED_ROOTS_COUNT];
	size_t count;
};

static void closed_roots_done(struct closed_roots *roots)
{
	for (size_t i = 0; i < roots->count; i++) {
		engine_call_done(&roots->list[i].resolved);
		engine_call_done(&roots->list[i].kept);
	}
}

static void collect_roots(const struct json *elements, struct closed_roots *ret)
{
	json_foreach(element, elements) {
		const struct json *root = json_get(element, "value.shadowRoot.value");

		if (ret->count < LIMIT_CLOSED_ROOTS_COUNT && strcmp(json_text(root, "mode"), "closed") == 0)
			ret->list[ret->count++].node = (int)json_int(root, "backendNodeId", 0);
	}
}

static int find_roots(struct task *t, const struct engine_frame *at, const char *hosts, struct closed_roots *ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	int r = serialize_nodes(t, at, hosts, true, &reply);

	if (r == 0)
		collect_roots(nodes_list(reply), ret);
	return r;
}

/* Shadow roots that were removed meanwhile are omitted. */
static int keep_roots(struct task *t, const struct engine_frame *at, struct closed_roots *roots)
{
	int r = 0;

	for (size_t i = 0; i < roots->count; i++)
		cdp_send(t, at->target, &roots->list[i].resolved, "DOM.resolveNode",
			 "{backendNodeId: ?, executionContextId: ?, objectGroup: 'browserd'}", roots->list[i].node, at->own_world);
	for (size_t i = 0; r == 0 && i < roots->count; i++) {
		const char *object;

		r = await_node(t, &roots->list[i].resolved);
		object = object_of(&roots->list[i].resolved);
		if (r == 0 && object && at->target)
			cdp_send(t, at->target, &roots->list[i].kept, "Runtime.callFunctionOn",
				 "{functionDeclaration: 'function() { browserd.keepClosedRoot(this) }', objectId: ?}", object);
	}
	for (size_t i = 0; r == 0 && i < roots->count; i++)
		r = await_node(t, &roots->list[i].kept);
	return r;
}

int engine_keep_closed_roots(struct task *t, const struct engine_frame *at, const char *hosts)
{
	_cleanup_(closed_roots_done) struct closed_roots roots = {};
	int r;

	if (!has_world(at))
		return -ESTALE;
	r = find_roots(t, at, hosts, &roots);
	if (r == 0 && has_world(at))
		r = keep_roots(t, at, &roots);
	release_objects(at);
	return r < 0 ? r : (int)roots.count;
}

/* ---- listeners ---- */

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
};

static void listeners_done(struct listeners *l)
{
	for (size_t i = 0; i < l->count; i++) {
		engine_call_done(&l->nodes[i].resolved);
		engine_call_done(&l->nodes[i].listed);
	}
	engine_call_done(&l->window);
}

/* The document comes last. */
static int resolve_path(struct task *t, const struct engine_frame *at, const char *expression, struct listeners *l)
{
	_cleanup_(json_freep) struct json *path = NULL;
	int r;

	r = serialize_nodes(t, at, expression, false, &path);
	if (r < 0)
		return r;
	json_foreach(node, nodes_list(path))
		if (l->count < ARRAY_SIZE(l->nodes))
			cdp_send(t, at->target, &l->nodes[l->count++].resolved, "DOM.resolveNode",
				 "{backendNodeId: ?, objectGroup: 'browserd'}", (int)json_int(node, "value.backendNodeId", 0));
	return l->count ? 0 : -ESTALE;
}

static void list(struct task *t, const struct engine_frame *at, struct engine_call *call, const char *object)
{
	cdp_send(t, at->target, call, "DOMDebugger.getEventListeners", "{objectId: ?, depth: 1}", object);
	call->max_reply = LIMIT_LISTENERS;
}

static int list_window(struct task *t, const struct engine_frame *at, struct listeners *l, const char *document)
{
	_cleanup_(json_freep) struct json *window = NULL;
	const char *object;
	int r;

	r = cdp_call(t, at->target, &window, "Runtime.callFunctionOn",
		     "{functionDeclaration: ?, objectId: ?, objectGroup: 'browserd'}", window_script, document);
	object = json_str(window, "result.result.objectId");
	if (r == 0 && object)
		list(t, at, &l->window, object);
	return r == 0 && !object ? -ESTALE : r;
}

/* Nodes that were removed meanwhile are omitted. */
static int list_path(struct task *t, const struct engine_frame *at, struct listeners *l)
{
	const char *object = NULL;
	int r = 0;

	for (size_t i = 0; r == 0 && i < l->count; i++) {
		r = await_node(t, &l->nodes[i].resolved);
		object = object_of(&l->nodes[i].resolved);
		if (r == 0 && object)
			list(t, at, &l->nodes[i].listed, object);
	}
	if (r == 0)
		r = object ? list_window(t, at, l, object) : -ESTALE;
	for (size_t i = 0; r == 0 && i < l->count; i++)
		r = await_node(t, &l->nodes[i].listed);
	return r == 0 ? await_node(t, &l->window) : r;
}

static void collect_types(const struct engine_call *call, const char *ours, struct str *types)
{
	json_foreach(listener, json_get(cdp_call_result(call), "listeners")) {
		const char *type = json_text(listener, "type");

		if (strncmp(type, ours, strlen(ours)) != 0)
			str_json(types, "? ?", JSON_COMMA(types->len), strlen(type) > LIMIT_EVENT_TYPE ? "other" : type);
	}
}

int engine_listened_types(struct task *t, const struct engine_frame *at, const char *path, const char *ours, struct str *types)
{
	_cleanup_(listeners_done) struct listeners l = {};
	int r;

	if (!has_world(at))
		return -ESTALE;
	r = resolve_path(t, at, path, &l);
	if (r == 0)
		r = list_path(t, at, &l);
	for (size_t i = 0; r == 0 && i < l.count; i++)
		collect_types(&l.nodes[i].listed, ours, types);
	if (r == 0)
		collect_types(&l.window, ours, types);
	release_objects(at);
	return r;
}

int engine_listens(struct task *t, const struct engine_frame *at, const char *type, bool *ret)
{
	_cleanup_(json_freep) struct json *window = NULL, *listed = NULL;
	const char *object;
	int r;

	if (!at->target || !at->page_world)
		return 0;
	r = cdp_call(t, at->target, &window, "Runtime.evaluate", "{expression: 'window', contextId: ?, objectGroup: 'browserd'}",
		     at->page_world);
	object = json_str(window, "result.result.objectId");
	if (r < 0 || !object || !at->target)
		return r;
	r = cdp_call(t, at->target, &listed, "DOMDebugger.getEventListeners", "{objectId: ?, depth: 1}", object);
	json_foreach(listener, json_get(listed, "result.listeners"))
		*ret = *ret || !strcmp(json_text(listener, "type"), type);
	release_objects(at);
	return r;
}
