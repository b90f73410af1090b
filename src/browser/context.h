/*
 * A browser context: cookies, storage, cache and pages, isolated from other contexts. It is not ref-counted: its owner
 * frees it, which disposes of it in the browser without waiting.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/macros.h"
#include "browser/browser.h"
#include "loop/task.h"
#include "page/page.h"

struct context;
struct str;

/* What one session may use of the browser. */
struct session_limits {
	/* Pages that are open at a time; 0: any number. Pages open no window when all sessions of the owner have twice as many. */
	unsigned pages;
	unsigned memory; /* MiB that its pages take in their processes; 0: any amount */
	struct {
		const char *pages, *memory;
	} names; /* what messages call the limits */
};

/* Whose a context is. `session` only serves to recognise the contexts of one session. */
struct context_holder {
	const void *session;
	uint64_t owner;
	const struct session_limits *limits; /* lives as long as the context */
	bool is_sandbox;                     /* it only runs code of the session: its page is not one of the session's */
};

/* How a context differs from what the options of the browser say. Zeroed: in nothing. */
struct context_plan {
	const char *proxy; /* what even requests to this machine go through; NULL: none of its own */
	/*
	 * The proxy limits where pages connect: what it cannot carry (UDP of WebRTC) must not go past it, which is settled when a browser
	 * starts and for all of it: -ERR_BROWSER_ERROR when it runs already and was not started so.
	 */
	bool is_limited;
	const struct page_options *page; /* of its pages, lives as long as the context; NULL: those of the browser */
};

/* May suspend; starts the browser. `plan` may be NULL. */
int context_new(struct task *t, struct browser *b, const struct context_plan *plan, struct context **ret);
/*
 * As context_new(), for the browser's own context, whose cookies and storage are in the profile folder. There is one:
 * -ERR_BROWSER_ERROR while it is taken. Freeing it closes its pages and leaves the rest.
 */
int context_new_persistent(struct task *t, struct browser *b, struct context **ret);
struct context *context_free(struct context *c);
DEFINE_FREEP(context);
struct browser *context_browser(struct context *c);
/* Whether it has single tabs of the browser's own context only, which a person has lent (browser/lent.h). */
bool context_is_lent(const struct context *c);
/* 0; for a lent context -ERR_SECURITY_BLOCKED, with `what` in the message: "cookies". Does not suspend. */
int context_refuse_lent(struct task *t, const struct context *c, const char *what);
/*
 * From here on the limits of the holder apply to the context, together with its other contexts. Windows that its pages open beyond
 * them are closed at once, and a notice is left.
 */
void context_set_holder(struct context *c, struct context_holder holder);
/*
 * A limit may close windows, cancel downloads or end pages of the context. Appends a line about the next such event that no answer to
 * the owner has reported yet. Returns false when there is none.
 */
bool context_next_notice(struct context *c, struct str *out);
/* Gives context_next_notice() a line of a layer above, which replaces an earlier one that no answer has had yet. */
void context_announce(struct context *c, const char *text);
/* May suspend: opens a page on about:blank. `ret` gets a reference. -ERR_INVALID_PARAMETERS: the session has too many pages. */
int context_open_page(struct task *t, struct context *c, struct page **ret);
/* The pages that are alive, in the order in which they were opened. Borrowed; NULL after the last one. */
struct page *context_next_page(struct context *c, struct page *after);
/* The page on which calls work: the oldest live page of the context. Borrowed; NULL if the context has no live page. */
struct page *context_page(struct context *c);
/* Closes all pages without asking them, also those that serve the context and that no client sees. Does not wait. */
void context_close_pages(struct context *c);
/* Woken when a page is opened. */
struct waitq *context_changed(struct context *c);
/*
 * Whether dialogs and file choosers stay open until the context's owner handles them (page/modal.h); for all pages, also later
 * ones. When it is turned off, dialogs that are open are answered.
 */
void context_keep_modals(struct context *c, bool keep);
/* page_group_rest() and page_group_wake() of its pages. */
void context_rest(struct context *c, usec_t pause);
void context_wake(struct context *c);
/* page_group_set_private() for its pages; videos of them end with what was shown before, and others begin afterwards. */
void context_set_private(struct context *c, bool is_private);
