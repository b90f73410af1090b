/* The two kinds of servers, for server.c: a plain program (server_plain.c), and what a command manages (server_managed.c). */
#pragma once

#include <sys/queue.h>

#include "base/arena.h"
#include "base/clock.h"
#include "devserver/command.h"
#include "devserver/program.h"
#include "devserver/server.h"

#define RUNS_MAX 64 /* of a command, that have left something behind */

struct devserver {
	TAILQ_ENTRY(devserver) link; /* in `servers` */
	struct arena arena;          /* of the plan */
	const struct server_kind *kind;
	struct loop *loop;
	struct devserver_plan plan;

	struct program *program; /* of a plain program */
	struct log_writer *writers[LOG_KINDS];
	struct scratch *folder; /* of these; the keeper's, too, while the program runs */

	struct command *runs[RUNS_MAX]; /* of a command by contract: the start, and restarts that keep something alive */
	unsigned run_count;

	struct devserver_info info;
	struct str url, message;
	char started_at[64];
	struct log_paths logs;
	usec_t started;
	struct timer *abandoned; /* NULL: it is not */
};

/* What differs between them; see server.h. `s->info` has the answers of launch and restart, whose texts are in `s`. */
struct server_kind {
	int (*launch)(struct task *t, struct devserver *s);
	int (*await)(struct task *t, struct devserver *s);
	int (*restart)(struct task *t, struct devserver *s);
	int (*state)(struct task *t, struct devserver *s, struct devserver_state *ret);
	int (*end)(struct task *t, struct devserver *s, struct devserver_end *ret);
	void (*let_go)(struct devserver *s);
	bool (*is_gone)(const struct devserver *s); /* with all that it has started */
	bool (*holds)(const struct devserver *s, int port);
	void (*done)(struct devserver *s);
};

extern const struct server_kind server_plain, server_managed;

/* Suspends until nobody listens on its port. -ERR_SHUTDOWN_FAILED: somebody still does. */
int server_await_free_port(struct task *t, const struct devserver *s);
/* Is that a log of another server than this, and than the one with this pid? Two sessions may share one. */
bool server_is_foreign_log(const struct devserver *s, const char *path, pid_t pid);
static inline void server_set_text(struct str *s, const char *text)
{
	str_reset(s);
	str_append(s, text);
}
