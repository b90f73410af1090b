/*
 * Sessions with a dev server (the capability "e2e"). The server ends with its session, the session's pages can reach only that server and
 * the public Internet, and every failure is reported with evidence (evidence.c).
 */
#pragma once

#include "app/app.h"
#include "devserver/server.h"
#include "egress/egress.h"
#include "page/page.h"

/* The state of such a session. Calls hold references to it, so it may outlive the session. */
struct e2e {
	unsigned refs;
	struct app *app;
	_kept_ struct devserver *server; /* used only by the call that has the turn, e2e_enter(); NULL after its end */
	struct egress *egress;
	uint64_t owner;
	char *ready_log;      /* the expression that the server's output must match to be ready; NULL: none */
	bool ended;           /* the session has ended */
	bool working;         /* a call has the turn on the server */
	struct waitq changed; /* woken when that call gives the turn back */
	/* Marks at the end of the last call; later console messages and refusals are attributed to the next call. */
	_kept_ struct journal *journal; /* the journal of the page; NULL: none yet */
	uint64_t console_mark, refusals_mark;
};

struct e2e *e2e_ref(struct e2e *e);
struct e2e *e2e_unref(struct e2e *e);
DEFINE_UNREFP(e2e);

/* The state of the session, borrowed; NULL: it has none. */
struct e2e *e2e_of_session(struct mcp_call *call, const char *session_id);
/* Returns a reference to the state of the session. -ERR_SESSION_NOT_FOUND, -ERR_NO_SERVER. */
int e2e_find(struct task *t, struct mcp_call *call, const char *session_id, struct e2e **ret);
/* Waits until no other call works on the server, and takes the turn. e2e_leave() gives it back. */
int e2e_enter(struct task *t, struct e2e *e);
void e2e_leave(struct e2e *e);

/* Wraps every call, for struct mcp_server. */
int e2e_around(struct task *t, struct mcp_call *call, int (*next)(struct task *t, struct mcp_call *call), struct result *res);

/* A failed call and its session. */
struct failed_call {
	struct mcp_call *call;
	_kept_ struct e2e *e2e;      /* NULL: the session has no dev server or is unknown */
	int failure;                 /* negative; 0: the tool's answer already contains the failure */
	uint64_t refusals, failures; /* counts of connections before the call */
};
/* Writes the failure with its evidence to `res`. Suspends for the screenshot. */
void e2e_explain(struct task *t, const struct failed_call *f, struct result *res);
