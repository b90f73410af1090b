/*
 * Tasks, as the extension io.modelcontextprotocol/tasks (2026-07-28) means them: a call whose request was answered with a task's id, and
 * for whose end and questions the client asks by that id (tasks/get, tasks/update, tasks/cancel). The call goes on as before. In the code
 * such a task is a `struct mcp_task`, because `struct task` is a coroutine. Private to this folder.
 */
#pragma once

#include <sys/queue.h>

#include "base/clock.h"
#include "base/node.h"
#include "base/random.h"
#include "base/str.h"
#include "mcp/request.h"
#include "mcp/server.h"

#define TASKS_EXTENSION "io.modelcontextprotocol/tasks"

enum mcp_task_status { MCP_TASK_WORKING, MCP_TASK_INPUT_REQUIRED, MCP_TASK_COMPLETED, MCP_TASK_FAILED, MCP_TASK_CANCELLED };

struct mcp_task {
	LIST_ENTRY(mcp_task) link;    /* of all */
	TAILQ_ENTRY(mcp_task) beside; /* of its owner, the oldest first */
	struct tasks_owner *owner;
	const struct mcp_server *server;
	struct mcp_call *call; /* NULL: it has ended */
	char id[NODE_NAME_SIZE + RANDOM_NAME_SIZE];
	enum mcp_task_status status;
	unsigned needed;               /* the right that its call needed, which all requests about it need */
	unsigned questions;            /* asked so far: the keys of all differ */
	int64_t created, changed;      /* Unix milliseconds */
	usec_t begun, ended;           /* `ended` 0: the call runs */
	struct timer *expiry;          /* after the end */
	struct kept_response response; /* to the call; without text: none, or dropped */
	bool read;                     /* the client has read the end */
};

/* ---- task_table.c: all tasks of the process, by id ---- */

/* A task for a running call; NULL: there are too many, or its owner has too many. */
struct mcp_task *mcp_task_new(struct mcp_call *call, uint64_t owner, const struct mcp_server *server);
/* The task of this owner with that id, which may be NULL; NULL: there is none. */
struct mcp_task *mcp_task_find(const struct mcp_server *server, uint64_t owner, const char *id);
/*
 * The call has ended with this response, which is taken over. From now on the task expires. Without room for the response, results that
 * the same owner has read are dropped, the oldest first; if that is not enough, so is this one: false.
 */
bool mcp_task_keep(struct mcp_task *task, struct kept_response *response);
/* How long a client may ask for it, in milliseconds from the beginning. Never less than what it said before. */
uint64_t mcp_task_ttl(const struct mcp_task *task);
/* Frees the tasks of that owner that have ended; NULL: of all owners. */
void mcp_tasks_forget(const struct mcp_server *server, const uint64_t *owner);

/* ---- task_state.c ---- */

/* Appends what the answer to a tools/call has of the task, as members of JSON object text; _whole: with its questions, without its end. */
void mcp_task_print(const struct mcp_task *task, struct str *out);
void mcp_task_print_whole(const struct mcp_task *task, struct str *out);
/* Tells the clients that listen, unless the status is the same. */
void mcp_task_set_status(struct mcp_task *task, enum mcp_task_status status);

/* ---- call_task.c ---- */

/* Makes the call a task if it takes long. */
void call_task_await(struct mcp_call *call);
/* The call has ended, and has answered if it was not cancelled. */
void call_task_end(struct mcp_call *call);
/* Cancels the calls of a connection that are tasks, because its client cannot ask for them any more. */
void call_task_cancel_all(struct mcp_conn *c);

/* ---- task_methods.c ---- */

/* Whether the method is one of the three, whose parameter `taskId` the header field Mcp-Name repeats. */
bool task_is_method(const char *name);
/* The right that a request about a task needs. */
enum mcp_right task_right(const struct request *q);
void tasks_get(struct request *q);
void tasks_update(struct request *q);
void tasks_cancel(struct request *q);
