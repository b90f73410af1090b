/* tools/call and resources/read run as calls, each in a task of its own. Private to this folder. */
#pragma once

#include <stdbool.h>

#include "base/clock.h"
#include "mcp/ask.h"
#include "mcp/connection.h"
#include "mcp/steps.h"

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
	const struct mcp_step *step; /* that runs; NULL: none */
	void *step_data;             /* mcp_call_step_data() */
	struct task *task;
	struct result result;
	struct asking asking;
	bool cancelled; /* by the client: the request gets no response */

	struct mcp_task *as_task;      /* the call is a task (mcp/tasks.h); NULL: it is not */
	struct timer *task_timer;      /* when it becomes one; NULL: never by itself */
	struct kept_response response; /* of a task */

	usec_t started;
	struct timer *progress_timer; /* NULL: the client did not ask for progress */
	double progress_from;         /* that of mcp_call_progress_of(): more than a notification has said before */
	struct str waiting_for;
};

/* Starts a tools/call. Takes over what `q` owns, unless the request is malformed and answered at once. */
void call_start(struct request *q);
/* Starts a call of any kind, which takes over what `q` owns. `tool`: NULL if the call is not of a tool. */
void call_begin(struct request *q, const struct call_kind *kind, const struct tool *tool, const struct json *arguments);
/* Calls that run at the moment, of all clients. */
unsigned call_count(void);
/* Tells the server that the tool of the call, or of its step, begins; and that it has ended. */
void call_announce(struct mcp_call *call);
void call_report(struct mcp_call *call, bool failed, usec_t started);
/* notifications/cancelled. Ignored for unknown ids, and for calls that needed a right which `rights` lacks. */
void call_cancel(struct mcp_conn *c, const struct rpc_token *id, unsigned rights);
/* The call with this id that is running, is no task and has not been cancelled, or NULL. */
struct mcp_call *call_find(struct mcp_conn *c, const struct rpc_token *id);
/* Cancels all calls of a connection that closes; they still send their responses. */
void call_cancel_all(struct mcp_conn *c);

/* ---- find_tool.c ---- */

/* The tool that the client may call by this name, or NULL. */
const struct tool *call_find_tool(struct mcp_conn *c, const char *name);
/* The tool that a step of a call names, or NULL. */
#define STEP_TOOL "tool"
const struct tool *call_find_step_tool(struct mcp_conn *c, const struct json *step);
/* The right that a tools/call needs: that of its tool, or the strongest of its steps. */
enum mcp_right call_right(const struct request *q);

/*
 * confirm.c: asks the user to confirm the call if the policy requires it. -ERR_NOT_CONFIRMED, or a failure of
 * mcp_call_ask().
 */
int call_confirm(struct task *t, struct mcp_call *call);
/* call_confirm() for steps of the call, all at once. */
int call_confirm_steps(struct task *t, struct mcp_call *call, const struct mcp_step *steps, size_t count);

/* progress.c */
void progress_start(struct mcp_call *call);
void progress_stop(struct mcp_call *call);
/* What the call waits for; NULL: nothing that it has said. */
const char *progress_words(const struct mcp_call *call);
