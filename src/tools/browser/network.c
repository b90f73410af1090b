/* browser_network_requests, browser_network_request. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "base/base64.h"
#include "base/error.h"
#include "base/limits.h"
#include "browser/matcher.h"
#include "observe/clip.h"
#include "observe/journal.h"
#include "observe/lines.h"
#include "observe/redact.h"
#include "page/body.h"
#include "reply/output.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

/* ---- the list ---- */

struct browser_network_requests {
	const char *sessionId, *filter, *filename;
	bool all;
	bool with_static; /* `static` on the wire, a reserved word here */
};

static const struct param browser_network_requests_params[] = {
	{ .name = "static",
	  .about = "Include images, scripts, styles, fonts",
	  .type = PARAM_BOOL,
	  .offset = offsetof(struct browser_network_requests, with_static),
	  .defaulted = true },
	PARAM(browser_network_requests, filter, "JavaScript regular expression, without slashes around it, that URLs must match",
	      .max_length = LIMIT_SELECTOR, .empty_is_none = true),
	PARAM(browser_network_requests, all, "Also those before the last navigation", .is_later = true, .is_rare = true),
	PARAM(browser_network_requests, filename, FILENAME_ABOUT, .empty_is_none = true, .is_rare = true),
	PARAM(browser_network_requests, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

struct listing {
	struct str lines;
	bool with_static;
	uint64_t from; /* number of the first event that counts */
	unsigned hidden;
};

static void network_listing_done(struct listing *l)
{
	str_done(&l->lines);
}

static void list_request(struct listing *l, const struct journal *j, const struct observed *e)
{
	if (!l->with_static && request_is_static(j, e))
		return;
	if (l->lines.len)
		str_append_char(&l->lines, '\n');
	request_line(&l->lines, j, e);
}

/* The next request that agents see, NULL at the end. */
static const struct observed *next_request(const struct journal *j, uint64_t *offset)
{
	static const struct journal_query requests = { .kinds = OBSERVED_REQUEST };
	const struct observed *e;

	do
		e = journal_next(j, &requests, offset);
	while (e && !e->sent.number);
	return e;
}

/* Counts the hidden requests; the filter of the call does not affect the count. */
static void count_hidden(struct listing *l, const struct journal *j)
{
	uint64_t offset = l->from;
	const struct observed *e;

	while (!l->with_static && (e = next_request(j, &offset)))
		l->hidden += request_is_static(j, e);
}

static void list_all(struct listing *l, const struct journal *j)
{
	uint64_t offset = l->from;
	const struct observed *e;

	while ((e = next_request(j, &offset)))
		list_request(l, j, e);
}

static void add_urls(const struct listing *l, struct matcher_texts *texts, const struct journal *j)
{
	uint64_t offset = l->from;
	const struct observed *e;

	while ((e = next_request(j, &offset)))
		matcher_add(texts, e->seq, e->url, strlen(e->url));
}

static int list_matching(struct listing *l, struct browse *b, const char *filter)
{
	const struct journal *j = page_journal(b->page);
	_cleanup_(matcher_unrefp) struct matcher *m = matcher_ref(session_browser(b->session), b->call.owner);
	_cleanup_(matcher_texts_done) struct matcher_texts urls = {};
	_cleanup_(json_freep) struct json *found = NULL;
	/* As in @playwright/mcp, slashes around a filter are a part of it: "/api/" is a directory. */
	const char *regex = arena_printf(task_arena(b->call.t), "/%s/", filter);
	int r;

	add_urls(l, &urls, j);
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	r = matcher_search(b->call.t, m, &(const struct matcher_regex){ "filter", regex }, &urls, &found);
	if (r == -ERR_INVALID_REGEX)
		return browse_fail(
			&b->call,
			"Invalid arguments for tool \"browser_network_requests\":\n✖ Invalid regular expression\n  → at filter");
	if (r < 0)
		return r;
	json_foreach(seq, found) {
		const struct observed *e = journal_at(j, (uint64_t)json_int(seq, NULL, 0));

		if (e && e->kind == OBSERVED_REQUEST)
			list_request(l, j, e);
	}
	return 0;
}

static void append_notes(struct listing *l, uint64_t missed)
{
	if (l->hidden)
		response_add(&l->lines, "\nNote: %u static request%s not shown, run with \"static\" option to see %s.", l->hidden,
			     l->hidden == 1 ? "" : "s", l->hidden == 1 ? "it" : "them");
	if (missed)
		response_add(&l->lines, "\nNote: the %llu oldest events of console and network are no longer held.",
			     (unsigned long long)missed);
	if (!l->lines.len)
		str_append(&l->lines, "No requests.");
}

static int requests_run(struct browse *b, const void *args)
{
	const struct browser_network_requests *a = args;
	const struct journal *j = page_journal(b->page);
	_cleanup_(network_listing_done) struct listing l = { .with_static = a->with_static,
							     .from = a->all ? 0 : journal_restarted(j) };
	int r = 0;

	if (a->filter)
		r = list_matching(&l, b, a->filter);
	else
		list_all(&l, j);
	if (r < 0)
		return r;
	count_hidden(&l, j);
	append_notes(&l, journal_missed(j, l.from));
	return browse_result(b, a->filename, "Network", l.lines.data);
}

const struct tool tool_browser_network_requests =
	BROWSE_TOOL("browser_network_requests", "List network requests", browser_network_requests,
		    "List the page's requests since its navigation, numbered for browser_network_request.",
		    (&(const struct browse_tool){ .run = requests_run }), .read_only = true,
		    .terse = "List the page's requests, numbered; filter: regex");

/* ---- one request ---- */

#define EXTENSION_MAX 32

struct browser_network_request {
	const char *sessionId, *filename;
	int64_t index;
	int part;
};

enum request_part { PART_ALL = -1, PART_REQUEST_HEADERS, PART_REQUEST_BODY, PART_RESPONSE_HEADERS, PART_RESPONSE_BODY };
static const char *const part_names[] = { "request-headers", "request-body", "response-headers", "response-body", NULL };

static const struct param browser_network_request_params[] = {
	PARAM(browser_network_request, index, "From browser_network_requests", .required = true, .min = 1, .max = JSON_INTEGER_MAX),
	PARAM(browser_network_request, part, "Default: all but the bodies", .choices = part_names),
	PARAM(browser_network_request, filename, FILENAME_ABOUT, .empty_is_none = true, .is_rare = true),
	PARAM(browser_network_request, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static const struct browser_network_request browser_network_request_defaults = { .part = PART_ALL };

/* Bytes, which live in the task's arena. */
struct content {
	const char *data;
	size_t len;
};

static bool network_is_text(const struct content *c)
{
	size_t n;

	for (size_t i = 0; i < c->len; i += n) {
		n = utf8_sequence(c->data + i, c->len - i);
		if (n == 0 || !c->data[i])
			return false;
	}
	return true;
}

static struct content network_copy(struct tool_call *call, const char *data, size_t len)
{
	char *to = arena_alloc(task_arena(call->t), len + 1);

	memcpy(to, data, len);
	to[len] = '\0';
	return (struct content){ to, len };
}

static int decode(struct tool_call *call, const struct fetched_body *body, struct content *ret)
{
	size_t len = strlen(body->text);
	_cleanup_(str_done) struct str masked = {};
	ptrdiff_t count;
	uint8_t *bytes;

	*ret = (struct content){ "", 0 };
	if (!body->is_base64) {
		str_append(&masked, body->text);
		redact(&masked);
		*ret = network_copy(call, str_text(&masked), masked.len);
		return 0;
	}
	bytes = arena_alloc(task_arena(call->t), BASE64_DECODED_SIZE(len) + 1);
	count = base64_decode(body->text, len, bytes);
	if (count < 0)
		return task_fail(call->t, -EPROTO, "the browser sent data that is no base64");
	bytes[count] = '\0';
	*ret = (struct content){ (const char *)bytes, (size_t)count };
	return 0;
}

/* Whether the browser permanently has no body for this request. */
static bool is_lost(int r)
{
	return r == -EREMOTE || r == -ESTALE || r == -EMSGSIZE;
}

/* Fails because there is nothing to show: request_run() may answer that with nothing instead. */
_printf_(2, 3) static int fail_without(struct tool_call *call, const char *fmt, ...)
{
	va_list ap;
	int r;

	call->failure = BROWSE_FAILURE_BARE;
	va_start(ap, fmt);
	r = task_vfail(call->t, -ENODATA, fmt, ap);
	va_end(ap);
	return r;
}

static int fail_lost(struct tool_call *call, int r, unsigned number, const char *what)
{
	if (r == -EMSGSIZE)
		return fail_without(call, "The %s body of request #%u is too large to be read.", what, number);
	return is_lost(r) ? fail_without(call,
					 "The browser no longer holds the %s body of request #%u. It keeps bodies while their "
					 "document is shown, up to a size: make the request again.",
					 what, number) :
			    r;
}

static int request_body(struct browse *b, _borrowed_ const struct observed *e, struct content *ret)
{
	_cleanup_(fetched_body_done) struct fetched_body body = {};
	unsigned number = e->sent.number;
	int r;

	if (!e->sent.has_body)
		return fail_without(&b->call, "Request #%u has no body.", number);
	if (e->sent.body) {
		*ret = network_copy(&b->call, e->sent.body, e->sent.body_size);
		return 0;
	}
	r = page_request_body(b->call.t, b->page, e->seq, &body);
	return r < 0 ? fail_lost(&b->call, r, number, "request") : decode(&b->call, &body, ret);
}

/* Fails with the reason why there is no response to show; 0 if there is one. */
static int check_answered(struct tool_call *call, const struct journal *j, const struct observed *e)
{
	const struct observed *end = journal_at(j, e->sent.end);

	if (request_response(j, e))
		return 0;
	if (end && end->kind == OBSERVED_FAILED)
		return fail_without(call, "Request #%u was not answered: %s.", e->sent.number, end->failure.error);
	return fail_without(call, "Request #%u has not been answered yet. Wait and try again.", e->sent.number);
}

static int check_has_body(struct tool_call *call, const struct journal *j, const struct observed *e)
{
	int r;

	r = check_answered(call, j, e);
	if (r < 0)
		return r;
	if (request_response(j, e)->response.redirect)
		return fail_without(call, "Request #%u was redirected, its body is not kept. The next request has the answer.",
				    e->sent.number);
	if (e->sent.end == OBSERVED_NONE)
		return fail_without(call, "The body of request #%u is still coming. Wait and try again.", e->sent.number);
	return 0;
}

static int ended_body(struct browse *b, _borrowed_ const struct observed *e, struct content *ret)
{
	_cleanup_(fetched_body_done) struct fetched_body body = {};
	unsigned number = e->sent.number;
	int r;

	r = check_has_body(&b->call, page_journal(b->page), e);
	if (r < 0)
		return r;
	r = page_response_body(b->call.t, b->page, e->seq, &body);
	return r < 0 ? fail_lost(&b->call, r, number, "response") : decode(&b->call, &body, ret);
}

static int response_body(struct browse *b, _borrowed_ const struct observed *e, struct content *ret)
{
	unsigned number = e->sent.number;
	uint64_t seq = e->seq;
	int r;

	r = page_await_end(b->call.t, b->page, seq);
	if (r < 0)
		return r;
	e = journal_at(page_journal(b->page), seq);
	return e ? ended_body(b, e, ret) : fail_lost(&b->call, -ESTALE, number, "response");
}

static struct content headers_text(struct tool_call *call, const struct observed_headers *headers)
{
	_cleanup_(str_done) struct str text = {};

	header_lines(&text, headers, "");
	return network_copy(call, str_text(&text), text.len ? text.len - 1 : 0);
}

static void append_hint(struct str *out, enum request_part part, const char *name)
{
	str_appendf(out, "\nCall browser_network_request with part=\"%s\" to read the %s.", part_names[part], name);
}

static struct content network_details_text(struct browse *b, const struct observed *e)
{
	const struct journal *j = page_journal(b->page);
	bool with_response = request_may_have_response_body(j, e);
	_cleanup_(str_done) struct str text = {};

	request_details(&text, j, e);
	if (e->sent.has_body || with_response)
		str_append_char(&text, '\n');
	if (e->sent.has_body)
		append_hint(&text, PART_REQUEST_BODY, "request body");
	if (with_response)
		append_hint(&text, PART_RESPONSE_BODY, "response body");
	return network_copy(&b->call, text.data, text.len);
}

/* May suspend. */
static int network_read_part(struct browse *b, _borrowed_ const struct observed *e, enum request_part part, struct content *ret)
{
	const struct journal *j = page_journal(b->page);
	int r = 0;

	switch (part) {
	case PART_ALL:
		*ret = network_details_text(b, e);
		break;
	case PART_REQUEST_HEADERS:
		*ret = headers_text(&b->call, &e->sent.headers);
		break;
	case PART_RESPONSE_HEADERS:
		r = check_answered(&b->call, j, e);
		if (r == 0)
			*ret = headers_text(&b->call, &request_response(j, e)->response.headers);
		break;
	case PART_REQUEST_BODY:
		return request_body(b, e, ret);
	case PART_RESPONSE_BODY:
		return response_body(b, e, ret);
	}
	return r;
}

static int network_save(struct browse *b, const char *filename, enum request_part part, const struct content *c)
{
	static const char *const titles[] = { "Request headers", "Request body", "Response headers", "Response body" };
	struct output_file f;
	int r;

	r = output_find(b->call.t, &b->call.files, filename, &f);
	if (r == 0)
		r = response_write(&b->response, &f, c->data, c->len, false);
	if (r == 0)
		response_add(&b->response.result, "- [%s](%s)", part == PART_ALL ? "Request" : titles[part],
			     output_shown(b->call.t, &b->call.files, f.path));
	return r;
}

static bool network_ends_with(const char *text, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len >= n && strncasecmp(text + len - n, end, n) == 0;
}

/* Whether bodies of a type are texts, by its name. */
static bool is_textual(const char *type)
{
	static const char *const endings[] = { "json", "xml", "javascript", "ecmascript", "x-www-form-urlencoded", "graphql" };
	size_t len = strcspn(type, "; \t");

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		if (network_ends_with(type, len, endings[i]))
			return true;
	return strncasecmp(type, "text/", 5) == 0;
}

/* The extension of files of a type: the letters and digits after its slash. */
static const char *network_extension_of(struct tool_call *call, const char *type)
{
	const char *slash = memchr(type, '/', strcspn(type, "; \t"));
	_cleanup_(str_done) struct str name = {};

	for (const char *at = slash ? slash + 1 : ""; *at && !strchr("; \t", *at) && name.len < EXTENSION_MAX; at++)
		if (isalnum((unsigned char)*at))
			str_append_char(&name, (char)tolower((unsigned char)*at));
	if (!name.len)
		return "bin";
	return strcmp(name.data, "jpeg") == 0 ? "jpg" : arena_strdup(task_arena(call->t), name.data);
}

/* The Content-Type that the server sent, "" if none. */
static const char *content_type(struct browse *b, unsigned number)
{
	const struct journal *j = page_journal(b->page);
	const struct observed *e = journal_numbered(j, number);
	const struct observed *response = e ? request_response(j, e) : NULL;
	const struct observed_headers *headers = response ? &response->response.headers : NULL;

	for (size_t i = 0; headers && i < headers->count; i++)
		if (strcmp(headers->rows[i].name, "content-type") == 0)
			return headers->rows[i].value;
	return "";
}

/* A body of a type that is no text is written to a file, whose path is the answer. */
static int save_automatically(struct browse *b, const char *type, const struct content *c)
{
	struct output_file f;
	int r;

	r = output_automatic(b->call.t, &b->call.files, "response", network_extension_of(&b->call, type), &f);
	if (r == 0)
		r = response_write(&b->response, &f, c->data, c->len, false);
	if (r == 0)
		response_add(&b->response.result, "%s", output_shown(b->call.t, &b->call.files, f.path));
	return r;
}

/* Cut before it is made displayable. The mark lets a secret be recognised that was cut (mask_text()). */
static int print_body(struct browse *b, const struct content *c)
{
	const struct content shown = { c->data, clip_fit(c->data, c->len, LIMIT_BODY_SHOWN) };
	_cleanup_(str_done) struct str text = {};

	if (!c->len && b->call.app->answers->bare_bodies)
		return 0;
	if (!network_is_text(&shown))
		return browse_fail(&b->call, "These %zu bytes are not text. Set \"filename\" to save them.", c->len);
	str_append_len(&text, shown.data, shown.len);
	if (shown.len < c->len)
		clip_mark(&text, c->len - shown.len);
	response_add(&b->response.result, "%s", c->len ? response_text(&b->response, str_text(&text)) : "(empty)");
	if (shown.len < c->len)
		response_add(&b->response.result, "Set \"filename\" to save all %zu bytes.", c->len);
	return 0;
}

static int request_run(struct browse *b, const void *args)
{
	const struct browser_network_request *a = args;
	const struct observed *e = NULL;
	struct content content = {};
	int r;

	if (a->index <= UINT_MAX)
		e = journal_numbered(page_journal(b->page), (unsigned)a->index);
	if (!e)
		return browse_fail(&b->call, "Request #%lld not found. Use browser_network_requests to see available indexes.",
				   (long long)a->index);
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	r = network_read_part(b, e, a->part, &content);
	if (r == -ENODATA && b->call.app->answers->bare_bodies)
		return 0;
	if (r < 0)
		return r;
	if (a->filename)
		return network_save(b, a->filename, a->part, &content);
	if (b->call.app->answers->bare_bodies && a->part == PART_RESPONSE_BODY && !is_textual(content_type(b, (unsigned)a->index)))
		return save_automatically(b, content_type(b, (unsigned)a->index), &content);
	return print_body(b, &content);
}

const struct tool tool_browser_network_request =
	BROWSE_TOOL("browser_network_request", "Show network request details", browser_network_request,
		    "Show one request and its response, or one part of them.", (&(const struct browse_tool){ .run = request_run }),
		    .read_only = true, .defaults = &browser_network_request_defaults, .terse = "Show one request and its response");
