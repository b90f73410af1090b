#include "act/snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "engine/elements.h"
#include "engine/script.h"
#include "page/frames.h"
#include "page/options.h"
#include "page/frame.h"
#include "scripts/scripts.h"

#define FRAME_MARK '\x1f' /* marks the position of a frame's snapshot, scripts/snapshot.js */

struct part {
	_kept_ struct frame *frame; /* a reference held by the caller */
	struct snapshot_options options;
	int indent;
	unsigned level;           /* nesting depth of the frame */
	struct navigation *shown; /* may be NULL */
	struct text_sum *sum;     /* of all documents of the snapshot */
};

static int snapshot_append_part(struct task *t, const struct part *part, struct str *out);

/* ---- how much is taken ---- */

/* What does not fit is dropped, with all that the document has sent. */
static void snapshot_add_text(struct snapshot_text *q, const char *text)
{
	size_t len = strlen(text);

	if (text_sum_add(q->sum, len))
		str_append_len(&q->text, text, len);
	else
		str_done(&q->text);
}

static void on_piece(struct frame_receiver *r, const char *piece)
{
	struct snapshot_text *q = CONTAINER_OF(r, struct snapshot_text, receiver);
	char *text;
	unsigned long number = strtoul(piece, &text, 10);

	if (number == q->number && *text == ' ')
		snapshot_add_text(q, text + 1);
}

/* It may have been other snapshots that left no room. */
static int snapshot_fail_too_large(struct task *t, const struct text_sum *sum)
{
	size_t room = text_sum_room(sum) + sum->bytes;

	if (room < LIMIT_SNAPSHOT)
		return task_fail(
			t, -EMSGSIZE,
			"the snapshot is larger than the %zu MiB that other snapshots leave at the moment; try again, or ask "
			"for less with target or depth",
			room >> 20);
	return task_fail(t, -EMSGSIZE, "the snapshot is larger than %u MiB; ask for less with target or depth",
			 LIMIT_SNAPSHOT >> 20);
}

/*
 * Whether a script error is temporary: a script that fails in a document that does not exist yet or any more says
 * nothing about the page.
 */
static bool is_temporary(const struct frame *f)
{
	return f && (frame_detached(f) || frame_world(f) == 0 || !(frame_load_states(f) & LOAD_DOMCONTENTLOADED));
}

bool frame_is_passing(int r, const struct frame *f)
{
	return r == -ESTALE || r == -EREMOTE || (r == -ERR_BROWSER_ERROR && is_temporary(f));
}

static int snapshot_append_frame(struct task *t, const struct part *part, const struct json *frame, struct str *out)
{
	_cleanup_(frame_unrefp) struct frame *f = NULL;
	size_t before = out->len, start;
	struct part inside = {
		.options = { .depth = (int)json_int(frame, "depth", 0),
			     .boxes = part->options.boxes,
			     .outline = part->options.outline,
			     .urls = part->options.urls,
			     .query = part->options.query },
		.indent = (int)json_int(frame, "indent", 0),
		.level = part->level + 1,
		.sum = part->sum,
	};
	int r;

	r = frame_of_element(t, part->frame, json_str(frame, "ref"), &f);
	inside.frame = f;
	str_append(out, part->options.outline ? "\n" : ":\n");
	start = out->len;
	if (r == 0 && f && inside.level < SNAPSHOT_FRAME_DEPTH_MAX)
		r = snapshot_append_part(t, &inside, out);
	if (r < 0 && !frame_is_passing(r, f))
		return r;
	if (r < 0 || out->len == start)
		str_truncate(out, before);
	else if (part->options.outline)
		str_truncate(out, out->len - 1); /* rows end with a line break */
	return 0;
}

/* Replaces the position marks in the text by the snapshots of the frames. */
static int snapshot_insert_frames(struct task *t, const struct part *part, const char *text, const struct json *frames,
				  struct str *out)
{
	json_foreach(frame, frames) {
		const char *hole = strchrnul(text, FRAME_MARK);
		int r;

		str_append_len(out, text, hole - text);
		r = snapshot_append_frame(t, part, frame, out);
		if (r < 0)
			return r;
		text = *hole ? hole + 1 : hole;
	}
	str_append(out, text);
	return 0;
}

/* Installs a function in the page's own world that reports event listeners, once for each document; does not wait. */
static void install_listeners_script(struct frame *f)
{
	if (!frame_alive(f) || !page_options(frame_page(f))->extended_snapshots || frame_has_listeners_function(f))
		return;
	frame_set_listeners_function(f, true);
	engine_report_listeners(frame_target(f), frame_page_world(f), listeners_script, page_target_id(frame_page(f)));
}

/* `sum`: NULL: its own. */
static void begin_text(struct snapshot_text *q, struct frame *f, const struct snapshot_options *o, int indent, struct text_sum *sum,
		       bool asks, struct str *arguments)
{
	static unsigned number;
	_cleanup_(str_done) struct str target = {};
	char prefix[REF_PREFIX_SIZE];

	*q = (struct snapshot_text){ .receiver.piece = on_piece, .frame = f, .own.limit = LIMIT_SNAPSHOT };
	q->sum = sum ? sum : &q->own;
	frame_ref_prefix(f, prefix);
	if (!o->plain)
		install_listeners_script(f);
	if (o->ref)
		str_json(&target, ", ref: ?", o->ref);
	if (o->plain)
		str_json(&target, ", plain: true");
	if (o->conceals)
		str_json(&target, ", conceals: true");
	if (o->outline)
		str_json(&target, ", outline: true, urls: ?, asks: ?", o->urls, asks);
	if (o->query)
		str_json(&target, ", query: {?}", JSON_RAW(o->query));
	if (frame_set_receiver(f, &q->receiver)) /* the pieces of only one snapshot can be received at a time */
		q->number = ++number;
	str_json(arguments, "{refPrefix: ?, depth: ?, boxes: ?, indent: ?, titleLimit: ?, number: ?, room: ? ?}", prefix, o->depth,
		 o->boxes, indent, LIMIT_TITLE, q->number, text_sum_room(q->sum), JSON_RAW(str_text(&target)));
}

void snapshot_text_begin(struct snapshot_text *q, struct frame *f, const struct snapshot_options *o, struct str *arguments)
{
	begin_text(q, f, o, 0, NULL, true, arguments);
}

int snapshot_text_end(struct task *t, struct snapshot_text *q, const struct json *value)
{
	q->sum->exceeded |= json_bool(value, "tooLarge", false);
	snapshot_add_text(q, json_text(value, "text"));
	if (q->sum->exceeded)
		return snapshot_fail_too_large(t, q->sum);
	if (json_bool(value, "listenersUnanswered", false))
		frame_set_listeners_function(q->frame, false);
	return 0;
}

void snapshot_text_done(struct snapshot_text *q)
{
	if (q->frame)
		frame_unset_receiver(q->frame, &q->receiver);
	text_sum_done(&q->own);
	str_done(&q->text);
}

/* The document's own rows or lines. `asks`: see snapshot_take_text(). */
static int take_once(struct task *t, const struct part *part, bool asks, struct snapshot_text *q, struct json **ret)
{
	_cleanup_(str_done) struct str arguments = {};
	int r;

	begin_text(q, part->frame, &part->options, part->indent, part->sum, asks, &arguments);
	r = frame_script(t, part->frame, ret, "snapshot", "?", JSON_RAW(str_text(&arguments)));
	return r < 0 ? r : snapshot_text_end(t, q, *ret);
}

int snapshot_find_roots(struct task *t, struct frame *f, const struct json *value)
{
	return json_bool(value, "asks", false) ? engine_keep_closed_roots(t, frame_engine(f), "browserd.hostsToAsk()") : 0;
}

static int snapshot_take_text(struct task *t, const struct part *part, struct snapshot_text *q, struct json **ret)
{
	int r = take_once(t, part, true, q, ret);

	if (r == 0)
		r = snapshot_find_roots(t, part->frame, *ret);
	if (r <= 0)
		return r;
	text_sum_remove(q->sum, q->text.len);
	snapshot_text_done(q);
	*ret = json_free(*ret);
	return take_once(t, part, false, q, ret);
}

static int snapshot_append_part(struct task *t, const struct part *part, struct str *out)
{
	_cleanup_(snapshot_text_done) struct snapshot_text q = {};
	_cleanup_(json_freep) struct json *value = NULL;
	int r = snapshot_take_text(t, part, &q, &value);

	if (r < 0)
		return r;
	if (part->shown)
		navigation_shown(t, frame_page(part->frame), json_get(value, "shown"), part->shown);
	if (out->len == 0 && json_count(json_get(value, "frames")) == 0) {
		str_move(out, &q.text);
		return 0;
	}
	return snapshot_insert_frames(t, part, str_text(&q.text), json_get(value, "frames"), out);
}

int frame_snapshot(struct task *t, struct frame *f, const struct snapshot_options *o, struct str *out, struct navigation *ret_shown)
{
	struct text_sum sum = { .limit = LIMIT_SNAPSHOT };
	int r = snapshot_append_part(t, &(const struct part){ .frame = f, .options = *o, .shown = ret_shown, .sum = &sum }, out);

	text_sum_done(&sum);
	return r;
}

/* Returns 0 if the document has frames, whose text it cannot search. */
static int find_in_document(struct task *t, struct frame *f, const char *query, struct str *out)
{
	_cleanup_(json_freep) struct json *found = NULL;
	char prefix[REF_PREFIX_SIZE];
	const char *text;
	int r;

	frame_ref_prefix(f, prefix);
	install_listeners_script(f);
	r = frame_script(t, f, &found, "find", "{?, refPrefix: ?}", JSON_RAW(query), prefix);
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

	r = find_in_document(t, page_main_frame(p), query, out);
	if (r != 0)
		return MIN(r, 0);
	r = frame_snapshot(t, page_main_frame(p), &(const struct snapshot_options){}, &text, NULL);
	if (r < 0)
		return r;
	r = frame_script(t, page_main_frame(p), &found, "find", "{?, snapshot: ?}", JSON_RAW(query), str_text(&text));
	if (r == 0)
		str_append(out, json_text(found, "text"));
	return r;
}
