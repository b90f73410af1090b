/* browser_wait_for. */
#include <errno.h>

#include "base/error.h"
#include "base/limits.h"
#include "page/frame.h"
#include "page/page.h"
#include "reply/call_log.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

#define WAIT_MAX_SEC 30
#define FRAMES_EVERY (100 * USEC_PER_MSEC) /* how often the child frames are looked at for a text */
#define ANSWER_LATE (200 * USEC_PER_MSEC)  /* for the page script to report, after the time-out, the last element that it saw */

struct browser_wait_for {
	const char *sessionId, *text, *textGone, *target;
	double time;
};

static const struct param browser_wait_for_params[] = {
	PARAM(browser_wait_for, time, "Seconds to wait (at most 30), before the text if one is given"),
	PARAM(browser_wait_for, text, "Text to appear", .max_length = LIMIT_SELECTOR, .empty_is_none = true),
	PARAM(browser_wait_for, textGone, "Text to disappear", .max_length = LIMIT_SELECTOR, .empty_is_none = true),
	PARAM(browser_wait_for, target, "Element in which the text is awaited, or alone: to appear", .max_length = LIMIT_SELECTOR,
	      .empty_is_none = true, .is_for_terse = true),
	PARAM(browser_wait_for, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

struct awaited_text {
	const char *text; /* NULL: the target itself */
	bool gone;
};

/* The texts that one wait is for: it ends when one of them has appeared or disappeared. */
struct text_wait {
	struct awaited_text texts[2];
	unsigned count;
	const char *target; /* of the element in which the texts are looked for; NULL: in the page */
	usec_t timeout;
	bool names_caller; /* in the text of a time-out */
};

/* The locator of what is awaited, without "page."; in the task's arena. `place`: the element of the target, NULL without a target. */
static const char *locator_of(struct tool_call *call, const struct awaited_text *awaited, const struct found_target *place,
			      const char *quoted)
{
	const char *within = place ? place->locator : "";

	if (!awaited->text)
		return within;
	return arena_printf(task_arena(call->t), "%s%sgetByText(%s).first()", within, *within ? "." : "", quoted);
}

/* `seen`: the last report of the page script, or NULL. */
static int wait_for_fail_timeout(struct browse *b, const struct text_wait *w, const struct found_target *place,
				 const struct json *seen)
{
	const struct awaited_text *first = &w->texts[0];
	const char *quoted = first->text ? browse_quote(&b->call, first->text) : "";
	unsigned timeout = (unsigned)(w->timeout / USEC_PER_MSEC);
	_cleanup_(str_done) struct str log = {};

	str_appendf(&log, DIM "  - waiting for %s to be %s" UNDIM, locator_of(&b->call, first, place, quoted),
		    first->gone ? "hidden" : "visible");
	if (json_str(seen, "seen"))
		str_appendf(&log, DIM "    %u × locator resolved to %s %s" UNDIM, call_log_lookup_count(timeout),
			    json_bool(seen, "isVisible", false) ? "visible" : "hidden", json_str(seen, "seen"));
	if (page_dialog_type(b->page))
		str_appendf(&log, DIM "  - the page waits for its open \"%s\" dialog: handle that with browser_handle_dialog" UNDIM,
			    page_dialog_type(b->page));
	return browse_fail(&b->call, "TimeoutError: %sTimeout %ums exceeded.\nCall log:\n%s",
			   w->names_caller ? browse_reference_caller(&b->call) : "", timeout, log.data);
}

static void append_texts(const struct text_wait *w, struct str *out)
{
	for (unsigned i = 0; i < w->count; i++)
		str_json(out, "? {text: ?, gone: ?}", JSON_COMMA(i), w->texts[i].text, w->texts[i].gone);
}

/* Resolves the target once it leads to an element. */
static int await_target(struct browse *b, const struct text_wait *w, usec_t until, struct found_target *ret)
{
	int r;

	do {
		r = browse_find_target(b, w->target, ret);
		if (r != -ERR_ELEMENT_NOT_FOUND || clock_now() >= until)
			return r;
		task_forget_failure(b->call.t);
		task_set_deadline(b->call.t, USEC_NEVER);
		r = task_sleep(b->call.t, FRAMES_EVERY);
	} while (r == 0);
	return r;
}

static void wait_for_add_code(struct browse *b, const struct awaited_text *awaited, const struct found_target *place)
{
	const char *quoted = awaited->text ? arena_printf(task_arena(b->call.t), "\"%s\"", awaited->text) : "";

	browse_code(b, "%s.waitFor({ state: '%s' });", locator_of(&b->call, awaited, place, quoted),
		    awaited->gone ? "hidden" : "visible");
}

/* Waits in the document that there is now. */
static int wait_in_document(struct browse *b, const struct text_wait *w, usec_t until, const struct awaited_text **ret)
{
	_cleanup_(found_target_done) struct found_target found = {};
	const struct found_target *place = w->target ? &found : NULL;
	_cleanup_(json_freep) struct json *shown = NULL;
	_cleanup_(str_done) struct str texts = {};
	usec_t now;
	int r = 0;

	if (place)
		r = await_target(b, w, until, &found);
	now = clock_now();
	if (r < 0)
		return r;
	if (now >= until)
		return wait_for_fail_timeout(b, w, place, NULL);
	append_texts(w, &texts);
	task_set_deadline(b->call.t, page_dialog_type(b->page) ? until : until + ANSWER_LATE);
	r = frame_script(b->call.t, place ? found.target.frame : page_main_frame(b->page), &shown, "waitForText",
			 "{texts: [?], target: ?, timeout: ?}", JSON_RAW(texts.data),
			 JSON_RAW(place ? found.target.element : "null"), (double)(until - now) / USEC_PER_MSEC);
	if (r == -ETIMEDOUT || (r == 0 && json_int(shown, "done", -1) < 0))
		return wait_for_fail_timeout(b, w, place, shown);
	if (r < 0)
		return r;
	*ret = &w->texts[json_int(shown, "done", 0) % w->count];
	wait_for_add_code(b, *ret, place);
	return 0;
}

/* Begins again in the next document if the page navigates. `*ret` is what ended the wait. */
static int wait_for_text(struct browse *b, const struct text_wait *w, const struct awaited_text **ret)
{
	usec_t until = clock_now() + w->timeout;
	int r;

	do
		r = wait_in_document(b, w, until, ret);
	while (r == -ESTALE && page_alive(b->page));
	return r;
}

/* Whether the frame shows the text, if need be after `timeout`. A frame that is replaced meanwhile, or does not answer, does not. */
static int await_text_in(struct tool_call *call, _kept_ struct frame *f, const char *text, usec_t timeout, bool *ret)
{
	_cleanup_(json_freep) struct json *shown = NULL;
	int r;

	task_set_deadline(call->t, clock_now() + timeout + ANSWER_LATE);
	r = frame_script(call->t, f, &shown, "waitForText", "{texts: [{text: ?, gone: false}], timeout: ?}", text,
			 (double)timeout / USEC_PER_MSEC);
	task_set_deadline(call->t, USEC_NEVER);
	*ret = r == 0 && json_int(shown, "done", -1) == 0;
	return r == -ESTALE || r == -ETIMEDOUT ? 0 : MIN(r, 0);
}

/* The wait is in the main frame; without other frames it lasts for all of `timeout`. */
static int await_text_once(struct tool_call *call, _kept_ struct page *p, const char *text, usec_t timeout, bool *ret)
{
	_cleanup_(frame_list_done) struct frame_list frames = {};
	int r;

	page_list_frames(p, &frames);
	r = await_text_in(call, page_main_frame(p), text, frames.count > 1 ? MIN(timeout, FRAMES_EVERY) : timeout, ret);
	for (size_t i = 1; i < frames.count && r == 0 && !*ret; i++) {
		r = await_text_in(call, frame_list_item(&frames, i), text, 0, ret);
		if (r < 0 && !task_cancelled(call->t)) /* the frame of another process may be gone */
			r = 0;
	}
	return r;
}

int browse_await_text(struct tool_call *call, struct page *p, const char *text, usec_t timeout)
{
	usec_t until = clock_now() + timeout, now = clock_now();
	bool shown = false;
	int r;

	do {
		if (!page_alive(p) || page_blocked(p))
			return -ERR_ELEMENT_NOT_FOUND;
		r = await_text_once(call, p, text, until - now, &shown);
		now = clock_now();
	} while (r == 0 && !shown && now < until);
	return r == 0 && !shown ? -ERR_ELEMENT_NOT_FOUND : r;
}

static int wait_for_one(struct browse *b, const struct browser_wait_for *a, const char *text, bool gone)
{
	struct text_wait w = { .target = a->target, .timeout = b->call.timeouts.action, .names_caller = a->time != 0 };
	const struct awaited_text *ended;

	w.texts[w.count++] = (struct awaited_text){ text, gone };
	return wait_for_text(b, &w, &ended);
}

static int wait_for_time(struct browse *b, double seconds)
{
	double waited = MIN(seconds, (double)WAIT_MAX_SEC);

	response_add(&b->response.code, "await new Promise(f => setTimeout(f, %.15g * 1000));", waited);
	return task_sleep(b->call.t, (usec_t)(MAX(waited, 0) * USEC_PER_SEC));
}

static void report_time(struct browse *b, double seconds)
{
	if (seconds > WAIT_MAX_SEC)
		response_add(&b->response.result, "Waited for %d seconds (requested %.15g, maximum is %d)", WAIT_MAX_SEC, seconds,
			     WAIT_MAX_SEC);
	else
		response_add(&b->response.result, "Waited for %.15g seconds", seconds);
}

/* `text`: what ended the wait, or NULL if that was the target. */
static void report_awaited(struct browse *b, const struct browser_wait_for *a, const char *text)
{
	response_add(&b->response.result, "Waited for %s", text ? text : a->target);
}

/* 0.0.83: `time` passes first, then each text is awaited. */
static int wait_in_turn(struct browse *b, const struct browser_wait_for *a)
{
	int r = 0;

	if (a->time != 0)
		r = wait_for_time(b, a->time);
	if (r == 0 && a->textGone)
		r = wait_for_one(b, a, a->textGone, true);
	if (r == 0 && (a->text || (a->target && !a->textGone)))
		r = wait_for_one(b, a, a->text, false);
	if (r < 0)
		return r;
	if (a->text || a->textGone || a->target)
		report_awaited(b, a, a->text ? a->text : a->textGone);
	else
		report_time(b, a->time);
	return 0;
}

/* 0.0.84: the first text that is as awaited ends the wait, and `time` limits it. */
static int wait_for_first(struct browse *b, const struct browser_wait_for *a)
{
	struct text_wait w = { .target = a->target, .timeout = b->call.timeouts.action };
	const struct awaited_text *ended = NULL;
	int r;

	if (a->text || (a->target && !a->textGone))
		w.texts[w.count++] = (struct awaited_text){ .text = a->text };
	if (a->textGone)
		w.texts[w.count++] = (struct awaited_text){ a->textGone, .gone = true };
	if (!w.count) {
		r = wait_for_time(b, a->time);
		if (r == 0)
			report_time(b, a->time);
		return r;
	}
	if (a->time > 0)
		w.timeout = (usec_t)(MIN(a->time, (double)WAIT_MAX_SEC) * USEC_PER_SEC);
	r = wait_for_text(b, &w, &ended);
	if (r == 0)
		report_awaited(b, a, ended->text);
	return r;
}

static int wait_for_run(struct browse *b, const void *args)
{
	const struct browser_wait_for *a = args;

	if (!a->text && !a->textGone && !a->target && a->time == 0)
		return task_fail(b->call.t, -EINVAL, "Either time, text or textGone must be provided");
	b->response.snapshot = SNAPSHOT_LINK;
	page_watch_modals(b->page, NULL); /* a dialog that opens meanwhile is reported in the answer */
	return b->call.app->answers->compat >= COMPAT_0_0_84 ? wait_for_first(b, a) : wait_in_turn(b, a);
}

const struct tool tool_browser_wait_for =
	BROWSE_TOOL("browser_wait_for", "Wait for", browser_wait_for, "Wait until a text appears or disappears, or for a time.",
		    (&(const struct browse_tool){ .run = wait_for_run, .modals = MODAL_IGNORES }), .read_only = true,
		    .terse = "Wait for text, in target if given, its end, target, or seconds");
