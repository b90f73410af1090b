/* Shared by the files of this folder only: what a session and the registry consist of. */
#pragma once

#include <sys/queue.h>

#include "loop/gate.h"
#include "session/ended.h"
#include "session/record.h"
#include "session/session.h"
#include "session/settings.h"
#include "session/user_request.h"

/* A call that has the turn or waits for it. */
struct visit {
	TAILQ_ENTRY(visit) link;
	struct task *task;
	_kept_ struct session *session; /* holds a reference */
	bool entered;                   /* it had its turn, and has passed the gate */
};

/* control.c */
struct control {
	struct gate gate; /* closed while a person has control */
	uint64_t viewer;
	char name[LIMIT_VIEWER_NAME + 1];
	int64_t since;           /* Unix milliseconds */
	usec_t used_at, left_at; /* the last input, and when the viewer has left; USEC_NEVER: it is there */
	struct timer *timer;
	/* control_changes.c: what there was when the person took over. */
	struct str pages; /* target ids of the tabs, each behind a blank */
	unsigned page_count;
	struct str url;   /* of the current tab */
	bool handed_back; /* session_take_handed_back() */
};

/* A context beside the session's own, for tabs that share nothing with the others. */
struct isolated_context {
	TAILQ_ENTRY(isolated_context) link;
	char *name;
	struct context *context;
};

struct session {
	TAILQ_ENTRY(session) link;
	struct registry *registry; /* NULL once the session has ended */
	uint64_t owner;
	char id[SESSION_ID_SIZE];
	struct pool *pool;                         /* of the registry, which it outlives */
	_nullable_ _kept_ struct browser *browser; /* that its contexts are in; NULL without a context */
	/* NULL before it is made, after session_reset(), and after its browser died while it slept */
	_kept_ struct context *context;
	TAILQ_HEAD(, isolated_context) isolated; /* end with `context` */
	unsigned isolated_count;
	bool archived;     /* it is to be looked for in the archive when its context is made */
	bool restoring;    /* it is still the archive's */
	bool created, own; /* own: made by session_enter_own(), ends with its client */
	bool defers_page;  /* the first call that enters opens the first page */
	struct tabs tabs;
	struct session_recording recording; /* zeroed: none */
	void *record;                       /* of `recorder`; NULL: none */
	const struct session_recorder *recorder;
	bool record_ends;                  /* a task finishes the record, and nothing more is recorded */
	struct session_plan plan;          /* zeroed: no overrides */
	struct egress *egress;             /* NULL: no restriction */
	struct session_settings *settings; /* NULL: none of its own */
	usec_t ends_at;                    /* end of the plan's lifetime on clock_now()'s clock; USEC_NEVER: none */
	usec_t takes_memory_since; /* on that clock; 0: it waits for room or sleeps; USEC_NEVER: it has room, and no page yet */
	usec_t used_at, expiry_at; /* on that clock: its last use, and when `expiry` is due */
	struct sleep *sleep;       /* what is kept of a session that sleeps; NULL: it does not */
	usec_t sleeps_since;       /* or fell asleep last, and had pages; on that clock */
	usec_t stays_until;        /* before which it is not tried to put it to sleep again */
	int64_t created_at, expires_at;
	struct timer *expiry;
	struct timer *rest; /* when the pages begin to rest, after a call */
	bool rests;         /* they do */
	unsigned refs;
	TAILQ_HEAD(, visit) visits; /* in the order of arrival; the first has the turn */
	struct waitq turns;
	struct control control;
	TAILQ_HEAD(, user_request) user_requests; /* the oldest first; each is a reference */
	bool yields;                              /* its renderers let those of others run first */
	usec_t worked;                            /* when a call on it has ended last */
};

/* sleep.c: puts sessions to sleep, one at a time. */
struct sleeper {
	struct registry *registry;
	struct task *task; /* NULL: none */
	uint64_t owner;
	char id[SESSION_ID_SIZE];
	struct waitq done; /* woken whenever the task has ended */
	size_t kept;       /* bytes, of all that sleep */
};

struct registry {
	struct loop *loop;
	struct pool *pool;
	const struct registry_options *options;
	const struct egress_settings *egress;
	struct egress *profile_egress;
	TAILQ_HEAD(, session) sessions;
	unsigned count;
	struct session_waits waits;
	struct process_tree *processes; /* this one and all that it has started */
	struct timer *keep_room;        /* room.c: looks whether there is room for one more session */
	struct ended_sessions ended;
	struct sleeper *sleeper;
	const struct session_archive *archive; /* NULL: none */
	LIST_HEAD(, session_watcher) watchers;
	LIST_HEAD(, control_watcher) control_watchers;
	_nullable_ const struct session_recorder *recorder; /* NULL: none */
	LIST_HEAD(, finish) finishes;                       /* tasks of record_end.c */
	void (*records_finished)(void *data);               /* called when there is none of them any more; NULL: nothing is */
	void *records_finished_data;
	struct timer *priorities; /* looks for sessions that can yield to those that work */
};

/* Whose share of the memory the session takes. Owners that are related count as one. */
static inline uint64_t session_memory_owner(const struct session *s)
{
	return s->registry->options->shared ? s->owner : 0;
}
/* The context is one of the session, whose limits apply to it. */
void session_hold_context(struct session *s, struct context *c);
/* record.c */
/* The context of the session is new, and may be recorded. Suspends; negative: it cannot be used. */
int session_begin_record(struct task *t, struct session *s, struct context *c);
/* Its recorder gets the record, if there is one. */
void session_give_record_back(struct session *s, const char *why);
/* record_end.c. The session, which is still in its registry, ends: so does its record, in a task that keeps the session until then. `why` is static. */
void session_end_record(struct session *s, const char *why);
/* The contexts of the session are about to be freed; what its record still is, it has. */
void session_drop_record(struct session *s);
/* Ends the tasks that finish records. */
void records_done(struct registry *r);
/* rest.c */
void session_rest_init(struct session *s);
/* A call has left: unless another one comes, the session's pages rest soon. */
void session_rest_later(struct session *s);
/* The pages go on, and do not rest until session_rest_later(). */
void session_stay_awake(struct session *s);
/* A call has the turn: the pages go on. Suspends if they rested; negative only when the task ends. */
int session_wake(struct task *t, struct session *s);
/* room.c */
void room_init(struct registry *r);
void room_done(struct registry *r);
/* Fails if the owner may not have another session, however much memory there is. */
int room_check(struct task *t, const struct registry *r, uint64_t owner);
/* control_changes.c */
void control_note_pages(struct session *s);
/* Tells the next answer who had control and what is different, and that it should show the page. */
void control_announce_changes(struct session *s);
/* user_request.c */
void user_requests_hand_back(struct session *s, const char *name); /* answers those that are pending */
void user_requests_done(struct session *s);                        /* the session ends */
bool user_requests_attended(const struct session *s);
void control_tell(struct session *s); /* watchers, of a change */
/* control.c */
void control_init(struct session *s);
void control_session_ended(struct session *s); /* before it leaves the registry */
/* priority.c */
void priority_init(struct registry *r);
void priority_done(struct registry *r);
/* A call has its turn: before its first message. */
void session_begins_work(struct session *s);
void session_ends_work(struct session *s);
/*
 * Memory for a session that has none, or sleeps: others are put to sleep for it. Suspends. -ERR_MAX_SESSIONS_REACHED. The caller has the
 * turn on it, and from then on it counts.
 */
int room_make(struct task *t, struct session *s);
/* proxy.c. Creates the session's egress proxy if the settings restrict it. A session that was reset keeps its proxy. */
int session_make_egress(struct task *t, struct session *s, bool persistent);
/*
 * The settings of a session as `given` (session/settings.h) says; NULL: none of its own. -ERR_INVALID_PARAMETERS, also for a proxy of its own
 * where `limited`, or the settings of the registry, say where the session may connect.
 */
int session_make_settings(struct task *t, const struct registry *r, const struct json *given, bool second, bool limited,
			  struct session_settings **ret);
/* saved.c. What the archive has of the session, NULL: nothing. Suspends. Its egress is made, if it had one. */
int session_load(struct task *t, struct session *s, struct json **ret);
/* Fills the context, which is new, with that. Suspends; what cannot be brought back is announced. Negative: the session cannot go on. */
int session_restore(struct task *t, struct session *s, const struct json *saved);
/* What session_save() writes of an awake session, as members of an object. `fields` gets what was typed, a list with commas; may be NULL. */
int saved_keep_storage(struct task *t, struct session *s, struct str *out);
int saved_keep_pages(struct task *t, struct session *s, struct str *out, struct str *fields);
struct brought_back {
	struct str failed; /* addresses that did not load */
	unsigned missing_fields;
};
static inline void brought_back_done(struct brought_back *b)
{
	str_done(&b->failed);
}
/* Opens the pages of `saved` in their order. What does not load stays as an empty page. Suspends. Negative: the session cannot go on. */
int saved_bring_back_pages(struct task *t, struct session *s, const struct json *saved, const struct json *fields,
			   struct brought_back *ret);
const char *saved_storage_words(const struct json *saved); /* "cookies and storage are", or what is missing */

/* sleep.c */
void sleep_init(struct registry *r);
void sleep_done(struct registry *r);
/* Why the session may not sleep, words for people; NULL: it may, unless its pages ask to stay. */
const char *sleep_refusal(const struct session *s);
/*
 * Starts the task that puts one session to sleep: of those that may sleep and have had no call since then, the one whose last call is longest
 * ago. Where owners are unrelated, it is one of the owner that has most sessions awake, if any of them may sleep. Returns false if no session
 * may sleep, or if the task runs already.
 */
bool sleep_begin(struct registry *r, usec_t unused_since);
/* Brings back the pages of a session that sleeps, for which the caller has made room. On failure it sleeps on. Suspends. */
int sleep_wake(struct task *t, struct session *s);
void sleep_browser_died(struct session *s);
/* sleep_kept.c */
/* Appends what is kept of the session but for what was typed, as members of an object. */
void sleep_save(struct session *s, struct str *out);
void sleep_ended(const struct session *s); /* before it leaves the registry */
struct sleep *sleep_free(struct sleep *k);

/* session.c */
struct session *session_ref(struct session *s);
void session_unref(struct session *s);
/* For how long the session may be unused; USEC_NEVER: for any time. */
usec_t session_timeout(const struct session *s);
/* Restarts that time after a use; `now` in Unix milliseconds. */
void session_touch(struct session *s, int64_t now);
/* Tells who debugs that the session's context is about to end, or is dead (`died`). */
void session_log_end(const struct session *s, bool died);
/* Fails because the owner has no session with this id here: it never was, has ended, or is on another node. */
int session_fail_unknown(struct task *t, const struct registry *r, uint64_t owner, const char *id);
bool session_has_turn(const struct task *t, const struct session *s);
/*
 * Queues `v` and waits for its turn. `v` stays queued until session_pass_turn(), also on failure. A task that has the turn already does not
 * wait for itself: its second visit goes before the first, and leaves before that.
 */
int session_take_turn(struct task *t, struct session *s, struct visit *v);
/* session_take_turn() for what does not act on the pages: a person who has control does not hold the task up. The task has no turn yet. */
int session_take_turn_as_is(struct task *t, struct session *s, struct visit *v);
/* Gives the turn to the next call, and the visit's reference back. */
void session_pass_turn(struct visit *v);
/* A call has left, for which pages may have grown. */
void registry_check_room_later(struct registry *r);
/* Opens a page in the context of an attached browser, unless it has one. */
int session_open_first_page(struct task *t, struct context *c);
/* Makes the context of a session that has none; the caller has the turn. Suspends. */
int session_create_context(struct task *t, struct session *s);
/* Ends its contexts, whose tabs must have gone. */
void session_drop_context(struct session *s);
/* isolated.c. context_new() in `b`, the browser of the session, as its egress and its settings want it. */
int session_new_context(struct task *t, const struct session *s, struct browser *b, struct context **ret);
/* Ends the session's isolated contexts; the tabs in them must have gone. */
void session_end_isolated(struct session *s);

/* The session of this owner with this id, also while it is being created. Borrowed; NULL: none. */
struct session *registry_find(const struct registry *r, uint64_t owner, const char *id);
