/* Questions about elements and frames. A window that is the value of a script names its browsing context. */
#include "engine/elements.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "engine/bidi/elements.h"
#include "engine/bidi/internal.h"

static const char *own_place(const struct engine_frame *at)
{
	return bidi_script_place(at->target, at->own_world);
}

int bidi_find_elements(struct task *t, const struct engine_frame *at, const char *const *handles, const char *const **ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	_cleanup_(str_done) struct str arguments = {};
	const char **ids;
	size_t count = 0, found = 0;
	int r;

	for (; handles[count]; count++)
		str_json(&arguments, "?{type: 'string', value: ?}", JSON_COMMA(count > 0), handles[count]);
	r = bidi_call(t, at->target, &reply, at->own_world, "script.callFunction",
		      "{functionDeclaration: '(...refs)=>refs.map(ref=>browserd.element({ref}))', arguments: [?], target: ?, "
		      "awaitPromise: false, serializationOptions: {maxDomDepth: 0}}",
		      JSON_RAW(str_text(&arguments)), JSON_RAW(own_place(at)));
	if (r < 0)
		return r;
	ids = arena_alloc(task_arena(t), (count + 1) * sizeof(*ids));
	json_foreach(node, json_get(reply, "result.result.value"))
		if (found < count && json_str(node, "sharedId"))
			ids[found++] = arena_strdup(task_arena(t), json_str(node, "sharedId"));
	ids[found] = NULL;
	*ret = ids;
	return found == count ? 0 : task_fail(t, -ESTALE, "the element was removed meanwhile");
}

int engine_frame_of(struct task *t, const struct engine_frame *at, const char *handle, char ret_id[ENGINE_ID_SIZE])
{
	_cleanup_(json_freep) struct json *reply = NULL;
	const char *id;
	int r;

	ret_id[0] = '\0';
	r = bidi_call(
		t, at->target, &reply, at->own_world, "script.callFunction",
		"{functionDeclaration: 'ref=>browserd.element({ref}).contentWindow', arguments: [{type: 'string', value: ?}], "
		"target: ?, awaitPromise: false}",
		handle, JSON_RAW(own_place(at)));
	if (r < 0)
		return r;
	if (json_get(reply, "result.exceptionDetails"))
		return -ENOENT;
	id = json_str(reply, "result.result.value.context");
	engine_id_set(ret_id, engine_id_is_valid(id) ? id : "");
	return 0;
}

static void take_context(const struct json *window, char ret_id[ENGINE_ID_SIZE])
{
	const char *id = json_str(window, "value.context");

	engine_id_set(ret_id, engine_id_is_valid(id) ? id : "");
}

int engine_frame_at(struct task *t, const struct engine_frame *main, struct point at, char ret_shown[ENGINE_ID_SIZE],
		    char ret_document[ENGINE_ID_SIZE])
{
	_cleanup_(json_freep) struct json *reply = NULL;
	const struct json *found;
	int r;

	ret_shown[0] = ret_document[0] = '\0';
	if (main->target && main->target->connection)
		bidi_prepare_world(main->target, bidi_find_world(main->target->connection, main->own_world));
	r = bidi_call(
		t, main->target, &reply, main->own_world, "script.callFunction",
		"{functionDeclaration: '(x,y)=>browserd.frameAt({x,y})', arguments: [{type: 'number', value: ?}, {type: 'number', "
		"value: ?}], target: ?, awaitPromise: false}",
		at.x, at.y, JSON_RAW(own_place(main)));
	if (r < 0)
		return r == -EREMOTE ? 0 : r;
	found = json_first(json_get(reply, "result.result.value"));
	take_context(found, ret_shown);
	take_context(json_next(found), ret_document);
	return 0;
}

/* ---- the elements that show frames ---- */

static void ask_owner(struct task *t, const struct engine_frame *child, struct engine_call *call)
{
	const struct engine_frame *parent = child->parent;

	bidi_send(t, parent->target, call, parent->own_world, "browsingContext.locateNodes",
		  "{context: ?, locator: {type: 'context', value: {context: ?}}, serializationOptions: {maxDomDepth: 0}}",
		  parent->id, child->id);
}

static const char *owner_id(const struct engine_call *asked)
{
	return json_str(json_first(json_get(bidi_result(asked), "nodes")), "sharedId");
}

int engine_owner_script(struct task *t, const struct engine_frame *child, const char *function, const char *point,
			struct json **ret)
{
	_cleanup_(engine_call_done) struct engine_call asked = {};
	_cleanup_(json_freep) struct json *reply = NULL;
	const char *declaration =
		arena_printf(task_arena(t), "(frame,point)=>JSON.stringify(browserd.%s({frame,point:JSON.parse(point)}))",
			     function);
	const char *value;
	int r;

	*ret = NULL;
	ask_owner(t, child, &asked);
	r = engine_await(t, &asked);
	if (r < 0 || !child->parent)
		return r < 0 ? r : -ESTALE;
	if (!owner_id(&asked))
		return task_fail(t, -ESTALE, "the frame was removed meanwhile");
	r = bidi_call(t, child->parent->target, &reply, child->parent->own_world, "script.callFunction",
		      "{functionDeclaration: ?, arguments: [{sharedId: ?}, {type: 'string', value: ?}], target: ?, awaitPromise: "
		      "false}",
		      declaration, owner_id(&asked), point, JSON_RAW(own_place(child->parent)));
	value = json_str(reply, "result.result.value");
	if (r == 0 && value)
		json_parse(value, strlen(value), LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, ret);
	return r;
}

struct asked_owners {
	struct engine_call *list;
	size_t count;
};

static void asked_owners_done(struct asked_owners *o)
{
	for (size_t i = 0; i < o->count; i++)
		engine_call_done(&o->list[i]);
	free(o->list);
}

static bool elements_has_world(const struct engine_frame *f)
{
	return f && f->target && f->own_world;
}

/* That a frame or its element is not there any more is no failure. */
static int name_owner(struct task *t, const struct engine_frame **frame, struct engine_call *asked)
{
	int r = asked->method ? engine_await(t, asked) : 0;
	const struct engine_frame *f = *frame;
	const char *owner = r == 0 && asked->method ? owner_id(asked) : NULL;

	if (owner && elements_has_world(f->parent))
		bidi_post(
			f->parent->target, "script.callFunction",
			"{functionDeclaration: '(element,name)=>{browserd.nameFrame({element,name})}', arguments: [{sharedId: ?}, {type: "
			"'string', value: ?}], target: ?, awaitPromise: false}",
			owner, f->id, JSON_RAW(own_place(f->parent)));
	else
		*frame = NULL;
	return r == -EREMOTE ? 0 : r;
}

int engine_name_frames(struct task *t, struct engine_target *s, const struct engine_frame **list, size_t count)
{
	_cleanup_(asked_owners_done) struct asked_owners o = { must(calloc(count ? count : 1, sizeof(*o.list))), count };
	int r = 0;

	for (size_t i = 0; i < count; i++)
		if (list[i] && elements_has_world(list[i]->parent))
			ask_owner(t, list[i], &o.list[i]);
	for (size_t i = 0; r == 0 && i < count; i++)
		r = name_owner(t, &list[i], &o.list[i]);
	return r;
}

/* ---- closed shadow roots ---- */

/* Appends references to the closed roots of the elements; returns how many. */
static unsigned print_roots(const struct json *elements, struct str *out)
{
	unsigned count = 0;

	json_foreach(element, elements) {
		const struct json *root = json_get(element, "value.shadowRoot");
		const char *id = json_str(root, "sharedId");

		if (id && count < LIMIT_CLOSED_ROOTS_COUNT && strcmp(json_text(root, "value.mode"), "closed") == 0)
			str_json(out, "?{sharedId: ?}", JSON_COMMA(count++ > 0), id);
	}
	return count;
}

int engine_keep_closed_roots(struct task *t, const struct engine_frame *at, const char *hosts)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	_cleanup_(str_done) struct str roots = {};
	unsigned count;
	int r;

	if (!elements_has_world(at))
		return -ESTALE;
	r = bidi_call(t, at->target, &reply, at->own_world, "script.evaluate",
		      "{expression: ?, target: ?, awaitPromise: false, serializationOptions: {maxDomDepth: 0, "
		      "includeShadowTree: 'all'}}",
		      hosts, JSON_RAW(own_place(at)));
	if (r < 0)
		return r;
	count = print_roots(json_get(reply, "result.result.value"), &roots);
	if (count && elements_has_world(at))
		r = bidi_call(
			t, at->target, NULL, at->own_world, "script.callFunction",
			"{functionDeclaration: '(...roots)=>{roots.forEach(root=>browserd.keepClosedRoot(root))}', arguments: [?], "
			"target: ?, awaitPromise: false}",
			JSON_RAW(roots.data), JSON_RAW(own_place(at)));
	return r < 0 ? r : (int)count;
}

/* ---- listeners: BiDi does not say which there are ---- */

int engine_listened_types(struct task *t, const struct engine_frame *at, const char *path, const char *ours, struct str *types)
{
	str_append(types, "\"*\"");
	return 0;
}

/* So a page may always ask to stay, and is never put to sleep. */
int engine_listens(struct task *t, const struct engine_frame *at, const char *type, bool *ret)
{
	*ret = true;
	return 0;
}
