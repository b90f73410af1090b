/*
 * One JSON-RPC request on its way through the server, and the only ways to answer it. Everything that goes out to
 * do with a request passes here with the request at hand, so that a transport with several streams can route it.
 */
#pragma once

#include <stddef.h>

#include "base/log.h"
#include "mcp/rpc.h"
#include "mcp/version.h"

struct mcp_conn;

struct request {
	struct mcp_conn *conn;
	void *stream; /* of the transport, held; NULL: there is one for all */
	const struct version *version;
	struct rpc_message message;
	struct rpc_token progress; /* params._meta.progressToken */
	int log_level;             /* modern versions: enum log_level that the client asked for, else -1 */
	unsigned rights;           /* of who sent it: bits of enum mcp_right */
	unsigned needed;           /* the right that it needs, known once it is dispatched */
	unsigned features;         /* bits of what the client can be asked: mcp/feature.h */
	const char *text;          /* the message as received; borrowed, gone when the handler has returned */
	size_t len;
};

#define META_VERSION "io.modelcontextprotocol/protocolVersion"

/* How long a result may be cached; only modern versions say so. */
enum cache { CACHE_NONE, CACHE_PUBLIC, CACHE_NEVER };

void request_done(struct request *q);
/* Answers with the result whose members are `fmt` (str_json format, may be ""), without braces. */
void request_reply(struct request *q, enum cache cache, const char *fmt, ...) _printf_(3, 4);
/* The same for members that are there already; they are consumed. */
void request_reply_members(struct request *q, enum cache cache, struct str *members);
/* Modern: answers with questions; the members of the result are consumed. */
void request_reply_asking(struct request *q, struct str *members);
/* The end of a subscriptions/listen that its client has not asked for. */
void request_end_subscription(struct request *q);
/* Answers with an error. `data` is JSON text or NULL. */
void request_error(struct request *q, int code, const char *data, const char *fmt, ...) _printf_(4, 5);

/* Sends a notification on the request's stream. */
void request_notify(const struct request *q, struct str *message);
/*
 * Masks the secrets (base/mask.h) in a message that goes to a client. Whatever is sent passes here once: what these
 * functions send, and conn_notify().
 */
void request_mask_message(struct str *message);

/* Name, title and version of this server as JSON object text. */
void request_server_info(const struct request *q, struct str *out);
