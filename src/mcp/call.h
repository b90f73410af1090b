/* tools/call and resources/read: one task for each call. For the files of this folder. */
#pragma once

#include <stdbool.h>

#include "base/clock.h"
#include "mcp/ask.h"
#include "mcp/connection.h"

struct mcp_call;

/* What runs: a tool, or the reading of a resource. */
struct call_kind {
	const char *name; /* NULL: the tool's */
	int (*run)(struct task *t, struct mcp_call *call); /* may suspend; fills the result */
	void (*answer)(struct mcp_call *call, struct task *t, int r);
};

struct mcp_call {
	TAILQ_ENTRY(mcp_call) link;
	struct request request; /* owned: arguments live as long as the call */
	const struct call_kind *kind;
	const struct tool *tool; /* NULL: it is none that runs */
	const char *name;
	const struct json *arguments;
	struct task *task;
	struct result result;
	struct asking asking;
	bool cancelled; /* by the client, who wants no answer */

	usec_t started;
	struct timer *progress_timer; /* NULL: nobody asked for progress */
	struct str waiting_for;
};

/* Takes over what `q` holds, unless it answers at once that the call is malformed. */
void call_start(struct request *q);
/* The same for any kind of call. */
void call_begin(struct request *q, const struct call_kind *kind, const struct tool *tool, const struct json *arguments);
/* The right that a tools/call needs: the most, if it calls no tool that there is. */
enum mcp_right call_right(const struct request *q);
/* notifications/cancelled; unknown ids are ignored, and calls that needed a right that is not among `rights`. */
void call_cancel(struct mcp_conn *c, const struct rpc_token *id, unsigned rights);
/* The call in flight with this id, NULL when there is none that still wants an answer. */
struct mcp_call *call_find(struct mcp_conn *c, const struct rpc_token *id);
/* Ends all calls of a connection that closes; they still answer. */
void call_cancel_all(struct mcp_conn *c);

/* confirm.c: asks for a yes, if the call needs one. -ERR_NOT_CONFIRMED; else as mcp_call_ask(). */
int call_confirm(struct task *t, struct mcp_call *call);

/* progress.c */
void progress_start(struct mcp_call *call);
void progress_stop(struct mcp_call *call);
