/*
 * The one Chromium that all sessions share, and its browser contexts.
 *
 * It starts on the first browser_ensure(), and again on the first one after it died. When it dies, every context
 * and page of it is gone: `died` is called, waits on them return -ENOTCONN or -ESTALE.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/macros.h"
#include "loop/task.h"
#include "page/options.h"
#include "page/page.h"

enum browser_product { BROWSER_AUTO, BROWSER_CHROMIUM, BROWSER_CHROME, BROWSER_MSEDGE };

enum sandbox_mode {
	SANDBOX_AUTO, /* on where it can work, else off with a notice */
	SANDBOX_ON,   /* always: the browser fails to start where it cannot work */
	SANDBOX_OFF,
};

/* Borrowed strings live as long as the browser. */
struct browser_options {
	enum browser_product product;
	const char *executable; /* decides alone when set, may be a name on PATH; NULL: look for one, browser/find.h */
	bool headless;
	enum sandbox_mode sandbox;
	struct page_options page;                /* of all pages */
	const struct json *storage_state;        /* what contexts begin with, browser/storage.h; NULL: nothing */
	const char *proxy_server, *proxy_bypass; /* NULL: none */
	bool proxied_webrtc;       /* from the start: WebRTC uses what a context's proxy carries and nothing else, context_new() */
	const char *user_data_dir; /* the profile that context_new_persistent() works in; NULL: a temporary one */
	const char *const *args;   /* more arguments, NULL-terminated; may be NULL */
	usec_t timeout_launch;     /* from process start to a protocol connection */
	struct {
		const char *executable, *headless, *isolated, *proxied_webrtc;
	} names; /* what messages call the settings; `isolated`: the one that makes a server use no profile */
};

struct browser;

struct browser *browser_new(struct loop *l, const struct browser_options *options, void (*died)(void *data), void *data);
/* Ends the browser if it runs; bounded by process_free(). All contexts must have been freed. */
struct browser *browser_free(struct browser *b);
DEFINE_FREEP(browser);
/* The proxy of the browser's own traffic and of its profile, also for loopback, instead of that of the options. Borrowed. */
void browser_set_proxy(struct browser *b, const char *proxy);
const struct browser_options *browser_options(const struct browser *b);

/* May suspend. Starts the browser unless it runs. -ERR_BROWSER_ERROR with the reason and the browser's last output. */
int browser_ensure(struct task *t, struct browser *b);
bool browser_running(const struct browser *b);
unsigned browser_starts(const struct browser *b); /* so far */
/* Whether the browser listens on a debugging port, which browserd does not request: every local client could control it. */
bool browser_has_port(const struct browser *b);
/* Ends the process if there is one; pending waits fail as after any other end of the browser. */
void browser_kill(struct browser *b);
/* Calls on the browser itself; NULL while it does not run. */
struct cdp_session *browser_cdp(struct browser *b);

/*
 * A browser context: cookies, storage, cache and pages, isolated from other contexts. It is not ref-counted: its owner
 * frees it, which disposes of it in the browser without waiting.
 */
struct context;

/*
 * May suspend; starts the browser. `proxy`: what even requests to this machine go through; NULL: none of its own. What the proxy
 * cannot carry (UDP of WebRTC) must not go past it, which is settled when a browser starts and for all of it: -ERR_BROWSER_ERROR
 * when it runs already and was not started so.
 */
int context_new(struct task *t, struct browser *b, const char *proxy, struct context **ret);
/*
 * The same for the browser's own context, whose cookies and storage are in the profile folder. There is one:
 * -ERR_BROWSER_ERROR while it is taken. Freeing it closes its pages and leaves the rest.
 */
int context_new_persistent(struct task *t, struct browser *b, struct context **ret);
struct context *context_free(struct context *c);
DEFINE_FREEP(context);
struct browser *context_browser(struct context *c);
/* May suspend: opens a page on about:blank. `ret` gets a reference. */
int context_open_page(struct task *t, struct context *c, struct page **ret);
/* The pages that are alive, in the order in which they were opened. Borrowed; NULL after the last one. */
struct page *context_next_page(struct context *c, struct page *after);
/* The page that calls go to: the oldest that is alive. Borrowed; NULL when there is none. */
struct page *context_page(struct context *c);
/* Woken when a page is opened. */
struct waitq *context_changed(struct context *c);
/*
 * Whether dialogs and file choosers stay open until the context's owner handles them (page/modal.h); for all pages, also later
 * ones. When it is turned off, dialogs that are open are answered.
 */
void context_keep_modals(struct context *c, bool keep);
