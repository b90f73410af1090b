/*
 * Requests under way. Firefox says of most requests only which browsing context they are of, so they are counted here for the document that it
 * shows, to know when the network of a document is idle: Chromium reports that as an event of its own.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "engine/bidi/internal.h"

#define IDLE_USEC (500 * USEC_PER_MSEC) /* as Chromium's networkIdle */

/* ---- idle networks ---- */

static void set_idle_timer(struct bidi *c);

static void report_idle(void *data)
{
	struct bidi *c = data;
	struct bidi_context *x;
	usec_t now = clock_now();

	while ((x = TAILQ_FIRST(&c->idle)) && x->idle_at <= now) {
		TAILQ_REMOVE(&c->idle, x, idle_link);
		x->idle_at = 0;
		x->was_idle = true;
		if (x->page)
			REPORT(x->page, frames, loaded, x->page, x->id, bidi_document(x), LOAD_NETWORKIDLE);
	}
	set_idle_timer(c);
}

/* Each waits equally long, so the list is in the order of their times. */
static void set_idle_timer(struct bidi *c)
{
	const struct bidi_context *x = TAILQ_FIRST(&c->idle);

	if (!c->idle_timer)
		c->idle_timer = timer_new(c->loop, report_idle, c);
	timer_set(c->idle_timer, x ? x->idle_at : USEC_NEVER);
}

static void stop_idling(struct bidi *c, struct bidi_context *x)
{
	if (!x->idle_at)
		return;
	TAILQ_REMOVE(&c->idle, x, idle_link);
	x->idle_at = 0;
	set_idle_timer(c);
}

static void begin_idling(struct bidi *c, struct bidi_context *x)
{
	if (!x->is_loaded || x->was_idle || x->open || x->idle_at)
		return;
	x->idle_at = clock_now() + IDLE_USEC;
	TAILQ_INSERT_TAIL(&c->idle, x, idle_link);
	set_idle_timer(c);
}

void bidi_end_loading(struct bidi *c, struct bidi_context *x)
{
	x->is_loaded = true;
	begin_idling(c, x);
}

/* ---- requests ---- */

static int compare_requests(const void *a, const void *b)
{
	const struct bidi_request *x = a, *y = b;

	return strcmp(x->id, y->id);
}

struct bidi_request *bidi_find_request(struct bidi *c, const char *id)
{
	struct bidi_request wanted, **found;

	if (!c || !engine_id_is_valid(id))
		return NULL;
	engine_id_set(wanted.id, id);
	found = tfind(&wanted, &c->requests_by_id, compare_requests);
	return found ? *found : NULL;
}

static void requests_count(struct bidi *c, struct bidi_request *r)
{
	r->is_counted = !r->is_socket && strcmp(r->loader, bidi_document(r->context)) == 0;
	if (!r->is_counted)
		return;
	r->context->open++;
	stop_idling(c, r->context);
}

static void remove_request(struct bidi *c, struct bidi_request *r)
{
	struct bidi_traffic *t = &r->context->page->traffic;

	TAILQ_REMOVE(&t->requests, r, link);
	t->count--;
	TAILQ_REMOVE(&r->context->requests, r, context_link);
	r->context->open -= r->is_counted;
	tdelete(r, &c->requests_by_id, compare_requests);
	engine_call_done(&r->call);
	intercepted_request_done(&r->asked);
	free(r->changes);
	free(r);
}

void bidi_end_request(struct bidi *c, struct bidi_request *r)
{
	struct bidi_context *x = r->context;

	remove_request(c, r);
	begin_idling(c, x);
}

/* One that waits for an answer will find nobody any more. */
static void evict_oldest(struct bidi *c, struct engine_target *s)
{
	struct bidi_request *r = TAILQ_FIRST(&s->traffic.requests);

	if (r->is_blocked)
		bidi_post(s, "network.failRequest", "{request: ?}", r->id);
	bidi_end_request(c, r);
}

struct bidi_request *bidi_begin_request(struct bidi *c, struct bidi_context *x, const char *id, const char *loader, bool is_socket)
{
	struct bidi_request *r = bidi_find_request(c, id);

	if (!engine_id_is_valid(id))
		return NULL;
	if (r)
		remove_request(c, r);
	if (x->page->traffic.count == LIMIT_OPEN_REQUESTS_COUNT)
		evict_oldest(c, x->page);
	r = NEW(struct bidi_request);
	*r = (struct bidi_request){ .context = x, .is_socket = is_socket };
	engine_id_set(r->id, id);
	engine_id_set(r->loader, loader);
	TAILQ_INSERT_TAIL(&x->page->traffic.requests, r, link);
	x->page->traffic.count++;
	TAILQ_INSERT_TAIL(&x->requests, r, context_link);
	must(tsearch(r, &c->requests_by_id, compare_requests));
	requests_count(c, r);
	return r;
}

/* ---- documents and pages ---- */

/* What waits for an answer gets it, whatever has become of its document. */
void bidi_begin_document(struct bidi *c, struct bidi_context *x)
{
	struct bidi_request *r, *next;

	stop_idling(c, x);
	x->is_loaded = x->was_idle = false;
	x->open = 0;
	for (r = TAILQ_FIRST(&x->requests); r; r = next) {
		next = TAILQ_NEXT(r, context_link);
		r->is_counted = false;
		if (strcmp(r->loader, bidi_document(x)) != 0 && !r->is_blocked)
			remove_request(c, r);
		else
			requests_count(c, r);
	}
}

void bidi_forget_traffic(struct bidi *c, struct bidi_context *x)
{
	struct bidi_request *r;

	while ((r = TAILQ_FIRST(&x->requests)))
		remove_request(c, r);
	stop_idling(c, x);
}

void bidi_forget_requests(struct engine_target *s)
{
	struct bidi_request *r;

	while ((r = TAILQ_FIRST(&s->traffic.requests)))
		remove_request(s->connection, r);
}
