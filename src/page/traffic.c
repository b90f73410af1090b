#include "page/traffic.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/http_status.h"
#include "base/limits.h"
#include "base/macros.h"
#include "page/internal.h"

enum exchange_kind {
	EXCHANGE_HEAD,     /* an image, font, ping...: only the response is waited for */
	EXCHANGE_BODY,     /* its content is likely to be shown */
	EXCHANGE_DOCUMENT, /* the same; it may turn out to be a download */
	EXCHANGE_EVENTS,   /* server-sent events */
	EXCHANGE_SOCKET,
};

struct exchange {
	TAILQ_ENTRY(exchange) link;
	enum exchange_kind kind;
	uint64_t number;  /* of a request, from 0 */
	uint64_t asked;   /* of a WebSocket: the number of the message that has no answer yet; 0: none */
	bool has_head;    /* the response has come */
	bool has_content; /* its status does not mean that the browser stays where it is (204, 205) */
	char session[ENGINE_ID_SIZE];
	char loader[ENGINE_ID_SIZE]; /* of the document that made the request; empty for WebSockets and workers */
	char id[ENGINE_ID_SIZE];     /* as much of it as fits */
};

static void traffic_init(struct page *p)
{
	TAILQ_INIT(&p->traffic.open);
}

static int traffic_compare_ids(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void traffic_drop(struct traffic *t, struct exchange *e)
{
	TAILQ_REMOVE(&t->open, e, link);
	tdelete(e->id, &t->by_id, traffic_compare_ids);
	t->count--;
	free(e);
}

static void traffic_done(struct page *p)
{
	while (!TAILQ_EMPTY(&p->traffic.open))
		traffic_drop(&p->traffic, TAILQ_FIRST(&p->traffic.open));
}

struct traffic_mark traffic_mark(const struct traffic *t)
{
	return (struct traffic_mark){
		.requests = t->requests, .socket_turns = t->socket_turns, .early_ends = t->early_ends, .handed_over = t->handed_over
	};
}

bool traffic_began(const struct traffic *t, uint64_t from, uint64_t to)
{
	return MIN(t->requests, to) > from;
}

static bool is_stream(const struct exchange *e)
{
	return e->kind == EXCHANGE_EVENTS || e->kind == EXCHANGE_SOCKET;
}

static bool is_awaited(const struct exchange *e, bool stalled)
{
	if (e->kind == EXCHANGE_SOCKET)
		return false;
	return !e->has_head || (!stalled && (e->kind == EXCHANGE_BODY || e->kind == EXCHANGE_DOCUMENT));
}

bool traffic_request_open(const struct traffic *t, uint64_t from, uint64_t to, bool stalled)
{
	const struct exchange *e;

	TAILQ_FOREACH(e, &t->open, link)
		if (e->number >= from && e->number < to && is_awaited(e, stalled))
			return true;
	return false;
}

bool traffic_document_open(const struct traffic *t, const char *loader)
{
	const struct exchange *e;

	TAILQ_FOREACH(e, &t->open, link)
		if (e->kind == EXCHANGE_DOCUMENT && strcmp(e->loader, loader) == 0)
			return true;
	return false;
}

bool traffic_socket_waits(const struct traffic *t, uint64_t from_turn)
{
	const struct exchange *e;

	TAILQ_FOREACH(e, &t->open, link)
		if (e->asked > from_turn)
			return true;
	return false;
}

bool traffic_has_stream(const struct traffic *t)
{
	const struct exchange *e;

	TAILQ_FOREACH(e, &t->open, link)
		if (is_stream(e))
			return true;
	return false;
}

/* Two attachments may report the same request, so the one that reports is not asked for. */
static struct exchange *traffic_find(const struct traffic *t, const struct exchange_event *x)
{
	char id[ENGINE_ID_SIZE];
	char *const *found;

	engine_id_set(id, x->id);
	found = tfind(id, &t->by_id, traffic_compare_ids);
	return found ? CONTAINER_OF(*found, struct exchange, id) : NULL;
}

/* Takes the place of another exchange with the same id. */
static struct exchange *traffic_add(struct traffic *t, enum exchange_kind kind, const struct exchange_event *x)
{
	struct exchange *e = traffic_find(t, x);

	if (e)
		traffic_drop(t, e);
	if (t->count == LIMIT_OPEN_REQUESTS_COUNT)
		traffic_drop(t, TAILQ_FIRST(&t->open));
	e = NEW(struct exchange);
	e->kind = kind;
	engine_id_set(e->id, x->id);
	engine_id_set(e->session, x->target);
	engine_id_set(e->loader, x->loader);
	TAILQ_INSERT_TAIL(&t->open, e, link);
	must(tsearch(e->id, &t->by_id, traffic_compare_ids));
	t->count++;
	return e;
}

static enum exchange_kind kind_of(enum resource_kind resource)
{
	switch (resource) {
	case RESOURCE_DOCUMENT:
		return EXCHANGE_DOCUMENT;
	case RESOURCE_STYLESHEET:
	case RESOURCE_SCRIPT:
	case RESOURCE_XHR:
	case RESOURCE_FETCH:
		return EXCHANGE_BODY;
	case RESOURCE_EVENT_SOURCE:
		return EXCHANGE_EVENTS;
	case RESOURCE_OTHER:
		break;
	}
	return EXCHANGE_HEAD;
}

bool traffic_on_request(struct traffic *t, const struct exchange_event *x)
{
	struct exchange *e = traffic_find(t, x);

	if (x->is_data || (e && !x->redirected))
		return false;
	e = traffic_add(t, kind_of(x->resource), x);
	e->number = t->requests++;
	return true;
}

bool traffic_on_response(struct traffic *t, const struct exchange_event *x)
{
	struct exchange *e = traffic_find(t, x);

	t->received = clock_now();
	if (!e)
		return false;
	e->has_head = true;
	e->has_content = !http_status_is_empty(x->status);
	return true;
}

static bool end(struct traffic *t, struct exchange *e)
{
	if (e)
		traffic_drop(t, e);
	return e;
}

bool traffic_on_finished(struct traffic *t, const struct exchange_event *x)
{
	t->early_ends += x->is_early;
	return end(t, traffic_find(t, x));
}

/* A response that is no document is taken from the page, which the browser reports as a canceled request. */
bool traffic_on_failed(struct traffic *t, const struct exchange_event *x)
{
	struct exchange *e = traffic_find(t, x);

	if (e && e->kind == EXCHANGE_DOCUMENT && e->has_head && e->has_content && x->canceled)
		t->handed_over++;
	return end(t, e);
}

bool traffic_on_socket_created(struct traffic *t, const struct exchange_event *x)
{
	traffic_add(t, EXCHANGE_SOCKET, x)->asked = ++t->socket_turns;
	return true;
}

static bool set_asked(struct exchange *e, uint64_t asked)
{
	if (e)
		e->asked = asked;
	return e;
}

bool traffic_on_socket_sent(struct traffic *t, const struct exchange_event *x)
{
	return set_asked(traffic_find(t, x), ++t->socket_turns);
}

bool traffic_on_socket_answered(struct traffic *t, const struct exchange_event *x)
{
	return set_asked(traffic_find(t, x), 0);
}

bool traffic_on_socket_closed(struct traffic *t, const struct exchange_event *x)
{
	return end(t, traffic_find(t, x));
}

void traffic_on_document(struct traffic *t)
{
	for (struct exchange *e = TAILQ_FIRST(&t->open), *next; e; e = next) {
		next = TAILQ_NEXT(e, link);
		if (is_stream(e))
			traffic_drop(t, e);
	}
}

void traffic_on_document_gone(struct traffic *t, const char *loader)
{
	for (struct exchange *e = TAILQ_FIRST(&t->open), *next; e && *loader; e = next) {
		next = TAILQ_NEXT(e, link);
		if (strcmp(e->loader, loader) == 0)
			traffic_drop(t, e);
	}
}

void traffic_on_session_gone(struct traffic *t, const char *session)
{
	for (struct exchange *e = TAILQ_FIRST(&t->open), *next; e; e = next) {
		next = TAILQ_NEXT(e, link);
		if (strcmp(e->session, session) == 0)
			traffic_drop(t, e);
	}
}

const struct page_part traffic_part = {
	.init = traffic_init,
	.done = traffic_done,
};
