/* The two kinds of servers, for server.c: plain programs (server_plain.c) and servers managed by a command (server_managed.c). */
#pragma once

#include <sys/queue.h>

#include "base/arena.h"
#include "base/clock.h"
#include "devserver/command.h"
#include "devserver/program.h"
#include "devserver/server.h"

#define RUNS_MAX 64 /* runs of a command that have processes alive */

struct devserver {
	TAILQ_ENTRY(devserver) link; /* in server_list */
	struct arena arena;          /* of the plan */
	const struct server_kind *kind;
	struct loop *loop;
	struct devserver_plan plan;

	struct program *program; /* only for plain programs */
	struct log_writer *writers[LOG_KINDS];
	struct scratch *folder; /* directory of the logs; while the program runs, its keeper also locks it */

	struct command *runs[RUNS_MAX]; /* for commands: the start, and restarts that have processes alive */
	unsigned run_count;

	struct devserver_info info;
	struct str url, message;
	char started_at[64];
	struct log_paths logs;
	usec_t started;
	struct timer *abandoned; /* polls for the end of an abandoned server; NULL when it is in use */
};

/* The operations of a kind, see server.h. launch and restart store their results in `s->info`, whose strings `s` owns. */
struct server_kind {
	int (*launch)(struct task *t, struct devserver *s);
	int (*await)(struct task *t, struct devserver *s);
	int (*restart)(struct task *t, struct devserver *s);
	int (*state)(struct task *t, struct devserver *s, struct devserver_state *ret);
	int (*end)(struct task *t, struct devserver *s, struct devserver_end *ret);
	void (*release)(struct devserver *s);
	bool (*is_gone)(const struct devserver *s); /* whether all its processes have ended */
	bool (*holds)(const struct devserver *s, int port);
	void (*done)(struct devserver *s);
};

extern const struct server_kind server_plain, server_managed;

/* ---- server_kind.c, what both kinds need ---- */

/* All live servers, for checking that none reads the logs of another. */
extern TAILQ_HEAD(server_list, devserver) server_list;
/* Suspends until no process listens on the server's port. -ERR_SHUTDOWN_FAILED on timeout. */
int server_await_free_port(struct task *t, const struct devserver *s);
/* Whether `path` is a log of a server other than `s` or one with the same `pid`, which two sessions may share. */
bool server_is_foreign_log(const struct devserver *s, const char *path, pid_t pid);
