/*
 * WebDriver BiDi over one connection: commands, replies and events. The specification is https://w3c.github.io/webdriver-bidi/; what Firefox does
 * beyond it, or differently, is said where it matters.
 *
 * BiDi has no sessions for targets: each command names its browsing context. A `struct engine_target` is the browser itself or a page, a
 * top-level browsing context, whose id is also that of its target and of its main frame. All frames of a page belong to its target, also those
 * that other processes serve.
 *
 * Firefox runs commands side by side: a script that is sent behind an input runs before it. So commands that work on documents, those of
 * script and input, are sent in turns: one that changes what later ones see holds the turn of its page until its reply (bidi_turn).
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

struct bidi;
struct request;

struct bidi_handler {
	void (*open)(void *data);                       /* the session has begun */
	void (*closed)(const char *reason, void *data); /* once; all calls have failed by then */
	/* In place of open(): the browser has a session already, so another program has connected to it before. NULL: as closed(). */
	void (*taken)(void *data);
};

/*
 * Opens the WebSocket of a browser on `fd`, a connected socket (loop/dial.h), and begins its one session. Takes ownership of `fd`, even on
 * failure.
 */
int bidi_connect(struct loop *l, int fd, const struct request *request, const struct bidi_handler *handler, void *data,
		 struct bidi **ret);
struct bidi *bidi_free(struct bidi *c); /* pending calls fail with -ENOTCONN */
DEFINE_FREEP(bidi);

/* Before the session has begun: invalid certificates count as valid in it, also in the browser's own context. */
void bidi_ignore_certificates(struct bidi *c);
/* The browser itself; lives as long as the connection. */
struct engine_target *bidi_root(struct bidi *c);

/* Processes a message as if the connection had received it. For tests. */
void bidi_receive(struct bidi *c, const char *text, size_t len);

/*
 * Commands. The parameters are a str_json() template and its values, "{}" for none. `world` is the execution context, a number of this program
 * (engine_frame), with whose end the call fails with -EREMOTE, as Firefox never answers it then; 0: none.
 */
#define bidi_send(t, s, call, world, method, ...) bidi_send_values(t, s, call, world, method, JSON_VALUES(__VA_ARGS__))
void bidi_send_values(struct task *t, struct engine_target *s, struct engine_call *call, int world, const char *method,
		      uint64_t types, const char *template, ...);
/* bidi_send() and engine_await(). -ESTALE when `s` is NULL. `ret` (may be NULL) gets the whole reply, owned by the caller. */
#define bidi_call(t, s, ret, world, method, ...) bidi_call_values(t, s, ret, world, method, JSON_VALUES(__VA_ARGS__))
int bidi_call_values(struct task *t, _borrowed_ struct engine_target *s, struct json **ret, int world, const char *method,
		     uint64_t types, const char *template, ...);
/*
 * A call without a task: `replied` is called once when `call` is complete, unless engine_call_done() was called before. It may send, but must
 * not free a target. Returns a negative errno, and does not call it, when the call could not be sent.
 */
#define bidi_request(s, call, replied, data, world, method, ...) \
	bidi_request_values(s, call, replied, data, world, method, JSON_VALUES(__VA_ARGS__))
int bidi_request_values(struct engine_target *s, struct engine_call *call, void (*replied)(struct engine_call *call, void *data),
			void *data, int world, const char *method, uint64_t types, const char *template, ...);
/* bidi_request() on the account of the meter of `s`. Returns the bytes that were sent, or a negative errno. */
#define bidi_answer(s, call, replied, data, world, method, ...) \
	bidi_answer_values(s, call, replied, data, world, method, JSON_VALUES(__VA_ARGS__))
int bidi_answer_values(struct engine_target *s, struct engine_call *call, void (*replied)(struct engine_call *call, void *data),
		       void *data, int world, const char *method, uint64_t types, const char *template, ...);
/*
 * Sends a command whose reply is dropped. If it cannot be sent, nothing else is sent for the target either, so that a page never runs without
 * what was to come before.
 */
#define bidi_post(s, method, ...) bidi_post_values(s, method, JSON_VALUES(__VA_ARGS__))
void bidi_post_values(struct engine_target *s, const char *method, uint64_t types, const char *template, ...);
/* bidi_send() with `call`, and bidi_post() without one. */
#define bidi_send_or_post(t, s, call, method, ...) \
	do { \
		if (call) \
			bidi_send(t, s, call, 0, method, __VA_ARGS__); \
		else \
			bidi_post(s, method, __VA_ARGS__); \
	} while (0)

/*
 * Sets up `call` for an operation of several commands. The caller completes it with bidi_complete(), for the pending command with the id that is
 * returned. Negative: the call has failed.
 */
int bidi_promise(struct task *t, struct engine_target *s, struct engine_call *call, const char *method);
/* Completes `call` as if the browser had answered with the error `message`. Sends no command. Has no effect when `call` is NULL. */
void bidi_refuse(struct task *t, struct engine_call *call, const char *method, const char *message);

/* The `result` of the reply, NULL before it and after a failure; borrowed from the call. */
const struct json *bidi_result(const struct engine_call *call);
/* The error code that the browser refused the command with ("no such frame"); "" when it did not. Borrowed from the call. */
const char *bidi_error(const struct engine_call *call);
/* Its message, which has the browser's name of the reason ("NS_ERROR_UNKNOWN_HOST") in it. Borrowed. */
const char *bidi_error_message(const struct engine_call *call);

/*
 * ---- turns ----
 *
 * `on_turn` is called when the commands before it that change what later ones see have been answered; scripts may still run. What is sent to the
 * documents of the page from then on waits until bidi_turn_end(), but for what is sent while `s->turn` is set, which the owner of the turn
 * sets around its own commands. The owner must end the turn, also after failures. A target that ends drops it.
 */
struct bidi_turn {
	TAILQ_ENTRY(bidi_turn) link;
	void (*on_turn)(struct bidi_turn *turn, struct engine_target *s);
	void (*on_dropped)(struct bidi_turn *turn); /* the target has ended: the turn is freed, and no other callback follows */
};
/* May call `on_turn` at once. */
void bidi_turn_take(struct engine_target *s, struct bidi_turn *turn);
void bidi_turn_end(struct engine_target *s);

/* ---- browsing contexts (contexts.c) ---- */

/* Whether the page has a frame whose document has another origin than its parent's, so that another process may serve it. */
bool bidi_has_foreign_frames(const struct engine_target *s);

/* ---- execution contexts (worlds.c) ---- */

/*
 * Where a script runs, as JSON for {target: ?}: the browsing context and the sandbox of `world`; borrowed. One that has ended gives a place that
 * the browser refuses with "no such frame". Never its realm: to find that, Firefox asks all documents of all pages and waits for the slowest, so
 * a busy page would hold up the calls of all others, and one that closes would make them fail.
 */
const char *bidi_script_place(const struct engine_target *s, int world);
