/*
 * Observations: which targets are watched, of our own sessions and of browsers that listen on a debugging port
 * (browser/outside.h), and the journals that say what they did.
 *
 * A page of a session has its journal anyway: to observe it is to let its events be read. A target of another browser
 * is attached to with the first watcher and left with the last one. What was observed can be read until nothing has
 * been added for the time to live, also when the target or its browser has gone. What somebody observes is seen by that
 * owner alone: two owners who observe one target of another browser have an attachment and a journal each.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "browser/outside.h"
#include "loop/task.h"
#include "observe/journal.h"
#include "session/session.h"

struct observers;
struct observation;

struct observers_options {
	const char *host; /* of the browser that calls mean which name none; NULL: 127.0.0.1 */
	int port;         /* 0: 9222 when there is a host, else there is no such browser */
	bool any_address; /* not just loopback */
	bool listed_only; /* no call may name another browser than that */
	bool shared;      /* by owners who do not know each other: one has at most as many targets as there are places left */
	size_t buffer_size;
	usec_t ttl;
};

/* `options` and `registry` must outlive them. */
struct observers *observers_new(struct loop *l, struct registry *registry, const struct observers_options *options);
struct observers *observers_free(struct observers *o);
DEFINE_FREEP(observers);

/* Another browser, for as long as a call uses it: _cleanup_(port_leavep). */
struct port;
/*
 * The one that `host` and `port` name (NULL and 0: not named), or that the options name; NULL when none does: then our
 * sessions are meant. -ERR_SECURITY_BLOCKED, -ERR_INVALID_PARAMETERS. Does not suspend.
 */
int observers_port(struct task *t, struct observers *o, const char *host, int port, struct port **ret);
_kept_ struct outside *port_outside(struct port *p);
void port_leave(struct port *p);
static inline void port_leavep(struct port **p)
{
	if (*p)
		port_leave(*p);
}

/*
 * `news` is called when something has been added to an observation: for the first event soon, then at most
 * OBSERVERS_NEWS_PER_SECOND times a second, and once more for what came since.
 */
#define OBSERVERS_NEWS_PER_SECOND 4
void observers_on_news(struct observers *o, void (*news)(struct observation *ob, void *data), void *data);

struct observe_request {
	uint64_t owner; /* who observes; pages of their sessions may be meant */
	const char *host;
	int port;
	const char *target_id, *url_includes; /* the first decides; one is needed */
	bool workers, frames;                 /* of other browsers; in our own they always belong to their page */
	size_t buffer_size;                   /* events; 0: as it is, or the default */
	usec_t ttl;                           /* 0: the same */
};

/*
 * Suspends: one watcher more. `ret` is borrowed and valid until the next suspension. -ERR_TARGET_NOT_FOUND,
 * -ERR_ALREADY_OBSERVING (with other settings), -ERR_BROWSER_UNREACHABLE, and what observers_port() gives.
 */
int observers_observe(struct task *t, struct observers *o, const struct observe_request *q, struct observation **ret);
/* That of a target, as far as `owner` may see it; NULL: there is none. Borrowed in the same way. */
struct observation *observers_get(struct observers *o, uint64_t owner, const char *target_id);
/* Borrowed in the same way. -ERR_NOT_OBSERVING; with `attached` also when it was stopped or its target has gone. */
int observers_find(struct task *t, struct observers *o, uint64_t owner, const char *target_id, bool attached,
		   struct observation **ret);
/* One watcher less. With the last one the target is left, and `drop` lets its events go. */
int observers_stop(struct task *t, struct observers *o, uint64_t owner, const char *target_id, bool drop);

unsigned observers_attached(const struct observers *o); /* targets that are being observed */
struct observation *observers_next(struct observers *o, uint64_t owner, struct observation *after); /* NULL: the first; at the end: NULL */
const char *observation_target_id(const struct observation *ob);
bool observation_attached(const struct observation *ob);
struct page *observation_page(struct observation *ob);
_kept_ struct journal *observation_journal(struct observation *ob);
/* Number after the last event that was seen: of those that a page of ours adds after the last watcher has left, none is. */
uint64_t observation_end(const struct observation *ob);
