/*
 * A browser in memory: it performs operations of src/engine for unit tests, which link it in the place of engine/cdp. What is only sent and is
 * not performed here has no effect; another operation ends the test with its name (missing.py).
 *
 * What a browser is asked for waits in one queue, as on a connection. The loop takes one message at a time, between two waits, so no reply and
 * no event comes inside of the call that has caused it.
 */
#pragma once

#include "base/json.h"
#include "base/str.h"
#include "engine/events.h"
#include "loop/loop.h"
#include "loop/task.h"

/* Ends the test: the operation `name` is not performed in memory. */
_noreturn_ void memory_has_no(const char *name);

/* ---- shared by the files of this folder ---- */

struct memory_page;

/* `launch` is the browser, with its process and its connection. */
struct engine_target {
	TAILQ_ENTRY(engine_target) link;
	struct launch *browser;   /* NULL: it has ended */
	struct memory_page *page; /* NULL: the browser itself, or a page that was closed */
	char id[ENGINE_ID_SIZE];
	const struct engine_events *events;
	void *data;
	TAILQ_HEAD(, engine_call) calls;
};

struct memory_page {
	TAILQ_ENTRY(memory_page) link;
	struct launch *browser;
	struct engine_target *target; /* NULL: nobody is attached to it */
	char id[ENGINE_ID_SIZE], context[ENGINE_ID_SIZE], attachment[ENGINE_ID_SIZE];
	char document[ENGINE_ID_SIZE];
	char world_name[ENGINE_ID_SIZE]; /* of the isolated world that documents get */
	int last_world;
};

/* Something that the browser is asked for. */
struct memory_message {
	TAILQ_ENTRY(memory_message) link;
	struct engine_target *target;
	struct engine_call *call;              /* that awaits the reply; NULL: none */
	void (*run)(struct memory_message *m); /* what the browser does; may set `result` and `value`. NULL: it only replies */
	struct str text;
	int result;
	struct json *value; /* of the reply */
};

struct launch {
	struct loop *loop;
	struct timer *timer; /* when the next message is taken */
	TAILQ_HEAD(, memory_message) messages;
	TAILQ_HEAD(memory_targets, engine_target) targets;
	TAILQ_HEAD(, memory_page) pages;
	struct engine_target *root;
	const struct engine_browser_events *events; /* of engine_listen(); NULL: nobody listens */
	const struct launch_handler *handler;
	void *data;
	struct memory_message *taken; /* that runs now; NULL: none */
};

void memory_take_message(void *browser);
/* `what` is what messages call it. NULL: it was not sent, as `s` has ended. */
struct memory_message *memory_send(struct task *t, struct engine_target *s, struct engine_call *call, const char *what,
				   void (*run)(struct memory_message *m), const char *text);
void memory_post(struct engine_target *s, void (*run)(struct memory_message *m), const char *text);
/* Suspends until the reply; `ret` (may be NULL) gets its value, owned by the caller. */
int memory_call(struct task *t, struct engine_target *s, const char *what, void (*run)(struct memory_message *m), const char *text,
		struct json **ret);
/* The value of a str_json() template. */
#define memory_value(...) memory_value_values(JSON_VALUES(__VA_ARGS__))
struct json *memory_value_values(uint64_t types, const char *template, ...);

struct engine_target *memory_target_new(struct launch *b, const char *id);
/* Forgets what it was asked for; its calls fail with `result`. */
void memory_target_end(struct engine_target *s, int result);
void memory_close(struct memory_page *p);

/* Calls a handler of a target, if there is one. */
#define REPORT(s, group, handler, ...) \
	do { \
		if ((s) && (s)->events && (s)->events->group && (s)->events->group->handler) \
			(s)->events->group->handler(__VA_ARGS__, (s)->data); \
	} while (0)
