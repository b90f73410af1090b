/*
 * What a caller's code asks for (browser/sandbox.h): operations by name, each in a task of its own.
 *
 * Operations on a page take turns, so that two clicks do not get in each other's way; those that only wait run beside
 * them. A run ends with its last word, whatever operations are still under way: they are cancelled.
 */
#pragma once

#include <stdbool.h>
#include <sys/queue.h>

#include "act/input.h"
#include "browser/sandbox.h"
#include "observe/journal.h"
#include "tools/browser/browse.h"

#define SNIPPET_PAGES_MAX 100u /* that one run can know */

struct snippet_call;

enum snippet_manner {
	SNIPPET_IN_TURN,
	SNIPPET_BESIDE,  /* waits for something else than the page's scripts */
	SNIPPET_LISTENS, /* the same; the code has nothing under way because of it */
};

struct snippet_operation {
	const char *name;
	int (*run)(struct snippet_call *c); /* may suspend; the task's failure is what the code's promise fails with */
	enum snippet_manner manner;
	bool acts; /* may start something that has to come to rest before the answer */
	bool no_page;
};

struct snippet_run {
	struct browse *b;               /* of the tool's call; its task waits for the code */
	_kept_ struct sandbox *sandbox; /* of the session's context, where nobody else runs code meanwhile */
	TAILQ_HEAD(, snippet_call) calls;
	unsigned count, busy; /* all of them, and those that the code waits for */
	bool over;            /* nobody wants their answers */
	bool taken;
	struct waitq turns;
	_kept_ struct page *pages[SNIPPET_PAGES_MAX]; /* by the number that the code knows, with references */
	unsigned pages_count;
	struct str told; /* of the pages, last */
	/* Of the mouse and the keyboard, between calls. */
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
	struct browse b;  /* with its own time-outs; `page` with a reference; NULL for operations without one */
	struct str value; /* of the answer, JSON; empty: none */
};

/* Tables, ended by {}. */
extern const struct snippet_operation snippet_element_operations[], snippet_page_operations[], snippet_context_operations[];
extern const struct snippet_operation snippet_event_operations[], snippet_download_operations[];

/* For the operations. */
static inline const char *snippet_text(const struct snippet_call *c, const char *name)
{
	const char *text = json_str(c->message, name);

	return text ? text : "";
}
/* "Name: method: text" is the failure. */
int snippet_fail_timeout(struct snippet_call *c, usec_t timeout, const char *log);
/* The number of the page, which gets one if it has none; -1: there are too many. */
int snippet_page_number(struct snippet_run *run, struct page *p);
/* Takes in the pages that have been opened. */
void snippet_learn_pages(struct snippet_run *run);
/* For operations that take turns only now and then. The first one suspends, without any deadline but the task's. */
int snippet_begin_turn(struct snippet_call *c);
void snippet_end_turn(struct snippet_call *c);
/* Presses the key or chord. Suspends. */
int snippet_press(struct snippet_call *c, const char *key);
/* The answer to the document at `url` as the code knows answers; null when there is none. */
void snippet_print_document(const struct journal *j, const char *url, struct str *out);
/* The answer of scripts/elements.js boundingBox(), in the page's viewport. Suspends. */
int snippet_print_box(struct snippet_call *c, struct frame *f, const struct json *box);
