/*
 * Requests of pages that are stopped on their way, and who answers them. For each request:
 *
 * 1. An origin that pages may not reach is refused: the page and its caller see net::ERR_BLOCKED_BY_CLIENT. No route is asked
 *    before, so a client cannot put a document of its own at such an origin.
 * 2. The routes that match are asked, the one added last first, until one does not fall back to the next.
 * 3. Otherwise the request is sent.
 *
 * A request that is sent, with or without changes by a route, goes through the session's proxy (egress/egress.h) as any other;
 * that is what holds against a page that wants out. A fulfilled request makes no connection.
 *
 * What follows after a redirect is decided by the origins alone, and gets the changed headers of the first request.
 */
#pragma once

#include <stdbool.h>
#include <sys/queue.h>

#include "engine/network.h"
#include "loop/task.h"

struct glob;
struct page;
struct page_group;
struct paused_request;

/* ---- routes ---- */

/* Answers requests instead of the network. Embedded in a struct of its owner; all zero but these members. */
struct route {
	TAILQ_ENTRY(route) link;
	uint64_t number;         /* grows from route to route */
	struct glob *pattern;    /* the URLs that it is asked for; NULL: all. Owned by the route's struct */
	const struct page *page; /* the only page whose requests it is asked for (compared, not used); NULL: all */
	/*
	 * Answers a request with one of the functions below, at once or later; for that it takes a reference. It does not suspend. A
	 * request that is never answered waits until its page gives it up.
	 */
	void (*handle)(struct route *r, struct paused_request *q);
	/* The route is no longer in the list, because of page_group_remove_route() or the end of the group: frees it. */
	void (*removed)(struct route *r);
};

/*
 * From here on the route is asked for requests of all pages of the group, also later ones. Suspends until the browser has
 * confirmed that it intercepts. The group takes the route over, also on failure.
 */
int page_group_add_route(struct task *t, struct page_group *g, struct route *r);
/* Does not suspend. After the last one the browser stops intercepting. */
void page_group_remove_route(struct page_group *g, struct route *r);

/* While they are offline, requests of all pages of the group fail that are not fulfilled or cached, also those of later pages. Suspends. */
int page_group_set_offline(struct task *t, struct page_group *g, bool offline);

/* ---- a request that waits for its answer ---- */

struct paused_request *paused_request_ref(struct paused_request *q);
struct paused_request *paused_request_unref(struct paused_request *q);
DEFINE_UNREFP(paused_request);

/* As the browser reported it; borrowed from the request. */
const struct intercepted_request *paused_request_reported(const struct paused_request *q);
/*
 * Its type as the journal has it: the browser calls requests of fetch() and of XMLHttpRequest the same when it pauses them ("xhr"), and the
 * page's own event, which tells them apart, may come later: NULL until then.
 */
const char *paused_request_type(const struct paused_request *q);
void paused_request_changed_headers(const struct paused_request *q,
				    struct header_list *ret); /* added to it: those that it has after routes changed them */
struct page *paused_request_page(const struct paused_request *q);

/* Changes of a request; NULL in a member: none. */
struct request_changes {
	const char *url, *method;         /* an address that may not be reached fails the request */
	const char *body;                 /* base64 */
	const struct header_list *fields; /* to add or replace, or without a value to remove */
};

/* Returns the reason that Playwright calls `name` ("failed", "connectionrefused"...), or ABORT_REASONS if Playwright has no such reason. */
enum abort_reason abort_reason_find(const char *name);

/*
 * The answers. Each sends a message without waiting for the reply and returns false, doing nothing, when the request was
 * answered before or its page has gone.
 *
 * A fulfilled request of another origin than its document gets the header fields by which the document may read it (CORS), if
 * they are missing.
 */
bool paused_request_fulfill(struct paused_request *q, const struct fulfilment *f);
bool paused_request_continue(struct paused_request *q, const struct request_changes *c); /* `c` NULL: as it is */
bool paused_request_abort(struct paused_request *q, enum abort_reason reason);
/*
 * The route that was added before the one that was asked last is asked, or the request is sent; in either case with the changes,
 * which come before those of earlier calls. `c` NULL: none.
 */
bool paused_request_fall_back(struct paused_request *q, const struct request_changes *c);
bool paused_request_answered(const struct paused_request *q);
