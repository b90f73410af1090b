/* Snapshots of documents, and pictures. */
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/screenshot.h"
#include "act/serialize.h"
#include "base/base64.h"
#include "page/frame.h"
#include "page/modal.h"
#include "page/navigate.h"
#include "trace/internal.h"

#define PICTURE_QUALITY 60

/* Whether scripts of the page would run at once, and may. */
static bool is_readable(const struct page *p)
{
	return page_alive(p) && !page_blocked(p) && !page_navigating(p) && !page_is_private(p);
}

/* ---- documents ---- */

static int compare_frames(const void *a, const void *b)
{
	return strcmp(((const struct trace_frame *)a)->id, ((const struct trace_frame *)b)->id);
}

static struct trace_frame *find_frame(const struct trace *tr, const char *id)
{
	struct trace_frame wanted, *const *found;

	snprintf(wanted.id, sizeof(wanted.id), "%s", id);
	found = tfind(&wanted, &tr->frames, compare_frames);
	return found ? *found : NULL;
}

static void snapshots_remember(struct trace *tr, struct trace_frame *tf, const char *id,
			       const unsigned char digest[TRACE_DIGEST_SIZE], unsigned nodes)
{
	if (!tf && tr->frame_count == LIMIT_TRACE_FRAMES_COUNT)
		return;
	if (!tf) {
		tf = NEW(struct trace_frame);
		snprintf(tf->id, sizeof(tf->id), "%s", id);
		must(tsearch(tf, &tr->frames, compare_frames));
		tr->frame_count++;
	}
	memcpy(tf->digest, digest, TRACE_DIGEST_SIZE);
	tf->nodes = nodes;
	tf->age = 0;
}

void trace_append_html(struct trace *tr, const char *frame, const struct serialized *s, struct str *out)
{
	struct trace_frame *tf = find_frame(tr, frame);
	unsigned char digest[TRACE_DIGEST_SIZE];

	trace_digest(s->html.data, s->html.len, digest);
	if (tf && memcmp(tf->digest, digest, TRACE_DIGEST_SIZE) == 0) {
		str_json(out, ", html: [[?, ?]]", ++tf->age, s->nodes - 1);
		return;
	}
	snapshots_remember(tr, tf, frame, digest, s->nodes);
	str_json(out, ", html: ?", JSON_RAW(s->html.data));
}

static void write_snapshot(struct trace *tr, struct frame *f, const char *call, const char *phase, const struct serialized *s,
			   double at)
{
	_cleanup_(str_done) struct str line = {};
	bool is_main = f == page_main_frame(frame_page(f));
	char page[80];

	trace_page_name(frame_page(f), page);
	str_json(&line, "{type: 'frame-snapshot', snapshot: {callId: ?, phase: ?, pageId: ?, frameId: ?, frameUrl: ?", call, phase,
		 page, frame_id(f), frame_url(f));
	if (s->doctype.len)
		str_json(&line, ", doctype: ?", s->doctype.data);
	trace_append_html(tr, frame_id(f), s, &line);
	str_json(&line,
		 ", viewport: {width: ?, height: ?}, timestamp: ?, wallTime: ?, collectionTime: ?, resourceOverrides: [], "
		 "isMainFrame: ?}}",
		 s->width, s->height, at, at - tr->start + tr->wall_start, trace_now() - at, is_main);
	trace_write_big_line(tr, &line);
	if (is_main) {
		tr->width = s->width;
		tr->height = s->height;
	}
	if (s->is_cut)
		trace_note(tr, "the document of %s is larger than %u MiB: the rest of its snapshot is missing", frame_url(f),
			   LIMIT_TRACE_DOCUMENT >> 20);
}

void trace_snapshot(struct task *t, _kept_ struct trace *tr, struct page *p, const char *call, const char *phase,
		    struct frame *marked, const char *target)
{
	_cleanup_(serialized_page_done) struct serialized_page s = {};
	double at = trace_now();

	if (page_is_private(p))
		trace_note(tr, "a person has control of the session: no snapshots and pictures are taken");
	if (tr->parts_full || !is_readable(p))
		return;
	page_serialize(t, p, marked, target, LIMIT_TRACE_DOCUMENT, LIMIT_TRACE_DOCUMENTS_COUNT, &s);
	if (clock_now() >= task_deadline(t))
		trace_note(tr, "%s did not answer in time: documents are missing in a snapshot", page_url(p));
	for (size_t i = 0; i < s.count; i++)
		if (s.rows[i].nodes > 0)
			write_snapshot(tr, s.rows[i].frame, call, phase, &s.rows[i], at);
}

/* ---- pictures ---- */

static void write_picture(struct task *t, struct trace *tr, const struct page *p, const char *base64, double at)
{
	size_t len = strlen(base64);
	_cleanup_(freep) uint8_t *bytes = must(malloc(BASE64_DECODED_SIZE(len)));
	ptrdiff_t count = base64_decode(base64, len, bytes);
	_cleanup_(str_done) struct str line = {};
	char page[80], name[TRACE_PART_SIZE];

	trace_page_name(p, page);
	snprintf(name, sizeof(name), "screencast/%s-%.0f.jpeg", page, at - tr->start + tr->wall_start);
	if (count < 0 || !trace_write_part(t, tr, name, bytes, (size_t)count))
		return;
	str_json(&line, "{type: 'screencast-frame', pageId: ?, file: ?, width: ?, height: ?, timestamp: ?, frameSwapWallTime: ?}",
		 page, name, tr->width, tr->height, at, at - tr->start + tr->wall_start);
	trace_write_line(tr, tr->actions, &line);
}

void trace_picture(struct task *t, _kept_ struct trace *tr, _kept_ struct page *p)
{
	const struct capture how = { .format = "jpeg", .quality = PICTURE_QUALITY };
	struct picture pic;

	if (!tr->parts_full && is_readable(p) && page_capture(t, p, &how, &pic) == 0)
		write_picture(t, tr, p, pic.base64, trace_now());
}
