/*
 * Waits until the effects of an action have ended, without a fixed sleep: no navigation is under way, no request that
 * began since the action is open, and the document was quiet for a moment. An action without a visible effect is given
 * more time. docs/settling.md describes the rule and its measurements.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "act/snapshot.h"
#include "base/str.h"
#include "engine/engine.h"
#include "loop/task.h"
#include "page/navigate.h"
#include "page/page.h"
#include "page/traffic.h"

struct settle {
	_kept_ struct page *page;    /* kept alive by `frame` */
	_kept_ struct frame *frame;  /* the watched frame, a reference */
	struct engine_call watching; /* its reply means that the document is watched */
	bool watches;                /* the document is watched, unless it was replaced */
	unsigned downloads;          /* number of the first download that counts; 0: downloads are refused */
	unsigned commits;
	const char *url;               /* of the page when the action began */
	bool is_new;                   /* the action opened the page, or it is still loading: its first document counts */
	usec_t opened;                 /* when the action began: pages opened later count */
	bool has_effect;               /* an effect is certain, whatever the document reports */
	bool without_effect;           /* the document reported that there was no effect in it */
	bool scrolls;                  /* the page may have been scrolled, whose event comes with the next frame */
	bool awaits_timers;            /* the action has set timers, if any, for later: they may have an effect */
	bool skip_first_wait;          /* if no effect is visible at once, the action is assumed to have no effect */
	struct traffic_mark from;      /* requests that began later count, */
	uint64_t requests_to;          /* up to this number */
	usec_t began, until, patience; /* of settle_wait() */
	bool patience_restarted;
	const struct snapshot_options *snapshot; /* of the snapshot that the caller will need; NULL: none */
	struct navigation shown; /* address and title of the main frame when it had settled; title NULL: not known */
	struct str text;         /* its snapshot at that time; empty: not taken */
};

/* Starts watching the main frame. Does not wait, but may suspend if no script has run in the document yet. */
int settle_begin(struct task *t, struct page *p, struct settle *ret);
/* settle_begin() without watching; the caller calls settle_watch(). Does not suspend. */
void settle_open(struct task *t, struct page *p, struct settle *ret);
/* Watches the document of this frame, where the effects are expected. May suspend like settle_begin(). */
int settle_watch(struct task *t, struct settle *s, struct frame *f);
/* settle_watch() for a call of the caller's function, whose effects scripts/calleffects.js reports. */
int settle_watch_call(struct task *t, struct settle *s, struct frame *f);
/*
 * Suspends until the document is watched. Input events and calls reach the page by different channels, so that an input
 * event may overtake the call that starts watching. Needed before input that is not preceded by a request to the page,
 * such as keys.
 */
int settle_await_watch(struct task *t, struct settle *s);
/* The document reported that there was no effect in it, together with its address and title. It is not awaited then. */
void settle_without_effect(struct settle *s, const struct navigation *shown);
/*
 * Suspends. `patience` limits the wait for a first effect and for a quiet document. Navigations and requests have limits
 * of their own. Errors on the way (the page was closed...) do not fail the action: only -ECANCELED and -EINTR are
 * returned.
 */
int settle_wait(struct task *t, struct settle *s, usec_t patience);
void settle_done(struct settle *s);
/*
 * Suspends until the document of a page that is still loading exists and has settled, within the limits of a navigation.
 * Does not wait for a document that has loaded or whose time limit has passed. Fails like settle_wait().
 */
int settle_loading(struct task *t, struct page *p, usec_t patience);
