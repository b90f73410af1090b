/*
 * libwebsockets is the event loop. Descriptors that are not its sockets (stdin, pipes, pidfds) are in one epoll set, which it
 * watches as a single "raw file". Hang-ups and errors are thereby delivered as events; as connections of libwebsockets, the
 * descriptors would be closed with input still unread.
 */
#include "loop/loop.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/log.h"
#include "loop/cpu_alarm.h"
#include "loop/internal.h"
#include "loop/timer_queue.h"
#include "loop/turn.h"

#define EPOLL_PROTOCOL "epoll"
#define EPOLL_BATCH 32
#define TLS_TIMEOUT_SEC 15 /* for a TLS handshake, and again until the first request */

/* Rounds of ready work before input is polled again. A hundred simultaneous calls take 5 ms, which delays other requests. */
#define READY_ROUNDS 4
#define READY_TIME (USEC_PER_MSEC / 2)

struct loop {
	struct lws_context *lws;
	struct lws_vhost *vhost;
	lws_callback_function *on_http; /* of the HTTP servers; NULL: there was none */
	int epoll_fd;
	bool epoll_adopted; /* libwebsockets owns the epoll descriptor and closes it */
	bool stopped;
	unsigned ready_count;
	TAILQ_HEAD(, ready) ready;
	/*
	 * Timers, and a timerfd that is armed for the earliest. Timers of libwebsockets are not used because it waits in whole
	 * milliseconds and spins for the rest.
	 */
	struct timer_queue timers;
	int timer_fd;
	struct watch *timer_watch;
	LIST_HEAD(, loop_end) ends;
	usec_t armed_for; /* USEC_NEVER when the timerfd is not armed */
	/* Events being dispatched; watch_free() removes the events of its watch from here. */
	struct epoll_event batch[EPOLL_BATCH];
	int batch_len;
};

struct timer {
	struct queued_timer queued;
	struct loop *loop;
	void (*fn)(void *data);
	void *data;
};

struct watch {
	struct loop *loop;
	int fd;
	void (*fn)(uint32_t events, void *data);
	void *data;
};

static void dispatch_watches(struct loop *l)
{
	turn_begin();
	l->batch_len = epoll_wait(l->epoll_fd, l->batch, EPOLL_BATCH, 0);
	for (int i = 0; i < l->batch_len; i++) {
		struct watch *w = l->batch[i].data.ptr;

		if (w)
			w->fn(l->batch[i].events, w->data);
	}
	l->batch_len = 0;
}

static int epoll_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len)
{
	if (reason == LWS_CALLBACK_RAW_RX_FILE)
		dispatch_watches(lws_context_user(lws_get_context(wsi)));
	return 0;
}

int loop_http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len)
{
	const struct loop *l = lws_context_user(lws_get_context(wsi));

	return l->on_http ? l->on_http(wsi, reason, user, in, len) : 0;
}

void loop_set_http(struct loop *l, lws_callback_function *on_http)
{
	l->on_http = on_http;
}

static const struct lws_protocols protocols[] = {
	{ .name = EPOLL_PROTOCOL, .callback = epoll_callback },
	{ .name = HTTP_PROTOCOL, .callback = loop_http_callback, .rx_buffer_size = READ_SIZE },
	{},
};

static void lws_log(int level, const char *line)
{
	log_debug("libwebsockets: %s", line);
}

static int adopt_epoll(struct loop *l)
{
	lws_sock_file_fd_type fd = { .filefd = l->epoll_fd };

	if (!lws_adopt_descriptor_vhost(l->vhost, LWS_ADOPT_RAW_FILE_DESC, fd, EPOLL_PROTOCOL, NULL))
		return -ENOMEM;
	l->epoll_adopted = true;
	return 0;
}

/* Only drains the timerfd: due timers run after every wait. */
static void on_timer_fd(uint32_t events, void *data)
{
	struct loop *l = data;
	uint64_t times;
	ssize_t len = read(l->timer_fd, &times, sizeof(times));

	(void)len; /* the read fails if the timer was armed again meanwhile */
	l->armed_for = USEC_NEVER;
}

/* The reason why libwebsockets has made no context, which it keeps to itself: it opens /dev/urandom, or memory was missing. */
static int why_no_context(void)
{
	int r;

	if (access("/dev/urandom", R_OK) == 0)
		return -ENOMEM;
	r = -errno;
	log_error("cannot read /dev/urandom: %s: the root folder of the server needs /dev", strerror(-r));
	return r;
}

/*
 * Done before there is a task: swapcontext(3) restores the signal mask that a stack had when it was left, so a signal that is blocked later
 * is not blocked in every task, and would end the process.
 */
static void block_alarms(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, CPU_ALARM_SIGNAL);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static int loop_create(bool tls, struct loop **ret)
{
	struct lws_context_creation_info info = {
		.port = CONTEXT_PORT_NO_LISTEN,
		.protocols = protocols,
		.options = tls ? LOOP_TLS_OPTIONS : 0,
		.timeout_secs = tls ? TLS_TIMEOUT_SEC : 0,
		.pt_serv_buf_size = READ_SIZE,
		.gid = (gid_t)-1,
		.uid = (uid_t)-1,
		.vhost_name = "browserd",
	};
	_cleanup_(loop_freep) struct loop *l = calloc(1, sizeof(*l));
	int r;

	if (!l)
		return -ENOMEM;
	block_alarms();
	TAILQ_INIT(&l->ready);
	l->armed_for = USEC_NEVER;
	l->timer_fd = -1;
	l->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (l->epoll_fd < 0)
		return -errno;
	l->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (l->timer_fd < 0)
		return -errno;
	r = watch_new(l, l->timer_fd, EPOLLIN, on_timer_fd, l, &l->timer_watch);
	if (r < 0)
		return r;
	lws_set_log_level(log_get_level() == LOG_DEBUG ? LLL_ERR | LLL_WARN : 0, lws_log);
	info.user = l;
	l->lws = lws_create_context(&info);
	if (!l->lws)
		return why_no_context();
	l->vhost = lws_get_vhost_by_name(l->lws, "browserd");
	r = adopt_epoll(l);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(l);
	return 0;
}

int loop_new(struct loop **ret)
{
	return loop_create(false, ret);
}

int loop_new_with_tls(struct loop **ret)
{
	return loop_create(true, ret);
}

struct loop *loop_free(struct loop *l)
{
	struct loop_end *e;

	if (!l)
		return NULL;
	while ((e = LIST_FIRST(&l->ends))) {
		loop_forget_end(e);
		e->run(e);
	}
	assert(TAILQ_EMPTY(&l->ready));
	watch_free(l->timer_watch);
	if (l->timer_fd >= 0)
		close(l->timer_fd);
	if (l->lws)
		lws_context_destroy(l->lws);
	if (!l->epoll_adopted && l->epoll_fd >= 0)
		close(l->epoll_fd);
	timer_queue_done(&l->timers);
	free(l);
	return NULL;
}

struct lws_context *loop_lws(struct loop *l)
{
	return l->lws;
}

struct lws_vhost *loop_vhost(struct loop *l)
{
	return l->vhost;
}

/* Runs the queued work; work that is queued meanwhile runs in the next round. */
static void run_round(struct loop *l, usec_t until)
{
	for (unsigned n = l->ready_count; n > 0 && !TAILQ_EMPTY(&l->ready) && clock_now() < until; n--) {
		struct ready *r = TAILQ_FIRST(&l->ready);

		loop_cancel_ready(l, r);
		r->run(r);
	}
}

/* A request and its response take a few rounds. The limit keeps work that queues more work from starving input. */
static void run_ready(struct loop *l)
{
	usec_t until = TAILQ_EMPTY(&l->ready) ? 0 : clock_now() + READY_TIME;

	for (int round = 0; round < READY_ROUNDS && !TAILQ_EMPTY(&l->ready); round++)
		run_round(l, until);
}

/*
 * Arms the timerfd for the earliest timer. Timers are postponed far more often than they expire, and one needless wake-up is
 * cheaper than a system call for each change; so the timerfd is not re-armed for a later time.
 */
static void loop_arm(struct loop *l)
{
	const struct queued_timer *first = timer_queue_first(&l->timers);
	usec_t at = first ? first->at : USEC_NEVER;
	struct itimerspec when = {};

	if (at >= l->armed_for)
		return;
	l->armed_for = at;
	when.it_value.tv_sec = (time_t)(at / USEC_PER_SEC);
	when.it_value.tv_nsec = (long)(at % USEC_PER_SEC) * 1000;
	timerfd_settime(l->timer_fd, TFD_TIMER_ABSTIME, &when, NULL);
}

/* Terminates because timer_set() never sets a timer to `now` or earlier. */
static void run_timers(struct loop *l)
{
	usec_t now = clock_now();
	struct queued_timer *first;

	while ((first = timer_queue_first(&l->timers)) && first->at <= now) {
		struct timer *t = CONTAINER_OF(first, struct timer, queued);

		timer_set(t, USEC_NEVER);
		t->fn(t->data); /* may free `t` */
	}
}

int loop_step(struct loop *l)
{
	int timeout = TAILQ_EMPTY(&l->ready) ? 0 : -1; /* for lws_service(): 0 waits, -1 does not */

	loop_arm(l);
	if (lws_service(l->lws, timeout) < 0)
		return -EIO;
	turn_begin();
	run_timers(l);
	run_ready(l);
	turn_end();
	return 0;
}

int loop_run(struct loop *l)
{
	int r = 0;

	l->stopped = false;
	while (!l->stopped && r == 0)
		r = loop_step(l);
	return r;
}

void loop_stop(struct loop *l)
{
	l->stopped = true;
}

void loop_ready(struct loop *l, struct ready *r)
{
	if (r->queued)
		return;
	r->queued = true;
	l->ready_count++;
	TAILQ_INSERT_TAIL(&l->ready, r, link);
}

void loop_cancel_ready(struct loop *l, struct ready *r)
{
	if (!r->queued)
		return;
	r->queued = false;
	l->ready_count--;
	TAILQ_REMOVE(&l->ready, r, link);
}

void loop_at_end(struct loop *l, struct loop_end *e)
{
	LIST_INSERT_HEAD(&l->ends, e, link);
}

void loop_forget_end(struct loop_end *e)
{
	LIST_REMOVE(e, link);
}

struct timer *timer_new(struct loop *l, void (*fn)(void *data), void *data)
{
	struct timer *t = NEW(struct timer);

	*t = (struct timer){ .loop = l, .fn = fn, .data = data };
	return t;
}

struct timer *timer_free(struct timer *t)
{
	if (t)
		timer_set(t, USEC_NEVER);
	free(t);
	return NULL;
}

void timer_set(struct timer *t, usec_t at)
{
	timer_queue_remove(&t->loop->timers, &t->queued);
	if (at != USEC_NEVER)
		timer_queue_add(&t->loop->timers, &t->queued, MAX(at, clock_now() + 1));
}

bool timer_is_set(const struct timer *t)
{
	return t->queued.place;
}

int watch_new(struct loop *l, int fd, uint32_t events, void (*fn)(uint32_t events, void *data), void *data, struct watch **ret)
{
	struct watch *w = NEW(struct watch);
	struct epoll_event event = { .events = events, .data.ptr = w };

	*w = (struct watch){ .loop = l, .fd = fd, .fn = fn, .data = data };
	if (epoll_ctl(l->epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0) {
		int r = -errno;

		free(w);
		return r;
	}
	*ret = w;
	return 0;
}

void watch_set_events(struct watch *w, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = w };

	epoll_ctl(w->loop->epoll_fd, EPOLL_CTL_MOD, w->fd, &event);
}

struct watch *watch_free(struct watch *w)
{
	if (!w)
		return NULL;
	epoll_ctl(w->loop->epoll_fd, EPOLL_CTL_DEL, w->fd, NULL);
	for (int i = 0; i < w->loop->batch_len; i++)
		if (w->loop->batch[i].data.ptr == w)
			w->loop->batch[i].data.ptr = NULL;
	free(w);
	return NULL;
}
