/* What is kept of a page that is to be opened again in another context: {url, scroll: [x, y], sessionStorage: [{name, value}]}. */
#pragma once

#include "base/json.h"
#include "base/str.h"
#include "loop/task.h"
#include "page/page.h"

/*
 * Appends that JSON object; the address alone, if the page does not answer soon, or by `until`. Suspends; negative only when the task ends.
 */
int page_keep(struct task *t, struct page *p, usec_t until, struct str *out);
/*
 * Opens the address in `p`, a page that has shown nothing yet: the document is requested anew. Suspends for `timeout` at most, and fails as
 * page_navigate() does.
 */
int page_bring_back(struct task *t, struct page *p, const struct json *kept, usec_t timeout);
