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

#define SNIPPET_PAGES_MAX 100u /* pages that one run can refer to */

struct snippet_call;

enum snippet_manner {
	SNIPPET_IN_TURN,
	SNIPPET_BESIDE,  /* does not wait for a turn, because it does not call page scripts */
	SNIPPET_LISTENS, /* like SNIPPET_BESIDE, but does not count as work that the program waits for */
};

struct snippet_operation {
	const char *name;
	int (*run)(struct snippet_call *c); /* may suspend; the program's promise is rejected with the task's failure */
	enum snippet_manner manner;
	bool acts; /* may have effects that the answer has to wait for */
	bool no_page;
};

struct snippet_run {
	struct browse *b;               /* the tool's call, whose task waits for the program */
	_kept_ struct sandbox *sandbox; /* the sandbox of the session's context, which no other run uses meanwhile */
	TAILQ_HEAD(, snippet_call) calls;
	unsigned count, busy; /* number of calls, and of those that the program waits for */
	bool over;            /* the program has ended, so answers are discarded */
	bool taken;
	struct waitq turns;
	_kept_ struct page *pages[SNIPPET_PAGES_MAX]; /* references, indexed by the page numbers of the program */
	unsigned pages_count;
	struct str told; /* the last list of pages that was sent to the program */
	/* The state of the mouse and the keyboard between calls. */
	struct point mouse;
	enum mouse_button button;
	bool pressed;
	unsigned modifiers;
};

struct snippet_call {
	TAILQ_ENTRY(snippet_call) link;
	struct snippet_run *run;
	const struct snippet_operation *operation;
	struct json *message; /* owned; the arguments */
	struct task *task;
	struct browse b;  /* with its own time-outs; `page` is a reference, NULL for operations without a page */
	struct str value; /* the answer's value as JSON; empty: none */
};

/* Tables, terminated by {}. */
extern const struct snippet_operation snippet_element_operations[], snippet_page_operations[], snippet_context_operations[];
extern const struct snippet_operation snippet_event_operations[], snippet_download_operations[];

/* For the operations. */
static inline const char *snippet_text(const struct snippet_call *c, const char *name)
{
	const char *text = json_str(c->message, name);

	return text ? text : "";
}
/* The number of the page, which is assigned if it has none; -1: there are too many pages. */
int snippet_page_number(struct snippet_run *run, struct page *p);
/* Assigns numbers to pages that were opened. */
void snippet_learn_pages(struct snippet_run *run);
/* For SNIPPET_BESIDE operations that need a turn for a part of their work. snippet_begin_turn() suspends until the task's deadline. */
int snippet_begin_turn(struct snippet_call *c);
void snippet_end_turn(struct snippet_call *c);
/* Presses the key or chord. Suspends. */
int snippet_press(struct snippet_call *c, const char *key);
/* Appends the response of the document at `url` as the program's objects expect it; null if there is none. */
void snippet_print_document(const struct journal *j, const char *url, struct str *out);
/* Appends the result of boundingBox() in scripts/elements.js, converted to the page's viewport. Suspends. */
int snippet_print_box(struct snippet_call *c, struct frame *f, const struct json *box);
