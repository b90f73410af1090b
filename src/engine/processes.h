/* The processes of a browser. */
#pragma once

#include <sys/types.h>

#include "engine/engine.h"

enum engine_process { ENGINE_RENDERER, ENGINE_GRAPHICS };
/* What the command line of such a process of the browser of `s` has, and no other of its processes. */
const char *engine_process_argument(const struct engine_target *s, enum engine_process kind);
/* The name of the thread of its graphics process that draws, as the kernel has it. */
const char *engine_drawing_thread(const struct engine_target *s);

/*
 * Asks the main process for a sign of life, which comes when it has handled what it had received before. As with the following, `replied` gets
 * the call; returns a negative errno, and does not call it, when the call was not sent.
 */
int engine_ask_sign(struct engine_target *root, struct engine_call *call, void (*replied)(struct engine_call *call, void *data),
		    void *data);
/* Asks which process runs the document that `s` shows. */
int engine_ask_process(struct engine_target *s, struct engine_call *call, void (*replied)(struct engine_call *call, void *data),
		       void *data);
pid_t engine_process_of(const struct engine_call *call); /* as the main process sees it; 0: not known */
/* Has the garbage of the scripts that run in `s` collected. `call` NULL: without a reply. */
int engine_collect_garbage(struct engine_target *s, struct engine_call *call, void (*replied)(struct engine_call *call, void *data),
			   void *data);

/*
 * Counts the blobs that the main process keeps, for each browser context: they are reported to engine_browser_events.blobs, the last time
 * before blobs_counted. Begin and count suspend; a count that was begun is ended.
 */
int engine_begin_count(struct task *t, _borrowed_ struct engine_target *root);
int engine_count_blobs(struct task *t, _borrowed_ struct engine_target *root);
void engine_end_count(struct engine_target *root);
