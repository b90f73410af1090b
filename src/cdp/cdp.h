/*
 * Chrome DevTools Protocol over one connection: calls, replies, events, and the targets attached to with
 * `flatten: true`. A `struct cdp_session` is CDP's word for one attachment; browserd's sessions live in session/.
 *
 * Parameters are written as str_json() literals, so that one test can hold every method and parameter name in the
 * source against the description that the browser serves.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/json.h"
#include "base/macros.h"
#include "loop/task.h"

struct cdp;
struct cdp_session;

/* One row for each event that a session listens to; ends with {}. `params` lives until the callback returns. */
struct cdp_event {
	const char *method;
	void (*fn)(struct cdp_session *s, const struct json *params, void *data);
	bool unread; /* that it came is all that counts: it is not parsed, `params` is NULL */
};

/* What went over all connections so far. */
struct cdp_traffic {
	uint64_t sent, received;             /* messages */
	uint64_t bytes_sent, bytes_received;
};
const struct cdp_traffic *cdp_traffic(void);

struct cdp_handler {
	void (*open)(void *data);
	void (*closed)(const char *reason, void *data); /* once; all calls have failed by then */
};

/* To a browser that listens on a debugging port; `host` is a numeric address. */
int cdp_connect(struct loop *l, const char *host, int port, const char *path, const struct cdp_handler *handler,
		void *data, struct cdp **ret);
/*
 * To a browser that was started with the other end of the socketpair of `fd` as its descriptors 3 and 4
 * (--remote-debugging-pipe). Takes `fd` over, also when it fails. `open` is called with the browser's first answer.
 */
int cdp_attach(struct loop *l, int fd, const struct cdp_handler *handler, void *data, struct cdp **ret);
struct cdp *cdp_free(struct cdp *c); /* pending calls fail with -ENOTCONN */
DEFINE_FREEP(cdp);

/* One message of the browser, as the connection gets them. For the fuzzer. */
void cdp_receive(struct cdp *c, const char *text, size_t len);

/* The browser target's own session; lives as long as the connection. */
struct cdp_session *cdp_root(struct cdp *c);
void cdp_session_listen(struct cdp_session *s, const struct cdp_event *events, void *data);

/*
 * The session of an attached target, made from Target.attachedToTarget. Freeing it (after detach) fails its pending
 * calls with -ESTALE; late replies and events are dropped.
 */
struct cdp_session *cdp_session_new(struct cdp *c, const char *session_id, const struct cdp_event *events, void *data);
struct cdp_session *cdp_session_free(struct cdp_session *s);
DEFINE_FREEP(cdp_session);
const char *cdp_session_id(const struct cdp_session *s);
struct cdp *cdp_session_connection(struct cdp_session *s);

/* A call under way. Declare with _cleanup_(cdp_call_done); several may be sent before the first is awaited. */
struct cdp_call {
	TAILQ_ENTRY(cdp_call) link;
	struct cdp_session *session; /* NULL once answered, failed or never sent */
	struct task *task;           /* woken by the reply */
	int id;
	int result;                  /* 0 once answered; -ESTALE, -ENOTCONN, -EREMOTE (the browser said no), -EMSGSIZE */
	struct json *reply;          /* whole message */
	const char *method;
	uint64_t answered;           /* order of the answers: a later one has a greater number; 0: none yet */
};

void cdp_call_done(struct cdp_call *call);
void cdp_send(struct task *t, struct cdp_session *s, struct cdp_call *call, const char *method, const char *fmt, ...)
	_printf_(5, 6);
/* Suspends until the reply. -EREMOTE: the browser refused, the text is the task's failure. */
int cdp_await(struct task *t, struct cdp_call *call);
/* What the browser said: `result` of the reply, NULL before; borrowed from the call. */
const struct json *cdp_call_result(const struct cdp_call *call);
/* Text of a refusal, NULL when the call did not fail that way. */
const char *cdp_call_refusal(const struct cdp_call *call);

/*
 * Send and await; without `s`, which may be NULL, it is -ESTALE. `ret` (may be NULL) gets the whole reply, owned by the caller; read it as
 * "result.frameId". `fmt` "{}" for no parameters.
 */
int cdp_call(struct task *t, _borrowed_ struct cdp_session *s, struct json **ret, const char *method, const char *fmt, ...)
	_printf_(5, 6);
/* Fire and forget; the reply is dropped. */
void cdp_post(struct cdp_session *s, const char *method, const char *fmt, ...) _printf_(3, 4);
