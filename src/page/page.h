/*
 * A page (a target of the type "page") and its frames.
 *
 * Both are ref-counted and refer to the browser's objects by their ids. A page whose target is gone stays valid as an
 * object; everything that would wait for it returns -ESTALE. Functions that take a task may suspend.
 */
#pragma once

#include <stdbool.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/macros.h"
#include "loop/task.h"

struct engine_call;
struct engine_frame;
struct engine_target;
struct page_options;
struct context;
struct journal;
struct traffic;
struct page;
struct frame;

/* Both take NULL, which they return. Who holds a frame holds its page as well. */
struct page *page_ref(_nullable_ struct page *p);
struct page *page_unref(_nullable_ struct page *p);
DEFINE_UNREFP(page);
struct frame *frame_ref(_nullable_ struct frame *f);
struct frame *frame_unref(_nullable_ struct frame *f);
DEFINE_UNREFP(frame);

_kept_ struct frame *page_main_frame(struct page *p); /* never NULL */
_kept_ struct page *frame_page(struct frame *f);      /* the same; also of a frame that the page has removed */
/*
 * The attachment that serves this frame: the page's own, or that of another process. NULL when the frame has been removed or
 * the page is gone. Another one may serve it after each wait.
 */
struct engine_target *frame_target(struct frame *f);
_kept_ struct engine_frame *frame_engine(struct frame *f); /* what operations of the engine take */
struct engine_target *page_target(struct page *p);
/* The target of that attachment: the page's own, or that of one of its frames or workers. NULL when it is gone. */
struct engine_target *page_session(struct page *p, const char *session_id);

const char *page_target_id(const struct page *p);
const struct page_options *page_options(const struct page *p);
struct context *page_context(
	const struct page *p);         /* NULL once the page is gone, and for the pages of a browser that is only observed */
bool page_alive(const struct page *p); /* false once closed, crashed, or its browser ended */
bool page_crashed(const struct page *p);
/* How many pictures of it are being taken, for which the graphics process may work longer (browser/gpu_limit.h). */
unsigned *page_captures(struct page *p);
const char *page_url(const struct page *p); /* of the main frame, as of its last navigation; never NULL */
/* Ends the page without asking it. It is dead from here on; the browser follows. */
void page_close(struct page *p);
/* Ends the page as if it had crashed: its tab stays until the next call replaces the page. */
void page_end(struct page *p);
/* HTTP status of the document shown, 0 where there is none; `ret_text` (borrowed) its words, "" without. */
int page_http_status(const struct page *p, const char **ret_text);
/*
 * The address of the document that could not be loaded, in whose place the page shows an error page; NULL: it shows none. `ret_error`: why
 * ("net::ERR_CONNECTION_REFUSED"), "" where the journal has not kept it. Both are borrowed.
 */
const char *page_failed_address(const struct page *p, const char **ret_error);
/* Woken by every navigation, load state, dialog and end of the page. */
struct waitq *page_changed(struct page *p);
/* What the page did: console and network. It lives as long as the page object. */
_kept_ struct journal *page_journal(struct page *p);
/*
 * The one decision of all that records what happens in pages: whether it must not, because a person has control of them. Journals keep no
 * texts by themselves then (journal_set_private()).
 */
bool page_is_private(const struct page *p);
/*
 * Suspends until an event of one of these kinds (enum observed_kind, or-ed; 0: any) is added to the journal, or until
 * page_changed() is woken.
 */
int page_await_event(struct task *t, struct page *p, unsigned kinds, const char *where);
/* The requests and WebSockets that are under way. It lives as long as the page object. */
_kept_ struct traffic *page_traffic(struct page *p);
usec_t page_attached_at(const struct page *p);
bool page_has_child_targets(const struct page *p); /* frames of other processes, or workers */
/*
 * Collects the garbage in those processes of the page that have grown since the last call, and are larger than the process of a small page.
 * Scripts of the page do not run meanwhile, so this is for pages without a call. Does not wait.
 */
void page_collect_garbage(struct page *p);
/* Text about dialogs that were answered since the last call of this, NULL when none; allocated in `a`. */
const char *page_take_dialog_note(struct page *p, struct arena *a);
/* Makes the page the visible one of its window. Suspends. */
int page_bring_to_front(struct task *t, struct page *p);
void page_post_to_front(struct page *p); /* the same without waiting */
/* What the page's owner is told once, and while it goes on, when the page is slowed down (page/throttle.h); NULL: it is not. */
const char *page_throttle_note(struct page *p, struct arena *a);
/* The page has made the browser's main process work for `time`, which is above its share, and grow, or not: it is slowed down. */
void page_charge_time(struct page *p, usec_t time, bool grows);
/*
 * The page is one of those of which one has made that process work for `time`; which one is not known. When this happens again and again
 * (LIMIT_SUSPICION), it is slowed down as well.
 */
void page_suspect(struct page *p, usec_t time);
bool page_is_slowed(const struct page *p);
/* Whether the page is slowed down because of the time that it takes of the browser's main process. */
bool page_takes_time(const struct page *p);
size_t page_dialog_note_length(const struct page *p); /* of that text so far */

/* Another size, in CSS pixels, on the same device. Suspends. */
int page_resize(struct task *t, struct page *p, int width, int height);
/* The size that was asked for, in CSS pixels; 0: none was. */
void page_viewport(const struct page *p, int *ret_width, int *ret_height);

/*
 * Page scripts: functions of src/scripts, called by name in the frame's isolated world as
 * browserd.<function>(<one argument, a str_json() template and its values>). The script library is installed on first use in a
 * document, in the same round trip. `ret` (may be NULL) gets the value that the function returned, owned by the caller; NULL
 * if that was undefined.
 *
 * A script that fails throws Failure(code, reason, facts), which becomes the task's failure: the return value is
 * -error_from_name(code). -ESTALE: the document went away (navigation, detach) before the script had ended.
 */
#define frame_script(t, f, ret, function, ...) frame_script_values(t, f, ret, function, JSON_VALUES(__VA_ARGS__))
int frame_script_values(struct task *t, struct frame *f, struct json **ret, const char *function, uint64_t types,
			const char *template, ...);
/*
 * Calls a page script as a gesture of the user, for which a page may open windows or play sound: what fills and chooses, not what
 * looks. `argument` is JSON text.
 */
int frame_gesture(struct task *t, struct frame *f, struct json **ret, const char *function, const char *argument);
/* frame_script() in two halves, so that input events may travel in between. Does not suspend to send; `call` is awaited by frame_script_await(). */
#define frame_script_send(t, f, call, function, ...) frame_script_send_values(t, f, call, function, JSON_VALUES(__VA_ARGS__))
int frame_script_send_values(struct task *t, struct frame *f, struct engine_call *call, const char *function, uint64_t types,
			     const char *template, ...);
int frame_script_await(struct task *t, struct frame *f, struct engine_call *call, struct json **ret);
/* Calls a page script in all documents of the page in which the library was used. `argument` is JSON text. Does not wait. */
void page_post_script(struct page *p, const char *function, const char *argument);
/* An expression in the same world, without the library; fails in the same ways. */
int frame_probe(struct task *t, struct frame *f, struct json **ret, const char *expression);
/*
 * An expression in the same world whose value is a promise: what it resolves to, NULL if it is rejected. For FRAME_BRIEF_TIME at most. Suspends,
 * fails as frame_probe().
 */
int frame_probe_promise(struct task *t, struct frame *f, struct json **ret, const char *expression);
/* frame_probe() for FRAME_BRIEF_TIME at most (on a busy machine longer, loop/patience.h), and not after `until`. -EBUSY: a dialog or a script keeps the page from answering. */
#define FRAME_BRIEF_TIME (2 * USEC_PER_SEC)
int frame_probe_briefly(struct task *t, struct frame *f, usec_t until, struct json **ret, const char *expression);

/* A call of the page's scripts has timed out: the next navigation makes sure that its main thread is not stuck. */
void page_set_busy(struct page *p);
/* Ends the script that runs in the process of the frame, if one does. Does not wait. */
void frame_interrupt(struct frame *f);
/*
 * Called when the mouse is about to be pressed at a point of the page (act/action.h), on the element that `target` (JSON, the argument
 * of findTarget() in scripts/target.js; NULL: unknown) names in `f`. May suspend.
 */
struct press_watcher {
	void (*pressing)(struct press_watcher *w, struct task *t, struct frame *f, const char *target, double x, double y);
};
void page_watch_presses(struct page *p, struct press_watcher *w); /* one at a time; NULL: none */
struct press_watcher *page_press_watcher(const struct page *p);
/*
 * The document of `f` is watched for effects of an action (scripts/settle.js), and is notified of effects that documents do not
 * show (page_note_effect()), until this is called with another frame or NULL. The caller keeps `f` valid as long.
 */
void page_watch_effects(struct page *p, struct frame *f);
