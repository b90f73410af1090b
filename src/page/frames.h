/*
 * Refs and handles of elements (scripts/refs.js), and the frames they lie in.
 *
 * Both begin with a prefix that names the frame. Each page numbers its frames in the order in which they were attached. The main
 * frame is 0, which has no prefix ("e5"); frame n has the prefix "f<n>". When the main frame leaves a document whose address
 * is not about:blank, it takes the next number, so refs of its earlier documents are not found. Other frames keep theirs.
 */
#pragma once

#include "base/str.h"
#include "engine/geometry.h"
#include "loop/task.h"
#include "page/page.h"

#define REF_PREFIX_SIZE 16
/* The prefix of refs and handles in the frame. */
void frame_ref_prefix(struct frame *f, char buf[REF_PREFIX_SIZE]);
/* The frame that `ref`, which may be a handle, names by its prefix; NULL when it is gone or `ref` is neither. Borrowed. */
struct frame *page_frame_of_ref(struct page *p, const char *ref);
/* Is `target` written as refs are, or as handles? */
bool is_ref(const char *target);
bool is_handle(const char *target);

/* The frame that the element `handle` of `parent` shows; `ret` is a reference, NULL when it shows none. Suspends. */
int frame_of_element(struct task *t, struct frame *parent, const char *handle, struct frame **ret);

/*
 * The frame whose document receives input at a point of the page's viewport. Of a frame that another process serves it is the
 * outermost one. A reference; the main frame where that cannot be found out. Suspends.
 */
int page_frame_at(struct task *t, struct page *p, struct point at, struct frame **ret);

/* The handle of the element that shows `f` in its parent's document, as frame_of_element() found it; "" before that. */
const char *frame_owner(const struct frame *f);

/*
 * Calls the page script `function` with {frame, point} in the parent's document: the element that shows `f`, and JSON text. `ret` gets the
 * value, owned by the caller. Suspends.
 */
int frame_owner_script(struct task *t, struct frame *f, const char *function, const char *point, struct json **ret);

/*
 * Whether the element that shows `f` was given the frame's id as its name in the parent's present document (scripts/serialize.js).
 * True of the main frame, which needs none.
 */
bool frame_is_named(struct frame *f);
void frame_set_named(struct frame *f);

/*
 * From a point of the viewport of `f` to one of the page's, as input events take it. `offset` is what the frame could
 * see of the way itself, frameOffset() of scripts/dom.js, and is in `at` already. `ret_obstacle`, which may be NULL, is what
 * lies over the frames at that point, as scripts/click.js takes it, or NULL. Suspends when that was not all of it.
 */
int frame_to_page(struct task *t, struct frame *f, const struct json *offset, struct point *at, const char **ret_obstacle);
