#include "act/serialize.h"

#include <errno.h>
#include <stdlib.h>

#include "base/str.h"
#include "engine/elements.h"
#include "page/frame.h"
#include "page/frames.h"

static void collect_frames(struct page *p, size_t max, struct serialized_page *ret)
{
	struct frame *f = NULL;

	ret->rows = must(calloc(max, sizeof(*ret->rows)));
	while (ret->count < max && (f = page_next_frame(p, f)))
		ret->rows[ret->count++].frame = frame_ref(f);
}

/* ---- the names of frames ---- */

static bool needs_name(struct frame *f)
{
	return !frame_is_named(f) && frame_world(f);
}

static bool has_new_frames(const struct serialized_page *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (needs_name(s->rows[i].frame))
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

static int name_frames(struct task *t, struct page *p, _kept_ struct serialized_page *s)
{
	_cleanup_(freep) const struct engine_frame **list = NULL;
	int r;

	if (!has_new_frames(s))
		return 0;
	list = must(calloc(s->count, sizeof(*list)));
	for (size_t i = 0; i < s->count; i++)
		list[i] = needs_name(s->rows[i].frame) ? frame_engine(s->rows[i].frame) : NULL;
	r = engine_name_frames(t, page_target(p), list, s->count);
	for (size_t i = 0; i < s->count; i++)
		if (r == 0 && list[i])
			frame_set_named(s->rows[i].frame);
	return r;
}

/* ---- the documents ---- */

static void serialize_take_value(struct serialized *row, const struct json *value)
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
	(void)name_frames(t, p, ret);
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
			serialize_take_value(row, value);
	}
}

void serialized_page_done(struct serialized_page *s)
{
	for (size_t i = 0; i < s->count; i++) {
		struct serialized *row = &s->rows[i];

		engine_call_done(&row->call);
		str_done(&row->html);
		str_done(&row->doctype);
		frame_unref(row->frame);
	}
	free(s->rows);
}
