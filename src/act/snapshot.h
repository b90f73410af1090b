/* The accessibility snapshot of a page as text (scripts/snapshot.js), with the snapshots of its frames inserted. */
#pragma once

#include <stdbool.h>

#include "base/str.h"
#include "cdp/cdp.h"
#include "loop/task.h"
#include "page/frame.h"
#include "page/navigate.h"
#include "page/page.h"

struct snapshot_options {
	const char *ref; /* root element; NULL: the whole document */
	int depth;       /* levels; 0: unlimited */
	bool boxes;
};

/*
 * Takes a snapshot of the document in `f`, whose address and title are returned in `ret_shown` (may be NULL). Appends to
 * `out`, without a newline at the end. Frames that are removed meanwhile stay empty. Suspends.
 */
int frame_snapshot(struct task *t, struct frame *f, const struct snapshot_options *o, struct str *out,
		   struct navigation *ret_shown);
/* Appends the result of browser_find for `query`, the members of a JSON object ("text" or "regex"), to `out`. */
int page_find_text(struct task *t, struct page *p, const char *query, struct str *out);
