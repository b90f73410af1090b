/*
 * Frames and the documents in them. A frame is ref-counted (page/page.h); after the page has removed it, it stays valid as an
 * object without a document.
 */
#pragma once

#include <stdbool.h>

#include "engine/events.h"
#include "page/page.h"

struct frame *page_find_frame(struct page *p, const char *frame_id); /* NULL: the page has no such frame */

/* References to the frames of a page at one moment, in the order in which they were attached: the main frame first. */
struct frame_list {
	struct frame **items;
	size_t count;
};
void page_list_frames(struct page *p, struct frame_list *ret);
void frame_list_done(struct frame_list *list);
_kept_ struct frame *frame_list_item(const struct frame_list *list, size_t i); /* kept by the list */

bool frame_detached(const struct frame *f);        /* the page has removed it */
bool frame_alive(const struct frame *f);           /* false once it was removed, or its page has ended */
const char *frame_id(const struct frame *f);       /* the browser's */
struct frame *frame_parent(const struct frame *f); /* NULL for the main frame, and for one that the page has removed */
const char *frame_url(const struct frame *f);
const char *frame_name(const struct frame *f); /* of the element that shows it, as of its last navigation; "" without one */
/* All frames of a page, in the order in which they were attached. Borrowed; NULL after the last one. */
struct frame *page_next_frame(struct page *p, struct frame *after);
/* Grows whenever a frame of the page appears, goes, gets its parent, another address or a name; above 0. */
uint64_t page_tree_version(const struct page *p);
unsigned frame_commits(const struct frame *f);     /* documents committed so far; identifies the current document */
unsigned frame_load_states(const struct frame *f); /* of that document, enum load_state or-ed */

/* ---- execution contexts ---- */

int frame_world(const struct frame *f);           /* the isolated world of the page scripts; 0: none yet */
bool frame_called_library(const struct frame *f); /* a function of the script library was called in that world */
int frame_page_world(const struct frame *f);      /* that of the page's own scripts; 0: none is known */
/* Whether scripts/functions/listeners.js was installed in the page's world. */
bool frame_has_listeners_function(const struct frame *f);
void frame_set_listeners_function(struct frame *f, bool installed);

/* ---- reports of page scripts ---- */

/* What became of the mouse press that scripts/arrival.js watches. */
enum press_fate { PRESS_UNKNOWN, PRESS_ARRIVED, PRESS_BLOCKED };

/* As last reported; page_changed() is woken by a report. */
enum press_fate frame_press(const struct frame *f);
void frame_reset_press(struct frame *f); /* to PRESS_UNKNOWN, before a press is sent */

/* Gets the pieces of a text, "NUMBER TEXT" each, which scripts/snapshot.js sends ahead of its answer. */
struct frame_receiver {
	void (*piece)(struct frame_receiver *r, const char *piece);
};
/* There is one at a time. False: there is another one. */
bool frame_set_receiver(struct frame *f, struct frame_receiver *r);
void frame_unset_receiver(struct frame *f, struct frame_receiver *r); /* if it is the one */
