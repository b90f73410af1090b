/*
 * What the user does in the pages of a context (scripts/recorder.js): the pages report each action as JSON {verb, steps, text,
 * values, button, modifiers, url}. Frames of other processes that appear later are not recorded. Nothing suspends.
 */
#pragma once

#include <stdbool.h>
#include <sys/queue.h>

#include "base/limits.h"
#include "browser/context.h"
#include "page/page.h"

struct recorded {
	TAILQ_ENTRY(recorded) link;
	_kept_ struct frame *frame; /* a reference */
	unsigned page;              /* number of its page, in the order of opening */
	bool is_new;                /* the page was opened while actions were recorded */
	struct json *action;
};
TAILQ_HEAD(recorded_list, recorded);

struct recording {
	struct context *context;
	struct recorded_list list;
	unsigned count;
	unsigned first_new; /* pages with this number and higher ones are new */
	_kept_ struct page *pages[LIMIT_RECORDED_PAGES_COUNT];
	unsigned page_count;
};

void context_start_recording(struct context *c);
bool context_is_recording(struct context *c);
/* Ends it; the caller owns the result. NULL: none was begun. */
struct recording *context_stop_recording(struct context *c);
struct recording *recording_free(struct recording *r);
DEFINE_FREEP(recording);
