/* What all tools share: services and settings of the server (the data of the MCP server), clients, the page that a call works on. */
#pragma once

#include "base/mask.h"
#include "browser/browser.h"
#include "mcp/server.h"
#include "reply/output.h"
#include "reply/response.h"
#include "session/session.h"

struct observers;

/* Of sessions with a server of their own, tools/e2e/e2e.h. Lists are NULL-terminated. */
struct e2e_settings {
	const char *const *commands;       /* that may be started: files and folders; NULL: any */
	const char *const *variables;      /* that clients may set for them, devserver/permit.h; NULL: the usual ones */
	const char *const *directories;    /* that they may run in besides their own; NULL: none */
	const char *const *log_folders;    /* where their logs may be, besides the usual ones; NULL: none */
	const struct egress_rules *egress; /* for their pages, besides what holds for all; NULL: none */
	const char *egress_why;            /* why these refuse something, for a person */
	usec_t idle, lifetime;
	bool listed_only; /* clients are somebody else: nothing is started that is not in `commands` */
};

struct app {
	struct registry *registry;
	struct browser *browser;
	struct observers *observers;
	struct output output;
	struct response_settings answers;
	struct timeouts timeouts;     /* of calls that name none */
	const struct secret *secrets; /* ends with {}; NULL: none */
	struct e2e_settings e2e;
	const struct egress_settings *egress; /* of all sessions */
	bool unknown_proxy;                   /* --proxy-server is one that proxies of sessions cannot go through */
	uint64_t resources_seen;              /* as in struct client, of those without an owner */
};

static inline struct app *call_app(struct mcp_call *call)
{
	return mcp_call_data(call);
}

/* What is kept for a client (a connection of the MCP server), with which its sessions end unless its owner lasts. */
struct client {
	struct app *app;
	struct mcp_conn *conn;
	uint64_t owner;
	char session[SESSION_ID_SIZE]; /* its own, "": none yet */
	uint64_t resources_seen;       /* hash of the list as it was when the last call ended; 0: it was empty */
};

struct client *call_client(struct mcp_call *call);

static inline uint64_t call_owner(struct mcp_call *call)
{
	return call_client(call)->owner;
}

/* Which files the call may reach. Suspends when the client is asked where it works. */
int call_files(struct task *t, struct mcp_call *call, struct file_access *ret);

/*
 * Suspends: the browser's reply to Target.getTargets, which knows every page's address and title whatever its script is
 * doing. Untouched where the owner has no session.
 */
int app_targets(struct task *t, struct app *app, uint64_t owner, struct json **ret);

/*
 * The page that a call works on: waits for the call's turn on the session and opens a page where there is none. The
 * caller keeps both for as long as it works: _cleanup_(visit_done) struct visited v = {}.
 */
struct visited {
	_kept_ struct session *session;
	_kept_ struct page *page;
};

int visit_page(struct task *t, struct mcp_call *call, const char *session_id, struct visited *ret);
void visit_done(struct visited *v);

/* " (an alert dialog was accepted: "Hi")" when dialogs were answered during the call, else "". In the task's arena. */
const char *dialog_note(struct task *t, struct page *p);
/* {success, message} of an action on an element: "Clicked <button>Save</button>". Returns 0. */
int result_done_to(struct task *t, struct page *p, const char *what, const char *element, struct result *res);
#define ACTION_OUTPUT "{\"type\":\"object\",\"properties\":{\"success\":{\"type\":\"boolean\"},\"message\":{\"type\":\"string\"}}}"

/* A time-out argument in milliseconds as usec_t; 0 means `fallback`. */
usec_t timeout_or(double msec, usec_t fallback);

#define TIMEOUT_MAX_MSEC 3600000 /* largest time-out that a call may name */
/* Models read tools/list, and its length costs them: a test limits it. */
#define SESSION_ABOUT "From create_session"
#define SELECTOR_ABOUT "CSS, or XPath starting with //; must match one element"
#define TIMEOUT_ABOUT "Milliseconds; default 5000"
