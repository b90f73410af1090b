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
#include "engine/geometry.h"
#include "loop/loop.h"
#include "loop/task.h"

/* ---- what a test says of the browser ---- */

/* An element. Those of a document stand in its order. */
struct memory_node {
	unsigned depth; /* in the tree */
	const char *ref, *role, *name;
	struct rect box;
	const char *covered_by; /* what lies over it, in the words of failures; NULL: nothing */
	const char *leads_to;   /* the address that a press opens; NULL: none */
	const char *says;       /* the text of the dialog that a press opens; NULL: none */
	unsigned presses;       /* that it got */
};

struct memory_document {
	const char *url, *title;
	struct memory_node *nodes; /* the last one has no role */
};

struct memory_page;

struct memory_plan {
	struct memory_document *const *documents; /* that can be opened besides about:blank; ends with NULL */
	/*
	 * A message comes to a page: `what` is "navigation", "mouse", the name of a page script... With `p` NULL it comes to the browser itself. The
	 * handler may change documents, navigate or close the page, and end the browser. NULL: none.
	 */
	void (*before)(struct memory_page *p, const char *what, void *data);
	void *data;
	const char *held; /* messages of that name wait until it is another; NULL: none */
};
extern struct memory_plan memory;

/* The page shows another document by itself. */
void memory_navigate(struct memory_page *p, const char *url);
/* The page has gone: what it was asked for fails. */
void memory_close(struct memory_page *p);
/* The process of the browser that was started last ends. */
void memory_end_browser(void);
/* Pages look like this from now on: their pictures are this text, which the caller keeps. */
void memory_change_looks(const char *text);
unsigned memory_casts(void);       /* that were made */
unsigned memory_cast_starts(void); /* how often a picture was asked for */
bool memory_cast_runs(void);       /* whether one is sent at the next change */

/* Ends the test: the operation `name` is not performed in memory. */
_noreturn_ void memory_has_no(const char *name);

/* ---- shared by the files of this folder ---- */

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
	const struct memory_document *shows;
	char document[ENGINE_ID_SIZE];
	char world_name[ENGINE_ID_SIZE]; /* of the isolated world that documents get */
	int world;                       /* its id in the present document, whose own scripts run in the one before */
	bool awaits_press;               /* a page script reports the next one */
	bool has_dialog;
};

/* Something that the browser is asked for. */
struct memory_message {
	TAILQ_ENTRY(memory_message) link;
	struct engine_target *target;
	struct engine_call *call; /* that awaits the reply; NULL: none */
	const char *what;
	void (*run)(struct memory_message *m); /* what the browser does; NULL: it only replies */
	struct str text;                       /* for `run`, as the next ones */
	struct point at;
	bool is_press;
	int world; /* in which it was to run */
	usec_t sent;
	bool is_early; /* set by `run`, which is to be called again */
	int result;    /* set by `run`, as `value`: the reply */
	struct json *value;
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
/* `what` lives as long as the program. NULL: it was not sent, as `s` has ended. */
struct memory_message *memory_send(struct task *t, struct engine_target *s, struct engine_call *call, const char *what,
				   void (*run)(struct memory_message *m), const char *text);
/* As memory_send(), for what gets no reply. */
void memory_post(struct engine_target *s, const char *what, void (*run)(struct memory_message *m), const char *text);
/* Suspends until the reply; `ret` (may be NULL) gets its value, owned by the caller. */
int memory_call(struct task *t, struct engine_target *s, const char *what, void (*run)(struct memory_message *m), const char *text,
		struct json **ret);
/* The value of a str_json() template. */
#define memory_value(...) memory_value_values(JSON_VALUES(__VA_ARGS__))
struct json *memory_value_values(uint64_t types, const char *template, ...);

struct engine_target *memory_target_new(struct launch *b, const char *id);
/* Forgets what it was asked for; its calls fail with `result`. */
void memory_target_end(struct engine_target *s, int result);

/* Calls a handler of a target, if there is one. */
#define REPORT(s, group, handler, ...) \
	do { \
		if ((s) && (s)->events && (s)->events->group && (s)->events->group->handler) \
			(s)->events->group->handler(__VA_ARGS__, (s)->data); \
	} while (0)
