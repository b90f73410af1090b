/* Starting a browser or connecting to it, and what remains when it has ended. */
#include <errno.h>
#include <stdio.h>

#include "base/error.h"
#include "base/limits.h"
#include "browser/browser_state.h"

#define EXIT_TIMEOUT USEC_PER_SEC /* from the end of a starting browser's connection to that of its process */
#define PROFILE_RETRY \
	(20 * USEC_PER_MSEC) /* between attempts to lock the profile: its release cannot be awaited without blocking */

static void browser_start_on_open(struct engine_target *root, void *data)
{
	struct browser *b = data;

	timer_set(b->launch_timer, USEC_NEVER);
	b->root = root;
	if (b->launch)
		launch_forget_output(b->launch);
	engine_listen(root, &b->events);
	engine_attach_new(root);
	b->state = BROWSER_RUNNING;
	b->has_been = true;
	b->starts++;
	waitq_wake(&b->changed);
}

/* While it starts, the reason is known when the process has ended, which is usually at once. */
static void browser_start_on_closed(const char *reason, void *data)
{
	struct browser *b = data;

	if (b->starting_again || b->state == BROWSER_ENDING) /* its process follows */
		return;
	if (b->state != BROWSER_STARTING) {
		browser_fail(b, "the browser's protocol connection ended: %s", reason);
		return;
	}
	b->hung_up = true;
	timer_set(b->launch_timer, clock_now() + EXIT_TIMEOUT);
}

/* ---- a browser that this process has not started ---- */

static void on_not_connected(const char *reason, void *data)
{
	_cleanup_(str_done) struct str explained = {};
	struct browser *b = data;

	attached_explain(&b->attached, reason, &explained);
	browser_fail_attached(b, str_text(&explained));
}

static const struct engine_connection_handler connection_handler = { .open = browser_start_on_open, .closed = on_not_connected };

static void on_connect_timeout(struct browser *b)
{
	char text[64];

	snprintf(text, sizeof(text), "Timeout %llums exceeded", b->options->endpoint_timeout / USEC_PER_MSEC);
	on_not_connected(text, b);
}

static void attach(struct browser *b)
{
	failure_reset(&b->failure, 0);
	if (attached_connect(&b->attached, b->loop, &connection_handler, b, &b->failure) < 0)
		return;
	b->state = BROWSER_STARTING;
	timer_set(b->launch_timer, browser_setup_limit(b));
}

int browser_setup_timed_out(struct task *t, struct browser *b)
{
	if (!browser_attached(b))
		return task_fail(
			t, -ERR_BROWSER_ERROR,
			"the browser did not open a context or page within %llu ms; it is overloaded or hangs: try again, and "
			"restart the server if it does not recover",
			(unsigned long long)(browser_setup_time(b) / USEC_PER_MSEC));
	if (b->state == BROWSER_RUNNING)
		on_connect_timeout(b);
	return task_wrap(t, task_fail_of(t, &b->failure), -ENOTCONN, "", "");
}

/* ---- starting and ending ---- */

static void browser_start_on_exited(const char *reason, void *data)
{
	struct browser *b = data;

	if (b->starting_again)
		loop_ready(b->loop, &b->start_again);
	else if (b->state == BROWSER_ENDING)
		loop_ready(b->loop, &b->release);
	else if (b->state == BROWSER_STARTING)
		browser_fail(b, "Failed to launch %s: it %s before it was ready%s. Its output ends with:\n%s",
			     launch_program(b->launch), reason, launch_warning(b->launch), launch_output(b->launch));
	else
		browser_fail(b, "the browser %s", reason);
}

static void fail_silent(struct browser *b)
{
	const char *connection = launch_connection(b->launch);

	if (b->hung_up)
		browser_fail(
			b,
			"Failed to launch %s: it closed its %s before it answered; is it the kind of browser that the server expects (%s), "
			"and does a script that starts it leave that open? Its output ends with:\n%s",
			launch_program(b->launch), connection, engine_name(&b->options->start), launch_output(b->launch));
	else
		browser_fail(
			b,
			"Failed to launch %s: it did not answer through its %s within %llu ms; is it the kind of browser that the server "
			"expects (%s)? Its output ends with:\n%s",
			launch_program(b->launch), connection, b->options->timeout_launch / USEC_PER_MSEC,
			engine_name(&b->options->start), launch_output(b->launch));
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
static void on_unsafe(bool shared, const char *reason, void *data)
{
	_cleanup_(str_done) struct str error = {};
	struct browser *b = data;

	if (!launch_may_retry(&b->launches, &b->options->start, shared, reason, &error)) {
		browser_fail(b, "%s", error.data);
		return;
	}
	b->starting_again = true;
	launch_kill(b->launch);
}

static const struct launch_handler launch_handler = {
	.connection = { .open = browser_start_on_open, .closed = browser_start_on_closed },
	.unsafe = on_unsafe,
	.exited = browser_start_on_exited,
};

static void release_launched(struct browser *b)
{
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
	for (size_t i = 0; i < BROWSER_PARTS_COUNT; i++)
		if (HAS(b, i, ended))
			b->parts->of_browser[i]->ended(b->made[i]);
	attached_release(&b->attached);
	release_launched(b);
	b->root = NULL;
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

static struct browser *new_at(struct loop *l, const struct browser_options *options, const struct parts *parts, const char *address,
			      void (*died)(struct browser *b, void *data), void *data)
{
	struct browser *b = NEW(struct browser);

	*b = (struct browser){ .loop = l,
			       .options = options,
			       .parts = parts,
			       .events = parts->events,
			       .died = died,
			       .data = data,
			       .release.run = release_browser,
			       .start_again.run = run_start_again,
			       .proxied_webrtc = options->start.proxied_webrtc };
	b->first = b;
	b->events.data = b;
	if (address)
		attached_init(&b->attached, address, options->endpoint_fields);
	b->launch_timer = timer_new(l, on_launch_timeout, b);
	b->profile_timer = timer_new(l, launch, b);
	waitq_init(&b->changed);
	for (size_t i = 0; i < BROWSER_PARTS_COUNT; i++)
		if (parts->of_browser[i]->new)
			b->made[i] = parts->of_browser[i]->new (b);
	return b;
}

struct browser *browser_of_parts(struct loop *l, const struct browser_options *options, const struct parts *parts,
				 void (*died)(struct browser *b, void *data), void *data)
{
	struct browser *b = new_at(l, options, parts, options->endpoints ? options->endpoints[0] : NULL, died, data);

	b->is_once = b->has_been = options->per_session;
	return b;
}

struct browser *browser_new_beside(struct browser *first, const char *address, bool once)
{
	struct browser *b = new_at(first->loop, first->options, first->parts, address, first->died, first->data);

	b->first = first;
	b->is_once = once;
	return b;
}

struct browser *browser_free(struct browser *b)
{
	if (!b)
		return NULL;
	b->died = NULL;
	for (size_t i = 0; i < BROWSER_PARTS_COUNT; i++)
		if (HAS(b, i, closing))
			b->parts->of_browser[i]->closing(b->made[i]);
	release_browser(&b->release);
	loop_cancel_ready(b->loop, &b->release);
	timer_free(b->launch_timer);
	timer_free(b->profile_timer);
	for (size_t i = BROWSER_PARTS_COUNT; i-- > 0;)
		if (b->made[i])
			b->parts->of_browser[i]->free(b->made[i]);
	failure_done(&b->failure);
	launch_history_done(&b->launches);
	str_done(&b->profile);
	attached_done(&b->attached);
	free(b);
	return NULL;
}

static void fail_launch(struct browser *b, const char *error)
{
	failure_set(&b->failure, -ERR_BROWSER_ERROR, "%s", error);
	b->state = BROWSER_STOPPED;
	waitq_wake(&b->changed);
}

/* Starts the browser. While another one has the profile, which may be ending, tries again until the deadline. */
static void launch(void *data)
{
	struct browser *b = data;
	_cleanup_(str_done) struct str error = {};
	struct engine_options options = b->options->start;
	int r;

	options.width = b->options->page.viewport.width;
	options.height = b->options->page.viewport.height;
	options.proxied_webrtc = b->proxied_webrtc;
	options.ignores_certificates = b->options->page.ignore_https_errors;
	if (b->profile.len)
		options.user_data_dir = b->profile.data;
	if (b->proxy) {
		options.proxy_server = b->proxy;
		options.proxy_bypass = NULL;
		options.proxies_loopback = true;
	}
	r = launch_start(b->loop, &options, &b->launches, &launch_handler, b, &error, &b->launch);
	if (r == -EBUSY && clock_now() < b->profile_deadline) {
		timer_set(b->profile_timer, clock_now() + PROFILE_RETRY);
		return;
	}
	if (r < 0) {
		fail_launch(b, str_text(&error));
		return;
	}
	if (launch_connect(b->launch) < 0)
		browser_fail(b, "cannot watch the connection to the browser");
	timer_set(b->launch_timer, clock_now() + b->options->timeout_launch);
}

static void browser_start_start(struct browser *b)
{
	failure_reset(&b->failure, 0);
	b->state = BROWSER_STARTING;
	b->hung_up = false;
	b->launches.shared = 0;
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
		browser_start_start(b);
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
