/*
 * One GET: what a browser's debugging port says about itself, or an issuer of tokens about its keys. Redirects are not
 * followed.
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"
#include "base/str.h"
#include "loop/loop.h"

struct httpget;

/*
 * `done` is called once, at the edge of the loop and never before this returns: with the whole body and NULL, or with
 * NULL and the reason, for a person. A status other than 200 and a body above LIMIT_HTTP_BODY are failures. `host` is
 * a numeric address.
 */
struct httpget *httpget_new(struct loop *l, const char *host, int port, const char *path,
			    void (*done)(struct str *body, const char *failure, void *data), void *data);

/* Whether a server of this machine answers. */
struct httpget_probe {
	const char *address, *name; /* a numeric address; under which name it is asked */
	int port;
	bool tls; /* with any certificate, as such servers sign their own; `l` is of loop_new_with_tls() */
	const char *path;
	unsigned max_status; /* a status from 200 to this ends it well, with an empty body; others are failures */
};
struct httpget *httpget_probe_new(struct loop *l, const struct httpget_probe *probe,
				  void (*done)(struct str *body, const char *failure, void *data), void *data);
/*
 * The same for http://NAME[:PORT]/PATH and https://: the server's certificate is held against the authorities that this
 * machine trusts, and `l` is of loop_new_with_tls(). It may take as long as the server likes: free it when that is too long.
 */
struct httpget *httpget_url_new(struct loop *l, const char *url,
				void (*done)(struct str *body, const char *failure, void *data), void *data);
bool httpget_url_is_supported(const char *url);
/* Whether nobody on the way can change what is said: over TLS, or on this machine. False also for what is not taken. */
bool httpget_is_safe(const char *url);
unsigned httpget_status(const struct httpget *h); /* of the answer; 0: there was none */
/* Any time, also inside of `done`: nothing is called from then on. */
struct httpget *httpget_free(struct httpget *h);
DEFINE_FREEP(httpget);
