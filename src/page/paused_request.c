/* Requests that the browser has paused: their life and their answers. */
#include <string.h>
#include <strings.h>

#include "base/base64.h"
#include "base/limits.h"
#include "base/names.h"
#include "engine/cdp/cdp.h"
#include "page/internal.h"
#include "page/intercept.h"
#include "page/paused_request.h"

struct paused_request *paused_request_new(struct page *p, struct engine_target *s, const struct json *params)
{
	struct paused_request *q = NEW(struct paused_request);

	q->refs = 1;
	q->page = page_ref(p);
	q->asked = UINT64_MAX;
	engine_id_set(q->session_id, engine_target_id(s));
	q->params = json_copy(params); /* the event's own tree is freed when its handler returns */
	q->type = must(strdup(json_text(params, "resourceType")));
	ascii_lower(q->type);
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
	json_free(q->params);
	json_free(q->changes);
	free(q->type);
	page_unref(q->page);
	free(q);
	return NULL;
}

/* ---- reading the request ---- */

const char *paused_request_url(const struct paused_request *q)
{
	return json_text(q->params, "request.url");
}

const char *paused_request_method(const struct paused_request *q)
{
	return json_text(q->params, "request.method");
}

const char *paused_request_type(const struct paused_request *q)
{
	return q->type;
}

const char *paused_request_id(const struct paused_request *q)
{
	return json_text(q->params, "networkId");
}

const char *paused_request_frame_id(const struct paused_request *q)
{
	return json_text(q->params, "frameId");
}

const char *paused_request_post_data(const struct paused_request *q)
{
	return json_str(q->params, "request.postData");
}

const struct json *paused_request_headers(const struct paused_request *q)
{
	return json_get(q->params, "request.headers");
}

struct page *paused_request_page(const struct paused_request *q)
{
	return q->page;
}

bool paused_request_answered(const struct paused_request *q)
{
	return q->answered;
}

/* "" for what is not the member of an object: fields come from browsers and from agents' code. */
static const char *name_of(const struct json *field)
{
	return json_name(field) ? json_name(field) : "";
}

static const char *find_field(const struct json *fields, const char *name)
{
	json_foreach(field, fields)
		if (strcasecmp(name_of(field), name) == 0)
			return json_text(field, NULL);
	return NULL;
}

bool paused_request_is_preflight(const struct paused_request *q)
{
	return strcmp(paused_request_method(q), "OPTIONS") == 0 &&
	       find_field(paused_request_headers(q), "Access-Control-Request-Method");
}

/* ---- answers ---- */

/* The attachment for the only answer that there may be; NULL: there was one, or the target is gone. */
static struct engine_target *take_session(struct paused_request *q, const char **ret_id)
{
	struct engine_target *s = q->answered ? NULL : page_session(q->page, q->session_id);

	q->answered = true;
	*ret_id = json_text(q->params, "requestId");
	return s;
}

/* Words of RFC 9110 and the registry of HTTP status codes, for those that pages and people look at. */
static const char *status_phrase(int status)
{
	static const struct {
		int status;
		const char *phrase;
	} phrases[] = {
		{ 100, "Continue" },
		{ 101, "Switching Protocols" },
		{ 102, "Processing" },
		{ 103, "Early Hints" },
		{ 200, "OK" },
		{ 201, "Created" },
		{ 202, "Accepted" },
		{ 203, "Non-Authoritative Information" },
		{ 204, "No Content" },
		{ 205, "Reset Content" },
		{ 206, "Partial Content" },
		{ 207, "Multi-Status" },
		{ 208, "Already Reported" },
		{ 226, "IM Used" },
		{ 300, "Multiple Choices" },
		{ 301, "Moved Permanently" },
		{ 302, "Found" },
		{ 303, "See Other" },
		{ 304, "Not Modified" },
		{ 305, "Use Proxy" },
		{ 306, "Switch Proxy" },
		{ 307, "Temporary Redirect" },
		{ 308, "Permanent Redirect" },
		{ 400, "Bad Request" },
		{ 401, "Unauthorized" },
		{ 402, "Payment Required" },
		{ 403, "Forbidden" },
		{ 404, "Not Found" },
		{ 405, "Method Not Allowed" },
		{ 406, "Not Acceptable" },
		{ 407, "Proxy Authentication Required" },
		{ 408, "Request Timeout" },
		{ 409, "Conflict" },
		{ 410, "Gone" },
		{ 411, "Length Required" },
		{ 412, "Precondition Failed" },
		{ 413, "Payload Too Large" },
		{ 414, "URI Too Long" },
		{ 415, "Unsupported Media Type" },
		{ 416, "Range Not Satisfiable" },
		{ 417, "Expectation Failed" },
		{ 418, "I'm a teapot" },
		{ 421, "Misdirected Request" },
		{ 422, "Unprocessable Entity" },
		{ 423, "Locked" },
		{ 424, "Failed Dependency" },
		{ 425, "Too Early" },
		{ 426, "Upgrade Required" },
		{ 428, "Precondition Required" },
		{ 429, "Too Many Requests" },
		{ 431, "Request Header Fields Too Large" },
		{ 451, "Unavailable For Legal Reasons" },
		{ 500, "Internal Server Error" },
		{ 501, "Not Implemented" },
		{ 502, "Bad Gateway" },
		{ 503, "Service Unavailable" },
		{ 504, "Gateway Timeout" },
		{ 505, "HTTP Version Not Supported" },
		{ 506, "Variant Also Negotiates" },
		{ 507, "Insufficient Storage" },
		{ 508, "Loop Detected" },
		{ 510, "Not Extended" },
		{ 511, "Network Authentication Required" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(phrases); i++)
		if (phrases[i].status == status)
			return phrases[i].phrase;
	return "Unknown";
}

static void append_field(struct str *list, const char *name, const char *value)
{
	str_json(list, "?{name: ?, value: ?}", JSON_COMMA(list->len), name, value);
}

static bool is_same_origin(const char *origin, const char *url)
{
	size_t len = strlen(origin);

	return strncasecmp(origin, url, len) == 0 && strchr("/?#", url[len]);
}

static bool has_cors_field(const struct json *fields)
{
	json_foreach(field, fields)
		if (strcasecmp(json_text(field, "name"), "Access-Control-Allow-Origin") == 0)
			return true;
	return false;
}

/* `fields`: a list of {name, value}. Appends its elements, and those by which a document of another origin may read the response. */
static void append_response_fields(struct str *list, const struct paused_request *q, const char *fields)
{
	const char *origin = find_field(paused_request_headers(q), "Origin");
	_cleanup_(json_freep) struct json *given = NULL;

	if (fields && json_parse(fields, strlen(fields), LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &given) == 0)
		json_foreach(field, given)
			append_field(list, json_text(field, "name"), json_text(field, "value"));
	if (!origin || is_same_origin(origin, paused_request_url(q)) || has_cors_field(given))
		return;
	append_field(list, "Access-Control-Allow-Origin", origin);
	append_field(list, "Access-Control-Allow-Credentials", "true");
	append_field(list, "Vary", "Origin");
}

bool paused_request_fulfill(struct paused_request *q, const struct fulfilment *f)
{
	_cleanup_(str_done) struct str fields = {};
	const char *id;
	struct engine_target *s = take_session(q, &id);

	if (!s)
		return false;
	append_response_fields(&fields, q, f->headers);
	page_answer(q->page, ANSWER_TO_REQUEST, s, "Fetch.fulfillRequest",
		    "{requestId: ?, responseCode: ?, responsePhrase: ?, responseHeaders: [?], body: ?}", id, f->status,
		    status_phrase(f->status), JSON_RAW(str_text(&fields)), f->body ? f->body : "");
	return true;
}

void paused_request_answer_preflight(struct paused_request *q)
{
	const struct json *asked = paused_request_headers(q);
	const char *fields = find_field(asked, "Access-Control-Request-Headers");
	_cleanup_(str_done) struct str list = {};

	append_field(&list, "Access-Control-Allow-Methods", find_field(asked, "Access-Control-Request-Method"));
	if (fields)
		append_field(&list, "Access-Control-Allow-Headers", fields);
	str_prepend(&list, "[", 1);
	str_append_char(&list, ']');
	paused_request_fulfill(q, &(const struct fulfilment){ .status = 204, .headers = list.data });
}

/* The fields that the changes set or remove, in any case. */
static struct names changed_names(const struct request_changes *c)
{
	struct names names = { .compare = strcasecmp };

	json_foreach(field, c->set)
		names_add(&names, name_of(field));
	json_foreach(item, c->removed)
		names_add(&names, json_text(item, NULL));
	names_sort(&names);
	return names;
}

bool is_field_name(const char *name)
{
	return *name && !name[strspn(name, "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")];
}

/*
 * The browser refuses the whole answer, and the request would wait for ever, if it is to set a field that it decides itself. Those
 * are left out.
 */
static bool may_be_set(const char *name, const char *value)
{
	static const char *const own[] = { "Content-Length", "Cookie2", "Host",    "Keep-Alive",        "Set-Cookie",
					   "Set-Cookie2",    "TE",      "Trailer", "Transfer-Encoding", "Upgrade" };

	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		if (strcasecmp(name, own[i]) == 0)
			return false;
	return is_field_name(name) && strncasecmp(name, "Proxy-", 6) != 0 && !value[strcspn(value, "\r\n")];
}

static void append_request_fields(struct str *list, const struct paused_request *q, const struct request_changes *c)
{
	_cleanup_(names_done) struct names changed = changed_names(c);

	json_foreach(field, paused_request_headers(q))
		if (!names_have(&changed, name_of(field)) && may_be_set(name_of(field), json_text(field, NULL)))
			append_field(list, name_of(field), json_text(field, NULL));
	json_foreach(field, c->set)
		if (may_be_set(name_of(field), json_text(field, NULL)))
			append_field(list, name_of(field), json_text(field, NULL));
}

static void append_changes(struct str *out, const struct paused_request *q, const struct request_changes *c)
{
	_cleanup_(str_done) struct str fields = {};

	if (c->url)
		str_json(out, ", url: ?", c->url);
	if (c->method)
		str_json(out, ", method: ?", c->method);
	if (c->body)
		str_json(out, ", postData: ?", c->body);
	if (!json_count(c->set) && !json_count(c->removed))
		return;
	append_request_fields(&fields, q, c);
	str_json(out, ", headers: [?]", JSON_RAW(str_text(&fields)));
}

static struct json *parse_text(const struct str *text)
{
	struct json *value = NULL;

	json_parse(text->data, text->len, LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &value);
	return value;
}

static void append_text(struct str *out, const char *name, const char *value)
{
	if (value)
		str_json(out, "?: ?, ", name, value);
}

static struct json *changes_to_json(const struct request_changes *c)
{
	_cleanup_(str_done) struct str text = {};

	str_append_char(&text, '{');
	append_text(&text, "url", c->url);
	append_text(&text, "method", c->method);
	append_text(&text, "body", c->body);
	str_json(&text, "set: ?, removed: ?}", c->set, c->removed);
	return parse_text(&text);
}

/* The fields that `c` sets, and those of `before` that it neither sets nor removes; owned by the caller. */
static struct json *merge_fields(const struct json *before, const struct request_changes *c)
{
	_cleanup_(names_done) struct names changed = changed_names(c);
	_cleanup_(str_done) struct str text = {};

	str_append_char(&text, '{');
	json_foreach(field, before)
		if (!names_have(&changed, name_of(field)))
			str_json(&text, "??: ?", JSON_COMMA(text.len > 1), name_of(field), json_text(field, NULL));
	json_foreach(field, c->set)
		str_json(&text, "??: ?", JSON_COMMA(text.len > 1), name_of(field), json_text(field, NULL));
	str_append_char(&text, '}');
	return parse_text(&text);
}

static struct json *merge_names(const struct json *before, const struct request_changes *c)
{
	_cleanup_(str_done) struct str text = {};

	str_append_char(&text, '[');
	json_foreach(name, before)
		str_json(&text, "??", JSON_COMMA(text.len > 1), json_text(name, NULL));
	json_foreach(name, c->removed)
		str_json(&text, "??", JSON_COMMA(text.len > 1), json_text(name, NULL));
	str_append_char(&text, ']');
	return parse_text(&text);
}

struct json *paused_request_changed_headers(const struct paused_request *q)
{
	return merge_fields(paused_request_headers(q),
			    &(const struct request_changes){ .set = json_get(q->changes, "set"),
							     .removed = json_get(q->changes, "removed") });
}

void paused_request_remember(struct paused_request *q, const struct request_changes *c)
{
	_cleanup_(json_freep) struct json *before = q->changes, *set = NULL, *removed = NULL;

	set = merge_fields(json_get(before, "set"), c);
	removed = merge_names(json_get(before, "removed"), c);
	q->changes = changes_to_json(&(const struct request_changes){
		.url = c->url ? c->url : json_str(before, "url"),
		.method = c->method ? c->method : json_str(before, "method"),
		.body = c->body ? c->body : json_str(before, "body"),
		.set = set,
		.removed = removed,
	});
}

static bool send_request(struct paused_request *q, const struct request_changes *c)
{
	_cleanup_(str_done) struct str changes = {};
	struct engine_target *s;
	const char *id;

	if (c->url && (!url_is_web(c->url) || !origin_allowed(page_options(q->page), c->url)))
		return paused_request_abort(q, ABORT_BLOCKED_BY_CLIENT);
	s = take_session(q, &id);
	if (!s)
		return false;
	append_changes(&changes, q, c);
	if (json_count(c->set) || json_count(c->removed))
		intercept_remember(q->page, id, c);
	cdp_post(s, "Fetch.continueRequest", "{requestId: ??}", id, JSON_RAW(str_text(&changes)));
	return true;
}

bool paused_request_continue(struct paused_request *q, const struct request_changes *c)
{
	if (c && !q->changes)
		return send_request(q, c);
	if (c)
		paused_request_remember(q, c);
	return send_request(q, &(const struct request_changes){
				       .url = json_str(q->changes, "url"),
				       .method = json_str(q->changes, "method"),
				       .body = json_str(q->changes, "body"),
				       .set = json_get(q->changes, "set"),
				       .removed = json_get(q->changes, "removed"),
			       });
}

/* The names of Playwright and of CDP. */
static const struct {
	const char *name, *cdp;
} abort_reason_table[ABORT_REASONS] = {
	[ABORT_FAILED] = { "failed", "Failed" },
	[ABORT_ABORTED] = { "aborted", "Aborted" },
	[ABORT_ACCESS_DENIED] = { "accessdenied", "AccessDenied" },
	[ABORT_ADDRESS_UNREACHABLE] = { "addressunreachable", "AddressUnreachable" },
	[ABORT_BLOCKED_BY_CLIENT] = { "blockedbyclient", "BlockedByClient" },
	[ABORT_BLOCKED_BY_RESPONSE] = { "blockedbyresponse", "BlockedByResponse" },
	[ABORT_CONNECTION_ABORTED] = { "connectionaborted", "ConnectionAborted" },
	[ABORT_CONNECTION_CLOSED] = { "connectionclosed", "ConnectionClosed" },
	[ABORT_CONNECTION_FAILED] = { "connectionfailed", "ConnectionFailed" },
	[ABORT_CONNECTION_REFUSED] = { "connectionrefused", "ConnectionRefused" },
	[ABORT_CONNECTION_RESET] = { "connectionreset", "ConnectionReset" },
	[ABORT_INTERNET_DISCONNECTED] = { "internetdisconnected", "InternetDisconnected" },
	[ABORT_NAME_NOT_RESOLVED] = { "namenotresolved", "NameNotResolved" },
	[ABORT_TIMED_OUT] = { "timedout", "TimedOut" },
};

enum abort_reason abort_reason_find(const char *name)
{
	enum abort_reason reason = 0;

	while (reason < ABORT_REASONS && strcmp(abort_reason_table[reason].name, name) != 0)
		reason++;
	return reason;
}

bool paused_request_abort(struct paused_request *q, enum abort_reason reason)
{
	const char *id;
	struct engine_target *s = take_session(q, &id);

	if (s)
		cdp_post(s, "Fetch.failRequest", "{requestId: ?, errorReason: ?}", id, abort_reason_table[reason].cdp);
	return s;
}
