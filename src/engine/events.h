/*
 * What a target reports of itself, its frames and what they cause, to whom it was made for (engine_target_new()).
 *
 * Each group is a table of the handlers of one who listens; groups and handlers that are NULL are not of interest. `s` is the target that
 * reports: a page, a frame that another process serves, or a worker. Texts and structs are borrowed for the time of the call. Texts are ""
 * where the browser says nothing, unless a member says otherwise. No handler suspends. Those of traffic and console must not end `s`, and
 * none ends the connection.
 */
#pragma once

#include "engine/network.h"
#include "engine/targets.h"
#include "engine/tools.h"

struct journal;

/* ---- frames and their documents ---- */

/* A document that a frame shows. */
struct engine_document {
	const char *frame, *parent; /* ids of the frame and of the one that it is in; NULL: not said */
	const char *id;             /* NULL: not said */
	const char *url, *fragment; /* the address, and its part from '#' on */
	const char *name;           /* of the frame */
	const char *failed;         /* the address that could not be loaded, in whose place the browser shows an error page */
	bool restored;              /* from where the browser keeps documents that were left: it loads nothing */
};

/* How far a document has been loaded. */
enum load_state { LOAD_COMMIT = 1, LOAD_DOMCONTENTLOADED = 2, LOAD_LOAD = 4, LOAD_NETWORKIDLE = 8 };

/* `frame` is the id of one; NULL: not said. */
struct engine_frame_events {
	void (*attached)(struct engine_target *s, const char *frame, const char *parent, void *data);
	/* The frame has gone. Not reported of one that another process serves from here on. */
	void (*removed)(struct engine_target *s, const char *frame, void *data);
	void (*navigated)(struct engine_target *s, const struct engine_document *d, void *data);
	/* The same document has another address. */
	void (*moved)(struct engine_target *s, const char *frame, const char *url, void *data);
	void (*loaded)(struct engine_target *s, const char *frame, const char *document, enum load_state state, void *data);
	/* What the frame is called, where its documents are reported without it. */
	void (*named)(struct engine_target *s, const char *frame, const char *name, void *data);
};

struct engine_navigation_events {
	/* The document shown asks for another one in its place, which the browser has not begun to load. */
	void (*requested)(struct engine_target *s, const char *frame, void *data);
	/* `same_document`: only the part of its address from '#' on changes, or what its scripts make of that. */
	void (*started)(struct engine_target *s, const char *frame, const char *document, bool same_document, void *data);
	void (*stopped)(struct engine_target *s, const char *frame, void *data); /* loading, with or without an end */
};

/* The frames of a target as they are now; from here on it reports what becomes of them. Sent only; engine_await() for the reply. */
void engine_ask_frames(struct task *t, struct engine_target *s, struct engine_call *call);
/* Calls `take` with the documents of the reply, `count` at most, parents before their children. */
void engine_read_frames(const struct engine_call *call, unsigned count, void (*take)(const struct engine_document *d, void *data),
			void *data);

/* ---- execution contexts, and what scripts in them send to this program ---- */

struct engine_world {
	int id;            /* in its target, as engine_frame has them */
	const char *frame; /* id of its frame; NULL: not said */
	const char *name;  /* of an isolated world */
	bool is_page;      /* that of the page's own scripts */
};

/* A function that scripts were given was called with a text. */
struct engine_message {
	int world;
	const char *function, *text;
};

struct engine_world_events {
	void (*created)(struct engine_target *s, const struct engine_world *w, void *data);
	void (*destroyed)(struct engine_target *s, int world, void *data);
	void (*cleared)(struct engine_target *s, void *data); /* all of the target */
	void (*message)(struct engine_target *s, const struct engine_message *m, void *data);
	/* Whether the messages of this function, a name of `len` bytes, may be longer than LIMIT_OBSERVED_MESSAGE; others are dropped. */
	bool (*may_be_long)(const char *function, size_t len, void *data);
};

/* ---- traffic ---- */

/* What the browser reports of a request or WebSocket. */
struct exchange_event {
	const char *id;       /* NULL: not said, and so the other ids */
	const char *target;   /* engine_target_id() of what reports it */
	const char *loader;   /* id of the document that made the request; of one for a document, that document's */
	const char *document; /* id of the document that the request is for; NULL: it is for none */
	enum resource_kind resource;
	bool is_data;    /* what an address carries within itself needs no network */
	bool redirected; /* the request of that id is sent again */
	bool canceled;
	bool is_early; /* a script of the page's document gets the response after its end is reported here */
	/* Of a response. */
	int status;
	const char *status_text;
	const char *frame; /* id of the frame that the request is for */
};

/* Handlers come before what they get is in the journal. */
struct engine_traffic_events {
	void (*request)(const struct exchange_event *x, void *data);
	void (*response)(const struct exchange_event *x, void *data);
	void (*finished)(const struct exchange_event *x, void *data);
	void (*failed)(const struct exchange_event *x, void *data);
	void (*received)(struct engine_target *s, void *data); /* a part of some body */
	void (*socket_created)(const struct exchange_event *x, void *data);
	void (*socket_sent)(const struct exchange_event *x, void *data);
	void (*socket_answered)(const struct exchange_event *x, void *data); /* its handshake has ended, or a frame has come */
	void (*socket_closed)(const struct exchange_event *x, void *data);
	/* A request waits for one of the answers of engine/network.h. Without a handler it waits for ever. */
	void (*intercepted)(struct engine_target *s, struct intercepted_request *q, void *data);
	void (*challenged)(struct engine_target *s, const struct challenge *c, void *data);
};

/* ---- messages of the console ---- */

struct engine_console_events {
	/* Objects are among what was logged, and the browser keeps them until engine_forget_logged(). */
	void (*kept_objects)(struct engine_target *s, void *data);
};
void engine_forget_logged(struct engine_target *s);

/* ---- dialogs and file choosers ---- */

struct opened_dialog {
	const char *type; /* "alert", "confirm", "prompt", "beforeunload" */
	const char *message;
	const char *url; /* of the document that opened it; NULL: not said */
};

struct engine_modal_events {
	void (*dialog_opened)(struct engine_target *s, const struct opened_dialog *d, void *data);
	void (*dialog_closed)(struct engine_target *s, bool accepted, const char *input, void *data); /* `input` NULL: not said */
	/* `field` is for engine/dialogs.h. 0: it is of no field, and the browser refuses it. */
	void (*chooser_opened)(struct engine_target *s, int field, void *data);
};

/* ---- targets ---- */

struct engine_target_events {
	void (*attached)(struct engine_target *s, const struct engine_attachment *a, void *data); /* to one that `s` has made */
	void (*detached)(struct engine_target *s, const char *attachment, void *data);
	void (*crashed)(struct engine_target *s, void *data);
};

/* ---- drags ---- */

struct engine_drag_events {
	void (*started)(struct engine_target *s, const char *what, void *data); /* as engine_drag() takes it */
};

/* ---- tools that documents offer ---- */

struct engine_tool_events {
	void (*added)(struct engine_target *s, const struct offered_tool *tools, size_t count, void *data);
	void (*removed)(struct engine_target *s, const struct offered_tool *tools, size_t count, void *data);
	/* `call`, of `len` bytes, is the id of the call that has ended. */
	void (*ended)(struct engine_target *s, const char *call, size_t len, const struct tool_end *e, void *data);
};

/* ---- all of them ---- */

struct engine_events {
	const struct engine_frame_events *frames;
	const struct engine_navigation_events *navigations;
	const struct engine_world_events *worlds;
	const struct engine_traffic_events *traffic;
	const struct engine_console_events *console;
	const struct engine_modal_events *modals;
	const struct engine_target_events *targets;
	const struct engine_drag_events *drags;
	const struct engine_tool_events *tools;
	/* Where the target's messages and traffic are recorded; NULL: nowhere. */
	struct journal *(*journal)(void *data);
};

/*
 * The target of an attachment that `from` has reported, which reports to `events`. NULL: the id is not valid, or that of another target
 * that has not ended, or the browser has too many. `events` outlives the target.
 */
struct engine_target *engine_target_new(struct engine_target *from, const char *attachment, const struct engine_events *events,
					void *data);
/* To be called when the browser has detached from it, or will. Its calls fail with -ESTALE; late replies and events are dropped. */
struct engine_target *engine_target_free(struct engine_target *s);
/* From here on the target's messages and traffic are recorded and reported. Sent only. */
void engine_record(struct engine_target *s);
/* Messages of the browser itself are recorded as well; workers refuse that. Sent only. */
void engine_record_log(struct engine_target *s);
