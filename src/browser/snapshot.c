#include "browser/snapshot.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "browser/frames.h"
#include "browser/internal.h"

#define FRAME_DEPTH_MAX 16 /* frames inside of frames */

struct part {
	struct frame *frame;
	const char *ref;
	int depth, indent;
	bool boxes;
	unsigned level; /* of frames in frames */
	struct navigation *shown; /* may be NULL */
};

static int append_part(struct task *t, const struct part *part, struct str *out);

/* Text and frames take turns, beginning and ending with text. */
static int join(struct task *t, const struct part *part, const struct json *value, struct str *out)
{
	const struct json *text = json_first(json_get(value, "parts"));

	str_append(out, json_str(text, NULL) ? json_str(text, NULL) : "");
	json_foreach(hole, json_get(value, "frames")) {
		_cleanup_(str_done) struct str inner = {};
		struct part inside = {
			.depth = (int)json_int(hole, "depth", 0), .indent = (int)json_int(hole, "indent", 0),
			.boxes = part->boxes, .level = part->level + 1,
		};
		int r;

		r = frame_of_element(t, part->frame, json_str(hole, "ref"), &inside.frame);
		if (r == 0 && inside.frame && inside.level < FRAME_DEPTH_MAX)
			r = append_part(t, &inside, &inner);
		if (r < 0 && r != -ESTALE && r != -EREMOTE)
			return r;
		if (r == 0 && inner.len) {
			str_append(out, ":\n");
			str_append_len(out, inner.data, inner.len);
		}
		text = json_next(text);
		str_append(out, json_str(text, NULL) ? json_str(text, NULL) : "");
	}
	return 0;
}

static int append_part(struct task *t, const struct part *part, struct str *out)
{
	_cleanup_(frame_unrefp) struct frame *f = frame_ref(part->frame);
	_cleanup_(json_freep) struct json *reply = NULL;
	_cleanup_(str_done) struct str target = {};
	char prefix[REF_PREFIX_SIZE];
	int r;

	frame_ref_prefix(f, prefix);
	if (part->ref)
		str_json(&target, ", target: %s", part->ref);
	r = frame_script(t, f, &reply, "snapshot", "{refPrefix: %s, depth: %d, boxes: %i, indent: %d, titleLimit: %d %p}", prefix,
			 part->depth, part->boxes, part->indent, LIMIT_TITLE, target.len ? target.data : "");
	if (r == 0 && part->shown)
		navigation_shown(t, f->page, json_get(reply, "result.result.value.shown"), part->shown);
	return r < 0 ? r : join(t, part, json_get(reply, "result.result.value"), out);
}

/* What a tab shows before anything was opened has no elements worth a number. */
static bool is_blank(const struct frame *f)
{
	return !f->parent_id[0] && strcmp(str_text(&f->url), "about:blank") == 0;
}

int frame_snapshot(struct task *t, struct frame *f, const struct snapshot_options *o, struct str *out, struct navigation *ret_shown)
{
	struct part part = { .frame = f, .ref = o->ref, .depth = o->depth, .boxes = o->boxes, .shown = ret_shown };
	unsigned before = f->page ? f->page->documents : 0, number = f->number;
	size_t empty = out->len;
	int r;

	r = append_part(t, &part, out);
	if (r == 0 && number == 0 && is_blank(f) && out->len == empty && f->page->documents == before + 1) {
		f->number = 0;
		f->page->documents = before;
	}
	return r;
}

int page_find_text(struct task *t, struct page *p, const char *query, struct str *out)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	_cleanup_(str_done) struct str text = {};
	int r;

	r = frame_snapshot(t, p->main, &(const struct snapshot_options){}, &text, NULL);
	if (r < 0)
		return r;
	r = frame_script(t, p->main, &reply, "find", "{%p, snapshot: %s}", query, str_text(&text));
	if (r == 0)
		str_append(out, json_str(reply, "result.result.value.text"));
	return r;
}
