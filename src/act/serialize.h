/* Copies of documents for Playwright's trace viewer (scripts/serialize.js). */
#pragma once

#include "base/str.h"
#include "engine/engine.h"
#include "loop/task.h"
#include "page/page.h"

struct serialized {
	_kept_ struct frame *frame; /* a reference */
	struct str html;            /* JSON text; empty: the document could not be read */
	struct str doctype;         /* empty: none */
	unsigned nodes;             /* elements and texts in it */
	bool is_cut;                /* the rest of the document is missing */
	int width, height;          /* of the frame, CSS pixels */

	struct engine_call call; /* private */
};

/* The documents of a page. Release with serialized_page_done(). */
struct serialized_page {
	struct serialized *rows; /* the main frame first */
	size_t count;
};

/*
 * The documents of `p` as they are now, with the names by which the viewer finds those of child frames; at most `max` of them. A
 * document of more than `limit` UTF-16 units is cut. `marked` (may be NULL): the frame with the element to mark, which `target` names
 * (JSON of a struct target). Suspends for three round trips where there are new frames, else for one.
 */
void page_serialize(struct task *t, struct page *p, struct frame *marked, const char *target, size_t limit, size_t max,
		    struct serialized_page *ret);
void serialized_page_done(struct serialized_page *s);
