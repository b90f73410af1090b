/*
 * A single HTTP GET on a connected socket, for the description that a browser's debugging port serves. Redirects are not
 * followed.
 */
#pragma once

#include "base/macros.h"
#include "base/str.h"
#include "loop/loop.h"
#include "loop/request.h"

struct fetch;

/*
 * `fd` is a connected, non-blocking socket (loop/dial.h), which the request owns from here on. `done` is called once, from the loop
 * and never before this returns: with the whole body and NULL, or with NULL and the reason as readable text. A status other than
 * 200 and a body above LIMIT_HTTP_BODY are failures. There is no timeout: the caller frees the request to end it.
 */
struct fetch *fetch_new(struct loop *l, int fd, const struct request *request,
			void (*done)(struct str *body, const char *failure, void *data), void *data);
/* May be called any time, also inside of `done`; no callback follows. */
struct fetch *fetch_free(struct fetch *f);
DEFINE_FREEP(fetch);
