/*
 * The operations that a run_code program requests from its sandbox (browser/sandbox.h). Each has a name and runs in its own
 * task.
 *
 * Operations on a page run one after the other, so that two clicks do not interfere; operations that only wait run
 * concurrently with them. When the program ends, operations that are still running are cancelled.
 */
#pragma once

#include <stdbool.h>
#include <sys/queue.h>

#include "act/input.h"
#include "browser/sandbox.h"
#include "observe/journal.h"
#include "tools/browser/browse.h"

#define CODE_PAGES_MAX 100u   /* pages that one run can refer to */
#define CODE_FRAMES_MAX 1000u /* child frames, likewise; those beyond are not listed */

struct operation_call;

enum operation_scheduling {
	OPERATION_IN_TURN,
	OPERATION_CONCURRENT, /* does not wait for a turn, because it does not call page scripts */
	OPERATION_BACKGROUND, /* like OPERATION_CONCURRENT, but does not count as work that the program waits for */
};

struct operation {
	const char *name;
	int (*run)(struct operation_call *c); /* may suspend; the program's promise is rejected with the task's failure */
	enum operation_scheduling scheduling;
	bool acts; /* may have effects that the answer has to wait for */
	bool no_page;
};

struct code_run {
	struct browse *b;               /* the tool's call, whose task waits for the program */
	_kept_ struct sandbox *sandbox; /* the sandbox of the session's context, which no other run uses meanwhile */
	TAILQ_HEAD(, operation_call) calls;
	unsigned count, busy; /* number of calls, and of those that the program waits for */
	bool ended;           /* the program has ended, so answers are discarded */
	bool turn_taken;
	struct waitq turns;
	_kept_ struct page *pages[CODE_PAGES_MAX]; /* references, indexed by the page numbers of the program */
	unsigned pages_count;
	_kept_ struct frame *frames[CODE_FRAMES_MAX]; /* references, indexed by the numbers of child frames */
	unsigned frames_count;
	struct str sent_pages; /* the last list of pages that was sent to the program */
	/* The state of the mouse and the keyboard between calls. */
	struct point mouse;
	enum mouse_button button;
	bool pressed;
	unsigned modifiers;
};

struct operation_call {
	TAILQ_ENTRY(operation_call) link;
	struct code_run *run;
	const struct operation *operation;
	struct json *message; /* owned; the arguments */
	struct task *task;
	struct browse b;            /* with its own time-outs; `page` is a reference, NULL for operations without a page */
	_kept_ struct frame *frame; /* a reference to the child frame that the operation is for; NULL: the main frame */
	struct str value;           /* the answer's value as JSON; empty: none */
};

/* Tables, terminated by {}. */
extern const struct operation element_operations[], page_operations[], context_operations[];
extern const struct operation event_operations[], download_operations[];

/* For the operations. */
static inline const char *operation_text(const struct operation_call *c, const char *name)
{
	const char *text = json_str(c->message, name);

	return text ? text : "";
}
/* The frame of `b.page` that the operation is for. */
_kept_ struct frame *operation_frame(struct operation_call *c);
/* The child frame with the number in the message; NULL: none. The run holds it. */
_kept_ struct frame *operation_child_frame(struct operation_call *c, const struct json *message);
/* The number of the page, which is assigned if it has none; -1: there are too many pages. */
int code_run_page_number(struct code_run *run, struct page *p);
/* Assigns numbers to pages that were opened. */
void code_run_number_pages(struct code_run *run);
/* For OPERATION_CONCURRENT operations that need a turn for a part of their work. operation_begin_turn() suspends until the task's deadline. */
int operation_begin_turn(struct operation_call *c);
void operation_end_turn(struct operation_call *c);
/* Presses the key or chord. Suspends. */
int operation_press(struct operation_call *c, const char *key);
/* Appends the response of the document at `url` as the program's objects expect it; null if the document has no response. */
void operation_print_document(const struct journal *j, const char *url, struct str *out);
/* Appends the result of boundingBox() in scripts/elements.js, converted to the page's viewport. Suspends. */
int operation_print_box(struct operation_call *c, struct frame *f, const struct json *box);
