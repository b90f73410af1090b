/* Bodies of answers, which the browser keeps while their document is shown, up to a size. */
#pragma once

#include <stdint.h>

#include "base/json.h"
#include "loop/task.h"
#include "page/page.h"

/* Suspends until request `seq` of the page's journal has ended, is gone, or time is up, which is no failure. */
int page_await_end(struct task *t, struct page *p, uint64_t seq);
/*
 * Suspends: the reply of Network.getResponseBody to request `seq`, owned by the caller. -EREMOTE, -ESTALE: the browser
 * does not hold it (any more) · -EMSGSIZE: it is too large to be read.
 */
int page_response_body(struct task *t, struct page *p, uint64_t seq, struct json **ret);
