/*
 * Sessions with a server of their own (--caps e2e): the server lives and dies with the session, its pages reach it and the public
 * Internet alone, and every failure comes with what an agent needs to mend it.
 */
#pragma once

#include "app/app.h"
#include "devserver/server.h"
#include "egress/egress.h"
#include "page/page.h"

/* What goes with such a session; kept by calls that work with it past its end. */
struct e2e {
	unsigned refs;
	struct app *app;
	_kept_ struct devserver *server; /* by who has the turn, e2e_enter(); NULL once it was ended */
	struct egress *egress;
	bool ended;           /* the session has */
	bool working;         /* a call works on the server */
	struct waitq changed; /* woken when none does any more */
	/* As of the end of the last call: what came since then belongs to the next one. */
	_kept_ struct journal *journal; /* of the page; NULL: none yet */
	uint64_t console_mark, refusals_mark;
};

struct e2e *e2e_ref(struct e2e *e);
struct e2e *e2e_unref(struct e2e *e);
DEFINE_UNREFP(e2e);

/* The session's of a call, a reference; -ERR_SESSION_NOT_FOUND, -ERR_NO_SERVER. */
int e2e_find(struct task *t, struct mcp_call *call, const char *session_id, struct e2e **ret);
/* Waits until no other call works on the server, and takes the turn. e2e_leave() gives it back. */
int e2e_enter(struct task *t, struct e2e *e);
void e2e_leave(struct e2e *e);

/* Around every call, for struct mcp_server. */
int e2e_around(struct task *t, struct mcp_call *call, int (*next)(struct task *t, struct mcp_call *call), struct result *res);

/* A call that has failed, and the session it failed in. */
struct failed_call {
	struct mcp_call *call;
	_kept_ struct e2e *e2e;      /* NULL: it has no server, or is not known */
	int failure;                 /* negative; 0: the tool has told it already */
	uint64_t refusals, failures; /* of connections, before it */
};
/* Tells it in `res`, with the evidence. Suspends for the picture. */
void e2e_explain(struct task *t, const struct failed_call *f, struct result *res);
