/*
 * The MCP server: all five protocol versions over any transport that carries whole messages.
 *
 * A connection (`struct mcp_conn`) is one client. Every tools/call runs in a task; the rest is answered at once.
 * Single-threaded; callbacks of the transport may be called from mcp_conn_receive() and from the loop.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "loop/loop.h"
#include "mcp/result.h"
#include "mcp/tool.h"

/* An argument that a client fills in. */
struct mcp_completion {
	const char *ref; /* the prompt or the template */
	const char *argument, *value; /* its name, and how it begins */
	struct str values;
	unsigned count;
};

/* One more value; left out when it does not begin as it should. */
void mcp_completion_offer(struct mcp_completion *c, const char *value);

/* What clients may have put to their models. */
struct mcp_prompts {
	/* Appends the entries of prompts/list: JSON objects with commas between. */
	void (*list)(struct str *out, void *data);
	/*
	 * May suspend: appends the messages in the same form. `arguments` is an object or NULL. -ENOENT: there is no such
	 * prompt. -ERR_INVALID_PARAMETERS: as it says.
	 */
	int (*get)(struct task *t, struct mcp_call *call, const char *name, const struct json *arguments, struct str *messages);
	void (*complete)(struct mcp_completion *c, void *data); /* NULL: no values */
};

/* What clients may read and subscribe to. `data` is the server's. */
struct mcp_resources {
	/* Offers values for an argument of the template `ref`. NULL: there are none. */
	void (*complete)(struct mcp_completion *c, uint64_t owner, void *data);
	/* Appends the entries of resources/list for the connections of `owner`: JSON objects with commas between. */
	void (*list)(struct str *out, uint64_t owner, void *data);
	const char *templates; /* entries of resources/templates/list in the same form */
	/* May suspend: appends the contents of `uri` in the same form. -ENOENT: there is no such resource for that owner. */
	int (*read)(struct task *t, void *data, uint64_t owner, const char *uri, struct str *contents);
	/* Whether `owner` may know of `uri`, which exists: who subscribed to it is told only then that it has changed. NULL: all. */
	bool (*visible)(void *data, uint64_t owner, const char *uri);
};

enum mcp_outcome { MCP_CALL_OK, MCP_CALL_FAILED, MCP_CALL_CANCELLED };

struct mcp_server {
	struct loop *loop;
	const char *name, *title, *version, *instructions;
	const struct tool *const *tools; /* NULL-terminated, in the order of tools/list */
	const struct mcp_resources *resources; /* NULL: none */
	const struct mcp_prompts *prompts;     /* NULL: none */
	const struct tool *left_out;     /* one of them that is not there; NULL: all are */
	const char *const *confirm;      /* names of tools that need a yes for each call, NULL-terminated; NULL: none */
	bool confirm_default;            /* it is yes for clients that cannot be asked */
	struct tool_view view;
	/* Declares tools (and that their list may change) and nothing else; resources, prompts and logging do not exist. */
	bool tools_only;
	void (*unknown_tool)(const char *name, struct result *res); /* answers such calls; NULL: a JSON-RPC error does */
	void *data;                                                 /* for the tools: mcp_call_data() */
	/*
	 * A call failed with `r` (negative): writes the answer. NULL: the default, {errorCode, message, details?} as text and
	 * with is_error set, and the session argument under its own name where there is one: `session_id`, or NULL.
	 */
	void (*failure)(struct task *t, int r, const char *tool, const char *session_id, struct result *res);
	/*
	 * Runs around every call of a tool: calls `next`, which checks the arguments and runs the tool, and may change what came
	 * of it: a failure (negative) that it has told in `res`, with is_error set, becomes 0. May suspend; may be NULL.
	 */
	int (*around)(struct task *t, struct mcp_call *call, int (*next)(struct task *t, struct mcp_call *call),
		      struct result *res);
	/* A call has ended. May be NULL. */
	void (*called)(struct mcp_call *call, enum mcp_outcome outcome, usec_t duration);
};

/* What `uri` shows has changed: tells the clients that subscribed to it and may read it. How often is the caller's affair. */
void mcp_resource_updated(const struct mcp_server *server, const char *uri);

/* The list of resources of `owner` is another: tells its clients, as far as they want to know. */
void mcp_resources_changed(const struct mcp_server *server, uint64_t owner);

/*
 * What a client may ask for, as bits. Which right a message needs is decided where it is carried out (methods.c), from the
 * message as it was parsed for that.
 */
enum mcp_right {
	MCP_MAY_READ = 1, /* look at what there is */
	MCP_MAY_ACT = 2,  /* everything else */
	MCP_MAY_ALL = MCP_MAY_READ | MCP_MAY_ACT,
};

/* One message that goes out. */
struct mcp_outgoing {
	const char *text; /* without a newline */
	size_t len;
	void *stream;     /* mcp_conn_receive()'s, of the request that this is about; NULL: about none */
	bool answer;      /* the one answer to the request; else a notification */
	int code;         /* of an error, 0: none */
	const struct version *version; /* that the request is answered in; NULL: it was refused before that was settled */
};

struct request; /* mcp/request.h */

/* Of a transport that has one stream for everything, only `send` is wanted. */
struct mcp_transport {
	void (*send)(const struct mcp_outgoing *m, void *data);
	/* A message of this stream begins to be worked on; all that there was to say about it was said. */
	void (*hold)(void *stream);
	void (*release)(void *stream);
	/* A further check of a modern request, before any other. False: it was answered. */
	bool (*admit)(struct request *q);
	bool modern; /* what comes can be nothing else */
	bool same_machine; /* the client sees our files, so it is asked in which folder it works */
};

struct mcp_conn;
/* Whose a connection is: connections with the same number may use each other's sessions. */
struct mcp_owner {
	uint64_t number;
	bool lasts; /* what was made by name outlives the connection */
};

struct mcp_conn *mcp_conn_new(const struct mcp_server *server, const struct mcp_transport *transport, struct mcp_owner owner,
			      void *data);
/* The client was lost: if its owner lasts and can name it, also what was the connection's own stays. */
void mcp_conn_leave_behind(struct mcp_conn *c);
/*
 * Handles one message (one line). `text` may be changed in place. Never fails: bad input is answered. `stream` is the
 * transport's, for what is said about this message; NULL where there is one for all. `rights` are those of who sent it,
 * bits of enum mcp_right; what they do not cover is answered with RPC_FORBIDDEN.
 */
void mcp_conn_receive(struct mcp_conn *c, char *text, size_t len, void *stream, unsigned rights);
/* The transport skipped a message longer than LIMIT_LINE. */
void mcp_conn_refuse_oversize(struct mcp_conn *c);
/*
 * Cancels every call; when none is left, `drained` is called once (possibly before this returns). Until then calls
 * still answer: cancelled ones with a failure. What is received from now on is ignored.
 */
void mcp_conn_close(struct mcp_conn *c, void (*drained)(void *data), void *data);
/* The same for a client that says nothing more but still listens: calls are left to end by themselves. */
void mcp_conn_finish(struct mcp_conn *c, void (*drained)(void *data), void *data);
/* Only after `drained`, from there at the earliest; or when there never was a call. */
struct mcp_conn *mcp_conn_free(struct mcp_conn *c);

/* For tools. */
void *mcp_call_data(struct mcp_call *call);             /* server->data */
struct mcp_conn *mcp_call_conn(struct mcp_call *call);
const struct tool *mcp_call_tool(struct mcp_call *call);
const struct json *mcp_call_arguments(struct mcp_call *call); /* as they came; NULL: none */
bool mcp_call_may_act(const struct mcp_call *call); /* whoever sent it has the right MCP_MAY_ACT */
uint64_t mcp_conn_owner(const struct mcp_conn *c);
/* Whether sessions of the client that have a name, and the one that is its own, stay when it has gone. */
bool mcp_conn_owner_lasts(const struct mcp_conn *c);
bool mcp_conn_left_behind(const struct mcp_conn *c);
/* What the tools keep for a client, NULL at first; `done` is called when the connection is freed. */
void *mcp_conn_state(struct mcp_conn *c);
void mcp_conn_set_state(struct mcp_conn *c, void *state, void (*done)(void *state));
const char *mcp_call_session_id(struct mcp_call *call); /* of the view's session argument, NULL when not given or hidden */
/*
 * URI of the first folder that the client works in; NULL: it has told of none. In the task's arena. Suspends when the
 * client has to be asked; one that does not answer has none.
 */
int mcp_call_root(struct task *t, struct mcp_call *call, const char **ret);
/* What the call waits for from now on, for the progress notifications of clients that want them. */
void mcp_call_progress(struct mcp_call *call, const char *message);
/* The same with numbers, for calls that have some; from then on only these are told. */
void mcp_call_progress_of(struct mcp_call *call, double progress, double total);

/* What a client may be asked, if it says that it can be. */
enum mcp_feature { MCP_ROOTS, MCP_ELICITATION, MCP_SAMPLING };

struct mcp_question {
	const char *key; /* its name among all that the call asks */
	enum mcp_feature feature;
	const char *params; /* JSON object text; of an elicitation those of a form, without `mode` */
	bool proven;        /* an answer counts only if this was asked: not one that a client sends along unasked */
	const struct json *answer; /* the client's result, which lives as long as the call; only its outline was checked */
};

bool mcp_call_can_ask(const struct mcp_call *call, enum mcp_feature feature);
/*
 * Asks all of it at once. 0: every `answer` is there. -ERR_CLIENT_CANNOT: the client cannot be asked, or has refused to
 * answer. With a handshake this suspends, for at most `timeout`: -ETIMEDOUT. Without one it does not; -EINPROGRESS has to
 * be returned, the answer are then the questions, and the call begins anew when the client has its answers. So whoever
 * asks does so before anything else, and asks the same again.
 */
int mcp_call_ask(struct task *t, struct mcp_call *call, struct mcp_question *questions, size_t count, usec_t timeout);
