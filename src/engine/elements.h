/*
 * Questions about elements and frames that no page script can answer: which frame an element shows, what its closed shadow roots and its
 * listeners are. Elements are named by handles (page/frames.h), or by expressions whose value is a list of them, in the isolated world of
 * the page scripts (engine_frame.own_world), in which the script library is. All functions suspend. -ESTALE: the document has gone.
 */
#pragma once

#include "base/str.h"
#include "engine/frame.h"
#include "engine/geometry.h"

/* The id of the frame that the element `handle` shows, "" when it shows none. -ENOENT: there is no such element any more. */
int engine_frame_of(struct task *t, const struct engine_frame *at, const char *handle, char ret_id[ENGINE_ID_SIZE]);
/*
 * What is at a point of the viewport of a page: `ret_shown`, the id of the frame that the element there shows, and `ret_document`, that of
 * the frame whose document it belongs to. Both are "" where there is no element, or it is not known.
 */
int engine_frame_at(struct task *t, const struct engine_frame *main, struct point at, char ret_shown[ENGINE_ID_SIZE],
		    char ret_document[ENGINE_ID_SIZE]);
/*
 * Calls the page script `function` in the parent's document with {frame, point}: the element that shows `child`, and JSON text. `ret` gets
 * the value, owned by the caller; NULL: it threw.
 */
int engine_owner_script(struct task *t, const struct engine_frame *child, const char *function, const char *point,
			struct json **ret);

/*
 * Calls the page script `nameFrame` in the parents' documents with the elements that show these frames, and their ids. `list` is NULL at a
 * frame that is not to be named, and where the element was not found. `s`: their page. What a document that goes meanwhile shows is left out.
 */
int engine_name_frames(struct task *t, _borrowed_ struct engine_target *s, const struct engine_frame **list, size_t count);

/*
 * Hands the closed shadow roots of the elements that `hosts`, an expression, lists to the page script `keepClosedRoot`. Returns their number,
 * LIMIT_CLOSED_ROOTS_COUNT at most.
 */
int engine_keep_closed_roots(struct task *t, const struct engine_frame *at, const char *hosts);
/*
 * Appends the types of the listeners of the page's own scripts on the elements that `path`, an expression, lists, with the document last, and
 * on its window: the inside of a JSON array. Types that begin with `ours` are left out. "*" stands for any, where the browser does not tell.
 */
int engine_listened_types(struct task *t, const struct engine_frame *at, const char *path, const char *ours, struct str *types);
/* Sets `ret` when the page's own scripts listen to this type on the window; it stays as it is where no script of the page has run. */
int engine_listens(struct task *t, const struct engine_frame *at, const char *type, bool *ret);
