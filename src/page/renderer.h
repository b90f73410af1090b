/*
 * The processes that run a page and its frames. None of them ever runs a page of another browser context.
 *
 * The browser is asked for the process in the first document of an origin. It is the pid that the browser's main process sees, also where Chromium's sandbox gives each renderer a PID
 * namespace of its own. At the first use it is compared with the processes below the browser that this server has started, and a
 * pidfd stands for the process from then on (loop/suspend.h).
 *
 * The process is not known in a browser of another machine, or that another program has started, or that runs in another PID namespace
 * than this server; nor before the reply, and where the kernel has no pidfds. Nothing suspends.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "engine/engine.h"

struct page;
struct suspendable;

struct renderer {
	pid_t ancestor;              /* it descends from the browser that this server has started */
	pid_t pid;                   /* 0: not known */
	const char *argument;        /* that such processes have */
	struct suspendable *process; /* NULL: not open */
	bool stopped;
	struct engine_call asked; /* for the pid */
	uint64_t left;            /* bytes that it had after its garbage was collected, or later; 0: that was never done */
	struct engine_call collecting;
};

/* `s` is attached to the document that the process runs: asks for the process. */
void renderer_ask(struct renderer *r, struct page *p, struct engine_target *s);
void renderer_done(struct renderer *r); /* lets it continue */
void renderer_stop(struct renderer *r);
void renderer_continue(struct renderer *r);
/* Lets other processes run before it, or not any more (loop/priority.h). */
void renderer_set_yielding(struct renderer *r, bool yields);
/* Bytes that the process has written to, as in process_status(). 0: not known. */
uint64_t renderer_memory(struct renderer *r);
/*
 * Has the garbage in the process collected, on the attachment `s` to its document, where that is likely to bring something: the process has
 * grown since the last time. The page's scripts stand still meanwhile (20 ms for a small page, 200 ms for a large one). Returns whether it is.
 */
bool renderer_collect_garbage(struct renderer *r, struct engine_target *s);
/* Ends the process, and with it every page that it runs. False: it is not known, or has ended. */
bool renderer_kill(struct renderer *r);
/* The next renderer of the page and its frames, of those that are known; NULL: the first, and after the last. */
struct renderer *page_next_renderer(struct page *p, const struct renderer *after);
/* The one of these that is this process; NULL: none is. */
struct renderer *page_renderer(struct page *p, pid_t pid);
