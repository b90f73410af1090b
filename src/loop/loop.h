/*
 * The event loop: one thread, driven by libwebsockets; no callback may block. Callbacks run from loop_run().
 *
 * Callbacks of libwebsockets never free the object they were called for and never resume a task. Instead they queue a
 * `struct ready`, which the loop runs between two waits. Other comments call that moment the edge of the loop.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/clock.h"
#include "base/macros.h"

struct loop;

/* Deferred work. Embedded in its owner, which must call loop_cancel_ready() before it is freed. */
struct ready {
	TAILQ_ENTRY(ready) link;
	void (*run)(struct ready *r);
	bool queued;
};

int loop_new(struct loop **ret);
/* A loop whose connections may use TLS, which costs another 3 ms and 2.6 MB. */
int loop_new_with_tls(struct loop **ret);
/* Runs what loop_at_end() was given, which may block; then frees `l`. */
struct loop *loop_free(struct loop *l);
DEFINE_FREEP(loop);

/* Runs until loop_stop(). Returns 0 or a negative errno. */
int loop_run(struct loop *l);
void loop_stop(struct loop *l);
/* Runs one round, waiting at most until the next timer. For tests and for flushing output at exit. */
int loop_step(struct loop *l);

void loop_ready(struct loop *l, struct ready *r); /* no effect when queued already */
void loop_cancel_ready(struct loop *l, struct ready *r);

/*
 * What has to be waited for at the end of the program, and until then goes on in the background. Embedded in its owner; `run` is
 * called once, by loop_free(), and may free the owner, who otherwise calls loop_forget_end() before.
 */
struct loop_end {
	LIST_ENTRY(loop_end) link;
	void (*run)(struct loop_end *e);
};
void loop_at_end(struct loop *l, struct loop_end *e);
void loop_forget_end(struct loop_end *e);

/* A one-shot timer; `fn` runs from the loop. It may be freed any time, also inside `fn`. */
struct timer;
struct timer *timer_new(struct loop *l, void (*fn)(void *data), void *data);
struct timer *timer_free(struct timer *t);
DEFINE_FREEP(timer);
void timer_set(struct timer *t, usec_t at); /* clock_now() time; USEC_NEVER stops it */
bool timer_is_set(const struct timer *t);   /* false while `fn` runs, unless it has set the timer again */

/*
 * Watches a descriptor (-EPERM for a regular file). `events` and the argument of `fn` are EPOLL* bits. The caller owns the
 * descriptor and must free the watch before closing it. `fn` may free its own watch.
 */
struct watch;
int watch_new(struct loop *l, int fd, uint32_t events, void (*fn)(uint32_t events, void *data), void *data, struct watch **ret);
void watch_set_events(struct watch *w, uint32_t events);
struct watch *watch_free(struct watch *w);
DEFINE_FREEP(watch);
