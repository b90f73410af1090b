/* The accessibility snapshot of a page as text (js/snapshot.js), the snapshots of its frames put into place. */
#pragma once

#include <stdbool.h>

#include "base/str.h"
#include "browser/navigate.h"
#include "browser/page.h"
#include "loop/task.h"

struct snapshot_options {
	const char *ref; /* root element; NULL: the whole document */
	int depth;       /* levels; 0: all */
	bool boxes;
};

/*
 * Of the document in `f`, whose address and title go to `ret_shown` (may be NULL). Appends to `out`, without a newline at
 * the end. Frames that go away meanwhile stay empty.
 */
int frame_snapshot(struct task *t, struct frame *f, const struct snapshot_options *o, struct str *out, struct navigation *ret_shown);
/* The answer of browser_find to `query`, the inside of a JSON object ("text" or "regex"). Appends to `out`. */
int page_find_text(struct task *t, struct page *p, const char *query, struct str *out);
