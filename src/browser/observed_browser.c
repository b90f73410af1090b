#include "browser/observed_browser.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "browser/internal.h"
#include "engine/connection.h"
#include "observe/journal.h"

#define BUSY_MSEC 2000 /* limit for a target to enable the events; it counts as attached afterwards in any case */
#define ANSWER_SEC 10  /* for the port to say where its WebSocket is, and for that to open */

enum connection_state { CONNECTION_CLOSED, CONNECTION_OPENING, CONNECTION_OPEN };

struct observed_browser {
	struct loop *loop;
	struct endpoint endpoint;
	enum connection_state state;
	struct engine_connection *connection; /* also one that is being made; NULL: none */
	struct engine_target *root;           /* while it is open */
	struct timer *timeout;
	struct ready release; /* releases the state of a connection that has ended, from the event loop */
	struct waitq changed;
	struct failure failure; /* of the last attempt */
	struct page_group pages;
	struct engine_browser_events events;
};

/* ---- addresses ---- */

static int check_address(bool wildcard, bool loopback, bool local_only)
{
	return wildcard || (local_only && !loopback) ? -EACCES : 0;
}

static int check_v4(struct in_addr a, bool local_only)
{
	uint32_t n = ntohl(a.s_addr);

	return check_address(n >> 24 == 0, n >> 24 == 127, local_only); /* all of 0.0.0.0/8 is "this host" */
}

static int check_v6(const struct in6_addr *a, bool local_only)
{
	struct in_addr v4;

	memcpy(&v4, a->s6_addr + 12, sizeof(v4));
	if (IN6_IS_ADDR_V4MAPPED(a))
		return check_v4(v4, local_only);
	return check_address(IN6_IS_ADDR_UNSPECIFIED(a), IN6_IS_ADDR_LOOPBACK(a), local_only);
}

/* Without its brackets, which addresses of version 6 may come in. False: too long for an address. */
static bool copy_plain(char dst[DEBUGGING_HOST_SIZE], const char *host, bool *ret_brackets)
{
	size_t len = strlen(host);

	if (len >= DEBUGGING_HOST_SIZE)
		return false;
	*ret_brackets = len > 2 && host[0] == '[' && host[len - 1] == ']';
	memcpy(dst, host, len + 1);
	if (*ret_brackets) {
		memmove(dst, host + 1, len - 2);
		dst[len - 2] = 0;
	}
	return true;
}

/* inet_aton() knows every spelling that connect() would: "127.1", "0x7f000001", "0". */
int debugging_host(const char *host, bool local_only, char ret[DEBUGGING_HOST_SIZE])
{
	char plain[DEBUGGING_HOST_SIZE];
	struct in6_addr v6;
	struct in_addr v4;
	bool brackets;

	if (!copy_plain(plain, strcasecmp(host, "localhost") == 0 ? "127.0.0.1" : host, &brackets))
		return -EINVAL;
	if (!brackets && inet_aton(plain, &v4)) {
		inet_ntop(AF_INET, &v4, ret, DEBUGGING_HOST_SIZE);
		return check_v4(v4, local_only);
	}
	if (inet_pton(AF_INET6, plain, &v6) != 1)
		return -EINVAL;
	inet_ntop(AF_INET6, &v6, ret, DEBUGGING_HOST_SIZE);
	return check_v6(&v6, local_only);
}

/* ---- the connection ---- */

static void observed_browser_fail(struct observed_browser *o, const char *fmt, ...) _printf_(2, 3);

/* Records the first failure. The state is released later, by the event loop. */
static void observed_browser_fail(struct observed_browser *o, const char *fmt, ...)
{
	va_list ap;

	if (o->failure.code == 0) {
		va_start(ap, fmt);
		failure_vset(&o->failure, -ERR_BROWSER_UNREACHABLE, fmt, ap);
		va_end(ap);
	}
	loop_ready(o->loop, &o->release);
}

static void release_connection(struct ready *r)
{
	struct observed_browser *o = CONTAINER_OF(r, struct observed_browser, release);

	timer_set(o->timeout, USEC_NEVER);
	page_group_gone(&o->pages);
	o->connection = engine_disconnect(o->connection);
	o->root = NULL;
	o->state = CONNECTION_CLOSED;
	waitq_wake(&o->changed);
}

static void observed_browser_on_detached(const char *attachment, void *data)
{
	struct observed_browser *o = data;
	struct page *p = page_group_find_session(&o->pages, attachment);

	if (p)
		page_gone(p);
}

static void observed_browser_on_open(struct engine_target *root, void *data)
{
	struct observed_browser *o = data;

	timer_set(o->timeout, USEC_NEVER);
	engine_listen(root, &o->events);
	o->root = root;
	o->state = CONNECTION_OPEN;
	waitq_wake(&o->changed);
}

static void observed_browser_on_closed(const char *reason, void *data)
{
	observed_browser_fail(data, "%s", reason);
}

static const struct engine_connection_handler connection_handler = { .open = observed_browser_on_open,
								     .closed = observed_browser_on_closed };

static void on_timeout(void *data)
{
	observed_browser_fail(data, "it did not answer within %d seconds", ANSWER_SEC);
}

static void open_connection(struct observed_browser *o)
{
	failure_reset(&o->failure, 0);
	o->state = CONNECTION_OPENING;
	timer_set(o->timeout, clock_now() + ANSWER_SEC * USEC_PER_SEC);
	o->connection = engine_connect(o->loop, &o->endpoint, &connection_handler, o);
}

static int fail_unreachable(struct task *t, const struct observed_browser *o)
{
	struct arena *a = task_arena(t);
	int r = o->failure.code ? task_fail_of(t, &o->failure) :
				  task_fail(t, -ERR_BROWSER_UNREACHABLE, "it does not answer in time");

	r = task_wrap(t, r, -ERR_BROWSER_UNREACHABLE,
		      arena_printf(a, "no browser answers on %s port %d: ", o->endpoint.host, o->endpoint.port),
		      arena_printf(a,
				   "; start Chromium with --remote-debugging-port=%d, or name the host and port where it listens",
				   o->endpoint.port));
	task_fail_details(t, "{host: ?, port: ?, cause: ?}", o->endpoint.host, o->endpoint.port, str_text(&o->failure.text));
	return r;
}

/* Replaces the error of a lost connection by the message of this file. */
static int observed_browser_explain(struct task *t, const struct observed_browser *o, int r)
{
	return r == -ENOTCONN || r == -ETIMEDOUT ? fail_unreachable(t, o) : r;
}

/* Suspends: connects unless that has been done. */
static int ensure_connected(struct task *t, struct observed_browser *o)
{
	bool tried = false;
	int r;

	while (o->state != CONNECTION_OPEN || o->release.queued) {
		if (o->state == CONNECTION_CLOSED && !o->release.queued) {
			if (tried)
				return fail_unreachable(t, o);
			open_connection(o);
		}
		tried = true;
		r = waitq_wait(t, &o->changed, "the browser's debugging port");
		if (r < 0)
			return observed_browser_explain(t, o, r);
	}
	return 0;
}

struct observed_browser *observed_browser_new(struct loop *l, const char *host, int port)
{
	struct observed_browser *o = NEW(struct observed_browser);

	*o = (struct observed_browser){ .loop = l,
					.release.run = release_connection,
					.events = { .detached = observed_browser_on_detached, .data = o } };
	endpoint_of_port(host, port, &o->endpoint);
	o->timeout = timer_new(l, on_timeout, o);
	waitq_init(&o->changed);
	page_group_init(&o->pages);
	return o;
}

struct observed_browser *observed_browser_free(struct observed_browser *o)
{
	if (!o)
		return NULL;
	release_connection(&o->release);
	loop_cancel_ready(o->loop, &o->release);
	timer_free(o->timeout);
	page_group_done(&o->pages);
	failure_done(&o->failure);
	endpoint_done(&o->endpoint);
	free(o);
	return NULL;
}

const char *observed_browser_host(const struct observed_browser *o)
{
	return o->endpoint.host;
}

int observed_browser_port(const struct observed_browser *o)
{
	return o->endpoint.port;
}

/* ---- targets ---- */

int observed_browser_targets(struct task *t, struct observed_browser *o, struct target_list *ret)
{
	int r;

	r = ensure_connected(t, o);
	if (r < 0)
		return r;
	return observed_browser_explain(t, o, engine_list_targets(t, o->root, ret));
}

/*
 * Suspends until the target's process has enabled the events, so that later ones are not missed. A busy page enables them when
 * its script pauses, and some types of targets never answer.
 */
static int start_observing(struct task *t, struct page *p)
{
	usec_t deadline = task_set_deadline(t, MIN(clock_now() + BUSY_MSEC * USEC_PER_MSEC, task_deadline(t)));
	int r;

	page_observe(p);
	r = engine_confirm(t, page_target(p));
	task_set_deadline(t, deadline);
	return r == -ETIMEDOUT || r == -EREMOTE ? 0 : r;
}

int observed_browser_attach(struct task *t, struct observed_browser *o, const struct observed_target *target, struct page **ret)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	_cleanup_(page_unrefp) struct page *page = NULL;
	bool masked;
	int r;

	r = ensure_connected(t, o);
	if (r < 0)
		return r;
	/* An attachment whose id is not received could not be detached, so this wait is not cancelable. */
	masked = task_mask_cancel(t, true);
	engine_attach(t, o->root, &call, target->target_id);
	r = engine_await(t, &call);
	task_mask_cancel(t, masked);
	if (r == -EREMOTE)
		return task_fail_because(t, -ERR_TARGET_NOT_FOUND, REASON_TARGET_UNKNOWN, "{target: ?}", target->target_id);
	if (r < 0)
		return observed_browser_explain(t, o, r);
	if (o->state != CONNECTION_OPEN)
		return fail_unreachable(t, o);
	page = page_ref(page_new_observed(&o->pages, o->root, engine_attached(&call), target));
	if (!page)
		return task_fail(t, -ERR_BROWSER_ERROR,
				 "the browser has attached to the target without a new id for that; try again");
	r = start_observing(t, page);
	if (r < 0) {
		observed_browser_detach(o, page);
		return observed_browser_explain(t, o, r);
	}
	*ret = TAKE_PTR(page);
	return 0;
}

void observed_browser_detach(struct observed_browser *o, struct page *p)
{
	struct engine_target *s = page_target(p);

	if (!s)
		return;
	engine_detach(o->root, engine_target_id(s));
	page_gone(p);
}
