/* Shared by the files of this folder only. */
#pragma once

#include "engine/cdp/cdp.h"
#include "loop/transport.h"

struct engine_events;

struct engine_target {
	const struct engine_operations *engine;
	TAILQ_ENTRY(engine_target) link;
	struct cdp *connection;
	size_t id_len;
	char id[ENGINE_ID_SIZE]; /* "" for the browser target */
	const struct cdp_event *events;
	const struct engine_events *hears; /* the handlers of its owner, engine_target_new(); NULL: none */
	void *data;
	struct engine_meter *meter;    /* NULL: none */
	struct engine_backlog backlog; /* without a meter */
	bool lost;                     /* a message was not sent, and nothing is any more */
	int unanswered; /* id of a call that the page had no reply to in time, until it or a later one has; 0: none */
	TAILQ_HEAD(, engine_call) calls;
};

struct cdp {
	struct transport *transport;
	const struct cdp_handler *handler;
	void *data;
	int last_id;
	int first_call;   /* id of the first call, whose reply shows that the browser is ready; 0 when no such reply is awaited */
	unsigned waiting; /* calls that await a reply */
	TAILQ_HEAD(, engine_target) sessions;
	unsigned session_count;
	void *by_id; /* the same sessions as a tree of tsearch(3) */
	struct engine_target *root;
	struct engine_meter *charged; /* on whose account messages are sent now; NULL: on none */
};

/* ---- call.c ---- */

/* The call of the session with this id that waits for its reply; NULL: none. */
struct engine_call *cdp_session_find_call(struct engine_target *s, int id);
/* Completes `call` and wakes its task; the owner frees it. `reply`: taken over; NULL: none. */
void cdp_call_complete(struct engine_call *call, int result, struct json *reply);
void cdp_session_fail_calls(struct engine_target *s, int result);

/* ---- cdp.c ---- */

/*
 * The string at `path` of a message, without its quotes and as it was written: ids and names of methods and functions contain no escapes. NULL:
 * there is none.
 */
const char *cdp_raw_string(const char *text, size_t len, const char *path, size_t *ret_len);

/* ---- session.c ---- */

/* The session with this id of `len` bytes (none: the root); NULL: there is none. */
struct engine_target *cdp_find_session(struct cdp *c, const char *id, size_t len);
struct engine_target *cdp_session_add(struct cdp *c, const char *id, const struct cdp_event *events, void *data);
/* Takes it out of its connection; the owner frees it. */
void cdp_session_remove(struct engine_target *s);
