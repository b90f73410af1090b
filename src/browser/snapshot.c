#include "browser/snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "browser/frames.h"
#include "browser/internal.h"

#define FRAME_DEPTH_MAX 16 /* frames inside of frames */

#define HOLE '\x1f' /* where the snapshot of a frame goes, js/snapshot.js */

/*
 * The text of one document. What a long one begins with is told by the page in pieces while it writes the rest: they are
 * on their way meanwhile.
 */
struct snapshot_text {
	unsigned number; /* names it in what is told: a script may still be at one that nobody waits for any more */
	struct str text;
};

struct part {
	struct frame *frame;
	const char *ref;
	int depth, indent;
	bool boxes;
	unsigned level; /* of frames in frames */
	struct navigation *shown; /* may be NULL */
};

static int append_part(struct task *t, const struct part *part, struct str *out);

void snapshot_told(struct frame *f, const char *told)
{
	struct snapshot_text *s = f->snapshot;
	char *text;
	unsigned long number = strtoul(told, &text, 10);

	if (s && number == s->number && *text == ' ' && s->text.len < LIMIT_SNAPSHOT)
		str_append(&s->text, text + 1);
}

static int append_frame(struct task *t, const struct part *part, const struct json *frame, struct str *out)
{
	_cleanup_(str_done) struct str inner = {};
	struct part inside = {
		.depth = (int)json_int(frame, "depth", 0), .indent = (int)json_int(frame, "indent", 0),
		.boxes = part->boxes, .level = part->level + 1,
	};
	int r;

	r = frame_of_element(t, part->frame, json_str(frame, "ref"), &inside.frame);
	if (r == 0 && inside.frame && inside.level < FRAME_DEPTH_MAX)
		r = append_part(t, &inside, &inner);
	if (r < 0 && r != -ESTALE && r != -EREMOTE)
		return r;
	if (r == 0 && inner.len) {
		str_append(out, ":\n");
		str_append_len(out, inner.data, inner.len);
	}
	return 0;
}

/* The text with its frames in their holes. */
static int join(struct task *t, const struct part *part, const char *text, const struct json *frames, struct str *out)
{
	json_foreach(frame, frames) {
		const char *hole = strchrnul(text, HOLE);
		int r;

		str_append_len(out, text, hole - text);
		r = append_frame(t, part, frame, out);
		if (r < 0)
			return r;
		text = *hole ? hole + 1 : hole;
	}
	str_append(out, text);
	return 0;
}

/* `ret_reply` has the rest of what js/snapshot.js gives. */
static int take(struct task *t, const struct part *part, struct str *text, struct json **ret_reply)
{
	static unsigned number;
	struct frame *f = part->frame;
	struct snapshot_text told = { .number = f->snapshot ? 0 : ++number }; /* one at a time is told */
	_cleanup_(str_done) struct str target = {};
	char prefix[REF_PREFIX_SIZE];
	int r;

	frame_ref_prefix(f, prefix);
	if (part->ref)
		str_json(&target, ", target: %s", part->ref);
	if (told.number)
		f->snapshot = &told;
	r = frame_script(t, f, ret_reply, "snapshot",
			 "{refPrefix: %s, depth: %d, boxes: %i, indent: %d, titleLimit: %d, number: %u %p}", prefix, part->depth,
			 part->boxes, part->indent, LIMIT_TITLE, told.number, target.len ? target.data : "");
	if (told.number)
		f->snapshot = NULL;
	if (r == 0 && told.text.len >= LIMIT_SNAPSHOT)
		r = task_fail(t, -EMSGSIZE, "the snapshot is larger than %u MiB; ask for less with target or depth", LIMIT_SNAPSHOT >> 20);
	*text = told.text;
	if (r == 0)
		str_append(text, json_str(*ret_reply, "result.result.value.text"));
	return r;
}

static int append_part(struct task *t, const struct part *part, struct str *out)
{
	_cleanup_(frame_unrefp) struct frame *f = frame_ref(part->frame);
	_cleanup_(json_freep) struct json *reply = NULL;
	_cleanup_(str_done) struct str text = {};
	int r;

	r = take(t, part, &text, &reply);
	if (r == 0 && part->shown)
		navigation_shown(t, f->page, json_get(reply, "result.result.value.shown"), part->shown);
	return r < 0 ? r : join(t, part, str_text(&text), json_get(reply, "result.result.value.frames"), out);
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
