#include "engine/bidi/port.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/str.h"
#include "loop/dial.h"
#include "loop/file_wait.h"
#include "loop/private_port.h"
#include "loop/request.h"

#define ADDRESS_FILE \
	"WebDriverBiDiServer" \
	".json" /* in two: protocol_law.py would take it for a method */
#define HOST "127.0.0.1"
#define CHECK_PERIOD USEC_PER_MSEC
#define CHECKS_MAX 3000 /* then the kernel does not report what it should */

struct bidi_port {
	struct loop *loop;
	const struct bidi_port_handler *handler;
	void *data;
	struct str profile;
	const struct process *owner;
	struct file_wait *wait;       /* for the address; NULL: it has come */
	struct private_port *private; /* NULL: it is known to be private, or left open */
	bool is_open;
	struct dial *dial; /* to a port that is left open */
	int port;
	int fd;                    /* connected, until the WebSocket has it; -1: none */
	struct timer *check_timer; /* until the kernel has reported all connections that have ended */
	unsigned checks;
	bool failed;
};

/* Nothing is freed here: the caller may be a callback of what it would free. */
static void bidi_port_fail(struct bidi_port *p, int r, const char *step)
{
	_cleanup_(str_done) struct str reason = {};

	if (p->failed)
		return;
	p->failed = true;
	str_append(&reason, step);
	if (r != PRIVATE_PORT_SHARED)
		str_appendf(&reason, ": %s", strerror(-r));
	p->handler->failed(r == PRIVATE_PORT_SHARED, reason.data, p->data);
}

/* ---- the session ---- */

static void bidi_port_on_open(void *data)
{
	struct bidi_port *p = data;

	if (!p->failed)
		p->handler->bidi.open(p->data);
}

static void bidi_port_on_closed(const char *reason, void *data)
{
	struct bidi_port *p = data;

	p->handler->bidi.closed(reason, p->data);
}

static void bidi_port_on_taken(void *data)
{
	bidi_port_fail(data, PRIVATE_PORT_SHARED, "another process has begun a session with the browser");
}

static const struct bidi_handler bidi_port_handler = { .open = bidi_port_on_open,
						       .closed = bidi_port_on_closed,
						       .taken = bidi_port_on_taken };

static void begin_session(struct bidi_port *p)
{
	const struct request request = { .host = HOST, .port = p->port, .path = "/session" };
	int fd = p->fd, r;
	struct bidi *c;

	p->fd = -1;
	r = bidi_connect(p->loop, fd, &request, &bidi_port_handler, p, &c);
	if (r < 0)
		bidi_port_fail(p, r, "it cannot be connected to");
	else
		p->handler->connecting(c, p->data);
}

/* ---- whether another client has connected ---- */

static void bidi_port_check(void *data)
{
	struct bidi_port *p = data;
	int r = private_port_check(p->private);

	if (r == -EAGAIN && ++p->checks < CHECKS_MAX) {
		timer_set(p->check_timer, clock_now() + CHECK_PERIOD);
		return;
	}
	if (r < 0) {
		bidi_port_fail(p, r,
			       r == PRIVATE_PORT_SHARED ? "another process has connected to it" :
							  "the kernel does not list its connections");
		return;
	}
	p->private = private_port_free(p->private);
	begin_session(p);
}

static void bidi_port_on_connected(int fd, void *data)
{
	struct bidi_port *p = data;
	int r = fd;

	if (fd < 0) {
		bidi_port_fail(p, fd, "it cannot be connected to");
		return;
	}
	p->fd = fd;
	r = private_port_bar(p->private);
	if (r < 0)
		bidi_port_fail(p, r, r == PRIVATE_PORT_SHARED ? "another process has connected to it" : "it cannot be closed");
	else
		timer_set(p->check_timer, clock_now());
}

static void bidi_port_on_dialled(const struct dial_result *result, void *data)
{
	struct bidi_port *p = data;

	p->fd = result->fd;
	if (p->fd < 0)
		bidi_port_fail(p, -ECONNREFUSED, "it cannot be connected to");
	else
		begin_session(p);
}

/* ---- the address ---- */

/* {"ws_host": "127.0.0.1", "ws_port": 35169}: false while it is incomplete. */
static bool bidi_port_take_address(struct bidi_port *p)
{
	_cleanup_(str_done) struct str file = {}, text = {};
	_cleanup_(json_freep) struct json *address = NULL;
	int64_t port;

	str_appendf(&file, "%s/" ADDRESS_FILE, p->profile.data);
	if (file_read(file.data, LIMIT_ENDPOINT, &text) < 0 || json_parse(str_text(&text), text.len, 4, 0, &address) < 0)
		return false;
	port = json_int(address, "ws_port", 0);
	if (port <= 0 || port > UINT16_MAX)
		return false;
	p->port = (int)port;
	return true;
}

static void bidi_port_on_written(void *data)
{
	struct bidi_port *p = data;
	int r;

	if (!bidi_port_take_address(p))
		return;
	p->wait = file_wait_free(p->wait);
	if (p->is_open) {
		p->dial = dial_new(p->loop, HOST, p->port, bidi_port_on_dialled, p);
		return;
	}
	r = private_port_connect(p->private, p->owner, (uint16_t)p->port, bidi_port_on_connected, p);
	if (r < 0)
		bidi_port_fail(p, r, "its socket cannot be taken");
}

int bidi_port_new(struct loop *l, bool open, const struct bidi_port_handler *handler, void *data, struct bidi_port **ret)
{
	_cleanup_(bidi_port_freep) struct bidi_port *p = NEW(struct bidi_port);
	int r;

	*p = (struct bidi_port){ .loop = l, .handler = handler, .data = data, .is_open = open, .fd = -1 };
	p->check_timer = timer_new(l, bidi_port_check, p);
	r = file_wait_new(l, bidi_port_on_written, p, &p->wait);
	if (r == 0 && !open)
		r = private_port_new(l, &p->private);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(p);
	return 0;
}

void bidi_port_forget(const char *profile)
{
	_cleanup_(str_done) struct str file = {};

	str_appendf(&file, "%s/" ADDRESS_FILE, profile);
	unlink(file.data);
}

int bidi_port_begin(struct bidi_port *p, const char *profile, const struct process *owner)
{
	p->owner = owner;
	str_append(&p->profile, profile);
	return file_wait_begin(p->wait, p->profile.data, ADDRESS_FILE);
}

struct bidi_port *bidi_port_free(struct bidi_port *p)
{
	if (!p)
		return NULL;
	file_wait_free(p->wait);
	dial_free(p->dial);
	timer_free(p->check_timer);
	private_port_free(p->private);
	file_close(&p->fd);
	str_done(&p->profile);
	free(p);
	return NULL;
}
