/*
 * The fence of pages that a person has lent to an agent, tabs of the browser that the person uses (browser/lent.h). Their main frames show
 * documents of the offered origins only: in that browser the person is logged in elsewhere as well, and any other document of the web
 * would be theirs, too.
 *
 * Requests for other documents are refused before they are sent (page/intercept.h). What shows one all the same, such as a document that comes
 * back from the browser's memory, is left: the page is detached from, and is the person's alone again.
 *
 * A request of any kind that a route sends to another address than the page's stays within the fence as well (page/paused_request.h): the page takes
 * the response for one of the address that it has asked for.
 *
 * Frames in such a page may show any origin, as pages embed others, but nothing of this machine: there the browser itself listens for
 * whoever debugs it.
 */
#pragma once

#include <stdbool.h>

struct page;
struct page_group;

/* Whether the main frame of a page of the group may show a document from `url`, in Chromium's own spelling. Always without a fence. */
bool fence_allows(const struct page_group *g, const char *url);
/* The same for a frame in such a page. */
bool fence_allows_frame(const struct page_group *g, const char *url);
/*
 * The main frame shows another document. True: one outside of the fence. The browser is asked to detach, and fails the calls of the page from
 * then on; the page ends when the browser reports that.
 */
bool fence_leaves(struct page *p);
