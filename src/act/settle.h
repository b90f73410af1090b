/*
 * Waiting until what an action started has come to rest, without a fixed sleep: no navigation is under way, no request
 * that began since is open, and the document was quiet for a moment. What has shown no effect yet is given longer.
 * docs/settling.md has the whole rule, and what it was measured on.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "act/snapshot.h"
#include "loop/task.h"
#include "page/navigate.h"
#include "page/page.h"
#include "page/traffic.h"

struct settle {
	_kept_ struct page *page;   /* with `frame` */
	_kept_ struct frame *frame; /* the one that is watched, a reference */
	struct cdp_call watching;   /* answered once the document is watched */
	bool watches;               /* the document is watched, unless another one has replaced it */
	unsigned downloads;         /* the first one that counts; 0: they are refused */
	unsigned commits;
	const char *url;               /* when it began */
	bool is_new;                   /* the action has opened the page, or it still loads: its document counts from the start */
	usec_t opened;                 /* when it began: pages that came later count */
	bool touched;                  /* an effect is certain, whatever the document shows */
	bool untouched;                /* the document has said so */
	bool scrolls;                  /* the page may have been scrolled, which shows with the next frame */
	bool glances;                  /* what shows no effect at once is taken to have none */
	struct traffic_mark from;      /* requests that began later count, */
	uint64_t requests_to;          /* up to this number */
	usec_t began, until, patience; /* of settle_wait() */
	bool renewed;
	struct navigation shown;                /* by the main frame when it was at rest; without a title: not known */
	const struct snapshot_options *options; /* of ... */
	struct snapshot_question *snapshot;     /* that is asked for then; NULL: none is */
};

/* Begins to watch the main frame. Does not wait, but may suspend where no script ran in the document yet. */
int settle_begin(struct task *t, struct page *p, struct settle *ret);
/* The same without watching: the caller sees to it, settle_watch(). Never suspends. */
void settle_open(struct task *t, struct page *p, struct settle *ret);
/* The effects are expected in the document of this frame. The same. */
int settle_watch(struct task *t, struct settle *s, struct frame *f);
/* The same for a caller's function, which scripts/untouched.js asks about. */
int settle_watch_call(struct task *t, struct settle *s, struct frame *f);
/*
 * Suspends until the document is watched. Input events take another way into the page than calls and may overtake them:
 * needed before input that asks the page nothing first, such as keys.
 */
int settle_await_watch(struct task *t, struct settle *s);
/* The document says that it was not touched, and what it shows. Nothing else is waited for there then. */
void settle_untouched(struct settle *s, const struct navigation *shown);
/* The snapshot that follows is asked for ahead, for as soon as the main frame is at rest. Both are borrowed until the end. */
void settle_ask_snapshot(struct settle *s, const struct snapshot_options *o, struct snapshot_question *ret);
/*
 * Suspends. `patience`: for an effect to show at all, and for the document to become quiet. Navigations and requests
 * have limits of their own. What goes wrong on the way (the page was closed...) is no failure of the action: only
 * -ECANCELED and -EINTR are returned.
 */
int settle_wait(struct task *t, struct settle *s, usec_t patience);
void settle_done(struct settle *s);
/*
 * Suspends until the document of a page that still loads is there and has come to rest, within the limits of a navigation.
 * A document that has loaded, or had its time, is not waited for. Fails as settle_wait() does.
 */
int settle_loading(struct task *t, struct page *p, usec_t patience);
