/*
 * A single HTTP GET: for the description that a browser's debugging port serves, the metadata and keys of a token issuer, and to see
 * whether a server responds. Redirects are not followed.
 */
#pragma once

#include "base/macros.h"
#include "base/str.h"
#include "loop/loop.h"
#include "loop/request.h"

struct fetch;
struct refusal;

/*
 * `fd` is a connected, non-blocking socket (loop/dial.h), which the request owns from here on. `done` is called once, from the loop
 * and never before this returns: with the whole body and NULL, or with NULL and the reason as readable text. A status other than
 * 200 and a body above LIMIT_HTTP_BODY are failures. There is no timeout: the caller frees the request to end it.
 */
struct fetch *fetch_new(struct loop *l, int fd, const struct request *request,
			void (*done)(struct str *body, const char *failure, void *data), void *data);
/*
 * Fetches a URL that http_url_split() takes, on a connection of its own, and calls `done` as fetch_new() does. A certificate is verified
 * (loop/tls_client.h). NULL: the URL is not supported.
 */
struct fetch *fetch_url_new(struct loop *l, const char *url, void (*done)(struct str *body, const char *failure, void *data),
			    void *data);
/*
 * Connects to `address`, a numeric address, only to see whether the server responds: with a status from 200 to `max_status`
 * `done` gets an empty body, and other statuses are failures.
 */
struct fetch *fetch_probe_new(struct loop *l, const char *address, const struct request *request, unsigned max_status,
			      void (*done)(struct str *body, const char *failure, void *data), void *data);
/* What the server answered in place of the description; NULL: there was no connection. */
const struct refusal *fetch_refusal(const struct fetch *f);
unsigned fetch_status(const struct fetch *f); /* of the response; 0 if there was none */
/* May be called any time, also inside of `done`; no callback follows. */
struct fetch *fetch_free(struct fetch *f);
DEFINE_FREEP(fetch);
