/* The accessibility snapshot of a page as text (scripts/snapshot.js), the snapshots of its frames put into place. */
#pragma once

#include <stdbool.h>

#include "base/str.h"
#include "loop/task.h"
#include "page/navigate.h"
#include "page/page.h"

struct snapshot_options {
	const char *ref; /* root element; NULL: the whole document */
	int depth;       /* levels; 0: all */
	bool boxes;
};

/* One document that is asked for its snapshot. Empty: none is. */
struct snapshot_question {
	struct frame_receiver receiver;
	_kept_ struct frame *frame; /* a reference */
	unsigned document;          /* of it, by its commits */
	unsigned number;            /* names the question in what is told ahead of the answer; 0: nothing is */
	struct str told;            /* what a long text begins with: it is on its way while the page writes the rest */
	struct cdp_call call;
};

/*
 * Asks ahead of frame_snapshot() with the same options: the page answers when comeToRest() of scripts/settle.js, which was
 * sent before, has ended. Suspends only where no script ran in the document yet; that it fails shows there.
 */
void snapshot_ask(struct task *t, struct frame *f, const struct snapshot_options *o, struct snapshot_question *ret);
void snapshot_question_done(struct snapshot_question *q);

/*
 * Of the document in `f`, whose address and title go to `ret_shown` (may be NULL). Appends to `out`, without a newline at
 * the end. Frames that go away meanwhile stay empty. What `asked` (may be NULL) brought is taken, unless the document is
 * another one.
 */
int frame_snapshot(struct task *t, struct frame *f, const struct snapshot_options *o, struct snapshot_question *asked,
		   struct str *out, struct navigation *ret_shown);
/* The answer of browser_find to `query`, the inside of a JSON object ("text" or "regex"). Appends to `out`. */
int page_find_text(struct task *t, struct page *p, const char *query, struct str *out);
