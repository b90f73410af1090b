/* Shared by the files of this folder only. */
#pragma once

#include "base/str.h"
#include "engine/bidi/bidi.h"
#include "engine/events.h"
#include "engine/operations.h"
#include "loop/loop.h"
#include "loop/transport.h"

/* A command that was sent, or waits for its turn, and whose reply is of interest. */
struct bidi_pending {
	TAILQ_ENTRY(bidi_pending) link;
	int id;
	int world;                    /* with whose end it fails; 0: none */
	struct engine_target *target; /* that has it in its list */
	struct engine_call *call;     /* NULL: nobody awaits it (any more) */
	bool holds_turn;              /* of its target, until it is complete */
	/* Called when it is complete, before anybody who waits for it runs: the target is still there. NULL: nothing. */
	void (*noticed)(struct engine_target *s, int result, const struct json *reply);
};

/* A source that documents get when they begin. */
struct bidi_preload {
	TAILQ_ENTRY(bidi_preload) link;
	char *source, *world; /* world NULL: in that of the documents' own scripts. `source` NULL: the browser has it */
	enum bidi_preload_time {
		PRELOAD_FIRST,   /* before the documents' own scripts, by the browser */
		PRELOAD_SOON,    /* as soon as a document is reported */
		PRELOAD_ON_CALL, /* before the first call in an execution context */
	} time;
};

/* A source that all documents of a user context get, before their own scripts, in the same world. */
struct bidi_shared {
	TAILQ_ENTRY(bidi_shared) link;
	char user_context[ENGINE_ID_SIZE];
	char *source;
};

/* A function that scripts are given: messages come from a channel of its name. */
struct bidi_exposed {
	TAILQ_ENTRY(bidi_exposed) link;
	char *name, *world; /* world NULL: as above */
};

/* A request that has not ended. */
struct bidi_request {
	TAILQ_ENTRY(bidi_request) link, context_link;
	char id[ENGINE_ID_SIZE];
	char loader[ENGINE_ID_SIZE]; /* of the document that has made it, or that it is for; "": not known */
	struct bidi_context *context;
	bool is_socket, is_document; /* it is for one of these */
	bool is_counted;             /* in the `open` of its context */
	bool is_blocked;             /* it waits for an answer, */
	bool has_head;               /* and its response has come */
	bool is_refused;             /* it was failed because it may not be made */
	char *changes;               /* how it is continued once it was sent elsewhere; NULL: as it is */
	struct engine_call call;     /* for its body, without which it is not reported as blocked */
	struct intercepted_request asked;
};

/* Of a page. */
struct bidi_traffic {
	TAILQ_HEAD(, bidi_request) requests; /* of all of its contexts, the oldest first */
	unsigned count;
	unsigned intercepted;           /* enum intercepted */
	char *intercepted_url;          /* only these requests; NULL: all */
	char intercept[ENGINE_ID_SIZE]; /* the browser's id of it; "": there is none, or it is not known yet */
};

struct engine_target {
	const struct engine_operations *engine;
	TAILQ_ENTRY(engine_target) link;
	struct bidi *connection;                            /* NULL: it has ended */
	char id[ENGINE_ID_SIZE];                            /* "" for the browser itself */
	const struct engine_events *hears;                  /* the handlers of its owner; NULL: none */
	const struct engine_browser_events *browser_events; /* of the browser itself; NULL: nobody listens */
	bool attaches;                                      /* new pages are reported to browser_events */
	bool records;                                       /* engine_record() */
	void *data;
	struct engine_meter *meter;    /* NULL: none */
	struct engine_backlog backlog; /* without a meter */
	bool lost;                     /* a message was not sent, and nothing is any more */
	int unanswered;                /* as in engine_doubt(): the id of the last command then; 0: none */
	TAILQ_HEAD(, bidi_pending) pending;
	/* Turns: */
	TAILQ_HEAD(, bidi_turn) turns; /* that wait */
	bool turn_held;                /* by a command or a turn */
	struct bidi_turn *turn;        /* whose callbacks run, or NULL */
	size_t queued;                 /* bytes of commands that wait */
	/* Scripts: */
	TAILQ_HEAD(, bidi_preload) preloads;
	TAILQ_HEAD(, bidi_exposed) exposed;
	struct bidi_stuck *stuck; /* stuck.c: whether it answers is being found out; NULL: it is not */
	struct bidi_traffic traffic;
	struct bidi_context *context; /* of a page; NULL: it has been destroyed, or `id` is "" */
	struct bidi_input *input;     /* input.c: what is pressed; NULL: nothing yet */
};

#define BIDI_HISTORY_COUNT 50

/* Addresses that a page has shown, as far as its events say so. */
struct bidi_history {
	char *urls[BIDI_HISTORY_COUNT];
	int count, current;
	int step; /* by which it is being moved; the next address that it shows is that one */
};

/* The question what a frame is called. */
struct bidi_naming {
	struct engine_call call;
};

/*
 * Two navigations to one address: the page has begun the first, and browsingContext.navigate begins the second before the first has ended. Firefox
 * then reports navigationFailed for the first. If the response of the first had come, Firefox still shows its document, but reports it with the id
 * of the second navigation. The document of the second navigation is reported later, with a new third id; its network events have the second id, or
 * the third one if its request has not begun yet. This state lets all events about a document have the id of its navigation: see
 * bidi_navigation_of().
 */
struct bidi_repeat {
	struct str url; /* of the last navigation that Firefox has given up; empty: another document was shown since */
	char given_up[ENGINE_ID_SIZE]; /* its id */
	char borrowed[ENGINE_ID_SIZE]; /* id of the second navigation, with which the first one's document is reported; "": none */
	char third[ENGINE_ID_SIZE];    /* id with which the second one's document is reported; "": none */
	char third_means[ENGINE_ID_SIZE]; /* id of the second navigation */
};

/* A browsing context: a page's, or that of one of its frames. */
struct bidi_context {
	char id[ENGINE_ID_SIZE];
	char user_context[ENGINE_ID_SIZE];
	char document[ENGINE_ID_SIZE]; /* id of the navigation that its document came by; "": the first one */
	char opener[ENGINE_ID_SIZE];
	struct str url;
	struct str name;             /* of a frame */
	struct bidi_naming *naming;  /* the pending question for its name; NULL: none */
	struct bidi_context *parent; /* NULL: a page's */
	struct engine_target *page;  /* the target of its page; NULL: nobody is attached */
	TAILQ_HEAD(bidi_contexts, bidi_context) children;
	TAILQ_ENTRY(bidi_context) link; /* of its parent, or of the connection */
	struct bidi_context *top;       /* that of its page, perhaps itself */
	unsigned frame_count;           /* of a page: all of its frames */
	TAILQ_HEAD(, bidi_world) worlds;
	bool navigates;                /* a navigation has begun that was not committed yet */
	unsigned commits;              /* documents that were committed */
	char starting[ENGINE_ID_SIZE]; /* the last navigation that has begun */
	struct bidi_repeat repeat;
	struct bidi_history history;   /* of a page */
	char asked[ENGINE_ID_SIZE];    /* of a page: id of the first navigation since the last call of one; "": none */
	char read[ENGINE_ID_SIZE];     /* of a page: id of the last navigation that was only begun to read its body; "": none */
	char refused[ENGINE_ID_SIZE];  /* of a page: id of the last navigation whose request this program has refused; "": none */
	char arriving[ENGINE_ID_SIZE]; /* id of the navigation whose response has come, and which was not committed yet; "": none */
	char announcing[ENGINE_ID_SIZE]; /* id of the last navigation that has got a response, until it has become a download, */
	double announced;                /* and the bytes of its body, as the server says; 0: not known */
	TAILQ_HEAD(, bidi_request) requests; /* of a page that somebody is attached to */
	unsigned open;                       /* of these, those of its document that keep the network from being idle */
	bool is_loaded, was_idle;            /* its document: LOAD_LOAD and LOAD_NETWORKIDLE were reported */
	TAILQ_ENTRY(bidi_context) idle_link; /* of those whose network will be idle at a time, the first one first */
	usec_t idle_at;                      /* 0: it is not in that list */
};

/* An execution context: a realm of a window. */
struct bidi_world {
	TAILQ_ENTRY(bidi_world) link;
	int id;
	char realm[ENGINE_ID_SIZE];
	char *name;  /* of the sandbox; "": that of the document's own scripts */
	char *place; /* bidi_script_place() */
	struct bidi_context *context;
	unsigned prepared; /* how many libraries of its page it has got */
	bool is_exposed;   /* it has the functions of its page */
};

struct bidi {
	struct loop *loop;
	struct transport *transport;
	const struct bidi_handler *handler;
	void *data;
	int last_id;
	int last_world;
	bool is_open; /* the session has begun */
	bool ignores_certificates;
	unsigned waiting; /* commands that await a reply */
	struct engine_call first, subscribed;
	TAILQ_HEAD(, engine_target) targets;
	struct engine_target *root;
	struct bidi_contexts pages;
	unsigned page_count, world_count;
	void *contexts_by_id, *worlds_by_realm, *worlds_by_id, *pending_by_id, *requests_by_id; /* trees of tsearch(3) */
	TAILQ_HEAD(, bidi_folder) folders;                                                      /* downloads.c */
	TAILQ_HEAD(, bidi_download) downloads;
	unsigned folder_count, download_count, last_folder, last_download;
	TAILQ_HEAD(, bidi_context) idle;
	struct timer *idle_timer;      /* NULL: not needed yet */
	TAILQ_HEAD(, errand) to_front; /* errand.c: those that wait for the front, */
	struct errand *in_front;       /* and the one that has it */
	struct timer *front_timer;     /* NULL: not needed yet */
	bool front_advances;
	bool observes;                              /* the browser was told to keep bodies, and to report challenges */
	TAILQ_HEAD(, bidi_permissions) permissions; /* permissions.c */
	TAILQ_HEAD(, bidi_shared) shared;
	struct timer *download_timer; /* NULL: nothing was downloaded yet */
	struct engine_meter *charged; /* on whose account commands are sent now; NULL: on none */
};

/* ---- call.c ---- */

/* Completes `p` with a reply, which is taken over (NULL: none), and frees it. */
void bidi_complete(struct bidi *c, struct bidi_pending *p, int result, struct json *reply);
/* `noticed` gets the reply of a call that was sent. */
void bidi_notice(struct engine_call *call, void (*noticed)(struct engine_target *s, int result, const struct json *reply));
struct bidi_pending *bidi_find_pending(struct bidi *c, int id);
/* Fails the calls of a target whose place has ended: with `world`, or all (0). */
void bidi_fail_calls(struct engine_target *s, int world, int result);
/* Drops what waits for its turn. */
void bidi_drop_turns(struct engine_target *s);

/* ---- targets.c ---- */

struct engine_target *bidi_target_add(struct bidi *c, const char *id);
/* Takes it out of its connection; the owner frees it. Its calls have failed. */
void bidi_target_remove(struct engine_target *s);
/* Reports a page that nobody is attached to, whose handler may attach to it. */
void bidi_report_page(struct bidi *c, const struct bidi_context *x);

/* ---- tree.c ---- */

struct bidi_context *bidi_find_context(struct bidi *c, const char *id);
/* The target of the page that the context belongs to; NULL: none. */
struct engine_target *bidi_page_of(const struct bidi_context *x);
/* `params` describe it, its id is valid and new. */
struct bidi_context *bidi_add_context(struct bidi *c, const struct json *params, struct bidi_context *parent);
/* Of one without children and execution contexts. */
void bidi_remove_context(struct bidi *c, struct bidi_context *x);
void bidi_end_naming(struct bidi_context *x);

/* The id of its document: that of its navigation, or of the context until one was committed. */
const char *bidi_document(const struct bidi_context *x);
/* The address that a page shows is an entry of its history. */
void bidi_remember_address(struct bidi_context *x, bool same_document);

/* ---- requests.c: requests under way, and what follows from them ---- */

struct bidi_request *bidi_find_request(struct bidi *c, const char *id);
/* A request of the context, whose page somebody is attached to; replaces one of this id. The oldest of too many are forgotten. */
struct bidi_request *bidi_begin_request(struct bidi *c, struct bidi_context *x, const char *id, const char *loader, bool is_socket);
void bidi_end_request(struct bidi *c, struct bidi_request *r);
/* A context shows another document. Requests of the one before are forgotten. */
void bidi_begin_document(struct bidi *c, struct bidi_context *x);
/* Its document has loaded: LOAD_NETWORKIDLE is reported when none of its requests has been under way for a while. */
void bidi_end_loading(struct bidi *c, struct bidi_context *x);
/* All of a context that goes. */
void bidi_forget_traffic(struct bidi *c, struct bidi_context *x);
/* All of a page that nobody is attached to any more. */
void bidi_forget_requests(struct engine_target *s);

/* ---- contexts.c ---- */

/* The id of the navigation that an event of the context is about, which struct bidi_repeat may have corrected; "": none. */
const char *bidi_navigation_of(const struct bidi_context *x, const struct json *params);
/* The address of a document has changed, and no event has said so. */
void bidi_report_moved(struct bidi_context *x, const char *url);
/* Forgets all, without reports. */
void bidi_forget_contexts(struct bidi *c);
/* One of browsingContext's events; `name` is the part behind the point. */
void bidi_on_context_event(struct bidi *c, const char *name, const struct json *params);

/* ---- navigation.c ---- */

/* The error that clients get for a request that browserd blocks (page/intercept.h). Firefox itself reports only that it was aborted. */
#define BIDI_REFUSED "net::ERR_BLOCKED_BY_CLIENT"

bool bidi_is_navigation(const struct engine_call *call);
/* The reply to such a call: an error by which the navigation itself has ended becomes a result, with the id of the navigation. */
void bidi_read_navigation(const struct engine_target *s, struct json **reply);

/* Completes the navigation of the page that is waited for: `became` is the text of a reply. */
void bidi_end_navigation(struct engine_target *s, const char *became);

/* ---- script.c ---- */

/* Whether a call failed because its document has gone. */
bool bidi_has_gone(const struct engine_call *call);

/* ---- preload.c ---- */

void bidi_forget_scripts(struct engine_target *s);
void bidi_forget_shared(struct bidi *c, const char *user_context); /* NULL: of all */
/* An execution context has begun. */
void bidi_greet_world(struct engine_target *s, struct bidi_world *w);
/* Sends what scripts in this execution context rely on, functions and libraries, unless it has them. `w` may be NULL. */
void bidi_prepare_world(struct engine_target *s, struct bidi_world *w);

/* ---- stuck.c ---- */

void bidi_forget_stuck(struct engine_target *s);

/* ---- worlds.c ---- */

/* The channel by which the page scripts report that a drag has begun. */
#define BIDI_DRAG_CHANNEL "browserd-drag"

void bidi_on_script_event(struct bidi *c, const char *name, const struct json *params);
/* Ends the execution contexts of a browsing context that has gone. */
void bidi_end_worlds(struct bidi *c, struct bidi_context *x);
struct bidi_world *bidi_find_world(const struct bidi *c, int id);
/* The execution context of a browsing context with that name (of a sandbox; ""), or NULL. */
struct bidi_world *bidi_context_world(const struct bidi_context *x, const char *name);
/*
 * Whether a script for the execution context `world` has run in `realm` in its place: in the next document of its browsing context, which had
 * taken the place of the one that the script was meant for.
 */
bool bidi_has_missed(struct bidi *c, int world, const char *realm);
/* That of the scripts of the page's own document, which all others of this document end with; 0: none. */
int bidi_document_world(const struct engine_target *s);

/* ---- input.c, dialogs.c, network.c, console.c, downloads.c: events by the part of their names behind the point ---- */

void bidi_on_prompt_event(struct bidi *c, const char *name, const struct json *params);   /* browsingContext.userPrompt... */
void bidi_on_input_event(struct bidi *c, const char *name, const struct json *params);    /* input. */
void bidi_on_network_event(struct bidi *c, const char *name, const struct json *params);  /* network. */
void bidi_on_log_event(struct bidi *c, const char *name, const struct json *params);      /* log. */
void bidi_on_download_event(struct bidi *c, const char *name, const struct json *params); /* browsingContext.download... */
void bidi_forget_input(struct engine_target *s);
/* Fails the input of a page that waits for the front. */
void bidi_forget_front(struct engine_target *s, int result);
/* Of a user context that is removed. */
void bidi_forget_downloads(struct bidi *c, const char *user_context);
void bidi_end_downloads(struct bidi *c);

/* ---- permissions.c ---- */

/* A page goes to this address: what all origins of its user context are granted is set for it. */
void bidi_permit(struct bidi *c, const struct bidi_context *x, const char *url);
void bidi_forget_permissions(struct bidi *c, const char *user_context); /* NULL: of all */

/* ---- reports ---- */

/* Whether the owner of `s` has this handler. */
#define HEARS(s, group, handler) ((s)->hears && (s)->hears->group && (s)->hears->group->handler)
/* Calls it with these arguments and its data. */
#define REPORT(s, group, handler, ...) \
	do { \
		if (HEARS(s, group, handler)) \
			(s)->hears->group->handler(__VA_ARGS__, (s)->data); \
	} while (0)
