#include "act/serialize.h"

#include <errno.h>
#include <stdlib.h>

#include "engine/cdp/cdp.h"
#include "page/frame.h"
#include "page/frames.h"
#include "page/nodes.h"

static void collect_frames(struct page *p, size_t max, struct serialized_page *ret)
{
	struct frame *f = NULL;

	ret->rows = must(calloc(max, sizeof(*ret->rows)));
	while (ret->count < max && (f = page_next_frame(p, f)))
		ret->rows[ret->count++].frame = frame_ref(f);
}

/* ---- the names of frames ---- */

static struct engine_target *parent_cdp(struct frame *f)
{
	struct frame *parent = frame_parent(f);

	return parent ? frame_target(parent) : NULL;
}

static void ask_owners(struct task *t, struct serialized_page *s)
{
	for (size_t i = 0; i < s->count; i++) {
		struct serialized *row = &s->rows[i];

		if (!frame_is_named(row->frame) && frame_world(row->frame) && parent_cdp(row->frame))
			cdp_send(t, parent_cdp(row->frame), &row->owner, "DOM.getFrameOwner", "{frameId: ?}", frame_id(row->frame));
	}
}

static int resolve_owners(struct task *t, _kept_ struct serialized_page *s)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < s->count; i++) {
		struct serialized *row = &s->rows[i];
		const struct json *owner;

		r = nodes_await(t, &row->owner);
		owner = cdp_call_result(&row->owner);
		if (r == 0 && owner && parent_cdp(row->frame) && frame_world(frame_parent(row->frame)))
			cdp_send(t, parent_cdp(row->frame), &row->node, "DOM.resolveNode",
				 "{backendNodeId: ?, executionContextId: ?, objectGroup: 'browserd'}",
				 json_int(owner, "backendNodeId", 0), frame_world(frame_parent(row->frame)));
	}
	return r;
}

static int name_owners(struct task *t, _kept_ struct serialized_page *s)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < s->count; i++) {
		struct serialized *row = &s->rows[i];
		const char *object;

		r = nodes_await(t, &row->node);
		object = json_str(cdp_call_result(&row->node), "object.objectId");
		if (r < 0 || !object || !parent_cdp(row->frame))
			continue;
		cdp_post(parent_cdp(row->frame), "Runtime.callFunctionOn",
			 "{functionDeclaration: 'function(name){browserd.nameFrame({element: this, name})}', objectId: ?, "
			 "arguments: [{value: ?}], silent: true}",
			 object, frame_id(row->frame));
		frame_set_named(row->frame);
	}
	for (size_t i = 0; i < s->count; i++)
		if (s->rows[i].node.method && parent_cdp(s->rows[i].frame))
			cdp_post(parent_cdp(s->rows[i].frame), "Runtime.releaseObjectGroup", "{objectGroup: 'browserd'}");
	return r;
}

static bool has_new_frames(const struct serialized_page *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (!frame_is_named(s->rows[i].frame) && frame_world(s->rows[i].frame))
			return true;
	return false;
}

/*
 * Brings the library to each target, which gives all of its documents a world. What has none then is no document any more: a page
 * in the browser's back-forward cache keeps its frames.
 */
static int prepare_targets(struct task *t, struct page *p, _kept_ struct serialized_page *s)
{
	int r = 0;

	for (size_t i = 0; i < s->count && r != -ECANCELED && r != -ETIMEDOUT; i++) {
		struct frame *f = s->rows[i].frame;

		if (!frame_called_library(f) && frame_alive(f) && (f == page_main_frame(p) || frame_target(f) != page_target(p)))
			r = frame_script(t, f, NULL, "prepared", "{}");
	}
	return r == -ECANCELED || r == -ETIMEDOUT ? r : 0;
}

static void name_frames(struct task *t, _kept_ struct serialized_page *s)
{
	if (!has_new_frames(s))
		return;
	ask_owners(t, s);
	if (resolve_owners(t, s) == 0)
		(void)name_owners(t, s);
}

/* ---- the documents ---- */

static void take_value(struct serialized *row, const struct json *value)
{
	row->nodes = (unsigned)json_int(value, "nodes", 0);
	row->is_cut = json_bool(value, "isCut", false);
	row->width = (int)json_int(value, "width", 0);
	row->height = (int)json_int(value, "height", 0);
	str_append(&row->html, json_text(value, "html"));
	str_append(&row->doctype, json_text(value, "doctype"));
}

void page_serialize(struct task *t, struct page *p, struct frame *marked, const char *target, size_t limit, size_t max,
		    _kept_ struct serialized_page *ret)
{
	collect_frames(p, max, ret);
	if (prepare_targets(t, p, ret) < 0)
		return;
	name_frames(t, ret);
	for (size_t i = 0; i < ret->count; i++) {
		struct serialized *row = &ret->rows[i];

		if (frame_world(row->frame))
			(void)frame_script_send(t, row->frame, &row->call, "serialize", "{target: ?, limit: ?}",
						JSON_RAW(row->frame == marked ? target : NULL), limit);
	}
	for (size_t i = 0; i < ret->count; i++) {
		struct serialized *row = &ret->rows[i];
		_cleanup_(json_freep) struct json *value = NULL;

		if (row->call.method && frame_script_await(t, row->frame, &row->call, &value) == 0 && !frame_detached(row->frame))
			take_value(row, value);
	}
}

void serialized_page_done(struct serialized_page *s)
{
	for (size_t i = 0; i < s->count; i++) {
		struct serialized *row = &s->rows[i];

		engine_call_done(&row->owner);
		engine_call_done(&row->node);
		engine_call_done(&row->call);
		str_done(&row->html);
		str_done(&row->doctype);
		frame_unref(row->frame);
	}
	free(s->rows);
}
