/*
 * The process of a browser that this program has started, with its temporary folders and what it prints: what is common to the engines. The struct
 * launch of each begins with it, so that launched.c answers for all of them what engine/launch.h asks about the process.
 */
#pragma once

#include "base/str.h"
#include "engine/arguments.h"
#include "engine/find.h"
#include "engine/options.h"
#include "loop/loop.h"

struct engine_operations;
struct process;
struct scratch;

/* Zeroed at first but for `engine`; released by started_done(). */
struct started {
	const struct engine_operations *engine;
	struct process *process;       /* NULL: it has not been started */
	struct scratch *scratch;       /* for what the browser needs only while it runs */
	struct str downloads, uploads; /* folders in it */
	struct str output;             /* the end of what it has printed until it was ready */
	struct str program;            /* the path of what was started */
	struct str warning;            /* about its sandbox, as the end of a sentence */
	bool ready, exited;
	void (*ended)(const char *how, void *data);
	void *data;
};

/* Takes the path and the warning of what was found, and makes the folders. Negative errno, with a text in `error`. */
int started_prepare(struct started *s, const struct engine_choice *choice, struct str *error);
/*
 * Starts the program. `lock` and `channel` are as in loop/process.h, 0: none. `keeps`: it has a profile that stays and gets time to write it.
 * `ended` is called once, when the process and its folders are gone. Negative errno, with a text in `error`.
 */
int started_run(struct started *s, struct loop *l, const struct arguments *args, const struct arguments *env, int lock, int channel,
		bool keeps, void (*ended)(const char *how, void *data), void *data, struct str *error);
void started_done(struct started *s);
