/*
 * What a browser can do, in words of no protocol. The headers of this folder declare the operations, with what they take and give; a folder
 * below it (engine/cdp) performs them over one protocol. The caller does not know which.
 *
 * An operation whose first argument is a task may suspend, unless it takes an engine_call: it is sent then, and its reply awaited by
 * engine_await(). Without either it is sent, and its reply is dropped. Messages to one target are handled in the order of the calls.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/clock.h"
#include "base/macros.h"

struct json;
struct task;

/*
 * What can be addressed in a browser: a page, a frame that another process serves, a worker, or the browser itself. It ends when the browser
 * says so. NULL stands for one that has ended: calls to it fail with -ESTALE.
 */
struct engine_target;
/* No two of a browser have the same at a time; "" for the browser itself. Lives as long as the target. */
const char *engine_target_id(const struct engine_target *s);

/*
 * Ids of targets, frames, documents and browser contexts: 32 hexadecimal digits so far. What a browser sends is used as an id only if it is
 * valid: not NULL or empty, shorter than this, visible ASCII without quotes and backslashes.
 */
#define ENGINE_ID_SIZE 64
bool engine_id_is_valid(const char *id);
void engine_id_set(char dst[ENGINE_ID_SIZE], const char *id); /* NULL: "" */

/* The texts of -ENOTCONN and -ESTALE. */
#define ENGINE_BROWSER_ENDED "the browser has ended or closed the connection; the next call starts it or connects again"
#define ENGINE_PAGE_GONE "the page was closed or has crashed; open its address again"

/* A call in progress. Declare it with _cleanup_(engine_call_done); several may be sent before the first is awaited. */
struct engine_call {
	TAILQ_ENTRY(engine_call) link;
	struct engine_target *target; /* NULL when the call is complete, has failed or was not sent */
	struct task *task;            /* woken by the reply; NULL: `replied` is called */
	void (*replied)(struct engine_call *call, void *data);
	void *data;
	int id;
	const struct engine_operations *engine; /* that it was given to; NULL: it was not sent */
	int result;         /* 0 on success; -ESTALE, -ENOTCONN, -EREMOTE (the browser refused), -EMSGSIZE, -ENOBUFS (not sent) */
	struct json *reply; /* the whole message, which the engine reads */
	const char *method;
	bool charged;     /* to the meter of the target, and so is the reply */
	size_t max_reply; /* bytes; a longer reply fails the call with -EMSGSIZE. 0: LIMIT_CDP_MESSAGE. Set after it was sent */
	size_t length;    /* bytes of the reply, also of one that is too long */
	usec_t sent;
	uint64_t answered; /* sequence number of the reply, increasing in order of arrival; 0 before it */
};

void engine_call_done(struct engine_call *call);
/*
 * Moves a call without a task that is under way from `call` to `to`, whose `replied` is called at its reply also when its target has ended
 * before. The connection's end completes it with -ENOTCONN, but not that of the target.
 */
void engine_outlive(struct engine_call *call, struct engine_call *to, void (*replied)(struct engine_call *call, void *data),
		    void *data);
/* Suspends until the reply. -EREMOTE: the browser refused, for a reason whose text becomes the task's failure. */
int engine_await(struct task *t, struct engine_call *call);
/* What `s` shows has not reacted to something in time, so calls that need its thread wait less until one of them has a reply. */
void engine_doubt(struct engine_target *s);
