/* A single HTTP GET: for the metadata and keys of a token issuer, and to see whether a server responds. Redirects are not followed. */
#pragma once

#include <stdbool.h>

#include "base/macros.h"
#include "base/str.h"
#include "loop/loop.h"

struct httpget;

/* Checks whether a server on this machine responds. */
struct httpget_probe {
	const char *address, *name; /* a numeric address; the host name for the request */
	int port;
	bool tls; /* any certificate is accepted, because such servers use self-signed ones; `l` comes from loop_new_with_tls() */
	const char *path;
	unsigned max_status; /* a status from 200 to this is a success, with an empty body; others are failures */
};
/*
 * `done` is called once, from the loop and never before this returns: with the whole body and NULL, or with NULL and the
 * reason as readable text.
 */
struct httpget *httpget_probe_new(struct loop *l, const struct httpget_probe *probe,
				  void (*done)(struct str *body, const char *failure, void *data), void *data);
/*
 * Gets http://NAME[:PORT]/PATH or https://; `done` as above. A status other than 200 and a body above LIMIT_HTTP_BODY are
 * failures. The server's certificate is verified against the system's trusted authorities; `l` must come from loop_new_with_tls(). There is no timeout: the caller frees the request to abort it.
 */
struct httpget *httpget_url_new(struct loop *l, const char *url, void (*done)(struct str *body, const char *failure, void *data),
				void *data);
bool httpget_url_is_supported(const char *url);
/* Whether the response cannot be modified in transit: over TLS, or from this machine. False for an unsupported URL. */
bool httpget_is_safe(const char *url);
unsigned httpget_status(const struct httpget *h); /* of the response; 0 if there was none */
/* May be called any time, also inside `done`; no callback follows. */
struct httpget *httpget_free(struct httpget *h);
DEFINE_FREEP(httpget);
