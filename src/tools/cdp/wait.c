/* wait_for_event. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/pattern.h"
#include "observe/event.h"
#include "tools/cdp/cdp_tool.h"
#include "tools/cdp/tools.h"

struct wait_for_event {
	const char *targetId, *urlIncludes, *method, *text, *pattern;
	struct string_list kinds;
	int status, timeout;
	int64_t since;
};

#define WAIT_MSEC 30000

static const struct param wait_for_event_params[] = {
	PARAM(wait_for_event, targetId, TARGET_ID_ABOUT, .required = true),
	PARAM(wait_for_event, since, "First seq to look at: nextOffset of an earlier answer; default 0: all stored events",
	      .min = 0, .max = JSON_INTEGER_MAX),
	PARAM(wait_for_event, kinds, "Only these kinds; default: any", .choices = event_kind_table),
	PARAM(wait_for_event, urlIncludes, "Substring of the URL of a request, or of a message's script"),
	PARAM(wait_for_event, method, "HTTP method, such as POST"),
	PARAM(wait_for_event, status, "HTTP status of a response", .min = 100, .max = 599),
	PARAM(wait_for_event, text,
	      "Substring of a console message, request body, WebSocket frame, dialog message or download name"),
	PARAM(wait_for_event, pattern, "POSIX extended regular expression, for the same texts"),
	PARAM(wait_for_event, timeout, "Milliseconds", .min = 1, .max = TIMEOUT_MAX_MSEC),
	{}
};

static const struct wait_for_event wait_for_event_defaults = { .timeout = WAIT_MSEC };

/* The events that a call waits for. */
struct wish {
	const struct wait_for_event *args;
	struct journal_query query;
	regex_t *pattern; /* NULL: none */
};

static void wish_done(struct wish *w)
{
	if (w->pattern)
		regfree(w->pattern);
}

static const char *text_of(const struct observed *e)
{
	const char *text = e->kind & OBSERVED_MESSAGES   ? e->message.text :
			   e->kind == OBSERVED_REQUEST   ? e->sent.body :
			   e->kind == OBSERVED_WEBSOCKET ? e->websocket.payload :
			   e->kind == OBSERVED_DIALOG    ? e->dialog.message :
			   e->kind == OBSERVED_DOWNLOAD  ? e->download.name :
							   NULL;

	return text ? text : "";
}

static bool grants(const struct wish *w, const struct observed *e)
{
	const struct wait_for_event *a = w->args;

	if (a->status && (e->kind != OBSERVED_RESPONSE || e->response.status != a->status))
		return false;
	if (a->text && !strstr(text_of(e), a->text))
		return false;
	return !w->pattern || regexec(w->pattern, text_of(e), 0, NULL, 0) == 0;
}

/* The first matching event from `*offset` on; NULL: there is none yet. */
static const struct observed *find(const struct wish *w, struct observation *ob, uint64_t *offset)
{
	const struct observed *e;

	while ((e = journal_next(observation_journal(ob), &w->query, offset)) && e->seq < observation_end(ob))
		if (grants(w, e))
			return e;
	return NULL;
}

/* Suspends until an event is added or the target is closed. */
static int await_news(struct task *t, _borrowed_ struct observation *ob)
{
	_cleanup_(page_unrefp) struct page *page = page_ref(observation_page(ob));

	return page_await_event(t, page, 0, "an event of the page");
}

static void answer(struct result *res, struct observation *ob, const struct observed *e, uint64_t next)
{
	_cleanup_(str_done) struct str event = {};

	if (e)
		event_json(&event, observation_journal(ob), e, observation_target_id(ob));
	result_json(res, "{event: %p, nextOffset: %llu, timedOut: %i}", event.data, (unsigned long long)next, !e);
}

/* A time-out is not a failure: the answer contains the offset at which to continue. */
static int wait_until_granted(struct task *t, struct mcp_call *call, const struct wish *w, struct result *res)
{
	uint64_t offset = (uint64_t)w->args->since;
	const struct observed *e = NULL;
	struct observation *ob = NULL;
	bool late = false;
	int r;

	r = observers_find(t, call_observers(call), call_owner(call), w->args->targetId, false, &ob);
	while (r == 0 && !(e = find(w, ob, &offset)) && !late && observation_attached(ob)) {
		r = await_news(t, ob);
		late = r == -ETIMEDOUT;
		if (r < 0 && !late)
			return r;
		r = observers_find(t, call_observers(call), call_owner(call), w->args->targetId, false,
				   &ob); /* may have ended during the wait */
	}
	if (r < 0)
		return r;
	if (!e && !late)
		return task_fail(
			t, -ERR_NOT_OBSERVING,
			"the target has gone or is no longer observed, and no such event has come; cdp_read_events has what came");
	answer(res, ob, e, e ? e->seq + 1 : MIN(offset, observation_end(ob)));
	return 0;
}

static int wait_for_event_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct wait_for_event *a = args;
	regex_t pattern;
	_cleanup_(wish_done) struct wish w = {
		.args = a,
		.query = { .kinds = event_kinds_of(&a->kinds), .url_includes = a->urlIncludes, .method = a->method },
	};

	task_set_deadline(t, clock_now() + (usec_t)a->timeout * USEC_PER_MSEC);
	if (a->pattern && pattern_compile(a->pattern, 0, &pattern) < 0)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "pattern: \"%.200s\" " PATTERN_ADVICE, a->pattern);
	w.pattern = a->pattern ? &pattern : NULL;
	return wait_until_granted(t, call, &w, res);
}

const struct tool tool_wait_for_event = CDP_TOOL(
	"wait_for_event", "Wait for an event", wait_for_event,
	"Wait until an observed target has an event that matches all given conditions, and answer it. Stored events count, too; after timeout "
	"the answer has no event.",
	"{\"type\":\"object\",\"properties\":{\"event\":{\"type\":[\"object\",\"null\"]},\"nextOffset\":{\"type\":\"integer\"},"
	"\"timedOut\":{\"type\":\"boolean\"}},\"required\":[\"event\",\"nextOffset\",\"timedOut\"]}",
	.read_only = true, .defaults = &wait_for_event_defaults);
