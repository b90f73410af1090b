/*
 * The tools on a real browser in this process, called by one client: calls run to their end in here, and what happens in
 * between, wait by wait, is the test's.
 */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "browser/browser.h"
#include "mcp/tool.h"
#include "session/observation.h"
#include "session/session.h"

enum row_kind {
	ROW_FRAMES = 1, /* it is called on a page with frames */
	ROW_TABS = 2,
	ROW_OBSERVES = 4,
	ROW_DOWNLOADS = 8,
	ROW_ALL_LOSSES = 16, /* also those that take long */
	ROW_CODE = 32,       /* it starts tasks of its own */
};

struct row {
	const char *tool;
	const char *(*arguments)(struct str *s); /* also makes what the call is about */
	unsigned kinds;                          /* enum row_kind, or-ed: what else may go away meanwhile that concerns it */
};
extern const struct row rows[]; /* ends with {} */

extern struct browser *browser;
extern struct registry *registry;
extern struct observers *observers;
extern const struct tool **tools;       /* all that there are */
extern struct arena scratch;            /* for texts of arguments */
extern char url[], session[], output[]; /* the page, the client's session there, a folder for files */
extern const char *program;             /* of the test; with --serve it is a web server */
#define OWNER 1

int harness_setup(void **state);
int harness_teardown(void **state);
/* Calls a tool and returns its result, owned by the caller. `arguments` in str_json() form. */
#define call(tool, ...) call_values(tool, JSON_VALUES(__VA_ARGS__))
struct json *call_values(const char *tool, uint64_t types, const char *template, ...);
bool succeeded(const struct json *reply);
void new_session(void);
/* A session that has ended is replaced; one that lives must be in order. */
void check_session(void);
unsigned count_pages(void); /* of all sessions */
/* All sessions end, and there is a new one. */
void renew_sessions(void);
/*
 * The client's connection ends; client_return() waits for the end of it and makes another one, with a new session. False: it had
 * not begun to end.
 */
void client_leave(void);
bool client_return(void);
/* Until there is nothing more to do. */
void settle_loop(void);
/* The debugging port of a browser that the tools treat as another browser's. */
int other_browser(void);
