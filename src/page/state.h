/* The members of pages and frames, for the files that work on them: those of this folder and of the layers above it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/clock.h"
#include "base/str.h"
#include "cdp/cdp.h"
#include "loop/task.h"
#include "page/page.h"
#include "page/traffic.h"

#define CDP_ID_SIZE 64             /* target, frame, loader and session ids: 32 hexadecimal digits so far */
#define ERROR_PAGE "chrome-error:" /* scheme of the error pages that Chromium shows in place of a document */
#define WORLD_NAME "browserd"
#define SCRIPT_BINDING "browserdReport" /* binding of the isolated world by which page scripts send messages */

struct context;
struct journal;

/* Load states of a document, as CDP's lifecycle events name them. */
enum load_state { LOAD_COMMIT = 1, LOAD_DOMCONTENTLOADED = 2, LOAD_LOAD = 4, LOAD_NETWORKIDLE = 8 };

/* What became of the mouse press that scripts/arrival.js watches. */
enum press_fate { PRESS_UNKNOWN, PRESS_ARRIVED, PRESS_BLOCKED };

struct frame {
	unsigned refs;
	TAILQ_ENTRY(frame) link;
	_kept_ struct page *page;
	bool detached;           /* the page has removed it */
	struct cdp_session *cdp; /* NULL once it is detached, or the page is gone */
	char id[CDP_ID_SIZE], parent_id[CDP_ID_SIZE];
	char loader_id[CDP_ID_SIZE]; /* of the document shown */
	unsigned commits;            /* documents committed so far; identifies the current document */
	unsigned load_states;        /* of that document, enum load_state */
	struct str url;
	int world;                       /* execution context of the page scripts; 0: none yet */
	int library_world;               /* the one that has used the library last */
	int page_world;                  /* execution context of the page's own scripts; 0: none is known */
	int listeners_world;             /* the one of those that has scripts/functions/listeners.js; 0: none */
	enum press_fate press;           /* as the page scripts reported last */
	struct frame_receiver *receiver; /* of the text that scripts/snapshot.js sends ahead of its answer; NULL: none */
	char response_id[CDP_ID_SIZE];   /* loader whose response came last, committed or not */
	int status;                      /* its HTTP status */
	struct str status_text;
	unsigned number;         /* of its document, counted from 1 in the order of their first snapshots; 0: none yet */
	char owner_ref[32];      /* of the element that shows it, once that is known, in the parent's document ... */
	unsigned owner_document; /* ... of this number */
};

/* An attachment to a frame that lives in another process than its parent, or to a worker. */
struct child_target {
	TAILQ_ENTRY(child_target) link;
	struct cdp_session *cdp;
	bool has_library; /* as that of the page */
};

/* An open dialog or file chooser, modal.c. */
struct modal {
	struct str type, message; /* of the open dialog; empty: there is none */
	int chooser_node;         /* backend id of the element whose file chooser is open, 0: none */
	struct task *visitor;     /* the call that is interrupted by them */
};

/*
 * For a page that serves a purpose of its own, sandbox.h. What its scripts pass to their binding and what it requests goes
 * there, and no worker or frame of another process may run in it.
 */
struct page_handler {
	void (*message)(struct page_handler *h, const char *text);
	/* The request is paused; `s` is the attachment by which it is answered. */
	void (*request)(struct page_handler *h, struct cdp_session *s, const char *request_id, const char *url);
};

enum page_role {
	PAGE_DRIVEN,      /* of a context of this process */
	PAGE_OBSERVED, /* of a browser started by another program, observed_browser.h; it is observed only */
};

struct page {
	unsigned refs;
	enum page_role role;
	bool no_workers, no_frames; /* of a page that is listened to: these are left alone */
	TAILQ_ENTRY(page) link;     /* in its group while alive */
	struct page_group *group;   /* NULL once gone */
	char target_id[CDP_ID_SIZE];
	char opener_id[CDP_ID_SIZE]; /* of the page that opened it; "" without */
	bool reaches_opener;         /* their scripts can call each other */
	struct cdp_session *cdp;     /* NULL once gone */
	bool has_library;            /* the documents of this target get the page scripts */
	bool crashed;
	bool blank; /* its requests are answered with an empty document, intercept.c */
	/*
	 * A navigation of the main frame is under way and has not committed. Until it has, Chromium holds back what is
	 * sent to the page's scripts: calls may wait as long as the server takes to answer.
	 */
	bool navigating;
	bool stopped;            /* the browser has stopped to load the document shown, with or without its load event */
	usec_t navigation_began; /* the last one of the main frame, or when the page was attached to */
	usec_t attached;
	int width, height;  /* that it was resized to; 0: it was not */
	struct str strayed; /* the message that the page reached a forbidden address and was navigated away; empty: none */
	bool astray;        /* the page is still at the forbidden address */
	bool busy;          /* a script call timed out: the main thread may still be stuck */
	TAILQ_HEAD(, frame) frames;
	_kept_ struct frame *main;
	TAILQ_HEAD(, child_target) children;
	struct waitq changed;
	struct str dialog_note;
	bool dragging;        /* drag.c has pressed the button */
	struct str drag_data; /* what the page drags since then, CDP's DragData as JSON; empty: nothing */
	struct modal modal;
	struct frame *watched; /* the frame whose document is watched for effects (settle.c); NULL: none */
	unsigned documents;    /* that were given a number for the refs of their elements */
	_kept_ struct journal *journal;
	struct traffic traffic;
	unsigned logged_objects;      /* messages with objects that the browser keeps alive */
	struct page_handler *handler; /* NULL: none, as in the pages of clients */
};

/* Pages that belong together, oldest first. The owner of the group is a context, or a browser that is only observed (observed_browser.h). */
struct page_group {
	TAILQ_HEAD(, page) pages;
	struct cdp_session
		*browser; /* for calls on the browser itself; NULL when it has ended, and while pages are only observed */
	const struct page_options *options; /* never NULL; lives as long as the group */
	bool keeps_modals;                  /* page/modal.h */
	struct context *context;            /* its owner; NULL: pages are only observed */
};

/* The group has no browser, no context and no options; the owner sets those. */
void page_group_init(struct page_group *g);
void page_group_done(struct page_group *g); /* it is empty */
struct page *page_group_find_session(struct page_group *g, const char *session_id);
struct page *page_group_find_target(struct page_group *g, const char *target_id);
struct page *page_group_first_alive(struct page_group *g);
void page_group_gone(struct page_group *g); /* page_gone() for each */

/* A page of the target that `session_id` is attached to; the group owns a reference until page_gone(). */
struct page *page_new(struct page_group *g, struct cdp *cdp, const char *session_id, const char *target_id);
/* The browser has attached to a new target, which waits for the debugger: makes its page and lets it run. `info`: CDP's TargetInfo. */
void page_attached(struct page_group *g, struct cdp *cdp, const char *session_id, const struct json *info);
/* Enables the console and network events of an observed page, its frames and workers. */
void page_observe(struct page *p);
/*
 * Suspends until the browser has done what page_attached() asked for. A navigation that started earlier would move
 * the page to another process which knows nothing of it.
 */
int page_settle_in(struct task *t, struct page *p);
/* The target has ended or was left: the page is dead from here on and leaves its group. */
void page_gone(struct page *p);

/* The same for what belongs to a page: frames of other processes and workers. `type` is CDP's target type. */
void child_target_attached(struct page *p, const char *session_id, const char *type, const char *target_id);
void child_target_detached(struct page *p, const char *session_id);

/* Ends the script that runs in the page, if one does. Does not wait. */
void page_interrupt(struct page *p);

/* Where it is noted that the documents of the target at `s` get the page scripts. NULL: the target has ended. */
bool *page_has_library(struct page *p, const struct cdp_session *s);

struct frame *page_find_frame(struct page *p, const char *frame_id);
struct frame *page_add_frame(struct page *p, const char *frame_id, const char *parent_id, struct cdp_session *cdp);
void frame_detach(struct frame *f);
/* The document of a frame is `loader_id` now. */
void frame_set_loader(struct frame *f, const char *loader_id);
/* The number of its document; gives it one when it has none. From 1. */
unsigned frame_number(struct frame *f);
struct frame *frame_parent(struct frame *f); /* NULL for the main frame, and for one that the page has removed */
void cdp_id_set(char dst[CDP_ID_SIZE], const char *id);

/* modal.c */
void modal_done(struct modal *m);
void page_on_dialog_opening(struct page *p, const char *type, const char *message);
void page_on_dialog_closed(struct page *p);
void page_on_chooser_opened(struct page *p, int backend_node_id);
void page_intercept_choosers(struct page *p, bool on);
void page_let_modals_go(struct page *p); /* they are no longer kept */

/* Is the document of the main frame still to come, or on its way? */
bool page_loading(const struct page *p);

/* An effect that the documents do not show. The watched document (scripts/settle.js) treats it as an effect of the action. */
void page_note_effect(struct page *p);

/* page_events.c */
extern const struct cdp_event page_event_table[];
