/*
 * Connecting to a browser that runs already. Its address is that of its debugging port (http://HOST:PORT, where /json/version has
 * the path of the WebSocket) or of the WebSocket itself (ws://HOST:PORT/PATH); https: and wss: are the same over TLS. Or it is the name of
 * a browser ("chrome"), whose user has permitted debugging: it writes port and path into its default user data directory.
 *
 * Everything goes to the host and port of the address: redirects are not followed, and of the WebSocket's address that a debugging
 * port reports only path and query count, so that the header fields, which may hold secrets, reach no other server.
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"
#include "base/str.h"
#include "engine/cdp/cdp.h"
#include "loop/loop.h"
#include "loop/refusal.h"

#define ENDPOINT_HOST_SIZE 256

struct endpoint {
	const char *name; /* of such a browser, static; port and path are read by endpoint_locate(). NULL: none */
	bool websocket;   /* of a WebSocket; else of a debugging port */
	bool tls;
	char host[ENDPOINT_HOST_SIZE]; /* a name, or a numeric address without brackets */
	int port;
	struct str path;    /* of the WebSocket, or of the description that a debugging port serves; with the query */
	struct str fields;  /* header fields for the lookup and the WebSocket, each "Name: value\r\n" */
	struct str secrets; /* words of the address and of these fields that nobody is told, with a line break behind each */
};

/*
 * Reads an address; a user name and password in it become an Authorization field. False: it is not an address, or has a fragment. `ret` is
 * released by endpoint_done() in any case.
 */
bool endpoint_parse(const char *url, struct endpoint *ret);
void endpoint_done(struct endpoint *e);
/*
 * Before each attempt: finds out where a browser that is named listens now; nothing for other addresses. Negative with a text in `error`: it
 * does not listen.
 */
int endpoint_locate(struct endpoint *e, struct str *error);
/* Appends what the user of such a browser has to do so that it listens; nothing for other addresses. */
void endpoint_advise(const struct endpoint *e, struct str *out);
/* Whether it is "Name: value" and no field that belongs to the connection itself (Upgrade, Sec-WebSocket-Key...). */
bool endpoint_field_is_valid(const char *field);
/* Adds such a field. */
void endpoint_add_field(struct endpoint *e, const char *field);
/* Scheme, host and port for messages: what follows may be secret. */
void endpoint_describe(const struct endpoint *e, struct str *out);
/* Whether it is on this machine for sure, so that files have the same names there. */
bool endpoint_is_local(const struct endpoint *e);

/* What the answer of a server that gives no browser means, for people, and what it says itself, without such words. */
void endpoint_explain(const struct endpoint *e, const struct refusal *r, struct str *out);
/* Whether another attempt may succeed, without a change of the address or of an account. */
bool endpoint_refusal_may_pass(const struct refusal *r);
/* For endpoint.c: such words of a value (which may be percent-encoded), or of a path with its query. */
void endpoint_keep_secrets(struct endpoint *e, const char *text, size_t len);
void endpoint_keep_path(struct endpoint *e, const char *url);

struct endpoint_handler {
	/* The WebSocket is being opened. `c` belongs to the receiver, whose `struct cdp_handler` gets the rest. */
	void (*connecting)(struct cdp *c, void *data);
	/* There is no WebSocket; `reason` is readable. No other callback follows. */
	void (*failed)(const char *reason, void *data);
	struct cdp_handler cdp;
};

/*
 * The path, with the query, of the WebSocket that the answer of a debugging port to /json/version names. False: it names none. `ret_path`
 * is untouched then.
 */
bool endpoint_read_version(const char *text, size_t len, struct str *ret_path);

/* An attempt to connect. There is no timeout: the caller frees it to end it. `e` and `handler` must outlive it. */
struct endpoint_attempt;
struct endpoint_attempt *endpoint_connect(struct loop *l, const struct endpoint *e, const struct endpoint_handler *handler,
					  void *data);
/* What a debugging port answered in place of its description; NULL: nothing yet. */
const struct refusal *endpoint_refusal(const struct endpoint_attempt *a);
/* May be called any time, also inside of callbacks; none follows. */
struct endpoint_attempt *endpoint_attempt_free(struct endpoint_attempt *a);
DEFINE_FREEP(endpoint_attempt);
