/*
 * The sequence that all browser_* tools share: enter the session (the named one, or the client's own), open a tab if the
 * session has none, refuse the call while a dialog is open, act, wait until the page is at rest, answer.
 *
 * A dialog or file chooser that opens during the action ends it at once with -EINTR, which tools return; the answer then
 * describes the dialog.
 */
#pragma once

#include "act/settle.h"
#include "act/target.h"
#include "app/app.h"
#include "mcp/server.h"
#include "mcp/tool.h"
#include "page/modal.h"
#include "reply/call_log.h"
#include "reply/code.h"
#include "reply/response.h"
#include "tools/browser/traced.h"

struct drag_action;

enum modal_handling {
	MODAL_REFUSES, /* the tool cannot run while a dialog or file chooser is open */
	MODAL_DIALOG,  /* the tool handles a dialog, and runs only while one is open */
	MODAL_CHOOSER, /* the tool handles a file chooser, and runs only while one is open */
	MODAL_IGNORES,
};

/* The target element of a call, and its locator for generated code and messages. */
struct found_target {
	struct target target;
	const char *locator;       /* in JavaScript */
	const char *code_locator;  /* in the language of the code */
	const char *resolve_lines; /* lines that replace those of the call log about resolving the locator; NULL: the usual ones */
	const char *action_line;   /* the line of the call log about the action; NULL: none besides the action's name */
};

/* The form in which the answer has the text of the task's failure; browser_run_code_unsafe gets its class as the error's name. */
enum browse_failure {
	BROWSE_FAILURE_PLAIN,        /* Error: TEXT; in agents' code Error: CALLER: TEXT */
	BROWSE_FAILURE_OF_CALL,      /* Error: CALLER: TEXT */
	BROWSE_FAILURE_TIMEOUT,      /* TimeoutError: CALLER: TEXT */
	BROWSE_FAILURE_BARE,         /* TEXT */
	BROWSE_FAILURE_BARE_OF_CALL, /* CALLER: TEXT */
};

/*
 * Who has called and what the call may use: a call of a tool, or an operation of the code that browser_run_code_unsafe runs. Functions that
 * take no more than this can be used by both.
 */
struct tool_call {
	struct task *t;
	struct app *app;
	struct timeouts timeouts;
	struct file_access files;    /* that the call may reach */
	uint64_t owner;              /* of the client */
	const char *caller;          /* the function in error messages that quote the reference's */
	enum browse_failure failure; /* the form of the task's failure, if the call fails */
};

/* A call of a browser_* tool. */
struct browse {
	struct tool_call call;
	struct mcp_call *mcp_call;
	_kept_ struct session *session;
	_nullable_ struct tab *tab;
	_nullable_ _kept_ struct page *page; /* the current tab's, with a reference */
	struct response response;
	struct found_target root; /* root of the snapshot, if it is not that of the page */
	struct settle settle;     /* used by tools that act */
	int64_t log_began;        /* of the log of calls (reply/session_log.h); 0: calls are not recorded */
	bool acted;               /* the tool did something that may have effects, although its `acts` is not set */
	bool goes_on;             /* the tool is a step and others follow: the view that the answer may have is not made yet */
	struct traced traced;     /* for the trace of the session */
	const char *failure_text; /* of a call that failed: what browse_failure_text() says */
};

/* The type of `data` of browser_* tools. */
struct browse_tool {
	int (*run)(struct browse *b, const void *args); /* may suspend */
	enum modal_handling modals;
	bool acts;            /* the tool may have effects, and the answer waits until the page is at rest */
	bool skip_first_wait; /* like `acts`, but if no effect is seen at once, the answer does not wait for one */
	bool watches;         /* its run() observes effects itself, as frame_call_function() does */
	bool untraced;        /* the call is no part of the session's trace */
	bool no_tab;          /* the tool needs no tab: `tab` and `page` may be NULL, and a crashed page is not replaced */
};

/* Also runs a step (mcp/steps.h), whose `data` is the struct browse of the call: its result has neither code nor page. */
int browse_run(struct task *t, struct mcp_call *call, const void *args, struct result *res);
/*
 * For a call that runs steps. browse_begin() enters the session, browse_end() leaves it; they come before and after everything else.
 * browse_next() forgets what a step has left in `b`, but not its files.
 */
int browse_begin(struct browse *b, struct task *t, struct mcp_call *call);
void browse_end(struct browse *b);
void browse_next(struct browse *b);
/* Sends the answer of a call that has run its tool or its steps. */
int browse_answer(struct browse *b, struct result *res);
void browse_failure(struct task *t, int r, struct mcp_call *call, const struct tool *tool, struct result *res);
/* Writes the answer to a call of an unknown tool, in the form of the other answers. */
void browse_unknown_tool(const char *name, struct result *res);

/* Members of every browser_* tool; `args` is a struct tag. */
#define BROWSE_TOOL(tool_name, tool_title, args, text, how, ...) \
	{ \
		.name = tool_name, .title = tool_title, .about = text, .params = args##_params, .size = sizeof(struct args), \
		.run = browse_run, .failure = browse_failure, .complaints = COMPLAINTS_LISTED, .data = how, .traces_itself = true, \
		__VA_ARGS__ \
	}

/* Without a sessionId, a call uses the client's own session; the server's instructions say so once for all tools. */
#define BROWSE_SESSION "{\"type\":\"string\"}"
#define ELEMENT_ABOUT "Label for the user"
#define TARGET_ABOUT "Snapshot ref (e12), CSS or XPath"
#define FILENAME_ABOUT "File to write instead of answering"

/* Adds a line of generated code, "await page." and the rest, which is JavaScript in all languages. */
void browse_code(struct browse *b, const char *fmt, ...) _printf_(2, 3);
/* Adds a statement in the language of the settings, on the element of `found` or, if that is NULL, on the page. */
void browse_statement(struct browse *b, const struct found_target *found, struct code_call call);
/* Fails with a text that is printed without "Error: " in front. */
int browse_fail(struct tool_call *call, const char *fmt, ...) _printf_(2, 3);
/* Fails with an error, or with a time-out, of the method that the caller called. `log`: appended to the text, "" for nothing. */
int browse_fail_call(struct tool_call *call, int r, const char *fmt, ...) _printf_(3, 4);
int browse_fail_timeout(struct tool_call *call, usec_t timeout, const char *log);
/*
 * Fails with the failure `r` of what was called, in that form, with `before` and `after` around its words. Returns `r`, also if nothing was
 * recorded for it, which leaves the form as it was.
 */
int browse_wrap(struct tool_call *call, int r, enum browse_failure form, const char *before, const char *after);
/* The words of the task's failure `r`, without the name of its class; in the task's arena. */
const char *browse_failure_text(struct task *t, int r, enum browse_failure failure, const char *caller);
#define REFERENCE_CALLER "browserBackend.callTool"
/* "browserBackend.callTool: ", which begins some messages of the reference; "" in a form that does not quote it. */
const char *browse_reference_caller(const struct tool_call *call);
/* Records a failure that keeps the rest of the answer. Returns 0, so that run() can return it. */
int browse_complain(struct browse *b, const char *fmt, ...) _printf_(2, 3);
/* browse_complain() with the words of the failure `r`; that of a call that was cancelled stays. */
int browse_complain_failure(struct browse *b, int r);
/*
 * browse_complain() with the failure `r` of what follows the action, such as the writing of a file: the answer has to say what was done,
 * or agents do it again. 0 stays 0.
 */
int browse_keep_answer(struct browse *b, int r);
/* `text` as a JavaScript string in single quotes; in the task's arena. */
const char *browse_quote(struct tool_call *call, const char *text);

/* The value of an environment variable as an expression in the language of the settings; in the task's arena. */
const char *browse_variable(struct tool_call *call, const char *name);

/* target_resolve() with failures in the wording of browser_* tools, but for that of a ref that the page does not have. */
int browse_resolve(struct tool_call *call, struct page *p, const char *target, struct target *ret);
/* The failure of a target that leads to several elements in the wording of browser_* tools; any other `r` is returned as it is. */
int browse_explain_ambiguity(struct tool_call *call, int r);
/* Sets the locators of a target that was resolved: messages have JavaScript, generated code its language. Suspends. */
int browse_name_target(struct tool_call *call, struct page *p, struct found_target *found);
/* A CSS selector as a locator in the language of generated code; in the task's arena. Suspends. */
int browse_selector_locator(struct tool_call *call, struct page *p, const char *selector, const char **ret);
/* Suspends. The caller releases it: _cleanup_(found_target_done). */
int browse_find_target(struct browse *b, const char *target, struct found_target *ret);
static inline void found_target_done(struct found_target *found)
{
	target_done(&found->target);
}
/* found.resolve_lines of a screenshot. Fonts need no separate wait, because taking the screenshot waits for them. */
#define BROWSE_SCREENSHOT_LINES \
	DIM "  - taking element screenshot" UNDIM DIM "  - waiting for fonts to load..." UNDIM DIM "  - fonts loaded" UNDIM
/* Whether the word says that a check box is checked ("true", "Yes", "off"...); false: it says neither. */
bool browse_read_checked(const char *word, bool *ret_checked);
#define CHECKED_WORDS "true or false, yes or no, on or off, checked or unchecked, 1 or 0"
/* The line of a call log with the text that is filled in; in the task's arena. */
const char *browse_fill_line(struct tool_call *call, const char *text);
/* Converts the result `r` of an action on `found` to the tool's failure; a time-out gets its call log. Suspends. */
int browse_explain(struct tool_call *call, int r, const struct found_target *found, const char *action);
/* browse_explain() for refusals by a page script. */
int browse_explain_refusal(struct tool_call *call, int r, const struct found_target *found, const char *action);
/* Drags one element to the other, whose members of `d` it sets; with failures in the wording of browser_* tools. Suspends. */
int browse_drag(struct tool_call *call, struct drag_action *d, const struct found_target *start, const struct found_target *end);
/* Whether actions of this call are marked for who watches the page or its video. */
bool browse_marks(const struct browse *b);
/*
 * Marks the action that follows, if actions are marked. `what` is its name ("Click"), `text` what it enters (NULL: nothing to show),
 * `found` NULL: it has no element. Suspends while the mark is shown.
 */
int browse_announce(struct browse *b, const struct found_target *found, const char *what, const char *text);
/* Waits until the page that `s` observes is at rest, and keeps its URL and title for the answer. Suspends. */
int browse_settle(struct browse *b, struct settle *s);
/* Runs the programs for pages on those of the tabs that are new. One with an open dialog has to wait until that is answered. */
int browse_prepare_tabs(struct browse *b);
/*
 * Waits until an element with the text is visible in the page or one of its frames. -ERR_ELEMENT_NOT_FOUND: the time has passed, or a
 * dialog keeps the page from showing it. Suspends.
 */
int browse_await_text(struct tool_call *call, struct page *p, const char *text, usec_t timeout);
/* What tools expect of a context that they use: dialogs stay open, downloads are kept, it is recorded. Suspends. */
int browse_prepare_context(struct tool_call *call, struct context *c);
/* Navigates `p` to a URL, waits until it is at rest, and adds the statement to the generated code. Suspends. */
int browse_goto(struct browse *b, struct page *p, const char *url);
/* Writes `text` to the file, or to the answer if `filename` is NULL. The answer also has it when the writing fails. */
int browse_result(struct browse *b, const char *filename, const char *title, const char *text);
