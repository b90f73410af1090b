/*
 * A registry of sessions in a browser in memory (tests/engine), and tasks that use it as calls of clients do. All tests of a group share one browser;
 * each has a registry of its own.
 */
#pragma once

#include "test.h"

#include "base/error.h"
#include "base/str.h"
#include "session/session.h"
#include "run_queued.h"

#define CALLS 6
#define HOUR (3600 * USEC_PER_SEC)

struct fixture;

/* A task that uses a session. */
struct call {
	struct fixture *f;
	uint64_t owner;
	char id[SESSION_ID_SIZE];
	char name; /* is noted when the call gets its turn, and again when it leaves */
	struct session_plan plan;
	struct task *task; /* NULL when it has ended */
	bool inside, may_leave, resets;
	int result;
	struct str failure;
	char page[64]; /* target id of the session's page */
};

struct fixture {
	struct registry *registry;
	struct registry_options options;
	struct call calls[CALLS];
	struct str events;
	unsigned ended; /* calls of a plan's `ended` */
};

extern struct loop *loop;
extern struct browser *browser;
extern struct pool *pool;
extern const struct egress_settings no_limits;

int group_setup(void **state);
int group_teardown(void **state);
int fixture_setup(void **state);
int fixture_teardown(void **state);

struct call *call_new(struct fixture *f, uint64_t owner, const char *id);
/* Runs `fn` in a task, until it waits. */
struct call *start(struct call *c, int (*fn)(struct task *t, void *data));
int await_end(struct call *c); /* the code of the failure, or the result */
/* The text of the failure contains `part`. */
void assert_failure(struct call *c, int result, const char *part);

/* What calls do. The visits stay in the session until they may leave, or are cancelled. */
int run_create(struct task *t, void *data);
int run_open_pages(struct task *t, void *data);
int run_visit(struct task *t, void *data);
int run_visit_own(struct task *t, void *data);
int run_knows(struct task *t, void *data);
int run_close(struct task *t, void *data);

/* Starts a visit. */
struct call *visit(struct fixture *f, uint64_t owner, const char *id);
void await_inside(struct call *c);
void let_leave(struct call *c);

/* Runs a call that does not stay. The text of its failure contains `part`. */
void expect(struct fixture *f, uint64_t owner, const char *id, int (*fn)(struct task *t, void *data), int result, const char *part);

/* Creates a session, copies its id, and returns the result. create(): its page is open, and `ended` of the fixture counts its end. */
int create_planned(struct fixture *f, uint64_t owner, struct session_plan plan, char ret[SESSION_ID_SIZE]);
int create(struct fixture *f, uint64_t owner, char ret[SESSION_ID_SIZE]);
void on_ended(void *data); /* of a plan */

/* Runs the loop until that time has passed, with all timers that are due before. */
void run_until(usec_t at);
