/*
 * The event loop: one thread, libwebsockets underneath, nothing blocks. Callbacks run from loop_run().
 *
 * Rule of the edge: library callbacks never free what they were called for and never resume a task. They put a
 * `struct ready` on the loop's queue, which runs between two waits for the kernel.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/clock.h"
#include "base/macros.h"

struct loop;

/* Work for the edge of the loop. Embedded in its owner, who must loop_cancel_ready() it before it goes away. */
struct ready {
	TAILQ_ENTRY(ready) link;
	void (*run)(struct ready *r);
	bool queued;
};

int loop_new(struct loop **ret);
/* One whose connections may speak TLS, which takes 3 ms more and 2.6 MB. */
int loop_new_with_tls(struct loop **ret);
struct loop *loop_free(struct loop *l);
DEFINE_FREEP(loop);

/* Runs until loop_stop(). Returns 0, or the negative errno that the kernel gave. */
int loop_run(struct loop *l);
void loop_stop(struct loop *l);
/* One round: waits at most until the next timer. For tests and for draining at the end. */
int loop_step(struct loop *l);

void loop_ready(struct loop *l, struct ready *r); /* no effect when queued already */
void loop_cancel_ready(struct loop *l, struct ready *r);

/* A one-shot timer; `fn` runs from the loop. Free it any time, also inside `fn`. */
struct timer;
struct timer *timer_new(struct loop *l, void (*fn)(void *data), void *data);
struct timer *timer_free(struct timer *t);
DEFINE_FREEP(timer);
void timer_set(struct timer *t, usec_t at); /* clock_now() time; USEC_NEVER stops it */

/*
 * Watches a descriptor (not a regular file: -EPERM). `events` and what `fn` gets are EPOLL* bits. The descriptor
 * stays the caller's; stop watching before closing it. `fn` may free its own watch.
 */
struct watch;
int watch_new(struct loop *l, int fd, uint32_t events, void (*fn)(uint32_t events, void *data), void *data,
	      struct watch **ret);
void watch_set_events(struct watch *w, uint32_t events);
struct watch *watch_free(struct watch *w);
DEFINE_FREEP(watch);
