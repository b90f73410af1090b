/* Shared by the files of this folder only: what contexts and the browser offer to them. */
#pragma once

#include <stdbool.h>
#include <sys/queue.h>

#include "base/beneath.h"
#include "base/str.h"
#include "browser/browser.h"
#include "browser/context.h"
#include "browser/disposal.h"
#include "browser/parts.h"
#include "engine/browser.h"
#include "page/group.h"

struct matcher;

/* Service workers and shared workers that pages may start. */
struct worker_budget {
	double used; /* as of `updated`, which is 0 before the first */
	usec_t updated;
	usec_t next_end; /* when the pages may be ended again */
};

/* What limits have closed, cancelled or ended in a context since the last answer that reported it to the owner. */
struct notices {
	unsigned windows;         /* that were closed because there were too many pages */
	unsigned downloads;       /* that were cancelled because there were too many at a time */
	unsigned blobs;           /* MiB that the pages kept in the main process, for which they were ended */
	bool stored;              /* the pages were ended because of what they made the main process keep */
	bool workers;             /* because they started shared workers without end */
	unsigned too_large_count; /* pages that were ended because the session took too much memory */
	struct str too_large;     /* what the first of them was */
	struct str drawing;       /* the address of the last page that was ended because it kept the graphics process busy */
	struct str restored;      /* what context_announce() says */
	struct str closed;        /* the address of the page that was closed last because it did not stop opening them */
};

/* What is known of a context without its being told. */
struct noted {
	unsigned opening;             /* calls that are opening a page */
	unsigned memory_round;        /* of memory_limit.c: in which the context was looked at last */
	unsigned blob_mark;           /* of blob_limit.c: bytes of the blob that was put into it last */
	uint64_t grown;               /* of load_limit.c: bytes that its pages were seen to add to the main process */
	struct worker_budget workers; /* of page_limit.c */
};

/* context.c */
struct context *context_make(struct browser *b, const char *id); /* one of the contexts of the browser, which has it already */
void context_gone(struct context *c);                            /* the browser has ended, with its pages */
const char *context_id(const struct context *c);                 /* empty: the browser's own */
struct page_group *context_pages(struct context *c);
struct context_holder *context_holder(struct context *c); /* zeroed: none */
struct noted *context_noted(struct context *c);
struct notices *context_notices(struct context *c);
/* From here on whatever else is opened in it (pages, workers that pages share) is closed before it runs. */
void context_seal(struct context *c);
bool context_sealed(const struct context *c);
/* The page with that target id, which is not one of the context yet, will be: a tab that is lent, or was opened in a lent context. */
void context_await_target(struct context *c, const char *target_id);
/* Whether it is that page. */
bool context_awaits(const struct context *c, const char *target_id);
/* Whether the page of an attached browser's own context belongs to the lent context `c`: an awaited one, or one that its pages have opened. */
bool context_takes_lent(struct context *c, const struct target_info *info);
/* Whether a part takes the page, which was opened just now, for itself. */
bool context_claims(struct context *c, struct page *p);
/* The page is one that clients see, from now on. */
void context_show_page(struct context *c, struct page *p);
/* The events of the page count as those of the holder. */
void context_own_journal(struct context *c, struct page *p);
/* Closes those that were opened here, of the pages in an attached browser's own context. */
void context_close_opened(struct context *c);
/* Ends all pages, in an order in which none can store anything again, and clears what their origins have stored. */
void context_end_pages(struct context *c);
/* From here on the browser saves downloads in its own directory and reports them. */
void context_allow_downloads(struct context *c);
struct context *browser_next_context(struct browser *b, struct context *after); /* NULL: the first, and after the last */

/* contexts.c */
struct contexts {
	TAILQ_HEAD(, context) list;
	unsigned count;
	struct disposal_list disposals; /* of contexts that were freed */
	/* To pages of an attached browser that belong to no context here; LIMIT_ATTACHMENTS_COUNT at most. */
	TAILQ_HEAD(, attachment) attachments;
	unsigned attachment_count;
	struct context *persistent; /* the browser's own context, one of the list; NULL while it is not in use */
	struct str own_id;          /* of the browser's own context, in an attached browser that says so; else empty */
	bool own_id_awaited;        /* the browser has been asked for it */
	bool adopting;              /* pages that were there before are being attached to */
};
/* Of engine_browser_events, as those of other files here; `browser` is the struct browser. */
void contexts_on_attached(struct engine_target *root, const struct engine_attachment *a, void *browser);
void contexts_on_detached(const char *attachment, void *browser);
/* A page of `c` was attached to; `found`: it has been running for some time. NULL: it is one already, or was closed. Borrowed. */
struct page *context_take_page(struct context *c, struct engine_target *root, const struct engine_attachment *a, bool found);
/* Whether a page may become one of `c`. Those of a person (settings, extensions...) are left alone: neither driven nor closed. */
bool context_may_adopt(struct context *c, const struct target_info *info);
/* The id of the attachment to a page that belongs to no context here; the caller owns it. NULL: it is not attached to. */
char *contexts_take_attachment(struct contexts *all, const char *target_id);

/* adopt.c: the pages that are open in an attached browser's own context become pages of `c`. Suspends. */
int context_adopt_pages(struct task *t, struct context *c);
/* The same for the one of `targets` with this id. */
int context_adopt(struct task *t, struct context *c, const struct target_list *targets, const char *target_id);

/* context_open.c */
#define ATTACH_TIMEOUT (10 * USEC_PER_SEC) /* limit for attaching to an opened page; a page that closes earlier is never reported */
/* A proxy that cannot exist. For all addresses of a context, loopback ones included, it stops what goes through the network stack. */
#define PROXY_TO_NOWHERE "socks5://127.0.0.1:0"
/* The browser's own context without any page, for tabs that are lent (browser/lent.h). Does not suspend. */
void context_make_lent(struct browser *b, struct context **ret);
/* As context_new(), but without the storage state of the options, and whatever the browser does with WebRTC. */
int context_new_offline(struct task *t, struct browser *b, const struct context_plan *plan, struct context **ret);

/* browser.c */
/* The log says that the browser is created: once for all contexts that follow, until browser_log_no_creation(). */
void browser_log_creation(struct browser *b);
void browser_log_no_creation(struct browser *b);
/* Ends a browser that no context uses. Does not wait: the next start waits until it has ended. */
void browser_end(struct browser *b);
/* Makes WebRTC use proxies only, from the next start of the browser on. False: it runs already, without that. */
bool browser_proxies_webrtc(struct browser *b);
/* Ends the connection to an attached browser that runs. */
void browser_leave(struct browser *b, const char *reason);
struct browser *browser_first(struct browser *b); /* of those that browser_new_beside() made, or itself */
/* For parts.c: browser_new() with these parts, which outlive it. */
struct browser *browser_of_parts(struct loop *l, const struct browser_options *options, const struct parts *parts,
				 void (*died)(struct browser *b, void *data), void *data);
void browser_note_page(struct browser *b);         /* a page was opened in it */
unsigned browser_idle_contexts(struct browser *b); /* that parts only keep for a next call */
/* Until when the browser has to answer the calls that open a context or a page; USEC_NEVER: no limit. */
usec_t browser_setup_limit(const struct browser *b);
/*
 * The browser has not answered until then: a failure with the reason. What an attached browser opened is not known, so the connection ends,
 * with which it discards contexts: -ENOTCONN. One that was started here may serve other sessions and goes on. Does not suspend.
 */
int browser_setup_timed_out(struct task *t, struct browser *b);
/*
 * Around calls that open something: sets the limit of the setup as the task's deadline and returns the one from before, `outer`, which the end
 * restores. `r` is the result of the calls; -ETIMEDOUT becomes that of browser_setup_timed_out() when the limit has passed.
 */
usec_t browser_begin_setup(struct task *t, const struct browser *b);
int browser_end_setup(struct task *t, struct browser *b, usec_t outer, int r);
struct loop *browser_loop(struct browser *b);
pid_t browser_process(const struct browser *b);   /* from which its processes descend; 0: this process has not started it */
const char *browser_downloads(struct browser *b); /* the directory that it saves in; while it runs */
const char *browser_uploads(struct browser *b);   /* the directory for files that pages are given; while it runs */

/* downloads.c */
struct saved_file {
	TAILQ_ENTRY(saved_file) link;
	struct file_identity left; /* as it was saved */
	char path[];
};
/* The last ones that were downloads, LIMIT_SAVED_COUNT at most. */
struct saved_files {
	TAILQ_HEAD(, saved_file) list;
	void *by_path; /* tsearch() tree of their paths */
	unsigned count;
};
void saved_files_add(struct saved_files *files, const char *path, const struct stat *st);
bool saved_files_have(const struct saved_files *files, const char *path, const struct stat *st);
void saved_files_done(struct saved_files *files);
void downloads_on_begun(const struct download_begun *begun, void *browser);
void downloads_on_progress(const struct download_progress *progress, void *browser);

/* page_limit.c */

/* Fails if a call may not open another page in the context. */
int page_limit_check(struct task *t, struct context *c);
/* Closes a target that was attached to and gets no page. */
void page_limit_refuse(struct engine_target *root, const struct engine_attachment *a);
/*
 * Whether a new page may stay, which the page `opener` (a target id; "": unknown) or a call has opened; if not, a notice is left. A page that opens windows all the time although they are closed is closed itself.
 */
bool page_limit_allows(struct context *c, const char *opener);
/* Pages of `c` have started a worker that pages share. False: it is one too many, and the pages of the session are ended. */
bool page_limit_allows_worker(struct context *c);
