/*
 * Records a page's console and network events in its journal, and passes network events to the page's traffic first, and requests that wait
 * to their interception. The events
 * are those of the page's own CDP session and those of its frames in other processes and of its workers. Nothing suspends unless
 * it takes a task.
 */
#pragma once

#include "base/macros.h"
#include "engine/cdp/cdp.h"

struct journal;

struct page_record {
	_kept_ struct journal *journal;
	unsigned logged_objects; /* messages with objects that the browser keeps alive */
};

/* `journal`: one that is continued, of which a reference is taken; NULL: a new one. */
void record_init(struct page_record *r, struct journal *journal, const char *target_id);
void record_done(struct page_record *r);
/* Enables these events for a page, a frame or a worker. */
void record_enable(struct engine_target *s);
void record_enable_log(
	struct engine_target *s); /* messages of the browser itself; workers refuse it, and the reply is not awaited */
extern const struct cdp_event record_event_table[];
