/* browser_wait_for. */
#include <errno.h>

#include "base/limits.h"
#include "page/page.h"
#include "reply/call_log.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

#define WAIT_MAX_SEC 30
#define ANSWER_LATE (50 * USEC_PER_MSEC) /* for the page script to report, after the time-out, the last element that it saw */

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
	const char *text;
	bool gone;
	bool paused; /* the call also waited for `time` */
};

/* The reference names the tool's source only if the call also paused. `seen`: the last report of the page script, or NULL. */
static int fail_timeout(struct browse *b, const struct awaited_text *w, const struct json *seen)
{
	unsigned timeout = (unsigned)(b->timeouts.action / USEC_PER_MSEC);
	_cleanup_(str_done) struct str log = {};

	str_appendf(&log, DIM "  - waiting for getByText(%s).first() to be %s" UNDIM, browse_quote(b, w->text),
		    w->gone ? "hidden" : "visible");
	if (json_str(seen, "seen"))
		str_appendf(&log, DIM "    %u × locator resolved to %s %s" UNDIM, call_log_lookup_count(timeout),
			    json_bool(seen, "isVisible", false) ? "visible" : "hidden", json_str(seen, "seen"));
	if (page_dialog_type(b->page))
		str_appendf(&log, DIM "  - the page waits for its open \"%s\" dialog: handle that with browser_handle_dialog" UNDIM,
			    page_dialog_type(b->page));
	return browse_fail(b, "TimeoutError: %sTimeout %ums exceeded.\nCall log:\n%s", w->paused ? "browserBackend.callTool: " : "",
			   timeout, log.data);
}

/* Calls the page script again if the page navigates. */
static int wait_for_text(struct browse *b, const struct awaited_text *w)
{
	usec_t until = clock_now() + b->timeouts.action;
	int r;

	browse_code(b, "getByText(\"%s\").first().waitFor({ state: '%s' });", w->text, w->gone ? "hidden" : "visible");
	do {
		_cleanup_(json_freep) struct json *shown = NULL;
		usec_t now = clock_now();

		if (now >= until)
			return fail_timeout(b, w, NULL);
		task_set_deadline(b->t, page_dialog_type(b->page) ? until : until + ANSWER_LATE);
		r = frame_script(b->t, page_main_frame(b->page), &shown, "waitForText", "{text: ?, gone: ?, timeout: ?}", w->text,
				 w->gone, (double)(until - now) / USEC_PER_MSEC);
		if (r == 0 && !json_bool(shown, "done", false))
			return fail_timeout(b, w, shown);
	} while (r == -ESTALE && page_alive(b->page));
	return r == -ETIMEDOUT ? fail_timeout(b, w, NULL) : r;
}

static int wait_for_time(struct browse *b, double seconds)
{
	double waited = MIN(seconds, (double)WAIT_MAX_SEC);

	response_add(&b->response.code, "await new Promise(f => setTimeout(f, %.15g * 1000));", waited);
	return task_sleep(b->t, (usec_t)(MAX(waited, 0) * USEC_PER_SEC));
}

static int wait_for_run(struct browse *b, const void *args)
{
	const struct browser_wait_for *a = args;
	int r = 0;

	if (!a->text && !a->textGone && a->time == 0)
		return task_fail(b->t, -EINVAL, "Either time, text or textGone must be provided");
	b->response.snapshot = SNAPSHOT_LINK;
	page_watch_modals(b->page, NULL); /* a dialog that opens meanwhile is reported in the answer */
	if (a->time != 0)
		r = wait_for_time(b, a->time);
	if (r == 0 && a->textGone)
		r = wait_for_text(b, &(const struct awaited_text){ a->textGone, true, a->time != 0 });
	if (r == 0 && a->text)
		r = wait_for_text(b, &(const struct awaited_text){ a->text, false, a->time != 0 });
	if (r < 0)
		return r;
	if (a->text || a->textGone)
		response_add(&b->response.result, "Waited for %s", a->text ? a->text : a->textGone);
	else if (a->time > WAIT_MAX_SEC)
		response_add(&b->response.result, "Waited for %d seconds (requested %.15g, maximum is %d)", WAIT_MAX_SEC, a->time,
			     WAIT_MAX_SEC);
	else
		response_add(&b->response.result, "Waited for %.15g seconds", a->time);
	return 0;
}

const struct tool tool_browser_wait_for =
	BROWSE_TOOL("browser_wait_for", "Wait for", browser_wait_for, "Wait until a text appears or disappears, or for a time.",
		    (&(const struct browse_tool){ .run = wait_for_run, .modals = MODAL_IGNORES }), .read_only = true);
