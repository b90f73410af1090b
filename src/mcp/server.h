/*
 * The MCP server: all five protocol versions over any transport that delivers whole messages.
 *
 * A connection (`struct mcp_conn`) is one client. Calls run in tasks; other requests are answered at once.
 * Single-threaded: the transport's callbacks are called from mcp_conn_receive() and from the event loop.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "loop/loop.h"
#include "mcp/result.h"
#include "mcp/tool.h"

struct mcp_conn; /* a client's connection */

/* The completion of an argument (completion/complete). */
struct mcp_completion {
	const char *ref;              /* the prompt or the template */
	const char *argument, *value; /* name of the argument, and the beginning of its value */
	struct str values;
	unsigned count;
};

/* Adds a value if it begins with `value` of the completion. */
void mcp_completion_offer(struct mcp_completion *c, const char *value);

/* Prompts. `data` of the callbacks is the server's. */
struct mcp_prompts {
	/* Appends the entries of prompts/list: JSON objects separated by commas. */
	void (*list)(struct str *out, void *data);
	/*
	 * Appends the messages of a prompt, separated by commas; may suspend. `arguments` is an object or NULL.
	 * -ENOENT: no such prompt. -ERR_INVALID_PARAMETERS with a message.
	 */
	int (*get)(struct task *t, struct mcp_call *call, const char *name, const struct json *arguments, struct str *messages);
	void (*complete)(struct mcp_completion *c, void *data); /* may be NULL */
};

/* Resources that clients can read and subscribe to. `data` of the callbacks is the server's. */
struct mcp_resources {
	/* Offers values for an argument of the template `ref`. May be NULL. */
	void (*complete)(struct mcp_completion *c, uint64_t owner, void *data);
	/* Appends the entries of resources/list for connections of `owner`: JSON objects separated by commas. */
	void (*list)(struct str *out, uint64_t owner, void *data);
	const char *templates; /* entries of resources/templates/list in the same form */
	/*
	 * Appends the contents of `uri`, separated by commas; may suspend. -ENOENT: no such resource for that owner.
	 */
	int (*read)(struct task *t, void *data, uint64_t owner, const char *uri, struct str *contents);
	/*
	 * Whether `owner` may see `uri`, which exists: only then its subscribers are notified of changes. NULL: all
	 * may.
	 */
	bool (*visible)(void *data, uint64_t owner, const char *uri);
};

/* Tools that only one connection has at the moment, in addition to the server's. */
struct mcp_own_tools {
	/* Appends the entries of tools/list, each preceded by a comma. */
	void (*list)(struct mcp_conn *c, const struct version *version, struct str *out);
	const struct tool *(*find)(struct mcp_conn *c, const char *name); /* NULL: no such tool */
};

/* Calls that the user must confirm. */
struct confirm_settings {
	const char *const *tools; /* their names, NULL-terminated; NULL: none */
	bool by_default;          /* clients that cannot be asked count as confirming */
	struct {
		const char *by_default;
	} names; /* what messages call the settings */
};

enum mcp_outcome { MCP_CALL_OK, MCP_CALL_FAILED, MCP_CALL_CANCELLED };

struct mcp_server {
	struct loop *loop;
	const char *name, *title, *version, *instructions;
	const char *node; /* its name in its fleet, with which the ids of tasks begin; NULL: it is in none (base/node.h) */
	const struct tool *const *tools;        /* NULL-terminated, in the order of tools/list */
	const struct mcp_resources *resources;  /* NULL: none */
	const struct mcp_prompts *prompts;      /* NULL: none */
	const struct mcp_own_tools *own_tools;  /* NULL: none */
	const struct confirm_settings *confirm; /* which calls the user must confirm; NULL: none */
	struct tool_style style;
	/* Declares tools (and that their list may change) and nothing else; resources, prompts and logging do not exist. */
	bool tools_only;
	void (*unknown_tool)(const char *name, struct result *res); /* answers calls of unknown tools; NULL: a JSON-RPC error */
	/* What is missing for a tool that exists and is not among `tools`, such as "videos of pages"; NULL: nothing, or it does not exist. */
	const char *(*missing)(const char *name, const void *missing_data);
	const void *missing_data;
	void *data; /* for tools and callbacks: mcp_call_data() */
	/*
	 * Writes the result of a call that failed with `r` (negative). NULL: the default, {errorCode, message, details?} as text
	 * with is_error set, and the session argument under its own name where there is one: `session_id`, or NULL.
	 */
	void (*failure)(struct task *t, int r, const char *tool, const char *session_id, struct result *res);
	/*
	 * Wraps every call of a tool: calls `next`, which checks the arguments and runs the tool, and may change the
	 * result. If it reports a failure (negative) in `res` itself, with is_error set, it returns 0. May suspend;
	 * may be NULL.
	 */
	int (*around)(struct task *t, struct mcp_call *call, int (*next)(struct task *t, struct mcp_call *call),
		      struct result *res);
	/* Called with the result of each call, also of one that failed, before it is sent. May be NULL. */
	void (*finish)(struct mcp_call *call, struct result *res);
	/* Called when the tool of a call, or of a step of a call (mcp/steps.h), begins. May be NULL. */
	void (*began)(struct mcp_call *call);
	/*
	 * Called when it has ended, also when it never began because the call was cancelled before. The task has the failure, if any. May be
	 * NULL.
	 */
	void (*called)(struct mcp_call *call, enum mcp_outcome outcome, usec_t duration);
};

/* Tasks (mcp/tasks.h) of a server at the moment. */
struct mcp_task_counts {
	unsigned running, asking, ended;
	unsigned unread; /* those that have ended, and whose client has not read that */
	size_t bytes;    /* of the responses of those that have ended, of all servers of the process */
};
struct mcp_task_counts mcp_task_counts(const struct mcp_server *server);

/* Notifies the clients that subscribed to `uri` and may read it of a change. The caller limits the rate. */
void mcp_resource_updated(const struct mcp_server *server, const char *uri);

/* Notifies the clients of `owner` that listen for it that their list of resources has changed. */
void mcp_resources_changed(const struct mcp_server *server, uint64_t owner);

/* Notifies the client of the connection, if it listens for that, that its list of tools has changed. */
void mcp_tools_changed(struct mcp_conn *c);

/*
 * The rights of a client, as bits. methods.c decides which right a message needs when it dispatches it, from the same
 * parsed message that it executes.
 */
enum mcp_right {
	MCP_MAY_READ = 1, /* requests without side effects */
	MCP_MAY_ACT = 2,  /* everything else */
	MCP_MAY_ALL = MCP_MAY_READ | MCP_MAY_ACT,
};

/* A message to the client. */
struct mcp_outgoing {
	const char *text; /* without a newline */
	size_t len;
	void *stream; /* stream of the request that the message is about, as passed to mcp_conn_receive(); NULL: about none */
	bool answer;  /* the response to the request; else a notification */
	int code;     /* error code; 0: no error */
	const struct version *version; /* the request's protocol version; NULL: refused before it was known */
};

struct request; /* mcp/request.h */

/* A transport with a single stream needs `send` only. */
struct mcp_transport {
	void (*send)(const struct mcp_outgoing *m, void *data);
	/* hold: the server starts to handle a message of this stream. release: nothing more will be sent about it. */
	void (*hold)(void *stream);
	void (*release)(void *stream);
	/* The request of this stream has been answered, and its call goes on as a task: nothing more is sent before its release. May be NULL. */
	void (*answered)(void *stream);
	/* Checks a modern request before the server does. False: refused and answered. */
	bool (*admit)(struct request *q);
	bool modern; /* all messages are of modern versions */
};

/* The owner of a connection. Connections with the same number may use each other's sessions. */
struct mcp_owner {
	uint64_t number;
	bool lasts;       /* named sessions outlive the connection */
	const char *name; /* the subject of its tokens; NULL: none, it has no name that outlives the process */
};

/* Copies the name of the owner. */
struct mcp_conn *mcp_conn_new(const struct mcp_server *server, const struct mcp_transport *transport, struct mcp_owner owner,
			      void *data);
/* The client was lost. If its owner lasts, the connection's own session is kept, too, to be addressed by its id. */
void mcp_conn_leave_behind(struct mcp_conn *c);
/*
 * Handles one message or batch (one line). Never fails: invalid input is answered with an error.
 * `stream` is the transport's stream for everything about this message; NULL if the transport has only one. `rights`
 * are those of the sender, bits of enum mcp_right; messages that need others are answered with RPC_FORBIDDEN.
 */
void mcp_conn_receive(struct mcp_conn *c, const char *text, size_t len, void *stream, unsigned rights);
/* Answers a message that the transport skipped because it was longer than LIMIT_LINE. */
void mcp_conn_refuse_oversize(struct mcp_conn *c);
/*
 * Cancels every call. `drained` is called once when none is left, possibly before this returns. Cancelled calls still
 * respond, with a failure. Later messages are ignored.
 */
void mcp_conn_close(struct mcp_conn *c, void (*drained)(void *data), void *data);
/* mcp_conn_close() for a client that sends nothing more but still reads: calls are not cancelled. */
void mcp_conn_finish(struct mcp_conn *c, void (*drained)(void *data), void *data);
/* May be called from `drained` or later, or if there never was a call. */
struct mcp_conn *mcp_conn_free(struct mcp_conn *c);

/* Functions for tools. */
void *mcp_call_data(struct mcp_call *call); /* server->data */
struct mcp_conn *mcp_call_conn(struct mcp_call *call);
const struct tool *mcp_call_tool(struct mcp_call *call);
const char *mcp_call_tool_name(struct mcp_call *call);        /* as the client wrote it */
const struct json *mcp_call_arguments(struct mcp_call *call); /* as received; NULL: none */
struct task *mcp_call_task(struct mcp_call *call);
bool mcp_call_may_act(const struct mcp_call *call); /* whether the sender has the right MCP_MAY_ACT */
const struct mcp_server *mcp_conn_server(const struct mcp_conn *c);
/* Calls `fn` for each connection of the server. */
void mcp_each_conn(const struct mcp_server *server, void (*fn)(struct mcp_conn *c));
uint64_t mcp_conn_owner(const struct mcp_conn *c);
/* Whether the client's sessions stay when it disconnects. */
bool mcp_conn_owner_lasts(const struct mcp_conn *c);
const char *mcp_conn_owner_name(const struct mcp_conn *c); /* NULL: it has none */
bool mcp_conn_left_behind(const struct mcp_conn *c);
/* Another server goes on with the connection, which has what belongs to it. */
bool mcp_conn_moved(const struct mcp_conn *c);
/* The tools' own state of a connection, initially NULL; `done` is called when the connection is freed. */
void *mcp_conn_state(struct mcp_conn *c);
void mcp_conn_set_state(struct mcp_conn *c, void *state, void (*done)(void *state));
const char *mcp_call_session_id(struct mcp_call *call); /* of the style's session argument; NULL: absent or hidden */
/*
 * URI of the client's first root, in the task's arena; NULL: the client has none or does not answer. Suspends if the
 * client has to be asked.
 */
int mcp_call_root(struct task *t, struct mcp_call *call, const char **ret);
/* Sets the text of progress notifications: what the call waits for from now on. */
void mcp_call_progress(struct mcp_call *call, const char *message);
/* The same with numbers; from then on notifications report these instead of the elapsed time. */
void mcp_call_progress_of(struct mcp_call *call, double progress, double total);

/* Whether the client of the call takes a task as the answer: it has declared the extension for this request. */
bool mcp_call_takes_task(const struct mcp_call *call);
/*
 * Answers the request with a task (mcp/tasks.h), whatever `task_after` of the tool says. From now on the call ends neither with its request
 * nor with the connection of that, mcp_call_progress() sets what clients read about it, and mcp_call_ask() suspends. 0, also if the call is
 * a task already. -ERR_CLIENT_CANNOT: the client takes none; a tool that returns this is answered with the error that says so. -EAGAIN: there
 * are too many tasks, or the client has left; the call can go on as it is. Does not suspend.
 */
int mcp_call_become_task(struct task *t, struct mcp_call *call);

/* Requests to the client, which must have declared the capability. */
enum mcp_feature { MCP_ROOTS, MCP_ELICITATION, MCP_SAMPLING, MCP_ELICITATION_URL };

struct mcp_question {
	const char *key; /* unique among the call's questions */
	enum mcp_feature feature;
	const char *params;        /* JSON object text; for an elicitation those of a form or an address, without `mode` */
	bool proven;               /* accept an answer only if the question was asked, not one that a client volunteers */
	const struct json *answer; /* the client's result, valid as long as the call; only its structure has been checked */
};

bool mcp_call_can_ask(const struct mcp_call *call, enum mcp_feature feature);
/*
 * Asks all questions at once. 0: every `answer` is set. -ERR_CLIENT_CANNOT: the client cannot be asked, or refused to
 * answer. In legacy versions, and in a call that is a task, this suspends for at most `timeout` (-ETIMEDOUT). In other calls of modern
 * versions it does not suspend but returns -EINPROGRESS, which the caller must return: the response then contains the questions, and the
 * call starts again with the answers. So a tool asks before it does anything else, and asks the same questions each time.
 */
int mcp_call_ask(struct task *t, struct mcp_call *call, struct mcp_question *questions, size_t count, usec_t timeout);

/*
 * A question for whose answer the call does not wait, beside something else that it waits for. Legacy versions and tasks only: in other calls of
 * modern versions the call asks with mcp_call_ask(), and waits when it starts again. NULL: such a call, or the client cannot be asked. The
 * answer wakes the call's task.
 */
struct ask;
_nullable_ struct ask *mcp_call_begin_ask(struct mcp_call *call, const struct mcp_question *question);
enum mcp_reply { MCP_REPLY_NONE, MCP_REPLY_ACCEPTED, MCP_REPLY_DECLINED, MCP_REPLY_CANCELLED, MCP_REPLY_FAILED };
/* What the client has answered to an elicitation; `ret` gets the content of a form that was accepted, NULL: none. Borrowed until the end of the call. */
enum mcp_reply mcp_ask_reply(const struct ask *ask, const struct json **ret);
/* The same of the answer to a question of mcp_call_ask(). */
enum mcp_reply mcp_question_reply(const struct mcp_question *question, const struct json **ret);
/* The question needs no answer any more; the client is told that an address which it has shown has served its purpose. */
void mcp_call_end_ask(struct mcp_call *call, struct ask *ask);
