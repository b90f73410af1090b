/* The accessibility snapshot of a page as text (scripts/snapshot.js), with the snapshots of its frames inserted. */
#pragma once

#include <stdbool.h>

#include "base/str.h"
#include "loop/task.h"
#include "page/navigate.h"
#include "page/page.h"

struct snapshot_options {
	const char *ref; /* root element; NULL: the whole document */
	int depth;       /* levels; 0: unlimited */
	bool boxes;
};

/* A snapshot request for one document. All zero: none was sent. */
struct snapshot_question {
	struct frame_receiver receiver;
	_kept_ struct frame *frame; /* a reference */
	unsigned document;          /* `commits` of the frame, which identifies the document */
	unsigned number;            /* identifies the pieces that belong to this request; 0: no pieces are sent */
	struct str told;            /* the first part of a long text, sent while the page writes the rest */
	struct cdp_call call;
};

/*
 * Sends the request of frame_snapshot() ahead, with the same options: the page answers when comeToRest() of
 * scripts/settle.js, which was called before, has ended. Suspends only if no script has run in the document yet. Errors
 * are reported by frame_snapshot().
 */
void snapshot_ask(struct task *t, struct frame *f, const struct snapshot_options *o, struct snapshot_question *ret);
void snapshot_question_done(struct snapshot_question *q);

/*
 * Takes a snapshot of the document in `f`, whose address and title are returned in `ret_shown` (may be NULL). Appends to
 * `out`, without a newline at the end. Frames that are removed meanwhile stay empty. Uses the reply of `asked` (may be
 * NULL), unless the document was replaced.
 */
int frame_snapshot(struct task *t, struct frame *f, const struct snapshot_options *o, struct snapshot_question *asked,
		   struct str *out, struct navigation *ret_shown);
/* Appends the result of browser_find for `query`, the members of a JSON object ("text" or "regex"), to `out`. */
int page_find_text(struct task *t, struct page *p, const char *query, struct str *out);
