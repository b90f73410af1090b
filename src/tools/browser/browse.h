/*
 * The one way in which all browser_* tools run: enter the session (the named one, or the client's own), see to it that
 * there is a tab, refuse while a dialog waits, act, wait until the effects have come to rest, answer.
 *
 * A dialog or file chooser that opens meanwhile ends the action at once with -EINTR, which tools pass on; the answer
 * then tells of it.
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

enum modal_handling {
	MODAL_REFUSES, /* the tool cannot run while something waits for a decision */
	MODAL_DIALOG,  /* it decides a dialog, and runs only then */
	MODAL_CHOOSER, /* the same for a file chooser */
	MODAL_IGNORES,
};

/* An element that a call aims at, and its locator for the code. */
struct aim {
	struct target target;
	const char *locator; /* in JavaScript */
	const char *spoken;  /* in the language of the code */
	const char *before;  /* lines of the call log instead of those that say how it was found; NULL: these */
	const char *doing;   /* what an action does to it, as the call log says; NULL: nothing more than its name */
};

struct browse {
	struct task *t;
	struct app *app;
	struct timeouts timeouts; /* of this call */
	struct file_access files; /* the same */
	_kept_ struct session *session;
	struct tab *tab;
	_kept_ struct page *page; /* the current tab's, with a reference */
	struct response response;
	struct aim root;      /* of the snapshot, if it is not the page's */
	struct settle settle; /* of tools that act */
	bool bare_failure;    /* the failure's text is the whole error */
	bool acted;           /* the tool did what may start something, although it need not */
	const char *caller;   /* that errors name */
};

/* What `data` of a tool points to. */
struct browse_tool {
	int (*run)(struct browse *b, const void *args); /* may suspend */
	enum modal_handling modals;
	bool acts;    /* may start something that has to come to rest */
	bool glances; /* like `acts`, but what shows no effect at once is taken to have none */
	bool watches; /* its run() watches for effects itself, as frame_call_function() does */
	bool no_tab;  /* does not need one: `tab` and `page` may be NULL, and a page that crashed is not replaced */
};

int browse_run(struct task *t, struct mcp_call *call, const void *args, struct result *res);
void browse_failure(struct task *t, int r, const struct tool *tool, struct result *res);
/* The answer to a call of a tool that does not exist, in the same form. */
void browse_unknown_tool(const char *name, struct result *res);

/* Members of every browser_* tool; `args` is a struct tag. */
#define BROWSE_TOOL(tool_name, tool_title, args, text, how, ...) \
	{ \
		.name = tool_name, .title = tool_title, .about = text, .params = args##_params, .size = sizeof(struct args), \
		.run = browse_run, .failure = browse_failure, .complaints = COMPLAINTS_LISTED, .data = how, __VA_ARGS__ \
	}

/* Without one, the client's own session: the server's instructions say so once for all tools. */
#define BROWSE_SESSION "{\"type\":\"string\"}"
#define ELEMENT_ABOUT "Label for the user"
#define TARGET_ABOUT "Ref of the snapshot (e12), or selector"
#define FILENAME_ABOUT "File to write instead of answering"

/* A line of code that is JavaScript in all languages: "await page." and the rest. */
void browse_code(struct browse *b, const char *fmt, ...) _printf_(2, 3);
/* A statement in the language of the code, on the aim's element or, without one, on the page. */
void browse_statement(struct browse *b, const struct aim *aim, struct code_call call);
/* A failure whose text is told as it is, without "Error: " in front. */
int browse_fail(struct browse *b, const char *fmt, ...) _printf_(2, 3);
/* A failure that leaves the rest of the answer as it is. 0, so that run() goes on to it. */
int browse_complain(struct browse *b, const char *fmt, ...) _printf_(2, 3);
/* `text` as a JavaScript string in single quotes; in the task's arena. */
const char *browse_quote(struct browse *b, const char *text);

/* What target_resolve() does; its failures are told as the answers of tools tell them. */
int browse_resolve(struct browse *b, const char *target, struct target *ret);
/* Suspends. The caller releases it: _cleanup_(aim_done). */
int browse_aim(struct browse *b, const char *target, struct aim *ret);
static inline void aim_done(struct aim *aim)
{
	target_done(&aim->target);
}
/* aim.before of a picture. There is nothing to do for fonts: who waits for the picture waits for them. */
#define BROWSE_BEFORE_PICTURE \
	DIM "  - taking element screenshot" UNDIM DIM "  - waiting for fonts to load..." UNDIM DIM "  - fonts loaded" UNDIM
/* The line of a call log that says what is filled in; in the task's arena. */
const char *browse_fill_line(struct browse *b, const char *text);
/* What an action on `aim` ended with, as the failure to tell: a time-out gets its call log. Suspends. */
int browse_explain(struct browse *b, int r, const struct aim *aim, const char *action);
/* The same for what the page itself has refused. */
int browse_explain_refusal(struct browse *b, int r, const struct aim *aim, const char *action);
/* What `s` watches comes to rest, and the answer says what it shows then. Suspends. */
int browse_settle(struct browse *b, struct settle *s);
/* Opens an address in `p` and waits until it has come to rest; the code says so. Suspends. */
int browse_goto(struct browse *b, struct page *p, const char *url);
/* Puts `text` into the file, or into the answer when `filename` is NULL. */
int browse_result(struct browse *b, const char *filename, const char *title, const char *text);
