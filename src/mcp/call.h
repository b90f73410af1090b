/* tools/call and resources/read run as calls, each in a task of its own. Private to this folder. */
#pragma once

#include <stdbool.h>

#include "base/clock.h"
#include "mcp/ask.h"
#include "mcp/connection.h"

struct mcp_call;

/* What a call runs: a tool, or the reading of a resource. */
struct call_kind {
	const char *name;                                  /* NULL: the name of the tool */
	int (*run)(struct task *t, struct mcp_call *call); /* may suspend; fills the result */
	void (*answer)(struct mcp_call *call, struct task *t, int r);
};

struct mcp_call {
	TAILQ_ENTRY(mcp_call) link;
	struct request request; /* owned: arguments live as long as the call */
	const struct call_kind *kind;
	const struct tool *tool; /* NULL: the call is not of a tool */
	const char *name;
	const struct json *arguments;
	struct task *task;
	struct result result;
	struct asking asking;
	bool cancelled; /* by the client: the request gets no response */

	usec_t started;
	struct timer *progress_timer; /* NULL: the client did not ask for progress */
	struct str waiting_for;
};

/* Starts a tools/call. Takes over what `q` owns, unless the request is malformed and answered at once. */
void call_start(struct request *q);
/* The same for a call of any kind. */
void call_begin(struct request *q, const struct call_kind *kind, const struct tool *tool, const struct json *arguments);
/* The right that a tools/call needs; MCP_MAY_ACT if the tool is unknown. */
enum mcp_right call_right(const struct request *q);
/* notifications/cancelled. Ignored for unknown ids, and for calls that needed a right which `rights` lacks. */
void call_cancel(struct mcp_conn *c, const struct rpc_token *id, unsigned rights);
/* The call with this id that is running and has not been cancelled, or NULL. */
struct mcp_call *call_find(struct mcp_conn *c, const struct rpc_token *id);
/* Cancels all calls of a connection that closes; they still send their responses. */
void call_cancel_all(struct mcp_conn *c);

/*
 * confirm.c: asks the user to confirm the call if the policy requires it. -ERR_NOT_CONFIRMED, or a failure of
 * mcp_call_ask().
 */
int call_confirm(struct task *t, struct mcp_call *call);

/* progress.c */
void progress_start(struct mcp_call *call);
void progress_stop(struct mcp_call *call);
