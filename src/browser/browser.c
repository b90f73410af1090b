#include "browser/browser.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/queue.h>

#include "base/error.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/log.h"
#include "browser/attached.h"
#include "browser/blob_limit.h"
#include "browser/connection.h"
#include "browser/gpu_limit.h"
#include "browser/internal.h"
#include "browser/launch.h"
#include "browser/linger.h"
#include "browser/matcher.h"
#include "browser/load_limit.h"
#include "browser/memory_limit.h"
#include "browser/profile.h"
#include "browser/sandbox.h"
#include "browser/storage.h"
#include "engine/cdp/cdp.h"
#include "page/emulate.h"
#include "page/modal.h"

#define EXIT_TIMEOUT USEC_PER_SEC /* from the end of a starting browser's connection to that of its process */
#define STARTED_FACTOR 10
#define END_TIMEOUT (5 * USEC_PER_SEC) /* for a browser that is asked to end, and writes what its profile keeps */
#define PROFILE_RETRY \
	(20 * USEC_PER_MSEC) /* between attempts to lock the profile: its release cannot be awaited without blocking */

enum browser_state { BROWSER_STOPPED, BROWSER_STARTING, BROWSER_RUNNING, BROWSER_ENDING };

struct browser {
	struct loop *loop;
	const struct browser_options *options;
	struct webmcp_watch *webmcp; /* browser_collect_tools(); NULL: tools are not collected */
	struct str profile;          /* browser_use_folder(); empty: that of the options */
	const char *proxy;           /* browser_set_proxy(); NULL: that of the options */
	void (*died)(struct browser *b, void *data);
	void *data;
	struct browser *first; /* whose list of saved files is used for all (browser_new_beside()); itself if there are no others */
	bool is_once, has_been; /* `is_once`: it is not connected to again; `has_been`: it was */

	enum browser_state state;
	struct launch *launch;
	struct connection connection; /* to `launch` */
	bool starting_again;          /* the end of such a browser is awaited */
	struct ready start_again;
	struct attached attached; /* zeroed if the browser is started here */
	struct cdp *cdp;
	struct ready release; /* releases the state of a browser that has ended, from the event loop */
	struct timer *launch_timer;
	struct timer *profile_timer; /* for another attempt to lock the profile */
	usec_t profile_deadline;     /* of the last attempt */
	struct waitq changed;
	bool hung_up; /* it closed the connection while it started */
	unsigned starts;
	bool logged;         /* its creation, in the life that it has for clients: from the first context to the last */
	bool proxied_webrtc; /* WebRTC uses proxies only: from the options, or since a context required it, for all later starts */
	struct failure failure; /* of the last start */
	struct contexts contexts;
	struct linger *linger;
	struct saved_files saved;
	struct matcher_list matchers;
	struct memory_limit *memory_limit;
	struct blob_limit *blob_limit;
	struct load_limit *load_limit;
	struct gpu_limit *gpu_limit;
	struct suspects *search; /* browser_search() */
};

static void fail(struct browser *b, const char *fmt, ...) _printf_(2, 3);

/* Records the first failure. The state is released later, by the event loop. */
static void fail(struct browser *b, const char *fmt, ...)
{
	va_list ap;

	if (b->failure.code == 0) {
		va_start(ap, fmt);
		failure_vset(&b->failure, -ERR_BROWSER_ERROR, fmt, ap);
		va_end(ap);
		log_warning("%s", b->failure.text.data);
	}
	loop_ready(b->loop, &b->release);
}

static const struct cdp_event root_events[] = {
	{ "Target.attachedToTarget", contexts_on_attached },
	{ "Target.detachedFromTarget", contexts_on_detached },
	{ "Browser.downloadWillBegin", downloads_on_begun },
	{ "Browser.downloadProgress", downloads_on_progress },
	{ "Tracing.dataCollected", blob_limit_on_trace, .longest = LIMIT_CDP_MESSAGE }, /* pages choose the number of blobs */
	{ "Tracing.tracingComplete", blob_limit_on_trace_complete },
	{},
};

static void on_cdp_open(void *data)
{
	struct browser *b = data;

	timer_set(b->launch_timer, USEC_NEVER);
	cdp_session_listen(cdp_root(b->cdp), root_events, b);
	cdp_post(cdp_root(b->cdp), "Target.setAutoAttach", "{autoAttach: true, waitForDebuggerOnStart: true, flatten: true}");
	b->state = BROWSER_RUNNING;
	b->has_been = true;
	b->starts++;
	waitq_wake(&b->changed);
}

/* While it starts, the reason is known when the process has ended, which is usually at once. */
static void on_cdp_closed(const char *reason, void *data)
{
	struct browser *b = data;

	if (b->starting_again || b->state == BROWSER_ENDING) /* its process follows */
		return;
	if (b->state != BROWSER_STARTING) {
		fail(b, "the browser's protocol connection ended: %s", reason);
		return;
	}
	b->hung_up = true;
	timer_set(b->launch_timer, clock_now() + EXIT_TIMEOUT);
}

static const struct cdp_handler cdp_handler = { .open = on_cdp_open, .closed = on_cdp_closed };

/* ---- a browser that this process has not started ---- */

static void fail_attached(struct browser *b, const char *reason)
{
	_cleanup_(str_done) struct str address = {}, advice = {};

	endpoint_describe(&b->attached.endpoint, &address);
	endpoint_advise(&b->attached.endpoint, &advice);
	if (b->state == BROWSER_RUNNING)
		fail(b, "the connection to the browser at %s (%s) has ended: %s", address.data, b->options->names.endpoint, reason);
	else
		fail(b, "cannot connect to the browser at %s (%s): %s%s", address.data, b->options->names.endpoint, reason,
		     str_text(&advice));
}

static void on_connecting(struct cdp *c, void *data)
{
	((struct browser *)data)->cdp = c;
}

static void on_not_connected(const char *reason, void *data)
{
	_cleanup_(str_done) struct str explained = {};
	struct browser *b = data;

	attached_explain(&b->attached, b->cdp, reason, &explained);
	fail_attached(b, str_text(&explained));
}

static const struct endpoint_handler endpoint_handler = {
	.connecting = on_connecting,
	.failed = on_not_connected,
	.cdp = { .open = on_cdp_open, .closed = on_not_connected },
};

static void on_connect_timeout(struct browser *b)
{
	char text[64];

	snprintf(text, sizeof(text), "Timeout %llums exceeded", b->options->endpoint_timeout / USEC_PER_MSEC);
	on_not_connected(text, b);
}

static void attach(struct browser *b)
{
	failure_reset(&b->failure, 0);
	if (attached_connect(&b->attached, b->loop, &endpoint_handler, b, &b->failure) < 0)
		return;
	b->state = BROWSER_STARTING;
	timer_set(b->launch_timer, browser_setup_limit(b));
}

bool browser_attached(const struct browser *b)
{
	return b->options->endpoints;
}

bool browser_shares_files(const struct browser *b)
{
	return !browser_attached(b) || endpoint_is_local(&b->attached.endpoint);
}

/* One that was started here runs on this machine, where a hundred sessions may open at once. */
static usec_t setup_time(const struct browser *b)
{
	return b->options->endpoint_timeout * (browser_attached(b) ? 1 : STARTED_FACTOR);
}

usec_t browser_setup_limit(const struct browser *b)
{
	usec_t limit = setup_time(b);

	return limit ? clock_now() + limit : USEC_NEVER;
}

int browser_setup_timed_out(struct task *t, struct browser *b)
{
	if (!browser_attached(b))
		return task_fail(
			t, -ERR_BROWSER_ERROR,
			"the browser did not open a context or page within %llu ms; it is overloaded or hangs: try again, and "
			"restart the server if it does not recover",
			(unsigned long long)(setup_time(b) / USEC_PER_MSEC));
	if (b->state == BROWSER_RUNNING)
		on_connect_timeout(b);
	return task_wrap(t, task_fail_of(t, &b->failure), -ENOTCONN, "", "");
}

/* ---- starting and ending ---- */

static void on_exited(const char *reason, void *data)
{
	struct browser *b = data;

	if (b->starting_again)
		loop_ready(b->loop, &b->start_again);
	else if (b->state == BROWSER_ENDING)
		loop_ready(b->loop, &b->release);
	else if (b->state == BROWSER_STARTING)
		fail(b, "Failed to launch %s: it %s before it was ready%s. Its output ends with:\n%s", launch_program(b->launch),
		     reason, launch_warning(b->launch), launch_output(b->launch));
	else
		fail(b, "the browser %s", reason);
}

static const struct launch_handler launch_handler = { .exited = on_exited };

static void fail_silent(struct browser *b)
{
	const char *connection = connection_name(&b->connection);

	if (b->hung_up)
		fail(b,
		     "Failed to launch %s: it closed its %s before it answered; is it a Chromium, and does a script that starts it leave "
		     "that open? Its output ends with:\n%s",
		     launch_program(b->launch), connection, launch_output(b->launch));
	else
		fail(b,
		     "Failed to launch %s: it did not answer through its %s within %llu ms; is it a Chromium? Its output ends with:\n%s",
		     launch_program(b->launch), connection, b->options->timeout_launch / USEC_PER_MSEC, launch_output(b->launch));
}

static void on_launch_timeout(void *data)
{
	struct browser *b = data;

	if (b->state == BROWSER_ENDING) /* the start after it waits for the profile on its own */
		loop_ready(b->loop, &b->release);
	else if (browser_attached(b))
		on_connect_timeout(b);
	else
		fail_silent(b);
}

/* The browser is ended before anybody's data is in it, and usually another one started. */
static void on_port_failed(bool shared, const char *reason, void *data)
{
	_cleanup_(str_done) struct str error = {};
	struct browser *b = data;

	if (!connection_may_retry(&b->connection, b->options, shared, reason, &error)) {
		fail(b, "%s", error.data);
		return;
	}
	b->starting_again = true;
	launch_kill(b->launch);
}

static const struct debugging_port_handler port_handler = {
	.connecting = on_connecting,
	.failed = on_port_failed,
	.cdp = { .open = on_cdp_open, .closed = on_cdp_closed },
};

static int connect_launched(struct browser *b, int fd)
{
	if (!b->connection.port)
		return cdp_attach(b->loop, fd, &cdp_handler, b, &b->cdp);
	return debugging_port_begin(b->connection.port, launch_directory(b->launch), launch_process(b->launch));
}

static void release_launched(struct browser *b)
{
	b->cdp = cdp_free(b->cdp);
	connection_release(&b->connection);
	b->launch = launch_free(b->launch);
	b->starting_again = false;
}

/* Releases the state of the dead browser. Contexts and pages stay valid as dead objects of their owners. */
static void release_browser(struct ready *r)
{
	struct browser *b = CONTAINER_OF(r, struct browser, release);
	bool was_running = b->state == BROWSER_RUNNING;

	timer_set(b->launch_timer, USEC_NEVER);
	timer_set(b->profile_timer, USEC_NEVER);
	loop_cancel_ready(b->loop, &b->start_again);
	contexts_gone(&b->contexts);
	blob_limit_browser_ended(b->blob_limit);
	load_limit_browser_ended(b->load_limit);
	gpu_limit_browser_ended(b->gpu_limit);
	attached_release(&b->attached);
	release_launched(b);
	b->state = BROWSER_STOPPED;
	b->logged = false;
	waitq_wake(&b->changed);
	if (was_running && b->died)
		b->died(b, b->data);
}

static void launch(void *data);

static void run_start_again(struct ready *r)
{
	struct browser *b = CONTAINER_OF(r, struct browser, start_again);

	release_launched(b);
	launch(b);
}

static struct browser *new_at(struct loop *l, const struct browser_options *options, const char *address,
			      void (*died)(struct browser *b, void *data), void *data)
{
	struct browser *b = NEW(struct browser);

	*b = (struct browser){ .loop = l,
			       .options = options,
			       .died = died,
			       .data = data,
			       .release.run = release_browser,
			       .start_again.run = run_start_again,
			       .proxied_webrtc = options->proxied_webrtc };
	b->first = b;
	if (address)
		attached_init(&b->attached, address, options->endpoint_fields);
	b->launch_timer = timer_new(l, on_launch_timeout, b);
	b->profile_timer = timer_new(l, launch, b);
	waitq_init(&b->changed);
	contexts_init(&b->contexts);
	b->linger = linger_new(b);
	TAILQ_INIT(&b->saved.list);
	TAILQ_INIT(&b->matchers);
	b->memory_limit = memory_limit_new(b);
	b->blob_limit = blob_limit_new(b);
	b->load_limit = load_limit_new(b);
	b->gpu_limit = gpu_limit_new(b);
	return b;
}

struct browser *browser_new(struct loop *l, const struct browser_options *options, void (*died)(struct browser *b, void *data),
			    void *data)
{
	struct browser *b = new_at(l, options, options->endpoints ? options->endpoints[0] : NULL, died, data);

	b->is_once = b->has_been = options->per_session;
	return b;
}

struct browser *browser_new_beside(struct browser *first, const char *address, bool once)
{
	struct browser *b = new_at(first->loop, first->options, address, first->died, first->data);

	b->first = first;
	b->is_once = once;
	return b;
}

void browser_collect_tools(struct browser *b, struct webmcp_watch *watch)
{
	b->webmcp = watch;
}

struct webmcp_watch *browser_webmcp(const struct browser *b)
{
	return b->first->webmcp;
}

struct browser *browser_free(struct browser *b)
{
	if (!b)
		return NULL;
	b->died = NULL;
	matchers_free(b);
	release_browser(&b->release);
	loop_cancel_ready(b->loop, &b->release);
	timer_free(b->launch_timer);
	timer_free(b->profile_timer);
	linger_free(b->linger);
	memory_limit_free(b->memory_limit);
	blob_limit_free(b->blob_limit);
	load_limit_free(b->load_limit);
	gpu_limit_free(b->gpu_limit);
	failure_done(&b->failure);
	connection_done(&b->connection);
	str_done(&b->profile);
	attached_done(&b->attached);
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

static void fail_launch(struct browser *b, const char *error)
{
	failure_set(&b->failure, -ERR_BROWSER_ERROR, "%s", error);
	connection_release(&b->connection);
	b->state = BROWSER_STOPPED;
	waitq_wake(&b->changed);
}

/* Starts the browser. While another one has the profile, which may be ending, tries again until the deadline. */
static void launch(void *data)
{
	struct browser *b = data;
	_cleanup_(str_done) struct str error = {};
	struct browser_options options = *b->options;
	int fd = -1, r;

	options.proxied_webrtc = b->proxied_webrtc;
	if (b->profile.len)
		options.user_data_dir = b->profile.data;
	if (b->proxy) {
		options.proxy_server = b->proxy;
		options.proxy_bypass = NULL;
		options.proxies_loopback = true;
	}
	r = connection_choose(&b->connection, b->loop, &options, &port_handler, b, &error);
	if (r == 0)
		r = launch_start(b->loop, &options, &launch_handler, b, &error, &b->launch, &fd);
	if (r == -EBUSY && clock_now() < b->profile_deadline) {
		timer_set(b->profile_timer, clock_now() + PROFILE_RETRY);
		return;
	}
	if (r < 0) {
		fail_launch(b, str_text(&error));
		return;
	}
	if (connect_launched(b, fd) < 0)
		fail(b, "cannot watch the connection to the browser");
	timer_set(b->launch_timer, clock_now() + b->options->timeout_launch);
}

void browser_use_folder(struct browser *b, const char *folder)
{
	if (!b->options->profile_prefix)
		return;
	str_reset(&b->profile);
	if (folder)
		profile_of_folder(b->options->profile_prefix, folder, &b->profile);
}

static void start(struct browser *b)
{
	failure_reset(&b->failure, 0);
	b->state = BROWSER_STARTING;
	b->hung_up = false;
	b->connection.shared = 0;
	b->profile_deadline = clock_now() + LIMIT_PROFILE_WAIT;
	launch(b);
}

/* Also of one that has just died: its state is released before it can start again. */
int browser_await_end(struct task *t, struct browser *b)
{
	int r = 0;

	while (r == 0 && (b->release.queued || b->state == BROWSER_ENDING))
		r = waitq_wait(t, &b->changed, "the end of the last browser");
	return r;
}

void browser_end(struct browser *b)
{
	b->state = BROWSER_ENDING;
	timer_set(b->launch_timer, clock_now() + END_TIMEOUT);
	if (b->options->user_data_dir)
		cdp_post(cdp_root(b->cdp), "Browser.close", "{}");
	else
		launch_kill(b->launch);
}

void browser_log_creation(struct browser *b)
{
	b->logged = true;
	log_lifecycle("create browser (%s)", browser_attached(b) ? "cdp" : b->options->user_data_dir ? "persistent" : "isolated");
}

void browser_log_no_creation(struct browser *b)
{
	b->logged = false;
}

int browser_ensure(struct task *t, struct browser *b)
{
	int r;

	r = browser_await_end(t, b);
	if (r < 0)
		return r;
	if (b->is_once && b->has_been && b->state == BROWSER_STOPPED)
		return b->failure.code ? task_fail_of(t, &b->failure) :
					 task_fail_because(t, -ERR_BROWSER_ERROR, REASON_BROWSER_UNUSED, "{}");
	if (!b->logged)
		browser_log_creation(b);
	if (b->state == BROWSER_STOPPED && browser_attached(b))
		attach(b);
	else if (b->state == BROWSER_STOPPED)
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
	return b->failure.code ? task_fail_of(t, &b->failure) :
				 task_fail(t, -ERR_BROWSER_ERROR, "the browser ended while it started");
}

struct browser_failure browser_failure(const struct browser *b)
{
	return (struct browser_failure){ &b->failure, b->attached.may_pass, b->attached.retry_after };
}

unsigned browser_starts(const struct browser *b)
{
	return b->starts;
}

bool browser_running(const struct browser *b)
{
	return b->state == BROWSER_RUNNING;
}

void browser_describe(const struct browser *b, struct str *out)
{
	if (browser_attached(b))
		endpoint_describe(&b->attached.endpoint, out);
}

bool browser_own_context_taken(struct browser *b)
{
	return b->contexts.persistent;
}

/* Calls that search with regular expressions may be of other sessions, and take long; they do not keep the connection. */
bool browser_is_left(struct browser *b)
{
	if (!TAILQ_EMPTY(&b->contexts.disposals))
		return false;
	if (!matchers_are_used(b))
		return true;
	if (b->state == BROWSER_RUNNING && !b->release.queued)
		fail_attached(b, "its session has ended");
	return false;
}

bool browser_has_process(const struct browser *b)
{
	return b->launch;
}

bool browser_has_port(const struct browser *b)
{
	return b->launch && !b->connection.port && launch_has_port(b->launch);
}

bool browser_uses_port(const struct browser *b)
{
	return b->connection.port;
}

const char *browser_pipe_reason(const struct browser *b)
{
	return str_text(&b->connection.pipe_reason);
}

void browser_kill(struct browser *b)
{
	if (b->launch) {
		launch_kill(b->launch);
		fail(b, "the server is shutting down"); /* calls that wait for a reply end now, not when the process has ended */
	} else if (browser_attached(b) && b->state != BROWSER_STOPPED) {
		contexts_close_opened(&b->contexts);
		fail_attached(b, "the server is shutting down");
	}
}

struct engine_target *browser_cdp(struct browser *b)
{
	return b->cdp && b->state == BROWSER_RUNNING ? cdp_root(b->cdp) : NULL;
}

int browsers_targets(struct task *t, struct browser *const *browsers, size_t count, struct target_list *ret)
{
	struct engine_target **roots = arena_alloc(task_arena(t), count * sizeof(struct engine_target *));

	for (size_t i = 0; i < count; i++)
		roots[i] = browser_cdp(browsers[i]);
	return target_list_fetch_all(t, roots, count, ret);
}

pid_t browser_process(const struct browser *b)
{
	return b->launch ? launch_pid(b->launch) : 0;
}

struct loop *browser_loop(struct browser *b)
{
	return b->loop;
}

const char *browser_downloads(struct browser *b)
{
	return b->launch ? launch_downloads(b->launch) : b->attached.downloads.data;
}

const char *browser_uploads(struct browser *b)
{
	return b->launch ? launch_uploads(b->launch) : b->attached.uploads.data;
}

struct saved_files *browser_saved_files(struct browser *b)
{
	return &b->first->saved;
}

struct matcher_list *browser_matchers(struct browser *b)
{
	return &b->matchers;
}

struct blob_limit *browser_blob_limit(struct browser *b)
{
	return b->blob_limit;
}

struct load_limit *browser_load_limit(struct browser *b)
{
	return b->load_limit;
}

struct gpu_limit *browser_gpu_limit(struct browser *b)
{
	return b->gpu_limit;
}

struct suspects **browser_search(struct browser *b)
{
	return &b->search;
}

struct memory_limit *browser_memory_limit(struct browser *b)
{
	return b->memory_limit;
}

struct linger *browser_linger(struct browser *b)
{
	return b->linger;
}

struct contexts *browser_contexts(struct browser *b)
{
	return &b->contexts;
}

int browser_require_proxied_webrtc(struct task *t, struct browser *b)
{
	if (browser_attached(b))
		return task_fail(
			t, -ERR_BROWSER_ERROR,
			"where a session may connect cannot be limited in a browser that this server has not started (%s): "
			"leave the limits out, or let the server start its own browser",
			b->options->names.endpoint);
	if (b->proxied_webrtc)
		return 0;
	if (b->state == BROWSER_RUNNING && !linger_is_used(b->linger))
		browser_end(b);
	if (b->state != BROWSER_STOPPED && b->state != BROWSER_ENDING)
		return task_fail(t, -ERR_BROWSER_ERROR,
				 "the browser runs already for sessions that may connect anywhere, and its WebRTC "
				 "would go past the limits of this one; the operator can start the server with %s (\"all\" limits "
				 "nothing by itself), or a restricted session has to be the first",
				 b->options->names.proxied_webrtc);
	b->proxied_webrtc = true;
	return 0;
}
