#include "act/closed_roots.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "engine/cdp/cdp.h"
#include "page/nodes.h"
#include "page/frame.h"

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

static void collect(const struct json *elements, struct closed_roots *ret)
{
	json_foreach(element, elements) {
		const struct json *root = json_get(element, "value.shadowRoot.value");

		if (ret->count < LIMIT_CLOSED_ROOTS_COUNT && strcmp(json_text(root, "mode"), "closed") == 0)
			ret->list[ret->count++].node = (int)json_int(root, "backendNodeId", 0);
	}
}

static int ask_hosts(struct task *t, struct frame *f, const char *hosts, struct closed_roots *ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	int r;

	r = nodes_serialize(t, f, hosts, true, &reply);
	if (r == 0)
		collect(nodes_list(reply), ret);
	return r;
}

/* Shadow roots that were removed meanwhile are omitted. */
static int keep(struct task *t, struct frame *f, struct closed_roots *roots)
{
	int r = 0;

	for (size_t i = 0; i < roots->count; i++)
		cdp_send(t, frame_target(f), &roots->list[i].resolved, "DOM.resolveNode",
			 "{backendNodeId: ?, executionContextId: ?, objectGroup: 'browserd'}", roots->list[i].node, frame_world(f));
	for (size_t i = 0; r == 0 && i < roots->count; i++) {
		const char *object;

		r = nodes_await(t, &roots->list[i].resolved);
		object = json_str(cdp_call_result(&roots->list[i].resolved), "object.objectId");
		if (r == 0 && object && frame_alive(f))
			cdp_send(t, frame_target(f), &roots->list[i].kept, "Runtime.callFunctionOn",
				 "{functionDeclaration: 'function() { browserd.keepClosedRoot(this) }', objectId: ?}", object);
	}
	for (size_t i = 0; r == 0 && i < roots->count; i++)
		r = nodes_await(t, &roots->list[i].kept);
	return r;
}

int closed_roots_find(struct task *t, struct frame *f, const char *hosts)
{
	_cleanup_(closed_roots_done) struct closed_roots roots = {};
	int r;

	if (!frame_alive(f) || !frame_world(f))
		return -ESTALE;
	r = ask_hosts(t, f, hosts, &roots);
	if (r == 0 && frame_alive(f) && frame_world(f))
		r = keep(t, f, &roots);
	if (frame_alive(f))
		cdp_post(frame_target(f), "Runtime.releaseObjectGroup", "{objectGroup: 'browserd'}");
	return r < 0 ? r : (int)roots.count;
}
