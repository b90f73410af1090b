#include "browser/browser.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/queue.h>

#include "base/error.h"
#include "base/json.h"
#include "base/log.h"
#include "browser/internal.h"
#include "browser/launch.h"
#include "browser/matcher.h"
#include "browser/sandbox.h"
#include "browser/storage.h"
#include "page/emulate.h"
#include "page/modal.h"

#define EXIT_TIMEOUT USEC_PER_SEC          /* from the end of a starting browser's connection to that of its process */
#define ATTACH_TIMEOUT (10 * USEC_PER_SEC) /* limit for attaching to an opened page; a page that closes earlier is never reported */

enum browser_state { BROWSER_STOPPED, BROWSER_STARTING, BROWSER_RUNNING };

struct browser {
	struct loop *loop;
	const struct browser_options *options;
	const char *proxy; /* browser_set_proxy(); NULL: that of the options */
	void (*died)(void *data);
	void *data;

	enum browser_state state;
	struct launch *launch;
	struct cdp *cdp;
	struct ready burial; /* releases the dead browser's state from the event loop */
	struct timer *launch_timer;
	struct waitq changed;
	bool hung_up; /* it closed the connection while it started */
	unsigned starts;
	bool proxied_webrtc; /* WebRTC keeps to proxies: from the options, or since a context wanted it, for this start and the later ones */
	struct str failure; /* why the last start failed */
	TAILQ_HEAD(, context) contexts;
	struct context *persistent; /* one of the contexts; NULL while it is not in use */
	struct saved_files saved;
	struct matcher_list matchers;
};

struct context {
	TAILQ_ENTRY(context) link;
	struct browser *browser; /* NULL once the browser has ended */
	struct str id;           /* empty: the browser's own context */
	struct page_group pages;
	struct waitq changed;
	bool sealed;                 /* targets opened in it from now on are closed before they run */
	struct sandbox *sandbox;     /* NULL: no code has run for it */
	struct downloads *downloads; /* NULL: they are refused */
	struct uploads *uploads;     /* NULL: none yet */
};

static void fail(struct browser *b, const char *fmt, ...) _printf_(2, 3);

/* Records the first failure. The state is released later, by the event loop. */
static void fail(struct browser *b, const char *fmt, ...)
{
	va_list ap;

	if (b->failure.len == 0) {
		va_start(ap, fmt);
		str_vappendf(&b->failure, fmt, ap);
		va_end(ap);
		log_warning("%s", b->failure.data);
	}
	loop_ready(b->loop, &b->burial);
}

static struct context *find_context(struct browser *b, const char *id)
{
	struct context *c;

	TAILQ_FOREACH(c, &b->contexts, link)
		if (id && strcmp(str_text(&c->id), id) == 0)
			return c;
	return b->persistent; /* the ids of all other contexts are known before their pages attach */
}

/*
 * Detaches from the browser's first page and other targets outside of all sessions, which continue to run. A shared
 * worker that is detached before it starts would never start; it stays attached and sends no events, because none are
 * enabled.
 */
static void let_go(struct cdp_session *root, const char *session_id, const char *type)
{
	struct cdp_session *s = cdp_session_new(cdp_session_connection(root), session_id, NULL, NULL);

	cdp_post(s, "Runtime.runIfWaitingForDebugger", "{}");
	if (strcmp(type, "shared_worker") != 0)
		cdp_post(root, "Target.detachFromTarget", "{sessionId: %s}", session_id);
	cdp_session_free(s);
}

static void on_attached(struct cdp_session *root, const struct json *params, void *data)
{
	struct browser *b = data;
	const char *session_id = json_str(params, "sessionId");
	const char *type = json_str(params, "targetInfo.type");
	struct context *c = find_context(b, json_str(params, "targetInfo.browserContextId"));

	if (!session_id || !type)
		return;
	if (c && c->sealed) {
		cdp_post(root, "Target.closeTarget", "{targetId: %s}", json_str(params, "targetInfo.targetId"));
		return;
	}
	if (!c || strcmp(type, "page") != 0) {
		let_go(root, session_id, type);
		return;
	}
	page_attached(&c->pages, b->cdp, session_id, json_get(params, "targetInfo"));
	waitq_wake(&c->changed);
}

static void on_detached(struct cdp_session *root, const struct json *params, void *data)
{
	struct browser *b = data;
	const char *session_id = json_str(params, "sessionId");
	struct context *c;
	struct page *p;

	TAILQ_FOREACH(c, &b->contexts, link) {
		p = page_group_find_session(&c->pages, session_id);
		if (p) {
			page_gone(p);
			return;
		}
	}
}

static const struct cdp_event root_events[] = {
	{ "Target.attachedToTarget", on_attached },
	{ "Target.detachedFromTarget", on_detached },
	{ "Browser.downloadWillBegin", downloads_on_begun },
	{ "Browser.downloadProgress", downloads_on_progress },
	{},
};

static void on_cdp_open(void *data)
{
	struct browser *b = data;

	timer_set(b->launch_timer, USEC_NEVER);
	cdp_session_listen(cdp_root(b->cdp), root_events, b);
	cdp_post(cdp_root(b->cdp), "Target.setAutoAttach", "{autoAttach: true, waitForDebuggerOnStart: true, flatten: true}");
	b->state = BROWSER_RUNNING;
	b->starts++;
	waitq_wake(&b->changed);
}

/* While it starts, the reason is known when the process has ended, which is usually at once. */
static void on_cdp_closed(const char *reason, void *data)
{
	struct browser *b = data;

	if (b->state != BROWSER_STARTING) {
		fail(b, "the browser's protocol connection ended: %s", reason);
		return;
	}
	b->hung_up = true;
	timer_set(b->launch_timer, clock_now() + EXIT_TIMEOUT);
}

static const struct cdp_handler cdp_handler = { .open = on_cdp_open, .closed = on_cdp_closed };

static void on_exited(const char *reason, void *data)
{
	struct browser *b = data;

	if (b->state == BROWSER_STARTING)
		fail(b, "the browser %s before it was ready. Its output ends with:\n%s", reason, launch_output(b->launch));
	else
		fail(b, "the browser %s", reason);
}

static const struct launch_handler launch_handler = { .exited = on_exited };

static void on_launch_timeout(void *data)
{
	struct browser *b = data;

	if (b->hung_up)
		fail(b,
		     "the browser closed its debugging pipe (descriptors 3 and 4) before it answered; is it a Chromium, and does "
		     "a script that starts it leave them open? Its output ends with:\n%s",
		     launch_output(b->launch));
	else
		fail(b,
		     "the browser did not answer through its debugging pipe (descriptors 3 and 4) within %llu ms; is it a Chromium? "
		     "Its output ends with:\n%s",
		     b->options->timeout_launch / USEC_PER_MSEC, launch_output(b->launch));
}

static void bury_context(struct context *c)
{
	c->browser = NULL;
	c->pages.browser = NULL;
	page_group_gone(&c->pages);
	waitq_wake(&c->changed);
}

/* Releases the state of the dead browser. Contexts and pages stay valid as dead objects of their owners. */
static void bury(struct ready *r)
{
	struct browser *b = CONTAINER_OF(r, struct browser, burial);
	bool was_running = b->state == BROWSER_RUNNING;
	struct context *c;

	timer_set(b->launch_timer, USEC_NEVER);
	while ((c = TAILQ_FIRST(&b->contexts))) {
		TAILQ_REMOVE(&b->contexts, c, link);
		bury_context(c);
	}
	b->persistent = NULL;
	b->cdp = cdp_free(b->cdp);
	b->launch = launch_free(b->launch);
	b->state = BROWSER_STOPPED;
	waitq_wake(&b->changed);
	if (was_running && b->died)
		b->died(b->data);
}

struct browser *browser_new(struct loop *l, const struct browser_options *options, void (*died)(void *data), void *data)
{
	struct browser *b = NEW(struct browser);

	*b = (struct browser){ .loop = l,
			       .options = options,
			       .died = died,
			       .data = data,
			       .burial.run = bury,
			       .proxied_webrtc = options->proxied_webrtc };
	b->launch_timer = timer_new(l, on_launch_timeout, b);
	waitq_init(&b->changed);
	TAILQ_INIT(&b->contexts);
	TAILQ_INIT(&b->saved.list);
	TAILQ_INIT(&b->matchers);
	return b;
}

struct browser *browser_free(struct browser *b)
{
	if (!b)
		return NULL;
	b->died = NULL;
	matchers_free(b);
	bury(&b->burial);
	loop_cancel_ready(b->loop, &b->burial);
	timer_free(b->launch_timer);
	str_done(&b->failure);
	saved_files_done(&b->saved);
	free(b);
	return NULL;
}

void browser_set_proxy(struct browser *b, const char *proxy)
{
	b->proxy = proxy;
}

const struct browser_options *browser_options(const struct browser *b)
{
	return b->options;
}

static void start(struct browser *b)
{
	_cleanup_(str_done) struct str error = {};
	struct browser_options options = *b->options;
	int fd = -1, r;

	str_reset(&b->failure);
	options.proxied_webrtc = b->proxied_webrtc;
	if (b->proxy) {
		options.proxy_server = b->proxy;
		options.proxy_bypass = "<-loopback>"; /* the proxy is used for loopback, too */
	}
	r = launch_start(b->loop, &options, &launch_handler, b, &error, &b->launch, &fd);
	if (r < 0) {
		str_append(&b->failure, str_text(&error));
		return;
	}
	b->state = BROWSER_STARTING;
	b->hung_up = false;
	if (cdp_attach(b->loop, fd, &cdp_handler, b, &b->cdp) < 0)
		fail(b, "cannot watch the socket of the browser");
	timer_set(b->launch_timer, clock_now() + b->options->timeout_launch);
}

int browser_ensure(struct task *t, struct browser *b)
{
	int r;

	if (b->burial.queued) /* it just died: what is left must go before it can start again */
		while (b->burial.queued) {
			r = waitq_wait(t, &b->changed, "the end of the dead browser");
			if (r < 0)
				return r;
		}
	if (b->state == BROWSER_STOPPED)
		start(b);
	while (b->state == BROWSER_STARTING) {
		r = waitq_wait(t, &b->changed, "the start of the browser");
		if (r == -ETIMEDOUT)
			return task_fail(t, -ERR_BROWSER_ERROR, "the browser did not start in time");
		if (r < 0)
			return r;
	}
	if (b->state == BROWSER_RUNNING)
		return 0;
	return task_fail(t, -ERR_BROWSER_ERROR, "%s", b->failure.len ? b->failure.data : "the browser ended while it started");
}

unsigned browser_starts(const struct browser *b)
{
	return b->starts;
}

bool browser_running(const struct browser *b)
{
	return b->state == BROWSER_RUNNING;
}

bool browser_has_port(const struct browser *b)
{
	return b->launch && launch_has_port(b->launch);
}

void browser_kill(struct browser *b)
{
	if (b->launch)
		launch_kill(b->launch);
}

struct cdp_session *browser_cdp(struct browser *b)
{
	return b->cdp && b->state == BROWSER_RUNNING ? cdp_root(b->cdp) : NULL;
}

/* -ENOTCONN when the browser turns out to have died, perhaps long ago. */
static int create_context(struct task *t, struct browser *b, const char *proxy, struct json **reply)
{
	bool masked;
	int r;

	r = browser_ensure(t, b);
	if (r < 0)
		return r;
	/* A context whose id is not received could not be disposed of, so this wait is not cancelable. */
	masked = task_mask_cancel(t, true);
	if (proxy)
		r = cdp_call(t, browser_cdp(b), reply, "Target.createBrowserContext",
			     "{disposeOnDetach: true, proxyServer: %s, proxyBypassList: '<-loopback>'}", proxy);
	else
		r = cdp_call(t, browser_cdp(b), reply, "Target.createBrowserContext", "{disposeOnDetach: true}");
	task_mask_cancel(t, masked);
	if (r < 0)
		return r;
	if (!browser_running(b)) /* it died between its answer and now */
		return task_fail(t, -ENOTCONN, "the browser has ended; the next call starts it again");
	return 0;
}

static struct context *add_context(struct browser *b, const char *id)
{
	struct context *c = NEW(struct context);

	c->browser = b;
	str_append(&c->id, id);
	page_group_init(&c->pages);
	c->pages.browser = browser_cdp(b);
	c->pages.options = &b->options->page;
	c->pages.context = c;
	waitq_init(&c->changed);
	TAILQ_INSERT_TAIL(&b->contexts, c, link);
	/* Events are enabled although downloads are denied: otherwise the browser would stop sending those of other contexts. */
	if (*id)
		cdp_post(browser_cdp(b), "Browser.setDownloadBehavior",
			 "{behavior: 'deny', browserContextId: %s, eventsEnabled: true}", id);
	else
		cdp_post(browser_cdp(b), "Browser.setDownloadBehavior", "{behavior: 'deny', eventsEnabled: true}");
	emulate_context(browser_cdp(b), &b->options->page, id);
	return c;
}

int context_new_persistent(struct task *t, struct browser *b, struct context **ret)
{
	int r;

	r = browser_ensure(t, b);
	if (r < 0)
		return r;
	if (b->persistent)
		return task_fail(t, -ERR_BROWSER_ERROR,
				 "another client works in the profile %s; start the server with %s to "
				 "give each a profile of its own",
				 b->options->user_data_dir, b->options->names.isolated);
	*ret = b->persistent = add_context(b, "");
	return 0;
}

int context_new_offline(struct task *t, struct browser *b, const char *proxy, struct context **ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	int r;

	r = create_context(t, b, proxy, &reply);
	if (r == -ENOTCONN) { /* the call had changed nothing yet: retry with a new browser */
		reply = json_free(reply);
		r = create_context(t, b, proxy, &reply);
	}
	if (r == 0)
		*ret = add_context(b, json_str(reply, "result.browserContextId"));
	return r;
}

static int keep_webrtc_to_proxies(struct task *t, struct browser *b)
{
	if (b->proxied_webrtc)
		return 0;
	if (b->state != BROWSER_STOPPED)
		return task_fail(t, -ERR_BROWSER_ERROR,
				 "the browser runs already for sessions that may connect anywhere, and its WebRTC "
				 "would go past the limits of this one; the operator can start the server with %s (\"all\" limits "
				 "nothing by itself), or a restricted session has to be the first",
				 b->options->names.proxied_webrtc);
	b->proxied_webrtc = true;
	return 0;
}

int context_new(struct task *t, struct browser *b, const char *proxy, struct context **ret)
{
	_cleanup_(context_freep) struct context *c = NULL;
	int r;

	r = proxy ? keep_webrtc_to_proxies(t, b) : 0;
	if (r == 0)
		r = context_new_offline(t, b, proxy, &c);
	if (r == 0 && b->options->storage_state)
		r = storage_restore(t, c, b->options->storage_state);
	if (r == 0)
		*ret = TAKE_PTR(c);
	return r;
}

static void leave_persistent(struct context *c)
{
	while (!TAILQ_EMPTY(&c->pages.pages))
		page_close(TAILQ_FIRST(&c->pages.pages));
	if (c->browser)
		c->browser->persistent = NULL;
}

struct context *context_free(struct context *c)
{
	if (!c)
		return NULL;
	if (!c->id.len)
		leave_persistent(c);
	sandbox_free(c->sandbox);
	downloads_free(c->downloads);
	uploads_unref(c->uploads);
	page_group_gone(&c->pages);
	if (c->browser)
		TAILQ_REMOVE(&c->browser->contexts, c, link);
	if (c->browser && c->id.len)
		cdp_post(browser_cdp(c->browser), "Target.disposeBrowserContext", "{browserContextId: %s}", c->id.data);
	page_group_done(&c->pages);
	str_done(&c->id);
	free(c);
	return NULL;
}

struct browser *context_browser(struct context *c)
{
	return c->browser;
}

const char *context_id(const struct context *c)
{
	return str_text(&c->id);
}

struct page_group *context_pages(struct context *c)
{
	return &c->pages;
}

struct sandbox **context_sandbox(struct context *c)
{
	return &c->sandbox;
}

struct uploads **context_uploads(struct context *c)
{
	return &c->uploads;
}

struct downloads **context_downloads(struct context *c)
{
	return &c->downloads;
}

void context_allow_downloads(struct context *c)
{
	struct browser *b = c->browser;

	if (c->id.len)
		cdp_post(browser_cdp(b), "Browser.setDownloadBehavior",
			 "{behavior: 'allowAndName', browserContextId: %s, downloadPath: %s, eventsEnabled: true}", c->id.data,
			 browser_downloads(b));
	else
		cdp_post(browser_cdp(b), "Browser.setDownloadBehavior",
			 "{behavior: 'allowAndName', downloadPath: %s, eventsEnabled: true}", browser_downloads(b));
}

struct context *browser_next_context(struct browser *b, struct context *after)
{
	return after ? TAILQ_NEXT(after, link) : TAILQ_FIRST(&b->contexts);
}

struct loop *browser_loop(struct browser *b)
{
	return b->loop;
}

const char *browser_downloads(struct browser *b)
{
	return launch_downloads(b->launch);
}

const char *browser_uploads(struct browser *b)
{
	return launch_uploads(b->launch);
}

struct saved_files *browser_saved_files(struct browser *b)
{
	return &b->saved;
}

struct matcher_list *browser_matchers(struct browser *b)
{
	return &b->matchers;
}

struct waitq *context_changed(struct context *c)
{
	return &c->changed;
}

void context_seal(struct context *c)
{
	c->sealed = true;
}

void context_keep_modals(struct context *c, bool keep)
{
	struct page *p;

	if (c->pages.keeps_modals == keep)
		return;
	c->pages.keeps_modals = keep;
	TAILQ_FOREACH(p, &c->pages.pages, link) {
		page_intercept_choosers(p, keep);
		if (!keep)
			page_let_modals_go(p);
	}
}

struct page *context_next_page(struct context *c, struct page *after)
{
	return after ? TAILQ_NEXT(after, link) : TAILQ_FIRST(&c->pages.pages);
}

static int wait_for_page(struct task *t, struct context *c, const char *target_id, struct page **ret)
{
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), clock_now() + ATTACH_TIMEOUT));
	struct page *p;
	int r = 0;

	while (!(p = page_group_find_target(&c->pages, target_id)) && c->browser && r == 0)
		r = waitq_wait(t, &c->changed, "Target.attachedToTarget");
	task_set_deadline(t, outer);
	if (p) {
		*ret = page_ref(p);
		return 0;
	}
	if (!c->browser)
		return task_fail(t, -ENOTCONN, "the browser has ended; the next call starts it again");
	if (r == -ETIMEDOUT)
		return task_fail(t, -ERR_BROWSER_ERROR, "the page that was opened has gone at once; try again");
	return r;
}

int context_open_page(struct task *t, struct context *c, struct page **ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	_cleanup_(page_unrefp) struct page *page = NULL;
	int r;

	if (!c->browser)
		return task_fail(t, -ENOTCONN, "the browser has ended; the next call starts it again");
	if (c->id.len)
		r = cdp_call(t, browser_cdp(c->browser), &reply, "Target.createTarget",
			     "{url: 'about:blank', browserContextId: %s}", c->id.data);
	else
		r = cdp_call(t, browser_cdp(c->browser), &reply, "Target.createTarget", "{url: 'about:blank'}");
	if (r < 0)
		return r;
	r = wait_for_page(t, c, json_str(reply, "result.targetId"), &page);
	if (r < 0)
		return r;
	r = page_settle_in(t, page);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(page);
	return 0;
}

struct page *context_page(struct context *c)
{
	return page_group_first_alive(&c->pages);
}
