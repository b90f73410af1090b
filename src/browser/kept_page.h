/* What is kept of a page that is to be opened again in another context: {url, scroll: [x, y], sessionStorage: [{name, value}]}. */
#pragma once

#include "base/json.h"
#include "base/str.h"
#include "loop/task.h"
#include "page/page.h"

/*
 * Appends it as a JSON object. Only the address is kept of a page that does not answer soon, or by `until`. Suspends; negative only when
 * the task ends.
 */
int page_keep(struct task *t, struct page *p, usec_t until, struct str *out);
/*
 * Opens that in a page that has shown nothing yet: its document is requested anew. Suspends, at most `timeout`. Fails as page_navigate()
 * does.
 */
int page_bring_back(struct task *t, struct page *p, const struct json *kept, usec_t timeout);
