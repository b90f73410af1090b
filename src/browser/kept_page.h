/*
 * What is kept of a page that is to be opened again:
 * {url, title, viewport: [width, height], scroll: [x, y], history: [addresses before this one], sessionStorage: [{name, value}]}.
 * What was typed into its fields is apart from that, because it may be secret: {fields, left}, as scripts/functions/keeppage.js has it.
 */
#pragma once

#include "base/json.h"
#include "base/str.h"
#include "loop/task.h"
#include "page/page.h"

/*
 * Appends that JSON object; the address alone, if the page does not answer soon, or by `until`. `fields` gets the object of its fields, NULL:
 * they are not kept. Suspends; negative only when the task ends.
 */
int page_keep(struct task *t, struct page *p, usec_t until, struct str *out, struct str *fields);
/*
 * Opens the address in `p`, a page that has shown nothing yet: the document is requested anew. `fields` may be NULL. `ret_missing` (may be
 * NULL) gets the number of fields that are not there any more, and of those that were not kept. Suspends for `timeout` at most, and fails as page_navigate() does.
 */
int page_bring_back(struct task *t, struct page *p, const struct json *kept, const struct json *fields, usec_t timeout,
		    unsigned *ret_missing);
/*
 * Whether a document of the page listens for beforeunload, so that it may ask its user to stay. Suspends until `until` at most. -EBUSY: it
 * does not answer.
 */
int page_asks_to_stay(struct task *t, struct page *p, usec_t until, bool *ret);
