/* Navigation of a page's main frame. */
#pragma once

#include <stdbool.h>

#include "loop/task.h"
#include "page/page.h"

enum wait_until { WAIT_LOAD, WAIT_DOMCONTENTLOADED, WAIT_NETWORKIDLE };

struct navigation {
	const char *url, *title; /* where it ended, redirects followed; in the task's arena */
	int status;              /* HTTP; 0 where there is none (about:blank, same document) */
};

/*
 * Refuses addresses that address_check() refuses. Suspends, at most `timeout`, until the document that the navigation leads to has reached `until`; when the page
 * moves itself on meanwhile, until its last document has. -ERR_NAVIGATION_FAILED carries the browser's reason
 * (net::ERR_...), -ERR_DOWNLOAD says that there was a file to save instead of a document; a time-out says how far it
 * came, and the page stays where it is. `ret` may be NULL.
 */
int page_navigate(struct task *t, struct page *p, const char *url, enum wait_until until, usec_t timeout, struct navigation *ret);

/*
 * Navigates a child frame, as page_navigate() does a page. -ETIMEDOUT: `timeout` has passed; -ESTALE: the frame was removed. Errors of
 * the network leave the browser's error page in the frame and are failures.
 */
int frame_navigate(struct task *t, struct frame *f, const char *url, enum wait_until until, usec_t timeout);
/* page_wait_loaded() for a child frame. */
int frame_wait_loaded(struct task *t, struct frame *f, enum wait_until until, usec_t timeout);

/*
 * One step back in the history, if there is one. Suspends until the other document (or the other address of the same
 * one) is there, at most `timeout`.
 */
int page_go_back(struct task *t, struct page *p, usec_t timeout);
/* Goes `steps` forward in the history (negative: back), and suspends as page_go_back(). `ret_gone`: there was such an entry. */
int page_go(struct task *t, struct page *p, int steps, usec_t timeout, bool *ret_gone);
/* Asks for the document once more and waits until it has reached `until`. */
int page_reload(struct task *t, struct page *p, enum wait_until until, usec_t timeout);
/*
 * Suspends: a navigation that was started since the page had had `commits_before` documents gets to its new document, at
 * most `timeout`, and a moment is given to that for its first part. That none was started, or it came to nothing, is no
 * failure.
 */
int page_follow(struct task *t, struct page *p, unsigned commits_before, usec_t timeout);
/* Documents that the page has had. */
unsigned page_commits(const struct page *p);
/* Suspends until the document shown has reached `until`, at most `timeout`: -ETIMEDOUT. */
int page_wait_loaded(struct task *t, struct page *p, enum wait_until until, usec_t timeout);

/* What a page script says is shown, scripts/shown.js; the page's own address where it says nothing. Not the status. */
void navigation_shown(struct task *t, const struct page *p, const struct json *shown, struct navigation *ret);
/* URL and title of the document shown. Suspends; a page that does not answer is described by the browser. */
int page_describe(struct task *t, struct page *p, struct navigation *ret);

/* Whether a navigation is under way that has not committed, and when the last one began. */
bool page_navigating(const struct page *p);
usec_t page_navigation_began(const struct page *p);
/*
 * The renderer reports what its document asks for, the browser what it has begun, so that an answer of the page may arrive between the two.
 * Suspends until the browser has reported a navigation that was asked for. Returns 0 also when the page is gone.
 */
int page_confirm_navigation(struct task *t, struct page *p);
/* Is the document of the main frame still to come, or on its way? */
bool page_loading(const struct page *p);
