/*
 * Observations: the targets whose events clients read, and their journals. Targets are pages of our own sessions, or
 * targets of other browsers that listen on a debugging port (browser/observed_browser.h).
 *
 * A page of a session always has a journal; observing it makes its events readable. A target of another browser is
 * attached to with the first watcher and detached from with the last one. Recorded events stay readable until nothing
 * has been added for the time to live, also after the target or its browser has closed. An observation is visible to
 * its owner only: two owners that observe one target of another browser each have their own attachment and journal.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "browser/observed_browser.h"
#include "loop/task.h"
#include "observe/excerpt.h"
#include "session/session.h"

struct observers;
struct observation;

struct observers_options {
	const char *host; /* of the browser used by calls that name none; NULL: 127.0.0.1 */
	int port;         /* 0: 9222 if there is a host, else there is no default browser */
	bool any_address; /* also addresses other than loopback */
	bool listed_only; /* calls may name no other browser than this one */
	bool shared;      /* by owners who do not know each other: each has at most as many targets as there are places left */
	size_t buffer_size;
	usec_t ttl;
	struct {
		const char *host, *port, *any_address;
	} names; /* what messages call the settings */
};

/* `options` and `registry` must outlive the observers. */
struct observers *observers_new(struct loop *l, struct registry *registry, const struct observers_options *options);
struct observers *observers_free(struct observers *o);
DEFINE_FREEP(observers);

/* The debugging port of another browser. A call holds a reference: _cleanup_(port_leavep). */
struct port;
/*
 * The port named by `host` and `port` (NULL and 0: not named), else by the options. NULL if neither names one: the
 * call is about our own sessions. -ERR_SECURITY_BLOCKED, -ERR_INVALID_PARAMETERS. Does not suspend.
 */
int observers_port(struct task *t, struct observers *o, const char *host, int port, struct port **ret);
_kept_ struct observed_browser *port_browser(struct port *p);
void port_leave(struct port *p);
static inline void port_leavep(struct port **p)
{
	if (*p)
		port_leave(*p);
}

/*
 * `news` is called after events were added to an observation: soon after the first one, then at most
 * OBSERVERS_NEWS_PER_SECOND times a second, and once more for events since the last call.
 */
#define OBSERVERS_NEWS_PER_SECOND 4
void observers_on_news(struct observers *o, void (*news)(struct observation *ob, void *data), void *data);

struct observe_request {
	uint64_t owner; /* who observes; only pages of this owner's sessions are found */
	const char *host;
	int port;
	const char *target_id, *url_includes; /* one is required; target_id takes precedence */
	bool workers, frames;                 /* for other browsers only; in our own, both always belong to their page */
	size_t buffer_size;                   /* events; 0: unchanged, or the default */
	usec_t ttl;                           /* 0: unchanged, or the default */
};

/*
 * Adds a watcher. Suspends. `ret` is borrowed and valid until the next suspension. -ERR_TARGET_NOT_FOUND,
 * -ERR_ALREADY_OBSERVING (with other settings), -ERR_BROWSER_UNREACHABLE, and the failures of observers_port().
 */
int observers_observe(struct task *t, struct observers *o, const struct observe_request *q, struct observation **ret);
/* The observation of a target by this owner, or NULL. Borrowed until the next suspension. */
struct observation *observers_get(struct observers *o, uint64_t owner, const char *target_id);
/*
 * Borrowed until the next suspension. -ERR_NOT_OBSERVING; with `attached` also if it was stopped or its target has
 * closed.
 */
int observers_find(struct task *t, struct observers *o, uint64_t owner, const char *target_id, bool attached,
		   struct observation **ret);
/* Removes a watcher. The last one detaches from the target; with `drop` its events are freed then. */
int observers_stop(struct task *t, struct observers *o, uint64_t owner, const char *target_id, bool drop);

unsigned observers_attached(const struct observers *o); /* targets that are observed now */
struct observation *observers_next(struct observers *o, uint64_t owner,
				   struct observation *after); /* `after` NULL: the first; NULL at the end */
const char *observation_target_id(const struct observation *ob);
bool observation_attached(const struct observation *ob);
struct page *observation_page(struct observation *ob);
_kept_ struct journal *observation_journal(struct observation *ob);
/*
 * What its owner reads of the journal: no events that a session's page adds after the last watcher has left, at most as many as were
 * asked for, none that were cleared or have expired, and those that pass the filter. What others read of the page does not depend on it.
 */
struct journal_excerpt observation_excerpt(const struct observation *ob);
uint64_t observation_missed(const struct observation *ob, uint64_t offset); /* journal_missed() of the excerpt */
void observation_clear(struct observation *ob); /* sequence numbers continue; cleared events do not count as missed */
void observation_set_filter(struct observation *ob, const struct journal_filter *f); /* copied */
const struct journal_filter *observation_filter(const struct observation *ob);
