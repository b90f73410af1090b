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
	const char *sessionId, *text, *textGone;
	double time;
};

static const struct param browser_wait_for_params[] = {
	PARAM(browser_wait_for, time, "Seconds to wait (at most 30), before the text if one is given"),
	PARAM(browser_wait_for, text, "Text to appear", .max_length = LIMIT_SELECTOR, .empty_is_none = true),
	PARAM(browser_wait_for, textGone, "Text to disappear", .max_length = LIMIT_SELECTOR, .empty_is_none = true),
	PARAM(browser_wait_for, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

struct awaited_text {
	const char *text; /* NULL: none */
	bool gone;
};

/* The texts that one wait is for: it ends when one of them has appeared or disappeared. */
struct text_wait {
	struct awaited_text texts[2];
	unsigned count;
	usec_t timeout;
	bool names_caller; /* in the text of a time-out */
};

static void add_text(struct text_wait *w, const char *text, bool gone)
{
	if (text)
		w->texts[w->count++] = (struct awaited_text){ text, gone };
}

/* `seen`: the last report of the page script, or NULL. */
static int fail_timeout(struct browse *b, const struct text_wait *w, const struct json *seen)
{
	const struct awaited_text *first = &w->texts[0];
	unsigned timeout = (unsigned)(w->timeout / USEC_PER_MSEC);
	_cleanup_(str_done) struct str log = {};

	str_appendf(&log, DIM "  - waiting for getByText(%s).first() to be %s" UNDIM, browse_quote(b, first->text),
		    first->gone ? "hidden" : "visible");
	if (json_str(seen, "seen"))
		str_appendf(&log, DIM "    %u × locator resolved to %s %s" UNDIM, call_log_lookup_count(timeout),
			    json_bool(seen, "isVisible", false) ? "visible" : "hidden", json_str(seen, "seen"));
	if (page_dialog_type(b->page))
		str_appendf(&log, DIM "  - the page waits for its open \"%s\" dialog: handle that with browser_handle_dialog" UNDIM,
			    page_dialog_type(b->page));
	return browse_fail(b, "TimeoutError: %sTimeout %ums exceeded.\nCall log:\n%s",
			   w->names_caller ? "browserBackend.callTool: " : "", timeout, log.data);
}

static void append_texts(const struct text_wait *w, struct str *out)
{
	for (unsigned i = 0; i < w->count; i++)
		str_json(out, "? {text: ?, gone: ?}", JSON_COMMA(i), w->texts[i].text, w->texts[i].gone);
}

/* Calls the page script again if the page navigates. `*ret` is the text that ended the wait. */
static int wait_for_text(struct browse *b, const struct text_wait *w, const struct awaited_text **ret)
{
	usec_t until = clock_now() + w->timeout;
	_cleanup_(str_done) struct str texts = {};
	int r;

	append_texts(w, &texts);
	do {
		_cleanup_(json_freep) struct json *shown = NULL;
		usec_t now = clock_now();

		if (now >= until)
			return fail_timeout(b, w, NULL);
		task_set_deadline(b->t, page_dialog_type(b->page) ? until : until + ANSWER_LATE);
		r = frame_script(b->t, page_main_frame(b->page), &shown, "waitForText", "{texts: [?], timeout: ?}",
				 JSON_RAW(texts.data), (double)(until - now) / USEC_PER_MSEC);
		if (r == 0 && json_int(shown, "done", -1) < 0)
			return fail_timeout(b, w, shown);
		if (r == 0)
			*ret = &w->texts[json_int(shown, "done", 0) % w->count];
	} while (r == -ESTALE && page_alive(b->page));
	return r == -ETIMEDOUT ? fail_timeout(b, w, NULL) : r;
}

/* Whether the frame shows the text, if need be after `timeout`. A frame that is replaced meanwhile, or does not answer, does not. */
static int await_text_in(struct browse *b, _kept_ struct frame *f, const char *text, usec_t timeout, bool *ret)
{
	_cleanup_(json_freep) struct json *shown = NULL;
	int r;

	task_set_deadline(b->t, clock_now() + timeout + ANSWER_LATE);
	r = frame_script(b->t, f, &shown, "waitForText", "{texts: [{text: ?, gone: false}], timeout: ?}", text,
			 (double)timeout / USEC_PER_MSEC);
	task_set_deadline(b->t, USEC_NEVER);
	*ret = r == 0 && json_int(shown, "done", -1) == 0;
	return r == -ESTALE || r == -ETIMEDOUT ? 0 : MIN(r, 0);
}

/* The wait is in the main frame; without other frames it lasts for all of `timeout`. */
static int await_text_once(struct browse *b, _kept_ struct page *p, const char *text, usec_t timeout, bool *ret)
{
	_cleanup_(frame_list_done) struct frame_list frames = {};
	int r;

	page_list_frames(p, &frames);
	r = await_text_in(b, page_main_frame(p), text, frames.count > 1 ? MIN(timeout, FRAMES_EVERY) : timeout, ret);
	for (size_t i = 1; i < frames.count && r == 0 && !*ret; i++) {
		r = await_text_in(b, frame_list_item(&frames, i), text, 0, ret);
		if (r < 0 && !task_cancelled(b->t)) /* the frame of another process may be gone */
			r = 0;
	}
	return r;
}

int browse_await_text(struct browse *b, struct page *p, const char *text, usec_t timeout)
{
	usec_t until = clock_now() + timeout, now = clock_now();
	bool shown = false;
	int r;

	do {
		if (!page_alive(p) || page_blocked(p))
			return -ERR_ELEMENT_NOT_FOUND;
		r = await_text_once(b, p, text, until - now, &shown);
		now = clock_now();
	} while (r == 0 && !shown && now < until);
	return r == 0 && !shown ? -ERR_ELEMENT_NOT_FOUND : r;
}

static void add_code(struct browse *b, const struct awaited_text *text)
{
	browse_code(b, "getByText(\"%s\").first().waitFor({ state: '%s' });", text->text, text->gone ? "hidden" : "visible");
}

static int wait_for_one(struct browse *b, const struct browser_wait_for *a, const char *text, bool gone)
{
	struct text_wait w = { .timeout = b->timeouts.action, .names_caller = a->time != 0 };
	const struct awaited_text *ended;

	add_text(&w, text, gone);
	if (!w.count)
		return 0;
	add_code(b, &w.texts[0]);
	return wait_for_text(b, &w, &ended);
}

static int wait_for_time(struct browse *b, double seconds)
{
	double waited = MIN(seconds, (double)WAIT_MAX_SEC);

	response_add(&b->response.code, "await new Promise(f => setTimeout(f, %.15g * 1000));", waited);
	return task_sleep(b->t, (usec_t)(MAX(waited, 0) * USEC_PER_SEC));
}

static void report_time(struct browse *b, double seconds)
{
	if (seconds > WAIT_MAX_SEC)
		response_add(&b->response.result, "Waited for %d seconds (requested %.15g, maximum is %d)", WAIT_MAX_SEC, seconds,
			     WAIT_MAX_SEC);
	else
		response_add(&b->response.result, "Waited for %.15g seconds", seconds);
}

/* 0.0.83: `time` passes first, then each text is awaited. */
static int wait_in_turn(struct browse *b, const struct browser_wait_for *a)
{
	int r = 0;

	if (a->time != 0)
		r = wait_for_time(b, a->time);
	if (r == 0)
		r = wait_for_one(b, a, a->textGone, true);
	if (r == 0)
		r = wait_for_one(b, a, a->text, false);
	if (r < 0)
		return r;
	if (a->text || a->textGone)
		response_add(&b->response.result, "Waited for %s", a->text ? a->text : a->textGone);
	else
		report_time(b, a->time);
	return 0;
}

/* 0.0.84: the first text that is as awaited ends the wait, and `time` limits it. */
static int wait_for_first(struct browse *b, const struct browser_wait_for *a)
{
	struct text_wait w = { .timeout = b->timeouts.action };
	const struct awaited_text *ended = NULL;
	int r;

	add_text(&w, a->text, false);
	add_text(&w, a->textGone, true);
	if (!w.count) {
		r = wait_for_time(b, a->time);
		if (r == 0)
			report_time(b, a->time);
		return r;
	}
	if (a->time > 0)
		w.timeout = (usec_t)(MIN(a->time, (double)WAIT_MAX_SEC) * USEC_PER_SEC);
	r = wait_for_text(b, &w, &ended);
	if (r < 0)
		return r;
	add_code(b, ended);
	response_add(&b->response.result, "Waited for %s", ended->text);
	return 0;
}

static int wait_for_run(struct browse *b, const void *args)
{
	const struct browser_wait_for *a = args;

	if (!a->text && !a->textGone && a->time == 0)
		return task_fail(b->t, -EINVAL, "Either time, text or textGone must be provided");
	b->response.snapshot = SNAPSHOT_LINK;
	page_watch_modals(b->page, NULL); /* a dialog that opens meanwhile is reported in the answer */
	return b->app->answers->compat >= COMPAT_0_0_84 ? wait_for_first(b, a) : wait_in_turn(b, a);
}

const struct tool tool_browser_wait_for =
	BROWSE_TOOL("browser_wait_for", "Wait for", browser_wait_for, "Wait until a text appears or disappears, or for a time.",
		    (&(const struct browse_tool){ .run = wait_for_run, .modals = MODAL_IGNORES }), .read_only = true,
		    .terse = "Wait for text, its end, or seconds");
