/* wait_for_event. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "browser/matcher.h"
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
	PARAM(wait_for_event, pattern, "JavaScript regular expression, or /expression/flags, for the same texts",
	      .max_length = LIMIT_REGEX),
	PARAM(wait_for_event, timeout, "Milliseconds", .min = 1, .max = TIMEOUT_MAX_MSEC),
	{}
};

static const struct wait_for_event wait_for_event_defaults = { .timeout = WAIT_MSEC };

/* The events that a call waits for. */
struct criteria {
	const struct wait_for_event *args;
	struct journal_query query;
	struct matcher_regex regex;
	_kept_ struct matcher *matcher; /* NULL: no pattern */
	usec_t end;                     /* of the wait */
	uint64_t stored;                /* where the stored events ended when the call began */
};

static void criteria_done(struct criteria *c)
{
	matcher_unref(c->matcher);
}

static const char *wait_text_of(const struct observed *e)
{
	const char *text = e->kind & OBSERVED_MESSAGES   ? e->message.text :
			   e->kind == OBSERVED_REQUEST   ? e->sent.body :
			   e->kind == OBSERVED_WEBSOCKET ? e->websocket.payload :
			   e->kind == OBSERVED_DIALOG    ? e->dialog.message :
			   e->kind == OBSERVED_DOWNLOAD  ? e->download.name :
							   NULL;

	return text ? text : "";
}

/* Whether the event meets all conditions but the pattern. */
static bool meets_conditions(const struct criteria *c, const struct observed *e)
{
	const struct wait_for_event *a = c->args;

	if (a->status && (e->kind != OBSERVED_RESPONSE || e->response.status != a->status))
		return false;
	return !a->text || strstr(wait_text_of(e), a->text);
}

static int wait_find_observation(struct task *t, struct mcp_call *call, const struct criteria *c, struct observation **ret)
{
	return observers_find(t, call_observers(call), call_owner(call), c->args->targetId, false, ret);
}

/* The first event from `*offset` on that meets the conditions but the pattern; NULL if there is none yet. Moves `*offset` behind it. */
static const struct observed *next_candidate(const struct criteria *c, struct observation *ob, uint64_t *offset)
{
	const struct journal_excerpt v = observation_excerpt(ob);
	const struct observed *e;

	while ((e = journal_excerpt_next(observation_journal(ob), &v, &c->query, offset)))
		if (meets_conditions(c, e))
			return e;
	return NULL;
}

/* Adds candidates from `*offset` on, as many as are searched at a time. */
static void add_candidates(struct matcher_texts *texts, const struct criteria *c, struct observation *ob, uint64_t *offset)
{
	const struct observed *e;

	while (!matcher_is_full(texts) && (e = next_candidate(c, ob, offset)))
		matcher_add(texts, e->seq, wait_text_of(e), strlen(wait_text_of(e)));
}

struct progress {
	uint64_t offset; /* of the first event that has not been examined */
	uint64_t found;  /* number of an event that matches, or OBSERVED_NONE */
	bool ended;      /* there was no further candidate for the pattern */
};

/* Searches the next candidates for the pattern. */
static int search_candidates(struct task *t, struct mcp_call *call, const struct criteria *c, struct progress *p)
{
	_cleanup_(matcher_texts_done) struct matcher_texts texts = {};
	_cleanup_(json_freep) struct json *found = NULL;
	struct observation *ob = NULL;
	int r;

	p->found = OBSERVED_NONE;
	r = wait_find_observation(t, call, c, &ob);
	if (r < 0)
		return r;
	add_candidates(&texts, c, ob, &p->offset);
	p->ended = texts.json.len == 0;
	if (p->ended)
		return 0;
	r = matcher_search(t, c->matcher, &c->regex, &texts, &found);
	if (r == 0 && json_count(found) > 0)
		p->found = (uint64_t)json_int(json_first(found), NULL, 0);
	return r;
}

/* Whether the event that was found is still held: others may have replaced it during the search. */
static bool is_held(struct task *t, struct mcp_call *call, const struct criteria *c, uint64_t seq)
{
	struct observation *ob = NULL;

	return seq != OBSERVED_NONE && wait_find_observation(t, call, c, &ob) == 0 && journal_at(observation_journal(ob), seq);
}

/* A page that adds events all the time does not prolong the wait; the stored events are examined in any case. */
static bool wait_is_over(const struct criteria *c, const struct progress *p)
{
	return p->ended || (p->offset >= c->stored && clock_now() >= c->end);
}

/* Examines events until one matches or none is left. Does not suspend after that. */
static int examine(struct task *t, struct mcp_call *call, const struct criteria *c, struct progress *p)
{
	struct observation *ob = NULL;
	const struct observed *e;
	int r = 0;

	p->found = OBSERVED_NONE;
	p->ended = false;
	while (r == 0 && c->matcher && !wait_is_over(c, p) && !is_held(t, call, c, p->found))
		r = search_candidates(t, call, c, p);
	if (r < 0 || c->matcher)
		return r;
	r = wait_find_observation(t, call, c, &ob);
	if (r < 0)
		return r;
	e = next_candidate(c, ob, &p->offset);
	p->found = e ? e->seq : OBSERVED_NONE;
	return 0;
}

/* Suspends until an event is added, the target is closed or it is `end`. */
static int await_news(struct task *t, _borrowed_ struct observation *ob, usec_t end)
{
	_cleanup_(page_unrefp) struct page *page = page_ref(observation_page(ob));
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), end));
	int r = page_await_event(t, page, 0, "an event of the page");

	task_set_deadline(t, outer);
	return r;
}

static void wait_answer(struct result *res, struct observation *ob, const struct progress *p)
{
	const struct observed *e = journal_at(observation_journal(ob), p->found);
	uint64_t next = e ? e->seq + 1 : MIN(p->offset, observation_excerpt(ob).end);
	_cleanup_(str_done) struct str event = {};

	if (e)
		event_json(&event, observation_journal(ob), e, observation_target_id(ob),
			   journal_filter_text_max(observation_filter(ob)));
	result_json(res, "{event: ?, nextOffset: ?, timedOut: ?}", JSON_RAW(event.data), next, (bool)!e);
}

/* A time-out is not a failure: the answer contains the offset at which to continue. */
static int wait_for_match(struct task *t, struct mcp_call *call, const struct criteria *c, struct result *res)
{
	struct progress p = { .offset = (uint64_t)c->args->since };
	bool late = false;
	int r;

	while ((r = examine(t, call, c, &p)) == 0) {
		struct observation *ob = NULL;

		r = wait_find_observation(t, call, c, &ob);
		if (r < 0)
			return r;
		if (late || p.found != OBSERVED_NONE) {
			wait_answer(res, ob, &p);
			return 0;
		}
		if (!observation_attached(ob))
			return task_fail(t, -ERR_NOT_OBSERVING,
					 "the target has gone or is no longer observed, and no such event has come; "
					 "cdp_read_events has what came");
		r = await_news(t, ob, c->end);
		late = r == -ETIMEDOUT;
		if (r < 0 && !late)
			return r;
	}
	return r;
}

/* A pattern that is no expression is refused at once, also while there is no event to search. */
static int check_pattern(struct task *t, const struct criteria *c)
{
	_cleanup_(json_freep) struct json *found = NULL;

	return c->matcher ? matcher_search(t, c->matcher, &c->regex, &(const struct matcher_texts){}, &found) : 0;
}

static int wait_for_event_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct wait_for_event *a = args;
	_cleanup_(criteria_done) struct criteria c = {
		.args = a,
		.query = { .kinds = event_kinds_of(&a->kinds), .url_includes = a->urlIncludes, .method = a->method },
		.regex = { "pattern", a->pattern },
		.matcher = a->pattern ? matcher_ref(app_browser(call_app(call), call_owner(call), a->targetId), call_owner(call)) :
					NULL,
	};
	struct observation *ob = NULL;
	int r;

	r = check_pattern(t, &c);
	if (r == 0)
		r = wait_find_observation(t, call, &c, &ob);
	if (r < 0)
		return r;
	c.stored = observation_excerpt(ob).end;
	c.end = clock_now() + (usec_t)a->timeout * USEC_PER_MSEC;
	return wait_for_match(t, call, &c, res);
}

const struct tool tool_wait_for_event = CDP_TOOL(
	"wait_for_event", "Wait for an event", wait_for_event,
	"Wait until an observed target has an event that matches all given conditions, and answer it. Stored events count, too; after timeout "
	"the answer has no event.",
	"{\"type\":\"object\",\"properties\":{\"event\":{\"type\":[\"object\",\"null\"]},\"nextOffset\":{\"type\":\"integer\"},"
	"\"timedOut\":{\"type\":\"boolean\"}},\"required\":[\"event\",\"nextOffset\",\"timedOut\"]}",
	.read_only = true, .task_after = TOOL_TASK_AFTER, .defaults = &wait_for_event_defaults);
