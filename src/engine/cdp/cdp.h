/*
 * Chrome DevTools Protocol over one connection: calls, replies, events, and sessions of targets attached with `flatten: true`.
 * A `struct engine_target` is a session in the sense of CDP, an attachment to a target; browserd's sessions are in session/.
 *
 * Parameters are written as str_json() templates, so that a test can compare every method and parameter name in the source with
 * the protocol description that the browser serves.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "base/macros.h"
#include "engine/frame.h"
#include "engine/meter.h"
#include "loop/task.h"

struct cdp;
struct refusal;
struct request;

/*
 * One row for each event that a session listens to, or for another table (`rows`) whose events it listens to as well; ends with {}.
 * The first row of an event gets it. `params` lives until the callback returns.
 */
struct cdp_event {
	const char *method; /* NULL: see `rows` */
	void (*fn)(struct engine_target *s, const struct json *params, void *data);
	bool unread;    /* the parameters are not needed: the event is not parsed and `params` is NULL */
	size_t longest; /* bytes of the message; longer ones, which take long to parse, are dropped. 0: LIMIT_CDP_EVENT */
	const struct cdp_event *rows;
	/* Instead of `fn`: gets the whole message as it came, of the same length at most, and parses what it needs of it. */
	void (*raw)(struct engine_target *s, const char *text, size_t len, void *data);
};

struct cdp_handler {
	void (*connected)(void *data); /* the WebSocket is open, nothing has been asked yet; NULL: not of interest */
	void (*open)(void *data);
	void (*closed)(const char *reason, void *data); /* once; all calls have failed by then */
};

/*
 * Opens the WebSocket of a browser on `fd`, a connected socket (loop/dial.h). Takes ownership of `fd`, even on failure. `open` is
 * called when the browser has replied to the first call of this library, which is sent after those that are made meanwhile.
 */
int cdp_connect(struct loop *l, int fd, const struct request *request, const struct cdp_handler *handler, void *data,
		struct cdp **ret);
/*
 * Connects to a browser that was started with the other end of the socketpair of `fd` as its descriptors 3 and 4
 * (--remote-debugging-pipe). Takes ownership of `fd`, even on failure. `open` is called at the browser's first reply.
 */
int cdp_attach(struct loop *l, int fd, const struct cdp_handler *handler, void *data, struct cdp **ret);
/* What the server answered in place of opening the WebSocket; zeroed: nothing. */
const struct refusal *cdp_refusal(const struct cdp *c);
struct cdp *cdp_free(struct cdp *c); /* pending calls fail with -ENOTCONN */
DEFINE_FREEP(cdp);

/* Processes a message as if the connection had received it. For the fuzzer. */
void cdp_receive(struct cdp *c, const char *text, size_t len);

/* The session of the browser target; lives as long as the connection. */
struct engine_target *cdp_root(struct cdp *c);
void cdp_session_listen(struct engine_target *s, const struct cdp_event *events, void *data);

/*
 * The session of an attached target, created on Target.attachedToTarget. NULL: the id is not valid, or that of another session that has
 * not ended, or there are LIMIT_CDP_SESSIONS_COUNT. It ends by engine_target_free().
 */
struct engine_target *cdp_session_new(struct cdp *c, const char *session_id, const struct cdp_event *events, void *data);
/*
 * Ends an attachment, reported by `parent`, that has no session. A target that waits for its debugger would stay paused, so it runs. An id
 * that is not valid, or that of a session, is ignored.
 */
void cdp_session_refuse(struct engine_target *parent, const char *session_id);
struct cdp *cdp_session_connection(struct engine_target *s);

/*
 * What is sent over the connection of `s` from here on is sent on the account of the meter that counts `s`, or on none if none does.
 * Returns the meter before, to be given to cdp_charge_again(). Nothing may suspend between the two.
 */
struct engine_meter *cdp_charge(struct engine_target *s);
void cdp_charge_again(struct engine_target *s, struct engine_meter *before);

/* The parameters are a str_json() template and its values, "{}" for none. */
#define cdp_send(t, s, call, method, ...) cdp_send_values(t, s, call, method, JSON_VALUES(__VA_ARGS__))
void cdp_send_values(struct task *t, struct engine_target *s, struct engine_call *call, const char *method, uint64_t types,
		     const char *template, ...);
/* The `result` of the reply, NULL before it; borrowed from the call. */
const struct json *cdp_call_result(const struct engine_call *call);
/*
 * Why the browser replied with an error. CDP reports nearly all of them as code -32000 with an English text, so the texts that
 * callers must tell apart are compared here and nowhere else.
 */
enum cdp_refusal {
	CDP_REFUSED,              /* any other reason, or the call did not fail with a CDP error */
	CDP_REFUSED_CONTEXT_GONE, /* the execution context or the document was replaced */
	CDP_REFUSED_TOO_DEEP,     /* the value refers to itself or is nested too deeply to be serialized */
	CDP_REFUSED_TERMINATED,   /* the script was terminated at its time limit */
};
enum cdp_refusal cdp_call_refusal(const struct engine_call *call);

/*
 * cdp_send() and engine_await(). Returns -ESTALE when `s` is NULL. `ret` (may be NULL) gets the whole reply, owned by the caller;
 * its members are read as "result.frameId".
 */
#define cdp_call(t, s, ret, method, ...) cdp_call_values(t, s, ret, method, JSON_VALUES(__VA_ARGS__))
int cdp_call_values(struct task *t, _borrowed_ struct engine_target *s, struct json **ret, const char *method, uint64_t types,
		    const char *template, ...);
/*
 * A call without a task: `replied` is called once when `call` is complete, unless engine_call_done() was called before. It may send,
 * but must not free a session. Returns a negative errno, and does not call it, when the call could not be sent.
 */
#define cdp_request(s, call, replied, data, method, ...) \
	cdp_request_values(s, call, replied, data, method, JSON_VALUES(__VA_ARGS__))
int cdp_request_values(struct engine_target *s, struct engine_call *call, void (*replied)(struct engine_call *call, void *data),
		       void *data, const char *method, uint64_t types, const char *template, ...);
/*
 * cdp_request() on the account of the meter of `s`, for what its page has asked for. Returns the bytes that were sent, or a negative errno as
 * cdp_request() does.
 */
#define cdp_answer(s, call, replied, data, method, ...) cdp_answer_values(s, call, replied, data, method, JSON_VALUES(__VA_ARGS__))
int cdp_answer_values(struct engine_target *s, struct engine_call *call, void (*replied)(struct engine_call *call, void *data),
		      void *data, const char *method, uint64_t types, const char *template, ...);
/*
 * Sends a call without waiting for the reply, which is dropped. If it cannot be sent, nothing else is sent to the session either, so that
 * a page or frame never runs without what was to come before; without a meter it stays as it is.
 */
#define cdp_post(s, method, ...) cdp_post_values(s, method, JSON_VALUES(__VA_ARGS__))
void cdp_post_values(struct engine_target *s, const char *method, uint64_t types, const char *template, ...);
/* cdp_send() with `call`, and cdp_post() without one. */
#define cdp_send_or_post(t, s, call, method, ...) \
	do { \
		if (call) \
			cdp_send(t, s, call, method, __VA_ARGS__); \
		else \
			cdp_post(s, method, __VA_ARGS__); \
	} while (0)

/*
 * The element as an object of the page's own world, in the task's arena; of the object group "browserd". Suspends. -ESTALE: there is no such
 * element any more.
 */
int cdp_page_object(struct task *t, const struct engine_frame *at, const char *handle, const char **ret_id);
