#include "engine/bidi/network.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base64.h"
#include "base/http_status.h"
#include "base/limits.h"

/* ---- which requests wait ---- */

static void remove_intercept(struct engine_target *s, const char *intercept)
{
	bidi_post(s, "network.removeIntercept", "{intercept: ?}", intercept);
}

/* The last one stays: what an earlier one would block is blocked by it, too. */
static void note_intercept(struct engine_target *s, int result, const struct json *reply)
{
	const char *added = json_str(reply, "result.intercept");

	if (!engine_id_is_valid(added))
		return;
	if (s->traffic.intercept[0])
		remove_intercept(s, s->traffic.intercept);
	engine_id_set(s->traffic.intercept, s->traffic.intercepted ? added : "");
	if (!s->traffic.intercepted)
		remove_intercept(s, added);
}

static void drop_call(struct engine_call *call, void *data)
{
	engine_call_done(call);
	free(call);
}

/* The id of the intercept is kept, whether or not somebody awaits the reply. */
static void add_intercept(struct task *t, struct engine_target *s, struct engine_call *call, const char *phases)
{
	struct engine_call *own = call ? NULL : NEW(struct engine_call);
	int r = 0;

	if (call)
		bidi_send(t, s, call, 0, "network.addIntercept", "{phases: ?, contexts: [?]}", JSON_RAW(phases), s->id);
	else
		r = bidi_request(s, own, drop_call, NULL, 0, "network.addIntercept", "{phases: ?, contexts: [?]}", JSON_RAW(phases),
				 s->id);
	if (r < 0)
		free(own);
	else
		bidi_notice(call ? call : own, note_intercept);
}

/* What was blocked before stays blocked when the browser does not intercept any more. */
static void go_on_with_all(struct engine_target *s)
{
	struct bidi_request *r;

	TAILQ_FOREACH(r, &s->traffic.requests, link) {
		if (r->is_blocked && r->has_head)
			bidi_post(s, "network.continueResponse", "{request: ?}", r->id);
		else if (r->is_blocked)
			bidi_post(s, "network.continueRequest", "{request: ?}", r->id);
		r->is_blocked = false;
	}
}

/* Challenges are intercepted in all pages (engine_record()). An intercept without contexts would hold up all pages. */
void engine_intercept(struct task *t, struct engine_target *s, struct engine_call *call, const char *url, unsigned what)
{
	const char *responses = what & INTERCEPT_RESPONSES ? ", 'responseStarted'" : "";
	_cleanup_(str_done) struct str phases = {};

	if (!s || !s->connection) {
		bidi_send_or_post(t, s, call, "session.status", "{}");
		return;
	}
	s->traffic.intercepted = what;
	free(s->traffic.intercepted_url);
	s->traffic.intercepted_url = url ? must(strdup(url)) : NULL;
	if (!what) {
		go_on_with_all(s);
		if (s->traffic.intercept[0])
			remove_intercept(s, s->traffic.intercept);
		s->traffic.intercept[0] = '\0';
		if (call)
			bidi_send(t, s, call, 0, "session.status", "{}");
		return;
	}
	str_appendf(&phases, "['beforeRequestSent'%s]", responses);
	for (char *quote = phases.data; (quote = strchr(quote, '\'')); quote++)
		*quote = '"';
	add_intercept(t, s, call, phases.data);
}

/* ---- what waits ---- */

static char *network_copy_text(const struct json *params, const char *path)
{
	return must(strdup(json_text(params, path)));
}

static void network_add_fields(struct header_list *to, const struct json *fields)
{
	json_foreach(f, fields)
		header_list_add(to, json_text(f, "name"), json_text(f, "value.value"));
}

static void bidi_read_response(const struct json *params, struct intercepted_request *ret)
{
	ret->has_response = json_get(params, "response");
	if (!ret->has_response)
		return;
	ret->response.status = (int)json_int(params, "response.status", 0);
	ret->response.status_text = network_copy_text(params, "response.statusText");
	network_add_fields(&ret->response.headers, json_get(params, "response.headers"));
}

/* A request keeps its id over redirects. Its body is not part of the event. */
static void read_blocked(const struct json *params, const struct bidi_kind *kind, struct intercepted_request *ret)
{
	const char *url = json_text(params, "request.url");

	*ret = (struct intercepted_request){
		.id = network_copy_text(params, "request.request"),
		.network_id = network_copy_text(params, "request.request"),
		.frame_id = network_copy_text(params, "context"),
		.url = must(strndup(url, strcspn(url, "#"))),
		.method = network_copy_text(params, "request.method"),
		.type = must(strdup(kind->word)),
		.kind = kind->resource,
	};
	if (json_int(params, "redirectCount", 0) > 0)
		ret->redirected_from = network_copy_text(params, "request.request");
	network_add_fields(&ret->headers, json_get(params, "request.headers"));
	bidi_read_response(params, ret);
}

static bool network_is_awaited(const struct engine_target *s, const struct json *params)
{
	const char *only = s->traffic.intercepted_url;
	unsigned wanted = json_get(params, "response") ? INTERCEPT_RESPONSES : INTERCEPT_REQUESTS | INTERCEPT_DOCUMENTS;

	return (s->traffic.intercepted & wanted) && (!only || strcmp(only, json_text(params, "request.url")) == 0) &&
	       HEARS(s, traffic, intercepted);
}

static void go_on(struct engine_target *s, const struct json *params)
{
	const char *id = json_text(params, "request.request");

	if (json_get(params, "response"))
		bidi_post(s, "network.continueResponse", "{request: ?}", id);
	else
		bidi_post(s, "network.continueRequest", "{request: ?}", id);
}

/* A body that is no text is not part of the report. */
static void on_sent_body(struct engine_call *call, void *data)
{
	struct bidi_request *r = data;
	struct engine_target *s = r->context->page;
	const struct json *bytes = json_get(bidi_result(call), "bytes");

	if (strcmp(json_text(bytes, "type"), "string") == 0)
		r->asked.post_data = network_copy_text(bytes, "value");
	engine_call_done(call);
	if (r->is_blocked)
		REPORT(s, traffic, intercepted, s, &r->asked);
}

/* Takes the report over, which is made when the body has come. */
static bool ask_for_body(struct engine_target *s, struct bidi_request *r, struct intercepted_request *q)
{
	engine_call_done(&r->call);
	intercepted_request_done(&r->asked);
	r->asked = (struct intercepted_request){};
	if (bidi_request(s, &r->call, on_sent_body, r, 0, "network.getData", "{dataType: 'request', request: ?}", r->id) < 0)
		return false;
	r->asked = *q;
	*q = (struct intercepted_request){};
	return true;
}

void bidi_report_blocked(struct engine_target *s, struct bidi_request *r, const struct json *params, const struct bidi_kind *kind)
{
	_cleanup_(intercepted_request_done) struct intercepted_request q = {};

	if (!r || !network_is_awaited(s, params)) {
		go_on(s, params);
		return;
	}
	r->is_blocked = true;
	read_blocked(params, kind, &q);
	if (json_num(params, "request.bodySize", 0) > 0 && !q.has_response && ask_for_body(s, r, &q))
		return;
	REPORT(s, traffic, intercepted, s, &q);
}

void bidi_report_challenge(struct engine_target *s, const struct json *params)
{
	const char *url = json_text(params, "request.url"), *authority = strstr(url, "://");
	_cleanup_(str_done) struct str origin = {};
	struct challenge c = { .id = json_text(params, "request.request"),
			       .is_proxy = json_int(params, "response.status", 0) == 407 };

	if (authority)
		str_append_len(&origin, url, (size_t)(authority - url) + 3 + strcspn(authority + 3, "/?#"));
	c.origin = str_text(&origin);
	if ((s->traffic.intercepted & INTERCEPT_CHALLENGES) && HEARS(s, traffic, challenged))
		REPORT(s, traffic, challenged, s, &c);
	else
		engine_answer_challenge(s, c.id, NULL, NULL);
}

void bidi_let_pass(struct bidi *c, const char *name, const struct json *params)
{
	if (!json_bool(params, "isBlocked", false))
		return;
	if (strcmp(name, "authRequired") == 0)
		engine_answer_challenge(c->root, json_text(params, "request.request"), NULL, NULL);
	else
		go_on(c->root, params);
}

/* ---- answers ---- */

/* The request of this id, which waits no longer; NULL: it is not known. */
static struct bidi_request *take_blocked(struct engine_target *s, const char *request)
{
	struct bidi_request *r = s ? bidi_find_request(s->connection, request) : NULL;

	if (r)
		r->is_blocked = false;
	return r;
}

/* The browser refuses the whole answer for a field that is none, and the request would wait for ever. */
static void network_append_fields(struct str *out, const struct header_list *fields)
{
	str_append(out, ", \"headers\": [");
	for (size_t i = 0, written = 0; fields && i < fields->count; i++) {
		const struct header_field *f = &fields->items[i];

		if (is_field_name(f->name) && !f->value[strcspn(f->value, "\r\n")])
			str_json(out, "?{name: ?, value: {type: 'string', value: ?}}", JSON_COMMA(written++), f->name, f->value);
	}
	str_append_char(out, ']');
}

void bidi_send_on(struct engine_target *s, const char *request, const char *changes)
{
	bidi_post(s, "network.continueRequest", "{request: ??}", request, JSON_RAW(changes));
}

/*
 * With another address, a request of fetch() fails in its page, although the browser sends it. So the page is redirected there, which its
 * scripts can see, and the other changes are made when the request comes back.
 */
static void redirect(struct engine_target *s, struct bidi_request *r, const char *url, const char *changes)
{
	free(r->changes);
	r->changes = must(strdup(changes));
	bidi_post(
		s, "network.provideResponse",
		"{request: ?, statusCode: 307, reasonPhrase: 'Temporary Redirect', headers: [{name: 'Location', value: {type: 'string', "
		"value: ?}}, {name: 'Access-Control-Allow-Origin', value: {type: 'string', value: '*'}}]}",
		r->id, url);
}

void engine_continue(struct engine_target *s, const char *request, const struct sent_request *c)
{
	struct bidi_request *r = take_blocked(s, request);
	_cleanup_(str_done) struct str changes = {};

	if (r && r->has_head) {
		bidi_post(s, "network.continueResponse", "{request: ?}", request);
		return;
	}
	if (c && c->method)
		str_json(&changes, ", method: ?", c->method);
	if (c && c->body)
		str_json(&changes, ", body: {type: 'base64', value: ?}", c->body);
	if (c && c->headers)
		network_append_fields(&changes, c->headers);
	if (r && c && c->url && !r->is_document) {
		redirect(s, r, c->url, str_text(&changes));
		return;
	}
	if (c && c->url)
		str_json(&changes, ", url: ?", c->url);
	bidi_send_on(s, request, str_text(&changes));
}

/* Firefox takes a body only before the request is sent. */
int engine_fulfil(struct engine_target *s, const char *request, const struct fulfilment *f, struct engine_call *call,
		  void (*replied)(struct engine_call *call, void *data), void *data)
{
	struct bidi_request *r = take_blocked(s, request);
	_cleanup_(str_done) struct str fields = {};

	if (r && r->has_head) {
		engine_fail(s, request, ABORT_FAILED);
		return -ENOTSUP;
	}
	network_append_fields(&fields, f->headers);
	return bidi_answer(s, call, replied, data, 0, "network.provideResponse",
			   "{request: ?, statusCode: ?, reasonPhrase: ?, body: {type: 'base64', value: ?}?}", request, f->status,
			   http_status_phrase(f->status), f->body ? f->body : "", JSON_RAW(fields.data));
}

/* The page is told no reason. */
void engine_fail(struct engine_target *s, const char *request, enum abort_reason reason)
{
	struct bidi_request *r = take_blocked(s, request);

	if (r)
		r->is_refused = reason == ABORT_BLOCKED_BY_CLIENT;
	bidi_post(s, "network.failRequest", "{request: ?}", request);
}

void engine_answer_challenge(struct engine_target *s, const char *challenge, const char *name, const char *password)
{
	if (name)
		bidi_post(s, "network.continueWithAuth",
			  "{request: ?, action: 'provideCredentials', credentials: {type: 'password', username: ?, password: ?}}",
			  challenge, name, password);
	else
		bidi_post(s, "network.continueWithAuth", "{request: ?, action: 'cancel'}", challenge);
}

/* ---- bodies ---- */

/* A document with these fields loads and runs nothing, and goes nowhere by itself. */
#define INERT_FIELDS \
	"[{name: 'Content-Type', value: {type: 'string', value: 'text/plain'}}, " \
	"{name: 'X-Content-Type-Options', value: {type: 'string', value: 'nosniff'}}, " \
	"{name: 'Content-Security-Policy', value: {type: 'string', value: \"sandbox; default-src 'none'\"}}]"

/* Firefox gives texts as such, and other bodies in base64. */
static struct fetched_body read_body(const struct json *result)
{
	return (struct fetched_body){
		.text = json_text(result, "bytes.value"),
		.is_base64 = strcmp(json_text(result, "bytes.type"), "base64") == 0,
	};
}

static const char *network_in_base64(struct task *t, struct fetched_body body)
{
	_cleanup_(str_done) struct str encoded = {};

	if (body.is_base64)
		return arena_strdup(task_arena(t), body.text);
	base64_encode(&encoded, (const uint8_t *)body.text, strlen(body.text));
	return arena_strdup(task_arena(t), str_text(&encoded));
}

/*
 * Firefox has the body only when the response has gone on, and gives it when it has come as a whole. So it becomes an inert document, or a
 * download that is thrown away (downloads.c).
 */
int engine_waiting_body(struct task *t, _borrowed_ struct engine_target *s, const char *request, const char **ret)
{
	struct bidi_request *waiting = take_blocked(s, request);
	_cleanup_(engine_call_done) struct engine_call call = {};
	int r;

	if (waiting)
		engine_id_set(waiting->context->top->read, waiting->loader);
	bidi_post(s, "network.continueResponse", "{request: ?, headers: " INERT_FIELDS "}", request);
	bidi_send(t, s, &call, 0, "network.getData", "{dataType: 'response', request: ?}", request);
	r = engine_await(t, &call);
	if (r == 0)
		*ret = network_in_base64(t, read_body(bidi_result(&call)));
	else if (*bidi_error(&call))
		r = task_fail(t, -EREMOTE, "the body broke off, or has more than the %u MiB that this browser keeps",
			      LIMIT_KEPT_BODY >> 20);
	return r;
}

int engine_body(struct task *t, _borrowed_ struct engine_target *s, enum body_of of, const char *network_id,
		struct fetched_body *ret)
{
	struct json *reply = NULL;
	int r = bidi_call(t, s, &reply, 0, "network.getData", "{dataType: ?, request: ?}",
			  of == BODY_OF_REQUEST ? "request" : "response", network_id);

	if (r < 0)
		return r;
	*ret = read_body(json_get(reply, "result"));
	ret->reply = reply;
	return 0;
}

int engine_ask_body(struct engine_target *s, const char *network_id, struct engine_call *call,
		    void (*replied)(struct engine_call *call, void *data), void *data)
{
	return bidi_request(s, call, replied, data, 0, "network.getData", "{dataType: 'response', request: ?}", network_id);
}

struct fetched_body engine_body_of(const struct engine_call *call)
{
	return read_body(bidi_result(call));
}

/* ---- how a page uses the network ---- */

void engine_set_offline(struct task *t, struct engine_target *s, struct engine_call *call, bool offline)
{
	bidi_send_or_post(t, s, call, "emulation.setNetworkConditions", "{contexts: [?], networkConditions: ?}", s ? s->id : "",
			  JSON_RAW(offline ? "{\"type\": \"offline\"}" : NULL));
}

void engine_set_cache(struct task *t, struct engine_target *s, struct engine_call *call, bool on)
{
	bidi_send_or_post(t, s, call, "network.setCacheBehavior", "{contexts: [?], cacheBehavior: ?}", s ? s->id : "",
			  on ? "default" : "bypass");
}
