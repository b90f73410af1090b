/* The inside of a connection, for the files of this folder. */
#pragma once

#include <sys/queue.h>

#include "base/clock.h"
#include "base/log.h"
#include "loop/task.h"
#include "mcp/request.h"
#include "mcp/server.h"

TAILQ_HEAD(mcp_calls, mcp_call);

/* roots.c */
struct roots {
	enum { ROOTS_UNKNOWN, ROOTS_ASKED, ROOTS_KNOWN } state;
	struct str first; /* URI, empty: there is none */
	struct waitq changed;
};

struct mcp_conn {
	LIST_ENTRY(mcp_conn) link;
	const struct mcp_server *server;
	const struct mcp_transport *transport;
	void *data;                    /* of the transport */
	struct mcp_owner owner;
	bool left_behind;
	const struct version *version; /* what the handshake settled, NULL before it */

	void *state; /* of the tools */
	void (*state_done)(void *state);

	unsigned features; /* of the handshake: mcp/feature.h */
	unsigned last_ask; /* id of our last request */
	struct roots roots;
	struct mcp_calls calls;
	unsigned call_count;
	bool closing;
	void (*drained)(void *data);
	void *drained_data;

	struct log_sink sink;
	enum log_level log_level; /* of the handshake's session */
	usec_t log_second;        /* start of the second that log_count counts */
	unsigned log_count;
};

/* Of all servers of the process. */
LIST_HEAD(mcp_conns, mcp_conn);
extern struct mcp_conns mcp_conns;

/* A message that was parsed for mcp_conn_receive(), which is given the same text; takes what `parsed` holds. */
struct incoming {
	const char *text;
	size_t len;
	struct rpc_message parsed;
	int code; /* of rpc_parse() */
	const char *why;
};

void incoming_parse(struct incoming *in, const char *text, size_t len);
void incoming_done(struct incoming *in);
void conn_receive_parsed(struct mcp_conn *c, struct incoming *in, void *stream, unsigned rights);

/* Sends a notification that belongs to no request. */
void conn_notify(struct mcp_conn *c, struct str *message);
/* Answers that `requested` is no version that we speak, and which ones are. */
void conn_refuse_version(struct request *q, const char *requested);

/* roots.c */
void roots_init(struct roots *r);
void roots_done(struct roots *r);
/* What is known is no longer true. */
void roots_forget(struct mcp_conn *c);

/* methods.c: answers a request whose version is settled, if who sent it has the right that it needs. */
void method_dispatch(struct request *q);

/* logging.c */
void logging_init(struct mcp_conn *c);
void logging_done(struct mcp_conn *c);
/* To be called when the handshake is done, the level was set, or a call came or went. */
void logging_update(struct mcp_conn *c);
