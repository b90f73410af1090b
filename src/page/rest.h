/*
 * Pages whose session has no call rest, as a tab in the background of an everyday browser does. After a session has had no call for a
 * while, its pages are hidden: they draw no frames and their timers run once a second, while the network goes on. A page that has neither
 * connections nor requests nor workers some time later is frozen; from time to time it continues for a moment, in which its timers run.
 *
 * Chromium counts a page as visible while its focus is emulated (page/emulate.h). A page that is to be frozen is hidden first, and
 * nothing else hides a page of a headless browser; so a page that is to be hidden only is frozen and continued.
 * The page notices: `visibilitychange`, `freeze` and `resume` are fired, as in every browser.
 *
 * A page does not rest while somebody needs it (page_hold_awake()), while it gets files (page_expect_files()), while a dialog is open, while a request is under way that it had
 * made when its session's last call ended (for LIMIT_REST_REQUEST_TIME at most), or while it plays sound or a video.
 *
 * Nothing suspends but page_await_awake().
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "engine/engine.h"
#include "loop/task.h"

struct page;
struct page_group;

enum rest_depth {
	REST_NONE,
	REST_HIDDEN,
	REST_FROZEN,
};

struct page_rest {
	bool wanted;     /* the session has no call */
	usec_t since;    /* when that began */
	uint64_t before; /* requests that had begun by then */
	unsigned holds;
	bool was_frozen;    /* since engine_restore_window() */
	usec_t files_until; /* it does not rest until then, because it was given files */
	enum rest_depth depth;
	struct timer *timer;             /* of the next step; NULL: the page never rests */
	struct engine_call asked;        /* whether one of its documents plays something */
	const struct engine_target *who; /* that question was sent to */
	struct engine_call frame;        /* of a page that was woken, while it is awaited */
};

/*
 * The pages of the group, also those that open later, rest from now on as soon as they may; until page_group_wake(). `pause`: how long they
 * are hidden before they are frozen, and frozen before they continue for a moment.
 */
void page_group_rest(struct page_group *g, usec_t pause);
/* Sends what makes the pages go on; what is sent to them from now on comes after that. */
void page_group_wake(struct page_group *g);
/*
 * Suspends until the page has drawn a frame after that and the timers that were due have run, so that what they change is no effect of the
 * call that comes next; for a quarter of a second at most. Negative only when the task ends.
 */
int page_await_awake(struct task *t, struct page *p);

/*
 * The page is about to be given files. The browser looks for those of a directory after it has said so, and gives them to visible pages only:
 * a page that has rested is shown again, and does not rest for LIMIT_REST_FILES_TIME. Suspends; the caller holds the page.
 */
int page_expect_files(struct task *t, struct page *p);
/* Somebody watches the page: it wakes, and does not rest until page_let_rest() was called as often. */
void page_hold_awake(struct page *p);
void page_let_rest(struct page *p);
bool page_is_held_awake(const struct page *p);
bool page_rests(const struct page *p);
