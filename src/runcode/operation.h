/*
 * The operations that a run_code program requests from its sandbox (browser/sandbox.h). Each has a name and runs in its own
 * task.
 *
 * Operations on a page run one after the other, so that two clicks do not interfere; operations that only wait run
 * concurrently with them. When a run ends, operations that are still running are cancelled, except for those that the handlers it
 * leaves may use (`between_runs`).
 */
#pragma once

#include <stdbool.h>
#include <sys/queue.h>

#include "act/input.h"
#include "browser/sandbox.h"
#include "observe/journal.h"
#include "page/exposed.h"
#include "tools/browser/browse.h"

#define CODE_ACTION_TIMEOUT (30 * USEC_PER_SEC)
#define CODE_PAGES_MAX 100u   /* pages that a program can refer to at a time */
#define CODE_FRAMES_MAX 1000u /* child frames, likewise; those beyond are not listed */

struct code_route;
struct exposed_wait;
struct operation_call;
struct routed_request;

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
	bool untraced; /* no step of the session's trace */
	bool answers; /* a request or call of a page that waits for the program, of which there may be many: such operations queue */
	bool between_runs; /* also for handlers that are called while no code runs; it has no session */
};

struct numbered_page {
	unsigned number;
	_kept_ struct page *page; /* a reference */
	/* What the program has been sent of it last. */
	uint64_t version; /* page_tree_version(); 0: nothing */
	struct str state; /* the rest of its members, as JSON */
};

struct numbered_frame {
	unsigned number;
	_kept_ struct frame *frame; /* a reference */
};

/*
 * A document of the sandbox and the code in it: that of a run, and what the run leaves behind, which is the handlers of its routes and
 * the functions that it has exposed to pages. While there are any, the code of later runs comes into the same document, so that it can
 * remove them. It ends with the session's context at the latest. What handlers ask for between two runs belongs to no call.
 */
struct code_program {
	unsigned refs; /* the sandbox's, the run's, its operations' */
	struct sandbox_user user;
	_kept_ struct sandbox *sandbox; /* not to be used once the program has ended, but by the run that has to leave it */
	bool ended;                     /* the document has gone, or nothing may come of it any more */
	_kept_ struct context *context; /* of the session, which keeps it during a run; NULL once the program has ended */
	struct loop *loop;
	_nullable_ struct browse *run; /* the call that runs code; NULL between two runs */
	_nullable_ struct json *end;   /* the message that ended the run; NULL while it is under way */
	struct app *app;               /* these three are for operations between runs */
	struct timeouts timeouts;
	struct file_access files;      /* its workspace is owned */
	LIST_ENTRY(code_program) link; /* in the list of all programs */
	uint64_t owner;
	TAILQ_HEAD(, operation_call) calls;
	TAILQ_HEAD(, operation_call) waiting;     /* answers that have no task yet, oldest first */
	unsigned count, answering, waiting_count; /* calls that run, answers among them, and those that do not run yet */
	unsigned busy;                            /* all that a run waits for */
	bool turn_taken;
	struct waitq turns;
	struct numbered_page pages[CODE_PAGES_MAX]; /* by number */
	unsigned pages_count, last_page;
	struct numbered_frame frames[CODE_FRAMES_MAX];
	unsigned frames_count, last_frame;
	/* route_operations.c */
	TAILQ_HEAD(, code_route) routes;
	TAILQ_HEAD(, routed_request) requests; /* that wait for their handlers, oldest first */
	unsigned routes_count, requests_count;
	uint64_t last_request;
	/* exposed_operations.c */
	struct exposed_receiver calls_receiver;
	TAILQ_HEAD(, exposed_wait) exposed_waits;    /* calls of pages that wait for the code, oldest first */
	unsigned exposed_count, exposed_waits_count; /* functions, and those calls */
	uint64_t last_call;
	/* The state of the mouse and the keyboard between calls. */
	struct point mouse;
	enum mouse_button button;
	bool pressed;
	unsigned modifiers;
};

struct operation_call {
	TAILQ_ENTRY(operation_call) link;
	_kept_ struct code_program *program; /* a reference */
	const struct operation *operation;
	struct json *message;                      /* owned; the arguments */
	struct tool_call call;                     /* with its own time-outs; the task is NULL until the operation begins */
	_nullable_ _kept_ struct session *session; /* NULL: between two runs */
	_nullable_ _kept_ struct page *page;       /* a reference; NULL: the operation is for no page */
	_nullable_ _kept_ struct frame *frame; /* a reference to the child frame that the operation is for; NULL: the main frame */
	bool counted;                          /* in `busy` of the program */
	struct traced traced;
	struct str value; /* the answer's value as JSON; empty: none */
};

/* Tables, terminated by {}. */
extern const struct operation element_operations[], page_operations[], context_operations[];
extern const struct operation event_operations[], download_operations[], file_operations[], request_operations[],
	route_operations[], exposed_operations[];

/* For the operations. */
static inline const char *operation_text(const struct operation_call *c, const char *name)
{
	const char *text = json_str(c->message, name);

	return text ? text : "";
}
/* The frame of the page that the operation is for. */
_kept_ struct frame *operation_frame(struct operation_call *c);
/* The child frame with the number in the message; NULL: none. The program holds it. */
_kept_ struct frame *operation_child_frame(struct operation_call *c, const struct json *message);
/* The element of the operation, for found_target_done(). Suspends. */
int operation_find(struct operation_call *c, struct found_target *found);
/* For OPERATION_CONCURRENT operations that need a turn for a part of their work. operation_begin_turn() suspends until the task's deadline. */
int operation_begin_turn(struct operation_call *c);
void operation_end_turn(struct operation_call *c);
/* Presses the key or chord. Suspends. */
int operation_press(struct operation_call *c, const char *key);
/* Appends the response of the document at `url` as the program's objects expect it; null if the document has no response. */
void operation_print_document(const struct journal *j, const char *url, struct str *out);
/* Appends the result of boundingBox() in scripts/elements.js, converted to the page's viewport. Suspends. */
int operation_print_box(struct operation_call *c, struct frame *f, const struct json *box);

/* program.c; nothing suspends but code_program_end_run(). */

/*
 * The program of the document that the sandbox has: the one of earlier runs, or a new one. For one run, which ends with
 * code_program_end_run(). Borrowed.
 */
struct code_program *code_program_begin_run(struct browse *b, _kept_ struct sandbox *s);
/* The operations of the run are cancelled and have ended when this returns. Suspends. */
void code_program_end_run(struct task *t, struct code_program *g);
struct code_program *code_program_ref(struct code_program *g);
struct code_program *code_program_unref(struct code_program *g);
DEFINE_UNREFP(code_program);

/* program_state.c; nothing suspends. */

/* The number of the page, which is assigned if it has none; -1: there are too many pages. */
int code_program_page_number(struct code_program *g, struct page *p);
int code_program_frame_number(struct code_program *g, struct frame *f);
/* Assigns numbers to pages that were opened. */
void code_program_number_pages(struct code_program *g);
/*
 * Appends what the program reads of pages synchronously, as a list: of those that have changed since the program was sent them, or of
 * `all`. See updatePages() of scripts/code/page.js.
 */
void code_program_print_pages(struct code_program *g, bool all, struct str *out);
/*
 * Calls a function that scripts/code/run.js exports with {value..., pages}, the latter of those that have changed, if any; `members` are
 * those of the object without its braces.
 */
void code_program_tell(struct code_program *g, const char *function, const char *members);

/* route_operations.c; nothing suspends. */
/* Removes the routes of a page that has gone, or all (NULL); the requests that wait for them go to the next route, or are sent. */
void code_program_remove_routes(struct code_program *g, const struct page *p);

/* exposed_operations.c; nothing suspends. */
/* The functions that the code has exposed answer no more; the calls that wait for them fail. */
void code_program_end_exposed(struct code_program *g);
