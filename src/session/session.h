/*
 * Sessions: each owns a browser context. This file decides which calls may use it, in what order, and when it ends.
 *
 * Calls on one session run one at a time in the order in which they arrived; calls on different sessions overlap.
 * Ending a session (closing, expiry, death of the browser) never waits for a call: running and queued calls are
 * cancelled with the reason as their failure. A session is ref-counted by the calls that use it; its context is
 * disposed of when the last one has left.
 *
 * A session whose memory others need sleeps (sleep.c): its pages are closed, and the next call that enters brings them back first.
 *
 * Each session belongs to an `owner`, a number that stands for a client, or for several clients that share sessions.
 * Ids of other owners' sessions are reported as unknown.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/histogram.h"
#include "base/limits.h"
#include "base/macros.h"
#include "browser/context.h"
#include "loop/process_tree.h"
#include "loop/task.h"
#include "session/tabs.h"

#define SESSION_ID_SIZE (LIMIT_SESSION_NAME + 1)

struct egress;
struct egress_settings;
struct gate;
struct pool;
struct registry;
struct session;

/* How long a person's control of a session (session/control.h) makes others wait. 0: an hour, or never. */
struct control_settings {
	usec_t patience; /* for which a call waits at most */
	usec_t unused;   /* without input of the person, control is handed back */
	usec_t absent;   /* after the viewer has left */
};

struct registry_options {
	usec_t timeout;         /* a session that is not used for this long expires; USEC_NEVER: sessions do not expire */
	double rest_after;      /* seconds without a call after which the pages of a session rest (page/rest.h); 0: never */
	usec_t own_timeout;     /* the same for sessions of session_enter_own(); 0: they do not expire */
	unsigned max;           /* sessions alive at a time */
	unsigned max_per_owner; /* limit for one owner; 0: `max`, or by `shared` */
	int max_memory;         /* MiB of all processes above which sessions sleep and none is added; 0: any amount */
	bool shared;            /* owners are unrelated: one owner may have at most as many sessions as there are places left */
	const char *node;       /* the name with which the ids of its sessions begin (base/node.h); NULL: none */
	bool lazy;              /* an unknown id creates its session */
	struct session_limits limits; /* of each session */
	bool persistent;              /* sessions of session_enter_own() use the browser's profile directory: one at a time */
	bool one_for_all;             /* all clients share one session of session_enter_own() */
	struct control_settings control;
	struct {
		const char *max, *max_per_owner, *max_memory;
	} names; /* what messages call the limits */
};

/* Where sessions are that other servers have saved, each under the id that it had there. */
struct session_archive {
	/*
	 * 1: `ret`, owned by the caller, is what session_save() has written of the owner's session; 0: there is none. Suspends. Fails as
	 * task_fail() says.
	 */
	int (*load)(struct task *t, uint64_t owner, const char *id, struct json **ret, void *data);
	/* The session is here from now on. 1; 0: another server was faster. Suspends. */
	int (*claim)(struct task *t, uint64_t owner, const char *id, void *data);
	/* Removes it: 1; 0: there is none. Suspends. */
	int (*discard)(struct task *t, uint64_t owner, const char *id, void *data);
	void *data;
};

/*
 * `egress`: where sessions may connect. `profile_egress`: the proxy of the browser's profile directory; NULL: none. All must
 * outlive the registry. The caller reports the browser's death with registry_browser_died().
 */
struct registry *registry_new(struct loop *l, struct pool *pool, const struct registry_options *options,
			      const struct egress_settings *egress, struct egress *profile_egress);
/* Ends all sessions; calls that used them must have returned. */
struct registry *registry_free(struct registry *r);
DEFINE_FREEP(registry);
/* The sessions in that browser end. */
void registry_browser_died(struct registry *r, const struct browser *b);
/* From now on a session that is not here is looked for there, when a call enters it, and restored. */
void registry_set_archive(struct registry *r, const struct session_archive *archive);
void registry_close_all(struct registry *r);

/* Who is told what happens to sessions, in the process of which no session may be ended. The watcher stays until registry_free(). */
struct session_watcher {
	LIST_ENTRY(session_watcher) link;
	/* A task waits for its turn on the session, or has it; it may enter the same session again. May be NULL. */
	void (*visited)(struct session_watcher *w, const struct session *s, struct task *t);
	/* The session has left the registry; calls on it have been cancelled, and end later. May be NULL. */
	void (*ended)(struct session_watcher *w, const struct session *s);
};
void registry_watch(struct registry *r, struct session_watcher *w);

const struct registry_options *registry_options(const struct registry *r);
unsigned registry_count(const struct registry *r);
unsigned registry_free_places(const struct registry *r); /* sessions that may be added at the moment, by whichever owners */
/* What this process and all that it has started take: the browser, servers of applications. Borrowed until the next turn. */
const struct process_tree_use *registry_memory(const struct registry *r);
/* Waits of calls until they had their turn on a session, and the session its browser and context. */
struct session_waits {
	unsigned now;           /* calls that wait */
	struct histogram times; /* of those that waited, also in vain */
};
const struct session_waits *registry_waits(const struct registry *r);
/*
 * Iterates over the owner's sessions in the order of creation, skipping those that are still being created. Valid
 * until the next suspension.
 */
const struct session *registry_next(const struct registry *r, uint64_t owner, const struct session *after);

/* The browsers that run and in which the owner has sessions, `max` at most. Returns their number. Borrowed. */
size_t registry_browsers(const struct registry *r, uint64_t owner, struct browser **ret, size_t max);
/* registry_browsers() for the sessions of all owners. */
size_t registry_browsers_of_all(const struct registry *r, struct browser **ret, size_t max);

/* Settings of one session that override the registry's options. */
struct session_plan {
	struct egress
		*egress; /* all requests of its pages go through it; the session takes a reference; NULL: the registry's setting */
	const char *
		lent; /* the tab that it works in, which a person has lent (browser/lent.h), borrowed for registry_create(); NULL: none */
	const struct json *settings; /* session/settings.h, copied; NULL: none of its own */
	bool second;                 /* it works in the second browser of the pool, which has one */
	unsigned record; /* what is recorded of it, bits of enum record_kind; 0: what the registry's recorder records of all */
	usec_t timeout;  /* 0: the registry's */
	usec_t lifetime; /* the session ends this long after its creation, even if it is in use; 0: never */
	/* Called once when the session has ended for any reason; not called if creating it failed. */
	void (*ended)(void *data);
	const char *(*base_url)(
		void *data); /* of relative addresses, NULL: none now; may itself be NULL. Borrowed until the next wait */
	void *data;
};

/*
 * Creates a session with these settings and a context of its own; starts the browser when needed. The first call that enters opens its first
 * page. `ret` is borrowed and valid until the next suspension. -ERR_MAX_SESSIONS_REACHED, -ERR_BROWSER_ERROR,
 * -ERR_INVALID_PARAMETERS: the settings cannot be had.
 */
int registry_create(struct task *t, struct registry *r, uint64_t owner, const struct session_plan *plan,
		    const struct session **ret);
/*
 * A proxy for a session with the rules of `text` (egress/rules.h). `*ret` is NULL if they restrict nothing. -ERR_INVALID_PARAMETERS.
 */
int registry_make_egress(struct task *t, const struct registry *r, const char *text, struct egress **ret);
/* The egress rules of the session; NULL: it may connect anywhere, or there is no such session. Borrowed. */
struct egress *registry_egress(const struct registry *r, uint64_t owner, const char *id);
/* context_next_notice() for the contexts of the session. */
bool registry_next_notice(const struct registry *r, uint64_t owner, const char *id, struct str *out);
/* `data` of the session's plan; NULL: none, or there is no such session. */
void *registry_data(const struct registry *r, uint64_t owner, const char *id);
/* The base of relative addresses that a client gives; NULL: none, or there is no such session. */
const char *registry_base_url(const struct registry *r, uint64_t owner, const char *id);
/* 0 if the session exists, else fails as session_enter() does. Does not suspend. */
int registry_knows(struct task *t, struct registry *r, uint64_t owner, const char *id);
bool registry_has(const struct registry *r, uint64_t owner, const char *id);
/*
 * Iterates over the sessions of all owners that have a context or sleep, and are not being restored, in the order of creation; `ret_owner` gets the
 * owner. Valid until the next suspension.
 */
const struct session *registry_next_of_all(const struct registry *r, const struct session *after, uint64_t *ret_owner);
/* Counts as a use of the session, for calls that do not enter it: postpones its expiry. */
void registry_touch(struct registry *r, uint64_t owner, const char *id);
/* The session's current page. Borrowed; NULL: none. */
struct page *registry_page(const struct registry *r, uint64_t owner, const char *id);
/* The pages of the session, in all of its contexts. NULL: the first, and after the last. Borrowed. */
struct page *session_next_page(const struct session *s, struct page *after);
/* session_next_page() by id: looks the session up in each step. */
struct page *registry_next_page(const struct registry *r, uint64_t owner, const char *id, struct page *after);
/* -ERR_SESSION_NOT_FOUND, -ERR_SESSION_EXPIRED. Suspends only for a session that is not here. */
int registry_close(struct task *t, struct registry *r, uint64_t owner, const char *id);

/*
 * Ends the session with this id (which may have ended already), or all sessions of an owner, because its client has
 * left.
 */
void registry_end(struct registry *r, uint64_t owner, const char *id);
void registry_end_all_of(struct registry *r, uint64_t owner);
/* Ends a session that another server goes on with. */
void registry_end_moved(struct registry *r, uint64_t owner, const char *id);

/* Turns a session of session_enter_own() into one that is found by id and expires like those. */
void registry_release(struct registry *r, uint64_t owner, const char *id);

/*
 * Waits for this call's turn on the session. The caller ends the turn with session_leave() or
 * _cleanup_(session_leavep). A call that has the turn may enter again, and leaves as often as it has entered. With lazy sessions,
 * an unknown id creates a session. Fails as registry_create() and registry_close() do.
 */
int session_enter(struct task *t, struct registry *r, uint64_t owner, const char *id, struct session **ret);
/* Opens the first page of the owner's sessions that no call has entered yet, for callers that look for pages. Suspends, fails as session_enter(). */
int registry_open_pages(struct task *t, struct registry *r, uint64_t owner);
/*
 * session_enter() for the session that belongs to a connection. `id` (empty at first) names it; if there is no such session
 * (any more), this creates one and updates `id`. The session does not expire: it ends with its client.
 */
int session_enter_own(struct task *t, struct registry *r, uint64_t owner, char id[SESSION_ID_SIZE], struct session **ret);
void session_leave(struct session *s);
static inline void session_leavep(struct session **s)
{
	if (*s)
		session_leave(*s);
}

/*
 * Appends what another server needs to go on with the session, as a JSON object: cookies, storage and addresses. Suspends. The caller must
 * have the turn. -ENOTSUP: it belongs to this server (a profile, a dev server).
 */
int session_save(struct task *t, struct session *s, struct str *out);
/*
 * session_enter() for what only looks at the session: nothing is created, and one that sleeps sleeps on. The caller ends the turn with
 * session_leave_as_is(), which is no use of the session.
 */
int session_enter_as_is(struct task *t, struct registry *r, uint64_t owner, const char *id, struct session **ret);
void session_leave_as_is(struct session *s);
static inline void session_leave_as_isp(struct session **s)
{
	if (*s)
		session_leave_as_is(*s);
}
/*
 * Disposes of the context with its pages, cookies and storage; the next call that enters gets a new one. The caller
 * must have the turn.
 */
void session_reset(struct session *s);
/* What a layer above records of the session. It ends with the session's context, when `free` is called with it. */
struct session_recording {
	void *data; /* NULL: nothing is recorded */
	void (*free)(void *data);
	bool kept; /* the operator has asked for it, and no call ends it */
};
/* Replaces the recording, which is freed. The caller must have the turn. */
void session_set_recording(struct session *s, struct session_recording recording);
void *session_recording(const struct session *s); /* its data */
bool session_recording_is_kept(const struct session *s);
/* The browser that the session's contexts are in; NULL while it has none. */
_kept_ struct browser *session_browser(const struct session *s);
/* The context of the current tab; without one, the session's own. */
_kept_ struct context *session_context(struct session *s);
/* The session's own context, then its isolated ones. NULL: the first, and after the last one. */
_kept_ struct context *session_next_context(const struct session *s, const struct context *after);
/* tabs_update() for all contexts. */
void session_update_tabs(struct session *s);
/*
 * Isolated contexts have cookies, storage and cache of their own and connect as the session's own context does. They
 * end with it. This makes one, unless the name has one. Suspends. -ERR_INVALID_PARAMETERS: there are too many. The caller must
 * have the turn.
 */
int session_make_isolated(struct task *t, struct session *s, const char *name);
/* The isolated context with this name; NULL: none. Without a name, the session's own. */
_kept_ struct context *session_find_context(const struct session *s, const char *name);
const char *session_context_name(const struct session *s, const struct context *c); /* NULL: it is not an isolated one */
struct tabs *session_tabs(struct session *s);

/*
 * The tab that the session began with, if it is the only one and no call has used it; else NULL. Clients do not expect it beside a
 * tab that they open. In a profile there is one as well, which the client sees, as there is in a session that it created. Borrowed.
 */
struct tab *session_spare_tab(const struct session *s);
/* The session's current page, with a reference. A page that crashed or closed itself is replaced. Suspends. */
int session_page(struct task *t, struct session *s, struct page **ret);

/* In front of which calls wait while a person has control (session/control.h). Calls that enter carry it; tasks that work for them get it too. */
_kept_ struct gate *session_gate(struct session *s);
/* Whether a person has handed the session back since the last call of this: an answer that shows no page yet shows it then. */
bool session_take_handed_back(struct session *s);
const char *session_id(const struct session *s);
uint64_t session_owner(const struct session *s);
int64_t session_created_at(const struct session *s); /* Unix milliseconds */
int64_t session_expires_at(const struct session *s); /* Unix milliseconds; 0: does not expire */
bool session_busy(const struct session *s);
enum session_state {
	SESSION_WORKING,  /* a call runs or waits */
	SESSION_IDLE,     /* it waits for its next call */
	SESSION_RESTING,  /* and its pages rest (session/rest.c) */
	SESSION_SLEEPING, /* and its pages are closed (session/sleep.c) */
	SESSION_STATES
};
extern const char *const session_state_table[]; /* their names */
enum session_state session_state(const struct session *s);
unsigned registry_count_state(const struct registry *r, enum session_state state);
/* Address and title of the page that is shown when the session wakes, borrowed; false: it does not sleep. */
bool session_sleeping_page(const struct session *s, const char **ret_url, const char **ret_title);
/* Borrowed; NULL: the session has no page. */
struct page *session_current_page(const struct session *s);
/* The page with that target id; without one, the first whose URL contains `url_includes`. Borrowed; NULL: none. */
struct page *session_find_page(const struct session *s, const char *target_id, const char *url_includes);
/* The same in all sessions of the owner. */
struct page *registry_find_page(const struct registry *r, uint64_t owner, const char *target_id, const char *url_includes);
/* Makes the page, one of the session, its current one, for a person who has control. -ERR_SESSION_NOT_FOUND, -ESTALE: it has no tab. Does not suspend. */
int registry_show_page(struct registry *r, uint64_t owner, const char *id, struct page *p);
/* The id of the owner's session that has the page with that target id. Borrowed; NULL: none. */
const char *registry_session_of(const struct registry *r, uint64_t owner, const char *target_id);
/* The session of any owner that has the page with that target id. Borrowed; NULL: none. */
const struct session *registry_find_holder(const struct registry *r, const char *target_id);
