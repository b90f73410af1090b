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
/* The same for who only wants to know whether it answers: a status from 200 to `max_status` ends it, with an empty body. */
struct httpget *httpget_new_status(struct loop *l, const char *host, int port, const char *path, unsigned max_status,
				   void (*done)(struct str *body, const char *failure, void *data), void *data);
/*
 * The same for http://NAME[:PORT]/PATH and https://: the server's certificate is held against the authorities that this
 * machine trusts, and `l` is of loop_new_with_tls(). It may take as long as the server likes: free it when that is too long.
 */
struct httpget *httpget_url_new(struct loop *l, const char *url,
				void (*done)(struct str *body, const char *failure, void *data), void *data);
bool httpget_takes(const char *url);
/* Whether nobody on the way can change what is said: over TLS, or on this machine. False also for what is not taken. */
bool httpget_is_safe(const char *url);
/* Any time, also inside of `done`: nothing is called from then on. */
struct httpget *httpget_free(struct httpget *h);
DEFINE_FREEP(httpget);
