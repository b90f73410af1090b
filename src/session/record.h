/*
 * Records of sessions, made by a layer above: what a session does from its first context to its end, as videos, traces and logs of calls
 * (recordings/recordings.h). The registry tells when a session begins to have something to record, and gives the time that the end of a
 * record takes after the session has ended, for whatever reason that was. A record belongs to its session and outlives the
 * contexts of it: a session that was reset goes on with its record.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "loop/task.h"

struct context;
struct registry;
struct session;

/* What is recorded, as bits of a session's plan. */
enum record_kind { RECORD_VIDEO = 1, RECORD_TRACE = 2 };

/* The bits that a comma-separated list of "video" and "trace" names. False: it names anything else, or nothing. */
bool record_kinds(const char *text, unsigned *ret);

struct session_recorder {
	/*
	 * The session has a new context, its own or an isolated one, which has shown nothing yet. The caller has the turn. Sets the
	 * session's record with session_set_record(), or leaves it NULL: nothing is recorded. Suspends. Negative: the context cannot
	 * be used, for the task's failure.
	 */
	int (*begin)(struct task *t, struct session *s, struct context *c, void *data);
	/* The session ends. Does what takes time before its contexts go. Suspends; the caller has the turn. */
	void (*finish)(struct task *t, struct session *s, void *record);
	/* The session has ended because it `why` ("expired"), and its record is given back. Called once for each. Does not suspend. */
	void (*end)(void *record, const char *why);
	void *data; /* of begin */
};

/* `recorder` must outlive the registry. */
void registry_set_recorder(struct registry *r, const struct session_recorder *recorder);
/*
 * Ends what is recorded of all sessions, for the end of the program. Each record is finished in a task of its own; `done` is called when
 * none is left, those of sessions that have ended included, which may be before this returns.
 */
void registry_finish_records(struct registry *r, void (*done)(void *data), void *data);

void session_set_record(struct session *s, void *record);
void *session_record(const struct session *s); /* NULL: none */
/* The record of the owner's session with this id; NULL: none. Borrowed. */
void *registry_record(const struct registry *r, uint64_t owner, const char *id);
/* What its plan asks for; 0: nothing of its own. */
unsigned session_asked_records(const struct session *s);
