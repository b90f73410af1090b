/*
 * The journal of a page, in which its console and network events are recorded, with those of its frames in other processes and of its
 * workers. What is reported of them goes to the page's traffic, and requests that wait to their interception. Nothing suspends unless it
 * takes a task.
 */
#pragma once

#include "base/macros.h"
#include "engine/events.h"

struct journal;

struct page_record {
	_kept_ struct journal *journal;
	unsigned logged_objects; /* messages with objects that the browser keeps alive */
};

/* `journal`: one that is continued, of which a reference is taken; NULL: a new one. */
void record_init(struct page_record *r, struct journal *journal, const char *target_id);
struct journal *record_journal(void *page); /* engine_events.journal */
extern const struct engine_traffic_events page_traffic_events;
extern const struct engine_console_events page_console_events;
