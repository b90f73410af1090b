/* Shared by all tools: the server's services and settings (the data of the MCP server), clients, and the page of a call. */
#pragma once

#include "base/mask.h"
#include "browser/browser.h"
#include "mcp/server.h"
#include "reply/context_records.h"
#include "reply/output.h"
#include "reply/response.h"
#include "reply/shorten.h"
#include "session/session.h"

/* What a server may lack beside features of its engines (engine/features.h): further bits for `needs` of tools and their parameters. */
enum server_feature {
	SERVER_SECOND_BROWSER = 1 << 30, /* a browser with another engine */
	SERVER_STATES = 1 << 29,         /* saved states */
	SERVER_LENT_TABS = 1 << 28,      /* tabs of a person's browser, browser/lent.h */
};

struct observers;
struct store;  /* store/store.h */
struct states; /* store/states.h */
struct logins; /* vault/logins.h */

struct e2e_settings; /* tools/e2e/settings.h */
struct site;         /* people/site.h */
struct browse;

/* A program that prepares each page of browser_* tools before its first use: a JavaScript module whose default export gets { page }. */
struct init_page {
	const char *path, *source;
};

/* A link for people that shows one session. */
struct view_link_wish {
	usec_t valid; /* how long it can be opened */
	bool once;    /* it can be opened once */
	bool act;     /* whoever opens it may take over the session; the caller has checked that its own client may act */
};

/* The server's services, and the settings of the operator, which do not change while the server runs. */
struct app {
	struct registry *registry;
	struct browser *browser; /* the first; those that sessions work in are in the pool */
	struct pool *pool;
	struct observers *observers;
	struct output output;
	struct store *store;              /* NULL: none */
	_nullable_ struct states *states; /* in it; NULL: none */

	const struct response_settings *answers;
	const struct timeouts *timeouts;               /* default for calls that name none */
	const struct secret *secrets;                  /* terminated by {}; NULL: none */
	const struct egress_settings *egress;          /* of all sessions */
	const struct e2e_settings *e2e;                /* of sessions with a dev server */
	const struct record_settings *records;         /* of all contexts of browser_* tools */
	_nullable_ const struct init_page *init_pages; /* terminated by {}; NULL: none */
	int (*run_init_page)(struct browse *b, struct page *p, const struct init_page *init); /* suspends */

	_nullable_ struct site *site; /* the live view; NULL: there is none */
	/* Use app_view_link(). */
	int (*view_link)(struct task *t, struct site *site, uint64_t owner, const char *id, const struct view_link_wish *wish,
			 struct str *url, int64_t *ret_expires_at);
	const struct logins *vault; /* of servers that have one, and with that its tools */
	bool vault_admits;          /* clients without a subject may use logins without owners: over stdio, or with the one token */

	const char *config; /* the merged options as JSON, without secrets */

	bool one_session;                  /* all clients share one session of their own */
	char own_session[SESSION_ID_SIZE]; /* its id; "": none yet. It ends with the last client */
	unsigned clients;                  /* that have made calls */

	uint64_t resources_seen; /* as in struct client, for clients without an owner */
};

static inline struct app *call_app(struct mcp_call *call)
{
	return mcp_call_data(call);
}

/* The state of a client (a connection of the MCP server). Its sessions end with it unless its owner outlives the connection. */
struct client {
	struct app *app;
	struct mcp_conn *conn;
	uint64_t owner;
	char session[SESSION_ID_SIZE]; /* the client's own session; "": none yet */
	uint64_t tools_seen;           /* page_tools_version() of its page when it was last notified */
	struct webmcp_names *tools; /* of pages, as they were listed (tools/browser/webmcp_names.h), one allocation; NULL: none */
	struct cursors rests;       /* of answers that were too long, "a3" (reply/shorten.h) */
	uint64_t resources_seen;    /* hash of the resource list at the end of the last call; 0: it was empty */
};

/* The client of a connection; the first call makes it. */
struct client *client_of(struct app *app, struct mcp_conn *conn);
struct client *call_client(struct mcp_call *call);
/* answer_shorten() for struct mcp_server. */
void call_shorten(struct mcp_call *call, struct result *res);

/* The id of the client's own session, "" before session_enter_own() has made one; that function changes it. */
static inline char *client_session(const struct client *c)
{
	return c->app->one_session ? c->app->own_session : (char *)c->session;
}

static inline uint64_t call_owner(struct mcp_call *call)
{
	return call_client(call)->owner;
}

/* The id of the session that the call names, or else of the client's own. */
static inline const char *call_session(struct mcp_call *call)
{
	const char *id = mcp_call_session_id(call);

	return id ? id : client_session(call_client(call));
}

/*
 * Appends a link that shows the session to whoever opens it, and gives its end in Unix milliseconds. Does not suspend. Fails as
 * registry_knows(), with -ERR_INVALID_PARAMETERS if the owner has too many links, and with -ENOTSUP where there is no live view.
 */
int app_view_link(struct task *t, struct app *app, uint64_t owner, const char *id, const struct view_link_wish *wish,
		  struct str *url, int64_t *ret_expires_at);

/* The files that the call may reach. Suspends if the client has to be asked for its roots. */
int call_files(struct task *t, struct mcp_call *call, struct file_access *ret);

/*
 * The browser that the target is in, else one in which the owner has a session, else the first. For searches with regular expressions
 * (browser/matcher.h).
 */
struct browser *app_browser(const struct app *app, uint64_t owner, const char *target_id);

/*
 * Of the browsers in which the owner has sessions, which contains every page's URL and title even while its script is busy.
 * `*ret` is not changed if the owner has no session. Suspends.
 */
int app_targets(struct task *t, struct app *app, uint64_t owner, struct target_list *ret);

/*
 * The session and page that a call works on. Entering waits for the call's turn on the session, and opens a page if there is
 * none. The caller holds both until visit_done(): _cleanup_(visit_done) struct visited v = {}.
 */
struct visited {
	_kept_ struct session *session;
	_kept_ struct page *page;
};

int visit_page(struct task *t, struct mcp_call *call, const char *session_id, struct visited *ret);
void visit_done(struct visited *v);

/* " (an alert dialog was accepted: "Hi")" if dialogs were handled during the call, else "". In the task's arena. */
const char *dialog_note(struct task *t, struct page *p);
/* Writes {success, message} for an action on an element: "Clicked <button>Save</button>". Returns 0. */
int result_done_to(struct task *t, struct page *p, const char *what, const char *element, struct result *res);
#define ACTION_OUTPUT "{\"type\":\"object\",\"properties\":{\"success\":{\"type\":\"boolean\"},\"message\":{\"type\":\"string\"}}}"

/* A time-out argument in milliseconds as usec_t; 0 means `fallback`. */
usec_t timeout_or(double msec, usec_t fallback);

#define TIMEOUT_MAX_MSEC 3600000 /* the largest time-out that a call may give */
/* The length of tools/list costs tokens of the model, so a test limits it. */
#define SESSION_ABOUT "From create_session"
#define SELECTOR_ABOUT "CSS, or XPath starting with //; must match one element"
#define TIMEOUT_ABOUT "Milliseconds; default 5000"
