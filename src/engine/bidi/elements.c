/* Questions about elements and frames. A window that is the value of a script names its browsing context. */
#include "engine/elements.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "engine/bidi/elements.h"
#include "engine/bidi/internal.h"
#include "scripts/scripts.h"

static const char *own_realm(const struct engine_frame *at)
{
	return at->target ? bidi_realm(at->target, at->own_world) : "";
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
	r = bidi_call(
		t, at->target, &reply, at->own_world, "script.callFunction",
		"{functionDeclaration: '(...refs)=>refs.map(ref=>browserd.element({ref}))', arguments: [?], target: {realm: ?}, "
		"awaitPromise: false, serializationOptions: {maxDomDepth: 0}}",
		JSON_RAW(str_text(&arguments)), own_realm(at));
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
		"target: {realm: ?}, awaitPromise: false}",
		handle, own_realm(at));
	if (r < 0)
		return r;
	if (json_get(reply, "result.exceptionDetails"))
		return -ENOENT;
	id = json_str(reply, "result.result.value.context");
	engine_id_set(ret_id, engine_id_is_valid(id) ? id : "");
	return 0;
}
