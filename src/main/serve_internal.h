/* What the files of the server share: serve.c makes it, shutdown.c ends it, signals.c hears of signals. */
#pragma once

#include "app/app.h"
#include "base/str.h"
#include "mcp/http.h"
#include "mcp/server.h"
#include "people/calls.h"

enum stage {
	STAGE_SERVING,
	STAGE_DRAINING,
	STAGE_SAVING,
	STAGE_FINISHING,
	STAGE_CLOSING,
	STAGE_KILLING,
	STAGE_RECORDING,
	STAGE_OVER
};

struct serve {
	struct loop *loop;
	struct egress *profile_egress; /* proxy of the browser's profile and own traffic; NULL: no restriction */
	struct app app;
	struct browser *second; /* NULL: none */
	struct str config;      /* of app */
	struct mcp_server mcp;
	struct webmcp_news *webmcp_news; /* NULL: tools of pages are not collected */
	struct calls *calls;             /* for people, who look at them */
	struct sink *sink;               /* NULL: none */
	const struct tool **tools;       /* the server's table */
	struct str instructions;         /* likewise */
	struct recordings *recordings;
	struct calls_listener recorder; /* tells it of calls */
	/* What is done around each call of a tool, by its set of tools. */
	int (*around)(struct task *t, struct mcp_call *call, int (*next)(struct task *t, struct mcp_call *call),
		      struct result *res);
	struct mcp_conn *conn; /* over stdin and stdout, as the next two */
	struct lineio *lines;
	struct client_watch *client;
	struct mcp_http *http;   /* over HTTP */
	struct serve_view *view; /* NULL: there is no live view */
	struct fleet *fleet;     /* NULL: sessions end with this server */
	struct mcp_http_services http_services;
	struct report *report;
	int signals;
	struct watch *signal_watch;

	usec_t drain, drain_ends; /* how long SIGTERM leaves for it; when it is over. 0: no drain */
	enum stage stage;
	struct timer *stage_timer;
	bool ends_browser;      /* one that had a process when the end began */
	bool ends_client_first; /* in the log, where the end of the only client is its cause */
	bool drained;
};

/* ---- shutdown.c ---- */

#define FLUSH_MSEC 200   /* the last bytes of responses */
#define REMOVE_MSEC 1000 /* files of clients, after which a child process continues alone */

/* Begins that stage of the end, unless a later one has begun. */
void serve_enter_stage(struct serve *s, enum stage stage);
/* Ends the server; a node of a fleet saves the sessions that are left first, for other nodes. */
void serve_end(struct serve *s);
/* Takes no new sessions, and ends when those that the server has have ended or the time of --drain is over. */
void serve_drain(struct serve *s);
/* The timer of the stages. */
void serve_on_stage_timer(void *data);
/* Writes to the log that the server ends, and whether a browser ends with it. */
void serve_log_end(const struct serve *s);

/* ---- signals.c ---- */

/* Blocks the signals of the process and reads them from a descriptor in the loop. Negative errno. */
int serve_watch_signals(struct serve *s);
/* Writes all running calls to stderr. */
void serve_dump_calls(void);
