/*
 * A browser that sessions share, and its browser contexts. Which one a session gets decides browser/pool.h.
 *
 * It starts on the first browser_ensure(), or is connected to (browser_options.endpoints), and again on the first one after it ended. One
 * that was started here is ended when its last context was freed (browser/linger.h). When it dies before that, every context and page of
 * it is gone: `died` is called, waits on them return -ENOTCONN or -ESTALE.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/macros.h"
#include "engine/options.h"
#include "engine/targets.h"
#include "loop/task.h"
#include "page/options.h"
#include "page/page.h"

/* Borrowed strings live as long as the browser. */
struct browser_options {
	/* Here `proxied_webrtc` means from the first start on, see context_new(), and `user_data_dir` the profile of context_new_persistent(). */
	struct engine_options start;
	struct page_options page;         /* of all pages */
	const struct json *storage_state; /* what contexts begin with, browser/storage.h; NULL: nothing */
	const char *profile_prefix; /* of the profiles of workspaces, browser_use_folder(); NULL: all use start.user_data_dir */
	usec_t slow_motion;         /* wait before each call of a tool */
	bool no_downloads;          /* downloads are refused */
	unsigned max_memory;        /* MiB that its main process may have; 0: any amount */
	unsigned max_storage;       /* MiB that each origin may store in a context of its own; 0: what the browser allows */
	usec_t timeout_launch;      /* from the start of the process to its first answer */
	usec_t linger; /* how long it stays without a context; a profile in start.user_data_dir is given back at once */
	/* Connect to the browsers at these addresses (engine/endpoint.h, browser/pool.h) instead of starting one; NULL: none. */
	const char *const *endpoints;
	/* Origins (egress/origin.h) whose tabs the person who uses that browser lends to sessions, browser/lent.h; NULL: no tab is lent. */
	const char *const *lent_origins;
	bool per_session;                   /* each session has a connection of its own to one of them */
	const char *const *endpoint_fields; /* header fields for it, "Name: value", NULL-terminated; may be NULL */
	usec_t endpoint_timeout;            /* for the connection, and for what opens its contexts and pages */
	struct {
		const char *max_memory, *proxied_webrtc, *endpoint;
	} names; /* what messages call the settings; the others are in `start` */
};

struct browser;
struct webmcp_watch;

/* One that is started, or the one at the first address; with `per_session` it has the settings only, and is not connected to. */
struct browser *browser_new(struct loop *l, const struct browser_options *options, void (*died)(struct browser *b, void *data),
			    void *data);
/*
 * Another browser of the same settings and callbacks, which is at that address. `once`: when the connection has ended it is not made again.
 * `first` outlives it.
 */
struct browser *browser_new_beside(struct browser *first, const char *address, bool once);
/* Ends the browser if it runs; bounded by process_free(). All contexts must have been freed. */
struct browser *browser_free(struct browser *b);
DEFINE_FREEP(browser);
/*
 * The workspace of the client: later starts use its profile, if the options have a prefix for such profiles. NULL, and before the
 * first call: user_data_dir.
 */
void browser_use_folder(struct browser *b, const char *folder);
/* Collects the tools of the pages of later contexts and notifies `watch`, which lives as long as the browser. */
void browser_collect_tools(struct browser *b, struct webmcp_watch *watch);
struct webmcp_watch *browser_webmcp(const struct browser *b); /* NULL: tools are not collected */
/* The proxy of the browser's own traffic and of its profile, also for loopback, instead of that of the options. Borrowed. */
void browser_set_proxy(struct browser *b, const char *proxy);
const struct browser_options *browser_options(const struct browser *b);

/* May suspend. Starts the browser unless it runs. -ERR_BROWSER_ERROR with the reason and the browser's last output. */
int browser_ensure(struct task *t, struct browser *b);
/* Why the last start has failed, for browser/pool.h. */
struct browser_failure {
	const struct failure *failure; /* borrowed until the next start */
	bool may_pass;                 /* another start may succeed */
	usec_t retry_after;            /* what the server asks to wait before; 0: nothing */
};
struct browser_failure browser_failure(const struct browser *b);
bool browser_running(const struct browser *b);
/* Whether a process that was started here runs, also one that is starting or ending. */
bool browser_has_process(const struct browser *b);
/* Waits until a browser that is ending, because no context uses it, has ended and its profile is unlocked. Suspends. */
int browser_await_end(struct task *t, struct browser *b);
unsigned browser_starts(const struct browser *b); /* so far */
/* Whether it was running before: it is connected to, and never ended. */
bool browser_attached(const struct browser *b);
/* Scheme, host and port of the browser that is connected to, for messages; "" for one that is started here. */
void browser_describe(const struct browser *b, struct str *out);
/* Whether context_new_persistent() would fail because the context is in use. */
bool browser_own_context_taken(struct browser *b);
/* Whether it sees the files of this machine, so that it can save downloads and read uploads here. */
bool browser_shares_files(const struct browser *b);
/* Whether the browser listens on a debugging port that was not made private: every local client could control it. */
bool browser_has_port(const struct browser *b);
/* Whether the connection to a browser that was started here is its debugging port. */
bool browser_uses_port(const struct browser *b);
/* Why it is not, a half sentence for people; "" when that was asked for, and before the first start. */
const char *browser_pipe_reason(const struct browser *b);
/* Ends the process, or the connection to an attached browser; pending waits fail as after any other end of the browser. */
void browser_kill(struct browser *b);
/*
 * The targets of these browsers, owned by the caller, also after a failure. One of several that does not answer soon is left out. Suspends;
 * -ESTALE: the only one does not run.
 */
int browsers_targets(struct task *t, struct browser *const *browsers, size_t count, struct target_list *ret);
/* The browser itself; NULL while it does not run. */
struct engine_target *browser_root(struct browser *b);
