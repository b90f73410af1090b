/* Bodies of requests and responses, which the browser keeps while their document is shown, up to a size. */
#pragma once

#include <stdint.h>

#include "engine/network.h"
#include "loop/task.h"
#include "page/page.h"

/* Suspends until request `seq` of the page's journal has ended, is gone, or time is up, which is no failure. */
int page_await_end(struct task *t, struct page *p, uint64_t seq);
/*
 * Suspends: the body of the response to request `seq`, owned by the caller. -EREMOTE, -ESTALE: the browser does not hold it (any
 * more), or a person had control of the page when it was requested · -EMSGSIZE: it is too large to be read.
 */
int page_response_body(struct task *t, struct page *p, uint64_t seq, struct fetched_body *ret);
/* As page_response_body(), by the browser's id of a request, for one that the journal does not contain. */
int page_response_body_of(struct task *t, struct page *p, const char *request_id, struct fetched_body *ret);
/* Suspends: the body of request `seq` itself; fails in the same ways. */
int page_request_body(struct task *t, struct page *p, uint64_t seq, struct fetched_body *ret);
