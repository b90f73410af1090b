/*
 * Sessions: who owns which browser context, in what order calls use it, and when it ends.
 *
 * Calls on one session run one at a time in the order in which they came; calls on different sessions overlap.
 * Ending a session (closing, expiry, death of the browser) never waits for a call: whatever runs or queues there is
 * cancelled with the reason as its failure. A session is ref-counted by the calls that use it; its context is
 * disposed of when the last one has left.
 *
 * Each session belongs to an `owner`, a number that stands for a client (or for several who share what they have). Ids
 * of other owners are unknown ids.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"
#include "base/macros.h"
#include "browser/browser.h"
#include "loop/task.h"
#include "session/tabs.h"

#define SESSION_ID_SIZE (LIMIT_SESSION_NAME + 1)

struct egress;
struct egress_settings;
struct registry;
struct session;

struct registry_options {
	usec_t timeout;     /* a session not used for this long expires; USEC_NEVER: none does */
	usec_t own_timeout; /* the same for clients' own sessions */
	unsigned max;      /* sessions alive at a time */
	unsigned max_per_owner; /* of one owner, 0: `max`, or what `shared` says */
	bool shared;       /* by owners who do not know each other: one has at most as many as there are places left */
	bool lazy;         /* an unknown id creates its session */
	bool persistent;   /* clients' own sessions work in the browser's profile folder: one at a time */
	const struct egress_settings *egress; /* where sessions may connect */
	struct egress *profile_egress; /* that of the browser's profile folder, which the browser was started with; NULL: none */
};

/* `options` and `browser` must outlive the registry. The browser's death is told by registry_browser_died(). */
struct registry *registry_new(struct loop *l, struct browser *browser, const struct registry_options *options);
/* All sessions end; the calls that used them must have returned. */
struct registry *registry_free(struct registry *r);
DEFINE_FREEP(registry);
void registry_browser_died(struct registry *r);
void registry_close_all(struct registry *r);

const struct registry_options *registry_options(const struct registry *r);
unsigned registry_count(const struct registry *r);
/* The owner's, in the order of creation; only sessions that are ready for calls. Valid until the next suspension. */
const struct session *registry_next(const struct registry *r, uint64_t owner, const struct session *after);

/* How a session differs from those that the registry's options describe. */
struct session_plan {
	struct egress *egress; /* all that its pages request goes through it, a reference is taken; NULL: what holds for all */
	usec_t timeout;    /* instead of the registry's */
	usec_t lifetime;   /* it ends so long after its creation, whoever works in it */
	/* What goes with the session: called once when that has ended, in whatever way; not when creating it failed. */
	void (*ended)(void *data);
	const char *(*base_url)(void *data); /* of relative addresses, NULL: none now; may itself be NULL. Borrowed until the next wait */
	void *data;
};

/* The same as registry_create() for such a session. */
int registry_create_planned(struct task *t, struct registry *r, uint64_t owner, const struct session_plan *plan,
			    const struct session **ret);
/* What decides where the session of that id may connect; NULL: nothing does, or there is no such session. Borrowed. */
struct egress *registry_egress(const struct registry *r, uint64_t owner, const char *id);
/* What goes with the session of that id; NULL when there is no such session, or nothing goes with it. */
void *registry_data(const struct registry *r, uint64_t owner, const char *id);
/* What relative addresses that a client gives are relative to; NULL: nothing, or there is no such session. */
const char *registry_base_url(const struct registry *r, uint64_t owner, const char *id);
/* 0, or the failure of session_enter() for an id that is none (any more). Does not suspend. */
int registry_knows(struct task *t, struct registry *r, uint64_t owner, const char *id);
/* A call that does not enter the session uses it all the same: its end by time-out moves. */
void registry_touch(struct registry *r, uint64_t owner, const char *id);
/* The page that its calls work on. Borrowed; NULL: none. */
struct page *registry_page(const struct registry *r, uint64_t owner, const char *id);
/*
 * Creates a session with a context of its own; starts the browser when needed. `ret` is borrowed and valid until the
 * next suspension. -ERR_MAX_SESSIONS_REACHED, -ERR_BROWSER_ERROR.
 */
int registry_create(struct task *t, struct registry *r, uint64_t owner, const struct session **ret);
/* -ERR_SESSION_NOT_FOUND, -ERR_SESSION_EXPIRED. Does not suspend. */
int registry_close(struct task *t, struct registry *r, uint64_t owner, const char *id);

/* The same for a client that has gone: the session with this id, which may have ended already, and all of an owner. */
void registry_end(struct registry *r, uint64_t owner, const char *id);
void registry_end_all_of(struct registry *r, uint64_t owner);

/* A client's own session becomes one by name: it ends when it was not used for as long as those. */
void registry_release(struct registry *r, uint64_t owner, const char *id);

/*
 * Waits for this call's turn on the session. The caller leaves it again (session_leave, or _cleanup_(session_leavep)).
 * With lazy sessions an unknown id is created. Failures as above.
 */
int session_enter(struct task *t, struct registry *r, uint64_t owner, const char *id, struct session **ret);
/*
 * The same for the session that belongs to a client rather than to a name: `id` (empty at first) says which, and is
 * changed when there is none, or no longer, and this creates one. It does not expire: it ends with its client.
 */
int session_enter_own(struct task *t, struct registry *r, uint64_t owner, char id[SESSION_ID_SIZE], struct session **ret);
void session_leave(struct session *s);
static inline void session_leavep(struct session **s)
{
	if (*s)
		session_leave(*s);
}

/*
 * All pages go, and with them cookies and storage; the next call that enters finds a new, empty context. The caller has
 * its turn.
 */
void session_reset(struct session *s);
_kept_ struct context *session_context(struct session *s);
struct tabs *session_tabs(struct session *s);

/* The page that calls on this session work on, with a reference. A page that crashed or closed itself is replaced. */
int session_page(struct task *t, struct session *s, struct page **ret);

const char *session_id(const struct session *s);
int64_t session_created_at(const struct session *s); /* Unix milliseconds */
int64_t session_expires_at(const struct session *s); /* Unix milliseconds, 0: never, or with its client */
bool session_busy(const struct session *s);
/* NULL while the session has none. Borrowed. */
struct page *session_current_page(const struct session *s);
/* The page with that id; without an id the first one whose address holds `url_includes`. Borrowed; NULL: none. */
struct page *session_find_page(const struct session *s, const char *target_id, const char *url_includes);
/* The same in any session of the owner. */
struct page *registry_find_page(const struct registry *r, uint64_t owner, const char *target_id, const char *url_includes);
/* The session, whoever owns it, that has the page with that id. Borrowed; NULL: none. */
const struct session *registry_find_holder(const struct registry *r, const char *target_id);
