#include "act/snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "page/frames.h"
#include "page/options.h"
#include "page/state.h"
#include "scripts/scripts.h"

#define FRAME_DEPTH_MAX 16 /* nesting depth */

#define HOLE '\x1f' /* marks the position of a frame's snapshot, scripts/snapshot.js */

struct part {
	_kept_ struct frame *frame; /* a reference held by the caller */
	const char *ref;
	int depth, indent;
	bool boxes;
	unsigned level;                  /* nesting depth of the frame */
	struct snapshot_question *asked; /* requested ahead; may be NULL */
	struct navigation *shown;        /* may be NULL */
};

static int append_part(struct task *t, const struct part *part, struct str *out);

static void on_piece(struct frame_receiver *r, const char *piece)
{
	struct snapshot_question *q = CONTAINER_OF(r, struct snapshot_question, receiver);
	char *text;
	unsigned long number = strtoul(piece, &text, 10);

	if (number == q->number && *text == ' ' && q->told.len < LIMIT_SNAPSHOT)
		str_append(&q->told, text + 1);
}

/*
 * Whether a script error is temporary: a script that fails in a document that does not exist yet or any more says
 * nothing about the page.
 */
static bool is_passing(const struct frame *f)
{
	return f && (f->detached || f->world == 0 || !(f->load_states & LOAD_DOMCONTENTLOADED));
}

static int append_frame(struct task *t, const struct part *part, const struct json *frame, struct str *out)
{
	_cleanup_(frame_unrefp) struct frame *f = NULL;
	_cleanup_(str_done) struct str inner = {};
	struct part inside = {
		.depth = (int)json_int(frame, "depth", 0),
		.indent = (int)json_int(frame, "indent", 0),
		.boxes = part->boxes,
		.level = part->level + 1,
	};
	int r;

	r = frame_of_element(t, part->frame, json_str(frame, "ref"), &f);
	inside.frame = f;
	if (r == 0 && f && inside.level < FRAME_DEPTH_MAX)
		r = append_part(t, &inside, &inner);
	if (r < 0 && r != -ESTALE && r != -EREMOTE && !(r == -ERR_BROWSER_ERROR && is_passing(f)))
		return r;
	if (r == 0 && inner.len) {
		str_append(out, ":\n");
		str_append_len(out, inner.data, inner.len);
	}
	return 0;
}

/* Replaces the position marks in the text by the snapshots of the frames. */
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

/*
 * Installs a function in the page's own world that reports event listeners, once for each document; does not wait. The
 * command line API is available only while the first text is evaluated, which runs no code of the page. The function is
 * kept for the second evaluation under a name that is new each time, because a name can be declared only once.
 */
static void hear_listeners(struct frame *f)
{
	static unsigned number;
	_cleanup_(str_done) struct str keep = {}, script = {};

	if (!f->cdp || !f->page || !page_options(f->page)->extended_snapshots || f->hearing_world == f->page_world)
		return;
	f->hearing_world = f->page_world;
	number++;
	str_appendf(&keep, "const l%s%u = getEventListeners", f->page->target_id, number);
	str_append(&script, listeners_script);
	str_appendf(&script, "('%s', l%s%u)", f->page->target_id, f->page->target_id, number);
	cdp_post(f->cdp, "Runtime.evaluate", "{expression: %s, contextId: %d, includeCommandLineAPI: true, silent: true}",
		 keep.data, f->page_world);
	cdp_post(f->cdp, "Runtime.evaluate", "{expression: %s, contextId: %d, silent: true}", script.data, f->page_world);
}

static int ask(struct task *t, const struct part *part, bool at_rest, struct snapshot_question *ret)
{
	static unsigned number;
	struct frame *f = part->frame;
	_cleanup_(str_done) struct str target = {};
	char prefix[REF_PREFIX_SIZE];

	frame_ref_prefix(f, prefix);
	hear_listeners(f);
	if (part->ref)
		str_json(&target, ", target: %s", part->ref);
	*ret = (struct snapshot_question){ .receiver.piece = on_piece, .frame = frame_ref(f), .document = f->commits };
	if (!f->receiver) { /* the pieces of only one snapshot can be received at a time */
		f->receiver = &ret->receiver;
		ret->number = ++number;
	}
	return frame_script_send(t, f, &ret->call, "snapshot",
				 "{refPrefix: %s, depth: %d, boxes: %i, indent: %d, titleLimit: %d, number: %u, atRest: %i %p}",
				 prefix, part->depth, part->boxes, part->indent, LIMIT_TITLE, ret->number, at_rest,
				 str_text(&target));
}

void snapshot_ask(struct task *t, struct frame *f, const struct snapshot_options *o, struct snapshot_question *ret)
{
	const struct part part = { .frame = f, .ref = o->ref, .depth = o->depth, .boxes = o->boxes };

	if (ask(t, &part, true, ret) < 0)
		snapshot_question_done(ret);
}

void snapshot_question_done(struct snapshot_question *q)
{
	if (q->frame && q->frame->receiver == &q->receiver)
		q->frame->receiver = NULL;
	cdp_call_done(&q->call);
	str_done(&q->told);
	q->frame = frame_unref(q->frame);
}

/* Afterwards `told` has the whole text; `ret` is the value of scripts/snapshot.js. */
static int answer(struct task *t, struct snapshot_question *q, struct json **ret)
{
	int r;

	r = frame_script_await(t, q->frame, &q->call, ret);
	if (r == 0 && q->told.len >= LIMIT_SNAPSHOT)
		r = task_fail(t, -EMSGSIZE, "the snapshot is larger than %u MiB; ask for less with target or depth",
			      LIMIT_SNAPSHOT >> 20);
	if (r == 0)
		str_append(&q->told, json_text(*ret, "text"));
	return r;
}

static int append_answer(struct task *t, const struct part *part, struct snapshot_question *q, struct str *out)
{
	_cleanup_(json_freep) struct json *value = NULL;
	int r;

	r = answer(t, q, &value);
	if (r == 0 && json_bool(value, "isDeaf", false))
		q->frame->hearing_world = 0;
	if (r == 0 && part->shown)
		navigation_shown(t, q->frame->page, json_get(value, "shown"), part->shown);
	return r < 0 ? r : join(t, part, str_text(&q->told), json_get(value, "frames"), out);
}

static int append_part(struct task *t, const struct part *part, struct str *out)
{
	_cleanup_(snapshot_question_done) struct snapshot_question q = {};
	int r;

	if (part->asked && part->asked->frame == part->frame && part->asked->document == part->frame->commits)
		return append_answer(t, part, part->asked, out);
	r = ask(t, part, false, &q);
	return r < 0 ? r : append_answer(t, part, &q, out);
}

/* A tab without a document has no elements to be numbered. */
static bool is_blank(const struct frame *f)
{
	return !f->parent_id[0] && strcmp(str_text(&f->url), "about:blank") == 0;
}

int frame_snapshot(struct task *t, struct frame *f, const struct snapshot_options *o, struct snapshot_question *asked,
		   struct str *out, struct navigation *ret_shown)
{
	const struct part part = {
		.frame = f, .ref = o->ref, .depth = o->depth, .boxes = o->boxes, .asked = asked, .shown = ret_shown
	};
	unsigned before = f->page->documents, number = f->number;
	size_t empty = out->len;
	int r;

	r = append_part(t, &part, out);
	if (r == 0 && number == 0 && is_blank(f) && out->len == empty && f->page->documents == before + 1) {
		f->number = 0;
		f->page->documents = before;
	}
	return r;
}

/* Returns 0 if the document has frames, whose text it cannot search. */
static int find_in_document(struct task *t, struct frame *f, const char *query, struct str *out)
{
	_cleanup_(json_freep) struct json *found = NULL;
	char prefix[REF_PREFIX_SIZE];
	const char *text;
	int r;

	if (is_blank(f))
		return 0;
	frame_ref_prefix(f, prefix);
	hear_listeners(f);
	r = frame_script(t, f, &found, "find", "{%p, refPrefix: %s}", query, prefix);
	if (r < 0)
		return r;
	text = json_str(found, "text");
	if (text)
		str_append(out, text);
	return text != NULL;
}

int page_find_text(struct task *t, struct page *p, const char *query, struct str *out)
{
	_cleanup_(json_freep) struct json *found = NULL;
	_cleanup_(str_done) struct str text = {};
	int r;

	r = find_in_document(t, p->main, query, out);
	if (r != 0)
		return MIN(r, 0);
	r = frame_snapshot(t, p->main, &(const struct snapshot_options){}, NULL, &text, NULL);
	if (r < 0)
		return r;
	r = frame_script(t, p->main, &found, "find", "{%p, snapshot: %s}", query, str_text(&text));
	if (r == 0)
		str_append(out, json_str(found, "text"));
	return r;
}
