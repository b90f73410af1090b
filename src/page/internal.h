/*
 * Shared by the files of this folder only. A page consists of its frames and targets, and of parts (page/parts.h): each has a
 * struct with its state, which only its file changes, and tables of what it does when something happens to the page or is reported of it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/clock.h"
#include "base/str.h"
#include "engine/events.h"
#include "engine/frame.h"
#include "engine/network.h"
#include "loop/task.h"
#include "page/answers.h"
#include "page/drag.h"
#include "page/frame.h"
#include "page/group.h"
#include "page/mouse.h"
#include "page/page.h"
#include "page/parts.h"
#include "page/record.h"
#include "page/renderer.h"
#include "page/rest.h"
#include "page/throttle.h"
#include "page/traffic.h"
#include "page/webmcp.h"

#define WORLD_NAME_SIZE 64              /* "browserd-", 128 random bits in hexadecimal digits, a number */
#define EXPOSED_BINDING "browserdCall"  /* binding of the page's own world by which it calls exposed functions */
#define SCRIPT_BINDING "browserdReport" /* binding of the isolated world by which page scripts send messages */

/* ---- frames and targets ---- */

/* More about the execution contexts of a frame; 0: none. */
struct frame_worlds {
	int library;   /* the isolated world that has used the library last */
	int listeners; /* the page's own world that scripts/functions/listeners.js was installed in */
};

/* The response to a document's request that came last, whether that document has committed or not. */
struct document_response {
	char loader_id[ENGINE_ID_SIZE];
	int status;
	struct str status_text;
};

/* The element that shows a frame, once it is known. */
struct frame_owner {
	char handle[40];
	unsigned document; /* `commits` of the parent: the document that the handle belongs to */
	int named_in;      /* execution context of the parent in which the element was given the frame's id as a name; 0: none */
};

TAILQ_HEAD(frame_children, frame);

/*
 * The frames of a page are a tree whatever the browser says: a frame gets its parent, one of the same page that is not below it, at most
 * once and keeps it until one of them is detached.
 */
struct frame {
	unsigned refs;
	TAILQ_ENTRY(frame) link; /* all frames of the page */
	struct engine_frame at;
	struct frame_children children;
	TAILQ_ENTRY(frame) sibling; /* among those of its parent */
	_kept_ struct page *page;
	bool detached;
	char loader_id[ENGINE_ID_SIZE]; /* of the document shown */
	unsigned commits, load_states;
	unsigned number; /* in the prefix of refs, see page/frames.h */
	struct str url, name;
	struct str failed; /* the address that could not be loaded, in whose place Chromium shows an error page */
	struct frame_worlds worlds;
	struct document_response response;
	struct frame_owner owner;
	enum press_fate press;
	_nullable_ struct frame_receiver *receiver; /* NULL: none */
	struct frame_reading reading;
};

/* An attachment to a frame that lives in another process than its parent, or to a worker. */
struct child_target {
	TAILQ_ENTRY(child_target) link;
	struct engine_target *target;
	const char *session_id; /* its id */
	bool is_worker;
	bool has_library; /* as that of the page */
	struct renderer renderer;
};

/* ---- parts ---- */

/* navigate.c: the navigation of the main frame. */
struct page_navigation {
	/*
	 * One is under way and has not committed. Until it has, Chromium holds back what is sent to the page's scripts: calls may
	 * wait as long as the server takes to answer.
	 */
	bool under_way;
	bool requested; /* the document shown has asked the browser for one, which the browser has not reported yet */
	bool stopped;   /* the browser has stopped loading the document shown, with or without its load event */
	usec_t began;   /* the last one, or when the page was attached to */
	char loader_id[ENGINE_ID_SIZE]; /* of the last one that started */
	char overtaken[ENGINE_ID_SIZE]; /* of the last one that had not committed when another one started */
};

/* forbidden_address.c: addresses that the page reached by itself and was navigated away from. */
struct forbidden_address {
	struct failure failure; /* of the navigation to the last one; code 0: none */
	bool shown;             /* the page is still there */
};

/* modal.c: the open dialog or file chooser. */
struct modal {
	struct str type, message; /* of the open dialog; empty: no dialog is open */
	struct str note;          /* about dialogs that were answered, page_take_dialog_note() */
	int chooser_field;        /* the field whose file chooser is open, as it was reported; 0: none */
	struct task *visitor;     /* the call that is interrupted by them */
	unsigned refused;         /* page_take_refused() */
};

/* agent_code.c: the documents, by number, in which code of agents ran last, and which a login was filled into; 0: none. */
struct agent_code {
	unsigned ran_in, login_in;
};

/* emulate.c: the size that the page was resized to; 0: it was not. */
struct page_size {
	int width, height;
};

/* webmcp.c */
struct webmcp {
	TAILQ_HEAD(webmcp_tools, webmcp_tool) tools;
	unsigned count;
	size_t text;                    /* bytes of their descriptions and schemas */
	uint64_t version;               /* page_tools_version() */
	LIST_HEAD(, webmcp_call) calls; /* that have not ended */
};

enum page_role {
	PAGE_DRIVEN,   /* of a context of this process */
	PAGE_OBSERVED, /* of a browser started by another program; it is observed only */
};

struct page {
	const struct page_parts *parts;
	unsigned refs;
	enum page_role role;
	bool no_workers, no_frames; /* of an observed page: these are not attached to */
	TAILQ_ENTRY(page) link;     /* in its group while alive */
	struct agent_code agent_code;
	struct page_group *group; /* NULL once gone */
	char target_id[ENGINE_ID_SIZE];
	char opener_id[ENGINE_ID_SIZE];   /* of the page that opened it; "" without */
	char root_id[ENGINE_ID_SIZE];     /* the first of the pages that opened one another and whose scripts can call each other */
	bool opened_here;                 /* by this process, or by such a page */
	struct engine_target *target;     /* NULL once gone */
	char world_name[WORLD_NAME_SIZE]; /* of the isolated worlds of the page scripts */
	bool crashed;
	usec_t attached;
	struct waitq changed;
	TAILQ_HEAD(frames, frame) frames;
	void *frames_by_id; /* tsearch() tree of their ids */
	unsigned frame_count;
	uint64_t tree_version; /* page_tree_version() */
	size_t frame_texts;    /* bytes of the texts of all but the main one */
	_kept_ struct frame *main;
	TAILQ_HEAD(, child_target) children;
	void *children_by_id;                    /* tsearch() tree of the same */
	unsigned last_number;                    /* of the frames, for the prefix of refs */
	bool hides_passwords;                    /* the page scripts show what is in fields for passwords to nobody */
	bool has_library;                        /* the documents of this target get the page scripts, script.c */
	bool busy;                               /* a script call timed out: the main thread may still be stuck */
	_nullable_ struct frame *watched;        /* page_watch_effects(); NULL: none */
	bool hidden;                             /* page_hide() */
	unsigned captures;                       /* page_captures() */
	bool blank;                              /* page_answer_blank(), intercept.c */
	_nullable_ struct page_handler *handler; /* NULL: none */
	_nullable_ struct drag_receiver *drag_receiver;
	struct page_mouse mouse;
	_nullable_ struct press_watcher *press_watcher;

	struct page_navigation navigation;
	struct forbidden_address forbidden;
	struct modal modal;
	struct page_size size;
	struct page_overrides overrides;
	struct page_record record;
	struct traffic traffic;
	struct webmcp webmcp;
	struct renderer renderer;
	struct throttle throttle;
	struct page_rest rest;
	struct page_answers answers;
	_nullable_ struct page_cast *cast; /* NULL: nobody looks at the page */
};

/* ---- their functions for each other, and the events that they handle ---- */

/* page.c */
/* The page shows another document, or has gone. `h` may be NULL. */
void page_handler_changed(_nullable_ struct page_handler *h);

/* cast.c */
/* The main frame shows another document. */
void cast_document_changed(struct page *p);

/* frame.c */
/* The frame of that id, a new one if there is none. NULL: the id is not valid, or there are LIMIT_FRAMES_COUNT. */
struct frame *page_add_frame(struct page *p, const char *frame_id, const char *parent_id, struct engine_target *s);
void frame_set_id(struct frame *f, const char *id); /* one that no frame of the page has yet */
void frame_drop(struct frame *f);                   /* a reference without that to its page */
void frame_remove(struct frame *f);                 /* from its page, which has no reference to it any more */

/* frame_tree.c */
void frame_set_url(struct frame *f, const char *url, const char *fragment); /* cut to what may be kept */
/* The page's own target shows this document. */
void page_take_document(const struct engine_document *d, void *page);
void frame_on_response(struct page *p, const struct exchange_event *x);
extern const struct engine_frame_events page_frame_events;

/* exposed.c */
void exposed_on_call(struct page *p, struct engine_target *s, int world, const char *text); /* a message of EXPOSED_BINDING */
void exposed_print_script(struct str *out, const char *name);      /* what gives the function to a document */
void exposed_run_script(const struct page *p, const char *script); /* in the documents that there are */

/* modal.c */
void page_note_refused(struct page *p, unsigned what); /* enum refused_request */
extern const struct engine_modal_events page_modal_events;

/* worlds.c */
extern const struct engine_world_events page_world_events;

/* targets.c */
void page_prepare(struct page *p); /* sends what sets up a page that is driven, and lets it run */
extern const struct engine_target_events page_target_events;

/* children.c */
void children_add(struct page *p, struct engine_target *s, bool is_worker); /* takes over `s` */
void children_remove(struct page *p, const char *session_id);
void children_drop(struct page *p); /* all of them */
/* Where it is noted that the documents of the target at `s` get the page scripts. NULL: the target has ended. */
bool *page_has_library(struct page *p, const struct engine_target *s);

/* navigate.c */
void navigation_committed(struct page_navigation *n); /* the main frame shows another document */
extern const struct engine_navigation_events page_navigation_events;

/* forbidden_address.c */
/* The main frame shows another document, reported on `s`. */
void leave_forbidden_address(struct page *p, struct engine_target *s);

/* webmcp.c */
void webmcp_forget_document(struct frame *f); /* it was replaced or removed, that of the main frame with those of all frames */
extern const struct engine_tool_events page_tool_events;
/* webmcp_schema.c: whether MCP clients accept it as the schema of a tool's arguments. */
bool webmcp_schema_is_accepted(const struct json *schema);

/* intercept.c */
struct changed_request {
	TAILQ_ENTRY(changed_request) link;
	char id[ENGINE_ID_SIZE];
	struct header_list fields; /* as in struct request_changes */
};
/* credentials.c */
struct answered_challenge {
	TAILQ_ENTRY(answered_challenge) link;
	char id[ENGINE_ID_SIZE], session_id[ENGINE_ID_SIZE]; /* of the request and the attachment */
};
/* Whether the operator has credentials for servers or proxies. */
bool has_credentials(const struct page_options *o);
void page_answer_challenge(struct page *p, struct engine_target *s, const struct challenge *c);
void credentials_forget(struct interception *all, unsigned kept); /* all but the latest */

/* Sees to it that a request which `s` has reported gets its answer. Takes it over. */
void intercept_on_request(struct page *p, const struct engine_target *s, struct intercepted_request *reported);

/* drag.c */
extern const struct engine_drag_events page_drag_events;
