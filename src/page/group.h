/*
 * Groups of pages: those of a browser context, or those of a browser that is only observed. The owner of a group learns from the
 * browser which targets there are, and passes them on to its pages. Nothing suspends unless it takes a task.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "base/str.h"
#include "page/clipboard.h"
#include "page/origins.h"
#include "page/overrides.h"
#include "page/page.h"

struct loop;
struct engine_attachment;
struct engine_call;
struct paused_request;

/* intercept.c: what happens to the requests of a group's pages. */
struct interception {
	TAILQ_HEAD(route_list, route) routes; /* the last one first */
	uint64_t last;                        /* number of the route that was added last */
	struct loop *loop;                    /* set with the first route */
	struct ready compare;                 /* goes on with `waiting` in the next round of the loop */
	unsigned steps;                       /* of comparing URLs with patterns since the last round */
	TAILQ_HEAD(, paused_request) waiting; /* requests that have to be compared with further routes */
	unsigned waiting_count;
	bool network_set, offline;             /* page_group_set_offline(); until then the options decide */
	TAILQ_HEAD(, changed_request) changed; /* requests with changed header fields, which redirects inherit; oldest first */
	unsigned changed_count;
	TAILQ_HEAD(, answered_challenge) challenges; /* requests that have sent credentials; oldest first */
	unsigned challenge_count;
};

/* Pages that belong together, oldest first. */
struct page_group {
	TAILQ_HEAD(, page) pages;
	struct engine_target
		*browser; /* for calls on the browser itself; NULL when it has ended, and while pages are only observed */
	_nullable_ struct loop *loop;       /* NULL: the pages have no budget of events (page/throttle.h) */
	pid_t browser_process;              /* from which the processes of the pages descend; 0: not of this machine */
	pid_t main_process;                 /* of the browser; 0: not known */
	const struct page_options *options; /* never NULL; lives as long as the group */
	_nullable_ struct webmcp_watch
		*webmcp; /* is notified when the tools of a page change (page/webmcp.h); NULL: they are not collected */
	struct page_overrides overrides;
	const char *const *fence; /* origins (egress/origin.h) that main frames may show, page/fence.h; NULL: any */
	bool has_code;            /* page/agent_code.h */
	bool keeps_modals;        /* page/modal.h */
	bool is_private;          /* page_group_set_private() */
	bool rests;               /* page/rest.h */
	usec_t rest_pause;        /* the same */
	struct interception interception;
	struct visited_origins origins;
	unsigned max_storage; /* MiB that each origin may store (page/origins.h); 0: what the browser allows */
	struct group_clipboard clipboard;
	_nullable_ struct context *context; /* its owner; NULL: pages are only observed */
	/* Gets what the user does in the pages (scripts/recorder.js) as JSON text; NULL: it is not recorded. */
	_nullable_ struct exposed_receiver *exposed_receiver; /* page/exposed.h; NULL: none */
	void (*on_action)(struct frame *f, const char *text, void *data);
	void *on_action_data;
};

/* The group has no browser, no context and no options; the owner sets those. */
void page_group_init(struct page_group *g);
void page_group_done(struct page_group *g); /* it is empty */
struct page *page_group_find_session(struct page_group *g, const char *session_id);
struct page *page_group_find_target(struct page_group *g, const char *target_id);
struct page *page_group_next(struct page_group *g, struct page *after); /* NULL: the first, and after the last */
void page_group_gone(struct page_group *g);                             /* page_gone() for each */
/* Whether dialogs and file choosers of the pages, also of later ones, stay open until they are handled; if not, open ones are answered. */
void page_group_keep_modals(struct page_group *g, bool keep);
/* Whether a person works in the pages, also in those that open meanwhile: nothing that happens in them may be recorded. */
void page_group_set_private(struct page_group *g, bool is_private);

/*
 * A page of the target that `attachment` is to, in the browser `root`; the group owns a reference until page_gone(). NULL: an id is not
 * valid, or the attachment has a page or another engine_target already.
 */
struct page *page_new(struct page_group *g, struct engine_target *root, const char *attachment, const char *target_id);
/* The browser has attached to a new target, which waits for the debugger: makes its page and lets it run. NULL: it was closed, or as above. */
struct page *page_attached(struct page_group *g, struct engine_target *root, const struct engine_attachment *a);
/* The browser was attached to a target that has been running for some time: makes its page, which page_send_adoption() sets up. */
struct page *page_found(struct page_group *g, struct engine_target *root, const struct engine_attachment *a);
/*
 * Asks for the documents that such a page shows, and takes them over, for which it suspends. The page is set up in any case; without
 * an answer, the documents are those that it shows from now on.
 */
void page_send_adoption(struct task *t, struct page *p, struct engine_call *call);
int page_await_adoption(struct task *t, struct page *p, struct engine_call *call);
/* Whether the page was opened by this process, or by such a page. */
bool page_is_opened_here(const struct page *p);
void page_set_opened_here(struct page *p);
/* Leaves the page as it is: it is dead from here on, and continues to run in the browser. */
void page_detach(struct page *p);
/*
 * Suspends until the browser has done what page_attached() asked for. A navigation that started earlier would move
 * the page to another process, to which those settings do not apply.
 */
int page_settle_in(struct task *t, struct page *p);
/* The target has ended or was left: the page is dead from here on and leaves its group. */
void page_gone(struct page *p);

/* A page of a browser started by another program, which is observed only. */
struct observed_target {
	const char *target_id;
	bool workers, frames;           /* also observe its workers and its frames of other processes */
	_kept_ struct journal *journal; /* by the caller: continued, from an earlier attachment; NULL: a new one */
};
struct page *page_new_observed(struct page_group *g, struct engine_target *root, const char *attachment,
			       const struct observed_target *target);
/* Enables the console and network events of such a page, its frames and workers. Does not wait. */
void page_observe(struct page *p);

/* The page that opened it, as a target id; "" without. */
const char *page_opener_id(const struct page *p);
/* Notifies the watched document, if there is one (page_watch_effects()), of an effect that documents do not show. */
void page_note_effect(struct page *p);

/*
 * For a page that serves a purpose of its own (browser/sandbox.h): it gets what the page's scripts pass to their binding and the
 * requests of the page, which are paused. No worker or frame of another process may run in it.
 */
struct page_handler {
	void (*message)(struct page_handler *h, const char *text);         /* NULL: the page has no scripts */
	void (*request)(struct page_handler *h, struct paused_request *q); /* page/intercept.h; as the handler of a route does */
	void (*changed)(struct page_handler *h);                           /* the page shows another document, or has gone */
};
/* The documents of the page, also later ones, report what the user does in them. Does not wait. */
void page_record_actions(struct page *p);
void page_set_handler(struct page *p, struct page_handler *h); /* NULL: none, as in the pages of clients */
struct page_handler *page_get_handler(const struct page *p);
/* A hidden page serves a context and is not one of those that clients see (browser/context.h). */
void page_hide(struct page *p, bool hidden);
bool page_hidden(const struct page *p);
/* While `blank`, the page's requests are answered with an empty document, so that no server is contacted. */
void page_answer_blank(struct page *p, bool blank);
