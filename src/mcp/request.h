/*
 * A JSON-RPC request that the server handles, and the only functions that answer it. Everything sent about a request
 * passes through here together with the request, so that a transport with several streams can route it.
 */
#pragma once

#include <stddef.h>

#include "base/log.h"
#include "mcp/rpc.h"
#include "mcp/version.h"

struct mcp_conn;

/* The response to a request that was answered with a task before. */
struct kept_response {
	struct str text; /* the message, masked */
	size_t at;       /* where its result or error begins, which ends a byte before the text does */
	bool failed;     /* it is an error */
};

struct request {
	struct mcp_conn *conn;
	void *stream; /* the transport's stream, which is held; NULL: the transport has only one */
	const struct version *version;
	struct rpc_message message;
	struct rpc_token progress;  /* params._meta.progressToken */
	int log_level;              /* modern versions: enum log_level that the client asked for, else -1 */
	unsigned rights;            /* of its sender: bits of enum mcp_right */
	unsigned needed;            /* the right that it needs; set when it is dispatched */
	unsigned features;          /* what the client can be asked: bits, mcp/feature.h */
	bool takes_tasks;           /* modern versions: the client has declared the extension (mcp/tasks.h) */
	struct kept_response *kept; /* gets the response, because the client has a task in place of it; NULL: it is sent */
	const char *text;           /* the message as received; valid only until the handler returns */
	size_t len;
};

#define META_VERSION "io.modelcontextprotocol/protocolVersion"

/* How long a result may be cached; sent in modern versions only. */
enum cache { CACHE_NONE, CACHE_PUBLIC, CACHE_NEVER };

void request_done(struct request *q);
/* Answers with a result whose members are `fmt` (str_json format without braces, may be ""). */
#define request_reply(q, cache, ...) request_reply_values(q, cache, JSON_VALUES(__VA_ARGS__))
void request_reply_values(struct request *q, enum cache cache, uint64_t types, const char *template, ...);
/* The same with `members` as JSON text, which is consumed. */
void request_reply_members(struct request *q, enum cache cache, struct str *members);
/* Modern versions: answers with questions for the client; `members` is consumed. */
void request_reply_asking(struct request *q, struct str *members);
/* Answers with a task; `members` is consumed. */
void request_reply_task(struct request *q, struct str *members);
/* Answers with `members`, which is consumed, and a last one of that name, whose text was masked before; NULL: none. */
void request_reply_around(struct request *q, struct str *members, const char *name, const char *masked, size_t len);
/* Answers with RPC_MISSING_CAPABILITY: `what` needs a client that declares the capability, which may be the name of an extension. */
void request_error_capability(struct request *q, const char *capability, const char *what);
/* Ends a subscriptions/listen from the server's side. */
void request_end_subscription(struct request *q);
/* Answers with an error. `data` is JSON text or NULL. */
void request_error(struct request *q, int code, const char *data, const char *fmt, ...) _printf_(4, 5);

/* Sends a notification on the request's stream. */
void request_notify(const struct request *q, struct str *message);
/*
 * Masks the secrets (base/mask.h) in a message to a client. The functions above and conn_notify() apply it, so that
 * every message passes it once.
 */
void request_mask_message(struct str *message);

/* Name, title and version of this server as JSON object text. */
void request_server_info(const struct request *q, struct str *out);
