/*
 * How fast a page may cause events. The browser's process handles the events of all pages of all sessions one after another, so a
 * page that causes them in a loop (console messages, requests, frames, addresses...) makes the calls of every other session wait.
 *
 * What it makes this server send in reply is counted, too, by its length: a short event may ask for megabytes (page/answers.h).
 *
 * Two limits hold for each page. It may not be ahead of the browser: after every LIMIT_PAGE_EVENTS_AHEAD events the browser is asked
 * for a sign of life, which it gives when it has handled what came before; a page that causes as many again before the reply is
 * stopped until then. And it has a budget (LIMIT_PAGE_EVENTS_PER_SECOND): when that is used up, the page is stopped until some of it has come back,
 * and runs in slices from then on. No event is lost that would otherwise be recorded, and calls on the page are answered, only
 * later. The owner is told. Pages above their budget at the same time share one.
 *
 * A page that makes the browser's main process work in another way, which browser/load_limit.h finds out, is charged with that time: it
 * runs in slices, after each of which the browser is asked for a sign of life, and what its main process has done until then, beyond what
 * it does while the page is stopped, counts as LIMIT_MAIN_PROCESS_SHARE of a second equals LIMIT_PAGE_EVENTS_PER_SECOND.
 *
 * To be stopped is a signal to the process that runs the page (page/renderer.h). While that is not known, or when the events do not
 * end, the browser freezes the page instead, which takes effect later, and a script that does not end by itself is terminated.
 *
 * A page to which a message could not be sent, because too much waits for it, ends as if it had crashed.
 *
 * Nothing suspends.
 */
#pragma once

#include <stdbool.h>

#include "base/clock.h"
#include "base/str.h"
#include "engine/meter.h"
#include "loop/loop.h"

struct page;

struct throttle {
	struct engine_meter meter;
	struct ready lost;       /* ends the page, to which a message could not be sent */
	double budget;           /* events, as of `filled`; below 0: used up */
	double caused;           /* events above LIMIT_PAGE_EVENTS_PER_SECOND, as of `filled`; never below 0 */
	double ahead;            /* events since the browser was asked for a sign of life last */
	usec_t filled;           /* when `budget` was computed last */
	usec_t exceeded_at;      /* when the budget was used up last */
	struct engine_call sign; /* of life, while it is awaited */
	bool active;             /* the budget was used up, and the page has not been calm since */
	bool stopped;            /* the page is stopped now */
	usec_t stopped_at;       /* when that began */
	bool frozen;             /* by the browser */
	bool interrupted;        /* a script was terminated meanwhile */
	bool takes_time;         /* of the browser's main process, above its share */
	bool grows;              /* its memory, too: events do not explain that */
	struct {
		usec_t ran, at; /* the time of all its threads, and when that was read; 0: not read */
		double others;  /* part of the time that it works while the page is stopped */
		usec_t idle_by; /* until when it is waited for, after a slice; 0: it is not */
	} main_process;
	usec_t suspicion, suspected; /* time of page_suspect() above LIMIT_SUSPICION_SHARE, as of `suspected` */
	bool told;                   /* an answer has said, by page_throttle_note(), that the page is slowed down */
	unsigned exceeded;           /* how often the budget was used up since the page became active */
	struct str origin;           /* of the document for which the process was asked for */
	struct timer *timer;
};

/* The main frame shows a document of this address. One of another origin may be shown by another process. */
void throttle_on_address(struct page *p, const char *url);
/* Pages that are charged with time stay stopped from now on, in all browsers, until as many calls take that back. */
void throttle_hold_charged(bool hold);
/* `bytes` of events were caused by a call, such as a snapshot, and do not count. */
void throttle_except(struct page *p, size_t bytes);
