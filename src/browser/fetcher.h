/*
 * Requests of code in a context (page/fetch.h), on hidden pages that are opened when they are needed. The object is kept by the
 * context and by the calls that use it; when the context has ended, they fail.
 */
#pragma once

#include "browser/context.h"
#include "page/fetch.h"

struct fetcher;

/* The fetcher of the context, made when it is needed first; borrowed. */
struct fetcher *fetcher_of(struct context *c);
struct fetcher *fetcher_ref(struct fetcher *f);
struct fetcher *fetcher_unref(struct fetcher *f);
DEFINE_UNREFP(fetcher);
/* page_fetch() on a page of the context. Suspends; waits while LIMIT_FETCH_PAGES_COUNT requests are under way. */
int fetcher_send(struct task *t, _kept_ struct fetcher *f, const struct fetch_request *request, struct fetch_response *ret);
