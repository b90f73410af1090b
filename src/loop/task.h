/*
 * A task runs one tool call as straight-line code: a stackful coroutine that suspends in task_wait() and nowhere
 * else. A function that takes a `struct task *` may suspend; one that does not, cannot.
 *
 * A task carries its deadline, its cancellation, an arena for what the call allocates, and the failure that the call ends with. It is never freed before its function has returned.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/failure.h"
#include "base/macros.h"
#include "base/str.h"
#include "loop/loop.h"

struct task;

/*
 * Starts `fn` in the next round of the loop. When it has returned, `done` gets its result from the loop and can still read the
 * arena and the failure; then the task is freed. A task that was cancelled before its first run ends with -ECANCELED, and `fn` is
 * not called: `done` must not expect anything that `fn` sets. -EAGAIN when LIMIT_TASKS_COUNT tasks are alive.
 */
int task_start(struct loop *l, const char *name, int (*fn)(struct task *t, void *data),
	       void (*done)(struct task *t, int result, void *data), void *data, struct task **ret);

/*
 * Suspends until task_wake(). Returns 0, -ECANCELED (sticky: every later wait returns it at once), or -ETIMEDOUT
 * when the deadline has passed. Wake-ups may be spurious: callers check their condition in a loop and look shared state up
 * again. `where` names the wait in timeout messages and dumps; it must outlive the wait.
 */
int task_wait(struct task *t, const char *where);
void task_wake(struct task *t);                  /* from any code on the loop's thread */
int task_sleep(struct task *t, usec_t duration); /* 0: lets the loop do what else there is to do */

/* Ends the current and every later wait of `t` with -ECANCELED, or the task before its first run. `r` and the text become its failure. */
void task_cancel(struct task *t, int r, const char *fmt, ...) _printf_(3, 4);
bool task_cancelled(const struct task *t);
/* While masked, waits ignore the cancellation: for clean-up that must reach the browser. Returns the old value. */
bool task_mask_cancel(struct task *t, bool masked);

/*
 * Makes the current and every later wait return `r` (negative) until task_interrupt(t, 0). For events that a call must react
 * to without failing, such as a dialog that blocks the page. A cancellation takes precedence.
 */
void task_interrupt(struct task *t, int r);

/* The deadline of all waits, USEC_NEVER for none. Setting it returns the old one, for restoring. */
usec_t task_set_deadline(struct task *t, usec_t at);
usec_t task_deadline(const struct task *t);

/*
 * The gate that the task passes before it goes on (loop/gate.h), and since when the task has it. Whoever sets a gate keeps it until it has set
 * another one, or NULL: none. A gate that the task has already keeps its time.
 */
struct gate;
void task_set_gate(struct task *t, struct gate *g);
struct gate *task_gate(const struct task *t);
usec_t task_gate_since(const struct task *t);

/*
 * Tasks that wait for a change of shared state. The code that changes the state wakes all of them, and each checks the state
 * again. Must be initialised with waitq_init(). No task may be waiting when the owner is freed.
 */
struct waitq {
	TAILQ_HEAD(, waitq_entry) entries;
};
void waitq_init(struct waitq *q);
int waitq_wait(struct task *t, struct waitq *q, const char *where); /* results of task_wait() */
void waitq_wake(struct waitq *q);

struct arena *task_arena(struct task *t);
struct loop *task_loop(const struct task *t); /* the loop that it runs on */
struct task *task_current(void);              /* NULL outside of tasks */

/*
 * Records the failure and returns `r`: return task_fail(t, -ERR_..., "what happened and what to do next"). The text is for
 * readers only. A failure that code decides by, that surfaces word differently, or that says which tool helps, is recorded with
 * task_fail_because(). The failure of what was called is returned as it is, or wrapped with task_wrap().
 */
int task_fail(struct task *t, int r, const char *fmt, ...) _printf_(3, 4);
int task_vfail(struct task *t, int r, const char *fmt, va_list ap) _printf_(3, 0);
/* Records a failure as data (base/failure.h); the facts are a JSON object (a template of str_json() with its values). */
#define task_fail_because(t, r, reason, ...) task_fail_because_values(t, r, reason, JSON_VALUES(__VA_ARGS__))
int task_fail_because_values(struct task *t, int r, enum reason reason, uint64_t types, const char *template, ...);
/* Details for clients of the last failure, in place of its facts if it has a reason, as a JSON object (a str_json() template); kept until the next failure. */
#define task_fail_details(t, ...) task_fail_details_values(t, JSON_VALUES(__VA_ARGS__))
void task_fail_details_values(struct task *t, uint64_t types, const char *template, ...);
/*
 * The failure `r` of what was called becomes the caller's: `as` is its code from now on, and `before` and `after` stand around its words.
 * Reason, facts and details stay. If another failure was recorded than `r`, its words are those of the code. Returns `as`.
 */
int task_wrap(struct task *t, int r, int as, const char *before, const char *after);
/* The last failure, borrowed until the next one; code 0: none. Surfaces print its words by loop/failure_words.h. */
const struct failure *task_failure(const struct task *t);
int task_error(const struct task *t); /* its code, 0 when none */
enum reason task_error_reason(const struct task *t);
struct json *task_error_facts(const struct task *t); /* owned by the caller; NULL when it has no reason */
/*
 * Keeps the failure `r` in `ret`, for which the caller calls failure_done(), while others follow it; it has no words if another one was
 * recorded. task_fail_of() records a failure that was kept, and returns its code.
 */
void task_keep_failure(const struct task *t, int r, struct failure *ret);
int task_fail_of(struct task *t, const struct failure *f);
/* After a failure that is of no consequence: there has been none. */
void task_forget_failure(struct task *t);

/* Appends one line for each live task: name, age, and the wait it is in. */
void task_dump(struct str *out);
/* What the task waits for, as task_wait() was told; NULL: it runs, or has not begun. Borrowed until it goes on. */
const char *task_where(const struct task *t);
unsigned task_count(void);

/*
 * Tests set this to make a wait fail: it gets the number of the wait in its task, from 1, and `where`; non-zero is
 * returned by that wait instead of waiting. It is also called before the first run of a task, with the number 0, and can cancel the
 * task there.
 */
extern int (*task_wait_fault)(struct task *t, unsigned nth, const char *where);
