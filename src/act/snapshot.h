/* The accessibility snapshot of a page as text (scripts/snapshot.js), with the snapshots of its frames inserted. */
#pragma once

#include <stdbool.h>

#include "act/text_sum.h"
#include "base/str.h"
#include "loop/task.h"
#include "page/frame.h"
#include "page/navigate.h"
#include "page/page.h"

#define SNAPSHOT_FRAME_DEPTH_MAX 16 /* frames in each other whose contents are shown */

struct snapshot_options {
	const char *ref; /* root element; NULL: the whole document */
	int depth;       /* levels; 0: unlimited */
	bool boxes;
	bool outline;      /* rows for view/outline.h instead */
	bool urls;         /* of links, in these */
	const char *query; /* what is searched for in these: members of a JSON object, "text" or "regex"; NULL: nothing */
	bool conceals;     /* dots in place of what is in password fields */
	bool plain;        /* roles and names alone, without groups, refs and the contents of frames */
};

/* The text of one document's snapshot, as it arrives. The earlier parts of a long text are sent while the page writes the rest. */
struct snapshot_text {
	struct frame_receiver receiver;
	_kept_ struct frame *frame; /* a reference held by the caller */
	unsigned number;            /* identifies the pieces that belong to this request; 0: no pieces are sent */
	struct str text;
	struct text_sum own, *sum; /* the sum that it adds to, which may be its own; the snapshot fails when it is exceeded */
};

/*
 * Writes the arguments for takeSnapshot() of scripts/snapshot.js in the document of `f` to `arguments`, a JSON object, and
 * receives the pieces of the text until snapshot_text_done(). It is a snapshot of its own. Does not suspend.
 */
void snapshot_text_begin(struct snapshot_text *q, struct frame *f, const struct snapshot_options *o, struct str *arguments);
/* Completes the text by what takeSnapshot() returned. Fails with -EMSGSIZE if the text is too long. */
int snapshot_text_end(struct task *t, struct snapshot_text *q, const struct json *value);
/*
 * The script may come upon elements that may have a closed shadow root. Asks about these, and returns whether one has: the document is to
 * be looked at once more, with it. `value`: what takeSnapshot() returned. Suspends.
 */
int snapshot_find_roots(struct task *t, struct frame *f, const struct json *value);
void snapshot_text_done(struct snapshot_text *q);

/*
 * Takes a snapshot of the document in `f`, whose address and title are returned in `ret_shown` (may be NULL). Appends to
 * `out`, without a newline at the end. Frames that are removed meanwhile stay empty. Suspends.
 */
int frame_snapshot(struct task *t, struct frame *f, const struct snapshot_options *o, struct str *out,
		   struct navigation *ret_shown);
/* Whether a question to the frame `f` of a page failed with `r` because its document is going, or is not there yet: it is left out. */
bool frame_is_passing(int r, const struct frame *f);
/* Appends the result of browser_find for `query`, the members of a JSON object ("text" or "regex"), to `out`. */
int page_find_text(struct task *t, struct page *p, const char *query, struct str *out);
