/* Shared by the files of this folder only. */
#pragma once

#include <sys/queue.h>

#include "fleet/fleet.h"
#include "store/store.h"

#define KIND_CLIENT "client"
#define KIND_SESSION "session"

#define PLACE_MOVING "moving"
#define PLACE_SAVED "saved"
#define PLACE_HERE "here"

struct fleet {
	struct loop *loop;
	struct app *app;
	struct mcp_http *http;
	const char *node;
	unsigned ttl;
	bool ending; /* what is taken over from now on would not be saved again */
	struct mcp_session_archive clients;
	struct session_archive sessions;

	/* visitors.c */
	struct timer *timer;
	struct task *task; /* that looks after sessions of other nodes; NULL: none runs */
	usec_t renewed;    /* when their records were written last */

	/* hand_over.c */
	struct task *saving;       /* NULL: not yet, or done */
	LIST_HEAD(, move) moves;   /* sessions that are being saved */
	LIST_HEAD(, mover) movers; /* tasks that save a session */
	unsigned mover_count;
	size_t failures; /* of theirs */
	struct waitq changed;
	void (*saved)(void *data);
	void *saved_data;
};

/* ---- record.c ---- */

/* Whether an id can have a record: it begins with a node's name, and has no characters that a key must not have. */
bool record_may_exist(const char *id);
/* Writes a record. `members`: further ones, as members of JSON object text, or NULL. Suspends. */
int record_write(struct task *t, struct fleet *f, const char *kind, const char *id, const char *owner, const char *place,
		 const char *members);
/*
 * What stands for a record in keys, in the task's arena: KIND:ID, and of a browser session its owner, too. Where clients choose
 * ids, what one owner has under an id must not be in the way of what another one has.
 */
const char *record_name(struct task *t, const char *kind, const char *id, const char *owner);
/* 1: `ret`, owned by the caller, is the record; 0: there is none. `owner`: NULL for MCP sessions, whose records name it. Suspends. */
int record_read(struct task *t, struct fleet *f, const char *kind, const char *id, const char *owner, struct json **ret);
/*
 * Waits until the record is saved, and asks the node that has the session for that. 1: `ret`, owned by the caller, is the record; 0: there
 * is none, or the node that had the session has died. -ETIMEDOUT: it is not saved in time, and may be later. Suspends.
 */
int record_await(struct task *t, struct fleet *f, const char *kind, const char *id, const char *owner, struct json **ret);
void record_forget(struct task *t, struct fleet *f, const char *kind, const char *id, const char *owner);
/* Removes it if it says that this node is saving the session. Suspends. */
void record_forget_moving(struct task *t, struct fleet *f, const char *kind, const char *id, const char *owner);
/* Makes the session this node's. 1; 0: another one was faster. Suspends. */
int record_claim(struct task *t, struct fleet *f, const char *kind, const char *id, const char *owner);
/* Removes what other nodes want of this one, in the task's arena. The number of entries. Suspends. */
int record_take_wanted(struct task *t, struct fleet *f, struct store_entry **ret);

/* ---- hand_over.c ---- */

/* A task saves the session and ends it here. A session that cannot move stays. */
void hand_over_begin_session(struct fleet *f, uint64_t owner, const char *id);
void hand_over_begin_client(struct fleet *f, const char *id);
/* A task saves all sessions, and calls `saved`, unless it is stopped before. */
void hand_over_begin_all(struct fleet *f);
/* Whether a task is doing that: its record is that task's. */
bool hand_over_has_begun(const struct fleet *f, const char *name);
void hand_over_stop(struct fleet *f);

/* ---- visitors.c ---- */

/* A session of another node may have come: from now on its record is renewed, and it is given back when it is wanted. */
void visitors_expect(struct fleet *f);
void visitors_stop(struct fleet *f);
