#include "engine/cdp/debugging_port.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/str.h"
#include "loop/file_wait.h"
#include "loop/private_port.h"
#include "loop/request.h"

#define ADDRESS_FILE "DevToolsActivePort"
#define HOST "127.0.0.1"
#define CHECK_PERIOD USEC_PER_MSEC
#define CHECKS_MAX 3000 /* then the pipe is used: the kernel does not report what it should */

struct debugging_port {
	struct loop *loop;
	const struct debugging_port_handler *handler;
	void *data;
	struct str profile;
	const struct process *owner;
	struct file_wait *wait;       /* for the address; NULL: it has come */
	struct private_port *private; /* NULL: it is known to be private */
	int port;
	struct str path; /* of the WebSocket */
	/* The targets and contexts of the browser, which show whether another client has used it. */
	struct engine_call targets, contexts;
	unsigned awaited;          /* replies */
	struct timer *check_timer; /* until the kernel has reported all connections that have ended */
	unsigned checks;
	bool failed;
};

/* Nothing is freed here: the caller may be a callback of what it would free. */
static void debugging_port_fail(struct debugging_port *p, int r, const char *step)
{
	_cleanup_(str_done) struct str reason = {};

	if (p->failed)
		return;
	p->failed = true;
	if (r == PRIVATE_PORT_SHARED)
		str_append(&reason, step);
	else
		str_appendf(&reason, "%s: %s", step, strerror(-r));
	p->handler->failed(r == PRIVATE_PORT_SHARED, reason.data, p->data);
}

/* ---- whether another client has connected ---- */

/* Pages and extensions of the browser itself. */
static bool is_own_address(const char *url)
{
	return !*url || strcmp(url, "about:blank") == 0 || starts_with(url, "chrome://") || starts_with(url, "chrome-extension://");
}

/* A browser that has just started has no contexts but its own, no client but this one, and no page of a site. */
static bool is_fresh(const struct json *targets, const struct json *contexts)
{
	const struct json *infos = json_get(targets, "result.targetInfos"), *ids = json_get(contexts, "result.browserContextIds");

	if (!infos || !ids || json_count(ids) > 0)
		return false;
	json_foreach(info, infos) {
		const char *url = json_str(info, "url");

		if (json_bool(info, "attached", true) || !is_own_address(url ? url : ""))
			return false;
	}
	return true;
}

static void conclude(void *data)
{
	struct debugging_port *p = data;
	int r = private_port_check(p->private);

	if (r == -EAGAIN && ++p->checks < CHECKS_MAX) {
		timer_set(p->check_timer, clock_now() + CHECK_PERIOD);
		return;
	}
	if (r < 0) {
		debugging_port_fail(p, r,
				    r == PRIVATE_PORT_SHARED ? "another process has connected to it" :
							       "the kernel does not list its connections");
	} else if (!is_fresh(p->targets.reply, p->contexts.reply)) {
		debugging_port_fail(
			p, PRIVATE_PORT_SHARED,
			"the browser has pages, contexts or clients that a browser that has just started does not have");
	} else {
		p->private = private_port_free(p->private);
		p->handler->cdp.open(p->data);
	}
	engine_call_done(&p->targets);
	engine_call_done(&p->contexts);
}

static void count_reply(struct debugging_port *p)
{
	if (--p->awaited == 0 && !p->failed)
		conclude(p);
}

static void on_replied(struct engine_call *call, void *data)
{
	count_reply(data);
}

static void debugging_port_on_open(void *data)
{
	count_reply(data);
}

static void on_connected(void *data)
{
	struct debugging_port *p = data;
	int r = private_port_close(p->private);

	if (r < 0)
		debugging_port_fail(p, r, r == PRIVATE_PORT_SHARED ? "another process has connected to it" : "it cannot be closed");
}

static void debugging_port_on_closed(const char *reason, void *data)
{
	struct debugging_port *p = data;

	p->handler->cdp.closed(reason, p->data);
}

static const struct cdp_handler cdp_handler = { .connected = on_connected,
						.open = debugging_port_on_open,
						.closed = debugging_port_on_closed };

/* ---- connecting ---- */

static int debugging_port_ask(struct debugging_port *p, struct cdp *c)
{
	int r;

	p->awaited = 3; /* and that of Browser.getVersion, at which the connection counts as open */
	r = cdp_request(cdp_root(c), &p->targets, on_replied, p, "Target.getTargets", "{filter: [{}]}");
	if (r == 0)
		r = cdp_request(cdp_root(c), &p->contexts, on_replied, p, "Target.getBrowserContexts", "{}");
	return r;
}

static void on_dialled(int fd, void *data)
{
	struct debugging_port *p = data;
	const struct request request = { .host = HOST, .port = p->port, .path = p->path.data };
	struct cdp *c;
	int r = fd;

	if (r >= 0)
		r = cdp_connect(p->loop, fd, &request, &cdp_handler, p, &c);
	if (r >= 0) {
		p->handler->connecting(c, p->data);
		r = debugging_port_ask(p, c);
	}
	if (r < 0)
		debugging_port_fail(p, r, "it cannot be connected to");
}

/* "33911\n/devtools/browser/4d24...": false while it is incomplete. */
static bool take_address(struct debugging_port *p)
{
	_cleanup_(str_done) struct str file = {}, text = {};
	int port = 0, path = 0;

	str_appendf(&file, "%s/" ADDRESS_FILE, p->profile.data);
	if (file_read(file.data, LIMIT_ENDPOINT, &text) < 0 || sscanf(str_text(&text), "%d\n%n/", &port, &path) != 1 || !path)
		return false;
	if (port <= 0 || port > UINT16_MAX ||
	    strspn(text.data + path, "/-_.0123456789abcdefghijklmnopqrstuvwxyz") != text.len - (size_t)path)
		return false;
	p->port = port;
	str_append(&p->path, text.data + path);
	return true;
}

static void on_written(void *data)
{
	struct debugging_port *p = data;
	int r;

	if (!take_address(p))
		return;
	p->wait = file_wait_free(p->wait);
	r = private_port_connect(p->private, p->owner, (uint16_t)p->port, on_dialled, p);
	if (r < 0)
		debugging_port_fail(p, r, "its socket cannot be taken");
}

int debugging_port_new(struct loop *l, const struct debugging_port_handler *handler, void *data, struct debugging_port **ret)
{
	_cleanup_(debugging_port_freep) struct debugging_port *p = NEW(struct debugging_port);
	int r;

	*p = (struct debugging_port){ .loop = l, .handler = handler, .data = data };
	p->check_timer = timer_new(l, conclude, p);
	r = file_wait_new(l, on_written, p, &p->wait);
	if (r == 0)
		r = private_port_new(l, &p->private);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(p);
	return 0;
}

int debugging_port_begin(struct debugging_port *p, const char *profile, const struct process *owner)
{
	p->owner = owner;
	str_append(&p->profile, profile);
	return file_wait_begin(p->wait, p->profile.data, ADDRESS_FILE);
}

struct debugging_port *debugging_port_free(struct debugging_port *p)
{
	if (!p)
		return NULL;
	file_wait_free(p->wait);
	timer_free(p->check_timer);
	private_port_free(p->private);
	engine_call_done(&p->targets);
	engine_call_done(&p->contexts);
	str_done(&p->profile);
	str_done(&p->path);
	free(p);
	return NULL;
}
