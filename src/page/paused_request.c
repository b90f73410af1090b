/* Requests that the browser has paused: their life and their answers. */
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "base/names.h"
#include "observe/journal.h"
#include "page/answers.h"
#include "page/fence.h"
#include "page/internal.h"
#include "page/intercept.h"
#include "page/paused_request.h"

struct paused_request *paused_request_new(struct page *p, const struct engine_target *s, struct intercepted_request *reported)
{
	struct paused_request *q = NEW(struct paused_request);

	q->refs = 1;
	q->page = page_ref(p);
	q->asked = UINT64_MAX;
	engine_id_set(q->session_id, engine_target_id(s));
	q->reported = *reported;
	*reported = (struct intercepted_request){};
	return q;
}

struct paused_request *paused_request_ref(struct paused_request *q)
{
	if (q)
		q->refs++;
	return q;
}

struct paused_request *paused_request_unref(struct paused_request *q)
{
	if (!q || --q->refs > 0)
		return NULL;
	intercepted_request_done(&q->reported);
	free(q->changed.url);
	free(q->changed.method);
	free(q->changed.body);
	header_list_done(&q->changed.fields);
	page_unref(q->page);
	free(q);
	return NULL;
}

/* ---- reading the request ---- */

const struct intercepted_request *paused_request_reported(const struct paused_request *q)
{
	return &q->reported;
}

const char *paused_request_type(const struct paused_request *q)
{
	const struct observed *e;

	if (q->reported.kind != RESOURCE_XHR)
		return q->reported.type;
	e = journal_find(page_journal(q->page), q->reported.network_id);
	return e && e->kind == OBSERVED_REQUEST ? e->sent.type : NULL;
}

struct page *paused_request_page(const struct paused_request *q)
{
	return q->page;
}

bool paused_request_answered(const struct paused_request *q)
{
	return q->answered;
}

bool paused_request_is_preflight(const struct paused_request *q)
{
	return strcmp(q->reported.method, "OPTIONS") == 0 &&
	       header_list_find(&q->reported.headers, "Access-Control-Request-Method");
}

/* ---- what redirects inherit ---- */

void changed_requests_forget(struct interception *all, unsigned kept)
{
	while (all->changed_count > kept) {
		struct changed_request *c = TAILQ_FIRST(&all->changed);

		TAILQ_REMOVE(&all->changed, c, link);
		all->changed_count--;
		header_list_done(&c->fields);
		free(c);
	}
}

/* What follows after a redirect has an id of its own and names the one before. */
static void remember_fields(struct page *p, const char *request_id, const struct header_list *fields)
{
	struct interception *all = p->group ? &p->group->interception : NULL;
	struct changed_request *changed;

	if (!all)
		return;
	changed_requests_forget(all, LIMIT_CHANGED_REQUESTS_COUNT - 1);
	changed = NEW(struct changed_request);
	engine_id_set(changed->id, request_id);
	header_list_add_all(&changed->fields, fields);
	TAILQ_INSERT_TAIL(&all->changed, changed, link);
	all->changed_count++;
}

/* ---- answers ---- */

/* The attachment for the only answer that there may be; NULL: there was one, or the target is gone. */
static struct engine_target *take_session(struct paused_request *q)
{
	struct engine_target *s = q->answered ? NULL : page_session(q->page, q->session_id);

	q->answered = true;
	return s;
}

static bool is_same_origin(const char *origin, const char *url)
{
	size_t len = strlen(origin);

	return strncasecmp(origin, url, len) == 0 && strchr("/?#", url[len]);
}

/* The fields by which a document of another origin may read the response. */
static void add_cors_fields(struct header_list *fields, const struct paused_request *q)
{
	const char *origin = header_list_find(&q->reported.headers, "Origin");

	if (!origin || is_same_origin(origin, q->reported.url) || header_list_find(fields, "Access-Control-Allow-Origin"))
		return;
	header_list_add(fields, "Access-Control-Allow-Origin", origin);
	header_list_add(fields, "Access-Control-Allow-Credentials", "true");
	header_list_add(fields, "Vary", "Origin");
}

bool paused_request_fulfill(struct paused_request *q, const struct fulfilment *f)
{
	_cleanup_(header_list_done) struct header_list fields = {};
	struct engine_target *s = take_session(q);
	struct page_answer *a;

	if (!s)
		return false;
	if (f->headers)
		header_list_add_all(&fields, f->headers);
	add_cors_fields(&fields, q);
	a = page_answer_new(q->page, ANSWER_TO_REQUEST);
	page_answer_sent(a, engine_fulfil(s, q->reported.id,
					  &(const struct fulfilment){ .status = f->status, .headers = &fields, .body = f->body },
					  &a->call, page_answer_taken, a));
	return true;
}

void paused_request_answer_preflight(struct paused_request *q)
{
	const struct header_list *asked = &q->reported.headers;
	const char *names = header_list_find(asked, "Access-Control-Request-Headers");
	_cleanup_(header_list_done) struct header_list fields = {};

	header_list_add(&fields, "Access-Control-Allow-Methods", header_list_find(asked, "Access-Control-Request-Method"));
	if (names)
		header_list_add(&fields, "Access-Control-Allow-Headers", names);
	paused_request_fulfill(q, &(const struct fulfilment){ .status = 204, .headers = &fields });
}

/* Adds the fields of `before` that the changes leave as they are. */
static void add_unchanged(struct header_list *to, const struct header_list *before, const struct header_list *changes)
{
	_cleanup_(names_done) struct names changed = { .compare = strcasecmp };

	for (size_t i = 0; i < changes->count; i++)
		names_add(&changed, changes->items[i].name);
	names_sort(&changed);
	for (size_t i = 0; i < before->count; i++)
		if (!names_have(&changed, before->items[i].name))
			header_list_add(to, before->items[i].name, before->items[i].value);
}

void paused_request_changed_headers(const struct paused_request *q, struct header_list *ret)
{
	const struct header_list *changes = &q->changed.fields;

	add_unchanged(ret, &q->reported.headers, changes);
	for (size_t i = 0; i < changes->count; i++)
		if (changes->items[i].value)
			header_list_add(ret, changes->items[i].name, changes->items[i].value);
}

static void replace(char **text, const char *by)
{
	if (!by)
		return;
	free(*text);
	*text = must(strdup(by));
}

void paused_request_remember(struct paused_request *q, const struct request_changes *c)
{
	struct header_list fields = {};

	replace(&q->changed.url, c->url);
	replace(&q->changed.method, c->method);
	replace(&q->changed.body, c->body);
	if (!c->fields)
		return;
	add_unchanged(&fields, &q->changed.fields, c->fields);
	header_list_add_all(&fields, c->fields);
	header_list_done(&q->changed.fields);
	q->changed.fields = fields;
}

/*
 * Whether the request may be sent to another address than it was reported with. The page takes what comes from there for an answer of the
 * reported address: the main frame shows it as an offered document, and scripts read it as one of their own origin. So a request of any kind stays
 * within the fence, and also that of a frame.
 */
static bool may_change_to(const struct paused_request *q, const char *url)
{
	const struct page_group *g = q->page->group;

	return url_is_web(url) && origin_allowed(page_options(q->page), url) && (!g || fence_allows(g, url));
}

bool paused_request_continue(struct paused_request *q, const struct request_changes *c)
{
	_cleanup_(header_list_done) struct header_list headers = {};
	bool has_fields;
	struct engine_target *s;

	if (c)
		paused_request_remember(q, c);
	if (q->changed.url && !may_change_to(q, q->changed.url))
		return paused_request_abort(q, ABORT_BLOCKED_BY_CLIENT);
	s = take_session(q);
	if (!s)
		return false;
	has_fields = q->changed.fields.count;
	if (has_fields) {
		paused_request_changed_headers(q, &headers);
		remember_fields(q->page, q->reported.id, &q->changed.fields);
	}
	engine_continue(s, q->reported.id,
			&(const struct sent_request){ .url = q->changed.url,
						      .method = q->changed.method,
						      .body = q->changed.body,
						      .headers = has_fields ? &headers : NULL });
	return true;
}

/* The names of Playwright. */
static const char *const abort_reason_names[ABORT_REASONS] = {
	[ABORT_FAILED] = "failed",
	[ABORT_ABORTED] = "aborted",
	[ABORT_ACCESS_DENIED] = "accessdenied",
	[ABORT_ADDRESS_UNREACHABLE] = "addressunreachable",
	[ABORT_BLOCKED_BY_CLIENT] = "blockedbyclient",
	[ABORT_BLOCKED_BY_RESPONSE] = "blockedbyresponse",
	[ABORT_CONNECTION_ABORTED] = "connectionaborted",
	[ABORT_CONNECTION_CLOSED] = "connectionclosed",
	[ABORT_CONNECTION_FAILED] = "connectionfailed",
	[ABORT_CONNECTION_REFUSED] = "connectionrefused",
	[ABORT_CONNECTION_RESET] = "connectionreset",
	[ABORT_INTERNET_DISCONNECTED] = "internetdisconnected",
	[ABORT_NAME_NOT_RESOLVED] = "namenotresolved",
	[ABORT_TIMED_OUT] = "timedout",
};

enum abort_reason abort_reason_find(const char *name)
{
	enum abort_reason reason = 0;

	while (reason < ABORT_REASONS && strcmp(abort_reason_names[reason], name) != 0)
		reason++;
	return reason;
}

bool paused_request_abort(struct paused_request *q, enum abort_reason reason)
{
	struct engine_target *s = take_session(q);

	if (s)
		engine_fail(s, q->reported.id, reason);
	return s;
}
