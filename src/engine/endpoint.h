/*
 * The addresses of browsers that run already: of a debugging port (http://HOST:PORT), or of the WebSocket that the browser is spoken to
 * over (ws://HOST:PORT/PATH); https: and wss: are the same over TLS. Or it is the name of a browser ("chrome"), whose user has permitted
 * debugging.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"
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
/* The debugging port of a browser at a numeric address. */
void endpoint_of_port(const char *host, int port, struct endpoint *ret);
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
