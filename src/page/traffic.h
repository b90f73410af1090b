/*
 * The requests and WebSockets of a page that are under way, which settling waits for (docs/settling.md). They are kept apart from
 * the page's journal, because clients decide with filters, buffer sizes and clearing what a journal holds. Nothing suspends.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/clock.h"
#include "engine/events.h"

struct exchange;

struct traffic {
	TAILQ_HEAD(exchanges, exchange) open;
	void *by_id;           /* tsearch() tree of their ids */
	unsigned count;        /* exchanges in `open` */
	uint64_t requests;     /* begun so far */
	uint64_t socket_turns; /* WebSockets opened and messages sent over them, so far */
	uint64_t early_ends;   /* responses whose end was reported before a script of the main document got them, so far */
	uint64_t handed_over;  /* requests for documents that the browser has turned into downloads, so far */
	usec_t received;       /* when data arrived last */
};

/* A moment in the traffic of a page: what began later has higher numbers. */
struct traffic_mark {
	uint64_t requests, socket_turns, early_ends, handed_over;
};

#define TRAFFIC_NOW UINT64_MAX /* instead of a number of requests: all that have begun so far */

struct traffic_mark traffic_mark(const struct traffic *t);

/* Whether a request began between the two marks. */
bool traffic_began(const struct traffic *t, uint64_t from, uint64_t to);
/*
 * Whether one of these requests is under way: its response has not come, or, of a document, style sheet, script, fetch or
 * XMLHttpRequest, the body's end. `stalled`: no body is waited for any longer.
 */
bool traffic_request_open(const struct traffic *t, uint64_t from, uint64_t to, bool stalled);
/* Whether the request for a document is under way, of which `loader` is the id. */
bool traffic_document_open(const struct traffic *t, const char *loader);
/* Whether a WebSocket that was created since is not open yet, or has not answered what was sent over it since. */
bool traffic_socket_waits(const struct traffic *t, uint64_t from_turn);
/* Whether the page may receive something unasked: over server-sent events or a WebSocket. */
bool traffic_has_stream(const struct traffic *t);

/* Take what the browser reports. True: the results of the functions above may have changed. */
bool traffic_on_request(struct traffic *t, const struct exchange_event *x);
bool traffic_on_response(struct traffic *t, const struct exchange_event *x);
bool traffic_on_finished(struct traffic *t, const struct exchange_event *x);
bool traffic_on_failed(struct traffic *t, const struct exchange_event *x);
bool traffic_on_socket_created(struct traffic *t, const struct exchange_event *x);
bool traffic_on_socket_sent(struct traffic *t, const struct exchange_event *x);
bool traffic_on_socket_answered(struct traffic *t,
				const struct exchange_event *x); /* its handshake has ended, or a frame has come */
bool traffic_on_socket_closed(struct traffic *t, const struct exchange_event *x);
/* The page shows another document: the streams of the one before have ended, whether or not the browser reports each. */
void traffic_on_document(struct traffic *t);
/*
 * The document that `loader` loaded is gone, and so are its requests: the browser does not report the end of those that it made while it
 * was left (beforeunload). The requests for documents that it caused have other loaders.
 */
void traffic_on_document_gone(struct traffic *t, const char *loader);
/* The frame or worker of this attachment has ended: so have its requests. */
void traffic_on_session_gone(struct traffic *t, const char *session);
