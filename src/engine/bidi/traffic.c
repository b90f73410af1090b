/* Events of requests: first to the owner of the page, then into its journal. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "engine/bidi/network.h"
#include "engine/bidi/normalise.h"

static struct journal *journal_of(const struct engine_target *s)
{
	return s->hears && s->hears->journal ? s->hears->journal(s->data) : NULL;
}

/* One event. */
struct traffic_event {
	struct bidi *connection;
	struct engine_target *page;
	struct bidi_context *context;
	const struct json *params;
	struct bidi_request *request; /* NULL: not known */
};

/*
 * The document that a request is for: requests of frames and pages have the id of their navigation, but so have those of <object>, of the
 * document that they are in.
 */
static const char *traffic_document_of(const struct traffic_event *e, const struct bidi_kind *kind)
{
	const char *navigation = bidi_navigation_of(e->context, e->params);
	bool is_own = kind->resource == RESOURCE_DOCUMENT && *navigation;

	return is_own && strcmp(navigation, e->context->document) != 0 ? navigation : NULL;
}

/* Firefox may report a document's first requests before its commit. */
static const char *maker_of(const struct bidi_context *x)
{
	return x->arriving[0] ? x->arriving : bidi_document(x);
}

static struct exchange_event traffic_exchange(const struct traffic_event *e, const struct bidi_kind *kind)
{
	const char *document = traffic_document_of(e, kind);

	return (struct exchange_event){
		.id = json_str(e->params, "request.request"),
		.target = engine_target_id(e->page),
		.loader = document ? document : maker_of(e->context),
		.document = document,
		.resource = kind->resource,
		.is_data = bidi_is_data(e->params),
		.redirected = json_int(e->params, "redirectCount", 0) > 0,
		.status = (int)json_int(e->params, "response.status", 0),
		.status_text = json_text(e->params, "response.statusText"),
		.frame = e->context->id,
	};
}

/* ---- bodies of requests, which are no part of their events ---- */

struct sent_body {
	struct engine_call call;
	struct engine_target *page;
	char request[ENGINE_ID_SIZE];
};

static void record_sent_body(struct engine_call *call, void *data)
{
	struct sent_body *b = data;
	struct journal *j = call->result == 0 ? journal_of(b->page) : NULL;

	if (j)
		bidi_normalise_sent_body(j, b->request, json_get(bidi_result(call), "bytes"));
	engine_call_done(call);
	free(b);
}

static void ask_for_sent_body(const struct traffic_event *e)
{
	double size = json_num(e->params, "request.bodySize", 0);
	struct sent_body *b;

	if (!(size > 0 && size <= LIMIT_OBSERVED_POST) || !engine_id_is_valid(json_str(e->params, "request.request")))
		return;
	b = NEW(struct sent_body);
	b->page = e->page;
	engine_id_set(b->request, json_str(e->params, "request.request"));
	if (bidi_answer(e->page, &b->call, record_sent_body, b, 0, "network.getData", "{dataType: 'request', request: ?}",
			b->request) < 0)
		free(b);
	else
		b->call.max_reply = 2 * LIMIT_OBSERVED_BODY;
}

/* ---- the beginning ---- */

static void traffic_begin(struct traffic_event *e, const struct bidi_kind *kind)
{
	struct exchange_event x = traffic_exchange(e, kind);
	struct journal *j = journal_of(e->page);

	if (!x.is_data)
		e->request = bidi_begin_request(e->connection, e->context, x.id, x.loader, kind->is_socket);
	if (e->request)
		e->request->is_document = x.document;
	if (kind->is_socket)
		REPORT(e->page, traffic, socket_created, &x);
	else
		REPORT(e->page, traffic, request, &x);
	if (j && kind->is_socket)
		bidi_normalise_socket(j, engine_target_id(e->page), e->params, WEBSOCKET_CREATED);
	else if (j)
		bidi_normalise_request(j, engine_target_id(e->page), e->params, kind, x.document);
	if (j && !kind->is_socket)
		ask_for_sent_body(e);
}

/* A request that was sent to another address, which its owner is not told of again. */
static void go_elsewhere(struct bidi_request *r)
{
	_cleanup_(freep) char *changes = TAKE_PTR(r->changes);

	bidi_send_on(r->context->page, r->id, changes);
}

static void traffic_on_begun(struct traffic_event *e)
{
	const struct bidi_kind kind = bidi_kind_of(json_get(e->params, "request"));
	bool is_blocked = json_bool(e->params, "isBlocked", false);

	if (kind.is_embedded && !is_blocked)
		return;
	if (e->request && e->request->changes) {
		go_elsewhere(e->request);
		return;
	}
	traffic_begin(e, &kind);
	if (is_blocked)
		bidi_report_blocked(e->page, e->request, e->params, &kind);
}

/* ---- the response ---- */

/* Downloads may have the id of one navigation: of two that are on their way, it is not known which of them is meant. */
static void note_arrival(const struct traffic_event *e, const char *document)
{
	struct bidi_context *x = e->context;

	x->announced = strcmp(x->announcing, document) == 0 ? 0 : bidi_announced_size(e->params);
	engine_id_set(x->announcing, document);
	engine_id_set(x->arriving, document);
}

static void report_head(const struct traffic_event *e, const struct bidi_kind *kind)
{
	const struct exchange_event x = traffic_exchange(e, kind);
	bool is_redirect = bidi_is_redirect(e->params);

	if (x.document && !is_redirect)
		note_arrival(e, x.document);
	if (kind->is_socket)
		REPORT(e->page, traffic, socket_answered, &x);
	else if (!is_redirect)
		REPORT(e->page, traffic, response, &x);
}

static void traffic_on_head(struct traffic_event *e)
{
	const struct bidi_kind kind = bidi_kind_of(json_get(e->params, "request"));
	struct journal *j = journal_of(e->page);

	if (kind.is_embedded && !e->request)
		traffic_begin(e, &kind);
	if (e->request)
		e->request->has_head = true;
	report_head(e, &kind);
	if (j && kind.is_socket)
		bidi_normalise_socket(j, engine_target_id(e->page), e->params, WEBSOCKET_OPENED);
	else if (j)
		bidi_normalise_response(j, engine_target_id(e->page), e->params);
	if (json_bool(e->params, "isBlocked", false))
		bidi_report_blocked(e->page, e->request, e->params, &kind);
}

/* ---- the end ---- */

/* The browser's own process reports the end, to which the one of the page may not have got. */
static bool ends_early(const struct traffic_event *e, const struct bidi_kind *kind)
{
	return (kind->resource == RESOURCE_FETCH || kind->resource == RESOURCE_XHR) && e->context == e->context->top;
}

/* Of a WebSocket, its handshake. One that was opened stays until its document goes, as its end is not reported. */
static void traffic_on_completed(struct traffic_event *e)
{
	const struct bidi_kind kind = bidi_kind_of(json_get(e->params, "request"));
	struct exchange_event x = traffic_exchange(e, &kind);
	struct journal *j = journal_of(e->page);

	x.is_early = ends_early(e, &kind);
	if (e->request && !e->request->changes)
		bidi_end_request(e->connection, TAKE_PTR(e->request));
	if (kind.is_socket)
		return;
	REPORT(e->page, traffic, finished, &x);
	if (j)
		bidi_normalise_finished(j, engine_target_id(e->page), e->params);
}

static void record_failure(const struct traffic_event *e, bool is_socket, bool is_refused)
{
	struct journal *j = journal_of(e->page);
	const char *session = engine_target_id(e->page);

	if (!j)
		return;
	if (!is_socket) {
		bidi_normalise_failed(j, session, e->params, is_refused);
		return;
	}
	bidi_normalise_socket(j, session, e->params, WEBSOCKET_ERROR);
	bidi_normalise_socket(j, session, e->params, WEBSOCKET_CLOSED);
}

static void traffic_on_error(struct traffic_event *e)
{
	const struct bidi_kind kind = bidi_kind_of(json_get(e->params, "request"));
	struct exchange_event x = traffic_exchange(e, &kind);
	bool is_refused = e->request && e->request->is_refused;

	x.canceled = strcmp(json_text(e->params, "errorText"), "NS_BINDING_ABORTED") == 0;
	if (e->request)
		bidi_end_request(e->connection, TAKE_PTR(e->request));
	if (x.document && is_refused)
		engine_id_set(e->context->top->refused, x.document);
	if (x.document && strcmp(e->context->arriving, x.document) == 0)
		e->context->arriving[0] = '\0';
	if (kind.is_socket)
		REPORT(e->page, traffic, socket_closed, &x);
	else
		REPORT(e->page, traffic, failed, &x);
	record_failure(e, kind.is_socket, is_refused);
}

static void traffic_on_challenge(struct traffic_event *e)
{
	bidi_report_challenge(e->page, e->params);
}

/* ---- all of them ---- */

static const struct {
	const char *name;
	void (*fn)(struct traffic_event *e);
} traffic_event_table[] = {
	{ "beforeRequestSent", traffic_on_begun },     { "responseStarted", traffic_on_head },
	{ "responseCompleted", traffic_on_completed }, { "fetchError", traffic_on_error },
	{ "authRequired", traffic_on_challenge },
};

/* Requests of shared and service workers are of no page. */
void bidi_on_network_event(struct bidi *c, const char *name, const struct json *params)
{
	struct traffic_event e = {
		.connection = c,
		.context = bidi_find_context(c, json_str(params, "context")),
		.params = params,
		.request = bidi_find_request(c, json_str(params, "request.request")),
	};

	e.page = e.context ? e.context->page : NULL;
	if (!e.page || !e.page->records || (e.request && e.request->context->page != e.page)) {
		bidi_let_pass(c, name, params);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(traffic_event_table); i++)
		if (strcmp(traffic_event_table[i].name, name) == 0)
			traffic_event_table[i].fn(&e);
}

/* What the whole browser is told once. A challenge that is not intercepted would show a prompt, which nobody sees and everything waits for. */
static void observe_browser(struct bidi *c)
{
	c->observes = true;
	bidi_post(c->root, "network.addDataCollector", "{dataTypes: ['request', 'response'], maxEncodedDataSize: ?}",
		  LIMIT_KEPT_BODY);
	bidi_post(c->root, "network.addIntercept", "{phases: ['authRequired']}");
}

void engine_record(struct engine_target *s)
{
	if (!s || !s->connection)
		return;
	s->records = true;
	if (!s->connection->observes)
		observe_browser(s->connection);
}

/* Both kinds of messages come as one kind of event. */
void engine_record_log(struct engine_target *s)
{
}
