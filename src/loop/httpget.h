/*
 * One GET over plain HTTP to an address that is at hand: what a browser's debugging port says about itself. Redirects
 * are not followed.
 */
#pragma once

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
/* Any time, also inside of `done`: nothing is called from then on. */
struct httpget *httpget_free(struct httpget *h);
DEFINE_FREEP(httpget);
