/* The members of a connection. Private to this folder. */
#pragma once

#include <sys/queue.h>

#include "base/clock.h"
#include "base/log.h"
#include "loop/task.h"
#include "mcp/incoming.h"
#include "mcp/request.h"
#include "mcp/server.h"

TAILQ_HEAD(mcp_calls, mcp_call);

/* roots.c */
struct roots {
	enum { ROOTS_UNKNOWN, ROOTS_ASKED, ROOTS_KNOWN } state;
	struct str first; /* URI of the first root; empty: none */
	struct waitq changed;
};

struct mcp_conn {
	LIST_ENTRY(mcp_conn) link;
	const struct mcp_server *server;
	const struct mcp_transport *transport;
	void *data; /* for the transport's callbacks */
	struct mcp_owner owner;
	bool left_behind;
	bool moved;                    /* another server goes on with it */
	const struct version *version; /* negotiated by the handshake; NULL before it */

	void *state; /* of the tools: mcp_conn_state() */
	void (*state_done)(void *state);

	unsigned features; /* declared in the handshake: mcp/feature.h */
	unsigned last_ask; /* id of the last request to the client */
	struct roots roots;
	struct mcp_calls calls;
	unsigned call_count;
	LIST_HEAD(, subscription) subscriptions;     /* resources.c */
	unsigned subscription_count, interest_count; /* their number, and that of their URIs */
	bool closing;
	void (*drained)(void *data);
	void *drained_data;

	struct log_sink sink;
	enum log_level log_level; /* of legacy connections: logging/setLevel */
	usec_t log_second;        /* start of the second that log_count counts */
	unsigned log_count;
};

/* The connections of all servers of the process. */
LIST_HEAD(mcp_conns, mcp_conn);
extern struct mcp_conns mcp_conns;

/* Like mcp_conn_receive() for messages that are parsed already; takes over their trees. */
void conn_receive(struct mcp_conn *c, struct incoming *in, void *stream, unsigned rights);

/* Sends a notification that is not related to a request. */
void conn_notify(struct mcp_conn *c, struct str *message);
/* Answers with the error that version `requested` is unsupported, and the supported versions. */
void conn_refuse_version(struct request *q, const char *requested);

/* roots.c */
void roots_init(struct roots *r);
void roots_done(struct roots *r);
/* Discards the known roots, because the client says that they have changed. */
void roots_forget(struct mcp_conn *c);

/*
 * methods.c: runs a request whose version is known; answers RPC_FORBIDDEN if the sender lacks the right that it
 * needs.
 */
void method_dispatch(struct request *q);

/* logging.c */
/* Tells a legacy client that has not asked for silence; modern ones have no stream for what belongs to no request. */
void logging_tell(struct mcp_conn *c, enum log_level level, const char *text);
void logging_init(struct mcp_conn *c);
void logging_done(struct mcp_conn *c);
/* To be called after the handshake, when the level was set, and when a call starts or ends. */
void logging_update(struct mcp_conn *c);
