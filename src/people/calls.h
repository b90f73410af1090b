/*
 * The calls of each session as people see them: those that run, and the last ones that have ended. Calls of all surfaces and transports pass
 * here, because the MCP server reports each (struct mcp_server), and the registry says which session the task of a call visits.
 *
 * What is kept of a call that has ended is one line without secrets (people/arguments.h), its outcome and its times, so that who begins to
 * look sees what happened before: LIMIT_SEEN_CALLS_COUNT for each session, until the session ends. Calls that run are described only when
 * somebody asks. Nothing here suspends.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "mcp/server.h"
#include "session/session.h"

struct calls;

/* Watches the registry, which it must outlive. */
struct calls *calls_new(struct registry *r);
struct calls *calls_free(struct calls *c); /* after the registry */
DEFINE_FREEP(calls);

/* The hooks of struct mcp_server. */
void calls_began(struct calls *c, struct mcp_call *call);
void calls_ended(struct calls *c, struct mcp_call *call, enum mcp_outcome outcome, usec_t duration);

/* A call, or a step of one. */
struct seen_call {
	uint64_t number;  /* from 1, of all calls of the session that have ended; 0: it runs */
	int64_t began;    /* Unix milliseconds */
	usec_t duration;  /* so far, of one that runs */
	const char *tool; /* its name, cut to LIMIT_SEEN_TOOL; a page may have chosen it */
	const char *line; /* as arguments_describe() says */
	bool is_step;     /* of a call that follows it in the list */
	enum mcp_outcome outcome;
	const char *error; /* public name of the failure (base/error.h); NULL: none is known */
	const char *where; /* of one that runs: what it waits for; NULL: nothing */
};

/* The calls of the session that have ended, the oldest first: the first one with a higher number than `after`. Borrowed; NULL: none. */
const struct seen_call *calls_next(const struct calls *c, uint64_t owner, const char *session, uint64_t after);
/* The number of the last one; 0: none. */
uint64_t calls_last(const struct calls *c, uint64_t owner, const char *session);
/*
 * The calls that use the session or wait for their turn on it, in the order of arrival. `at` begins with 0 and is the caller's place in the
 * list; false: there are no more. `line` gets the text that ret->line refers to. Borrowed until the next wait.
 */
bool calls_next_running(const struct calls *c, const struct session *s, unsigned *at, struct str *line, struct seen_call *ret);

/* Who is told of each call that has ended, in a session; `ended` ends no session. Stays until calls_free(). */
struct calls_listener {
	LIST_ENTRY(calls_listener) link;
	void (*ended)(struct calls_listener *l, uint64_t owner, const char *session, const struct seen_call *call);
};
void calls_listen(struct calls *c, struct calls_listener *l);
