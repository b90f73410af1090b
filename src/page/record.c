#include "page/record.h"

#include "base/limits.h"
#include "engine/cdp/cdp.h"
#include "engine/cdp/network.h"
#include "observe/journal.h"
#include "engine/cdp/normalise.h"
#include "page/internal.h"

#define OBJECTS_KEPT 200 /* messages with objects after which the browser may forget these */

void record_init(struct page_record *r, struct journal *journal, const char *target_id)
{
	if (journal) {
		r->journal = journal_ref(journal);
		return;
	}
	r->journal = journal_new(LIMIT_OBSERVED_COUNT, LIMIT_OBSERVED_BYTES);
	journal_set_target(r->journal, target_id);
}

void record_done(struct page_record *r)
{
	journal_free(r->journal);
}

struct journal *page_journal(struct page *p)
{
	return p->record.journal;
}

struct event_waker {
	struct journal_listener listener;
	struct task *task;
	unsigned kinds;
};

static void on_observed(struct journal_listener *l, const struct journal *j, const struct observed *e)
{
	struct event_waker *w = CONTAINER_OF(l, struct event_waker, listener);

	if (!w->kinds || w->kinds & e->kind)
		task_wake(w->task);
}

int page_await_event(struct task *t, struct page *p, unsigned kinds, const char *where)
{
	struct event_waker w = { .listener.observed = on_observed, .task = t, .kinds = kinds };
	int r;

	journal_listen(p->record.journal, &w.listener);
	r = waitq_wait(t, &p->changed, where);
	journal_unlisten(&w.listener);
	return r;
}

void record_enable(struct engine_target *s)
{
	cdp_post(s, "Runtime.enable", "{}");
	cdp_post(s, "Network.enable", "{maxPostDataSize: ?}", LIMIT_OBSERVED_POST);
}

void record_enable_log(struct engine_target *s)
{
	cdp_post(s, "Log.enable", "{}");
}

#define OBSERVE(what) \
	static void on_##what(struct engine_target *s, const struct json *params, void *page) \
	{ \
		normalise_##what(((struct page *)page)->record.journal, engine_target_id(s), params); \
	}

OBSERVE(log)
OBSERVE(cached)
OBSERVE(websocket_error)

static struct exchange_event exchange_event(const struct engine_target *s, const struct json *params)
{
	return (struct exchange_event){
		.id = json_str(params, "requestId"),
		.session = engine_target_id(s),
		.loader = json_str(params, "loaderId"),
		.resource = resource_kind_find(json_text(params, "type")),
		.status = (int)json_int(params, "response.status", 0),
		.is_data = starts_with(json_str(params, "request.url"), "data:"),
		.redirected = json_get(params, "redirectResponse"),
		.canceled = json_bool(params, "canceled", false),
	};
}

/* The page's traffic handles events of requests first. */
#define OBSERVE_TRAFFIC(what, traffic_on) \
	static void on_##what(struct engine_target *s, const struct json *params, void *data) \
	{ \
		const struct exchange_event x = exchange_event(s, params); \
		struct page *p = data; \
\
		if (traffic_on(&p->traffic, &x)) /* what settling waits for may have changed */ \
			waitq_wake(&p->changed); \
		normalise_##what(p->record.journal, engine_target_id(s), params); \
	}

OBSERVE_TRAFFIC(request, traffic_on_request)
OBSERVE_TRAFFIC(response, traffic_on_response)
OBSERVE_TRAFFIC(finished, traffic_on_finished)
OBSERVE_TRAFFIC(failed, traffic_on_failed)
OBSERVE_TRAFFIC(websocket_created, traffic_on_socket_created)
OBSERVE_TRAFFIC(websocket_opened, traffic_on_socket_answered)
OBSERVE_TRAFFIC(websocket_sent, traffic_on_socket_sent)
OBSERVE_TRAFFIC(websocket_received, traffic_on_socket_answered)
OBSERVE_TRAFFIC(websocket_closed, traffic_on_socket_closed)

static void on_data_received(struct engine_target *s, const struct json *params, void *data)
{
	((struct page *)data)->traffic.received = clock_now();
}

static void release_objects(struct engine_target *s)
{
	cdp_post(s, "Runtime.releaseObjectGroup", "{objectGroup: 'console'}");
}

/* The browser keeps logged objects alive until they are released, so that a page that logs would grow without limit. */
static void count_objects(struct page *p, const struct json *values)
{
	struct child_target *child;
	bool any = false;

	json_foreach(v, values)
		any |= json_get(v, "objectId") != NULL;
	p->record.logged_objects += any;
	if (p->record.logged_objects < OBJECTS_KEPT)
		return;
	p->record.logged_objects = 0;
	release_objects(p->target);
	TAILQ_FOREACH(child, &p->children, link)
		release_objects(child->target);
}

static void on_console(struct engine_target *s, const struct json *params, void *page)
{
	struct page *p = page;

	normalise_console(p->record.journal, engine_target_id(s), params);
	count_objects(p, json_get(params, "args"));
}

static void on_exception(struct engine_target *s, const struct json *params, void *page)
{
	struct page *p = page;

	normalise_exception(p->record.journal, engine_target_id(s), params);
	count_objects(p, json_get(params, "exceptionDetails"));
}

static void on_response_received(struct engine_target *s, const struct json *params, void *data)
{
	on_response(s, params, data);
	frame_on_response(data, params);
}

static void on_request_paused(struct engine_target *s, const struct json *params, void *page)
{
	_cleanup_(intercepted_request_done) struct intercepted_request q = {};

	if (cdp_read_request(params, &q) && page_alive(page))
		intercept_on_request(page, s, &q);
}

static void on_auth_required(struct engine_target *s, const struct json *params, void *page)
{
	struct challenge c;

	if (cdp_read_challenge(params, &c))
		page_answer_challenge(page, s, &c);
}

const struct cdp_event record_event_table[] = {
	{ "Runtime.consoleAPICalled", on_console, .longest = LIMIT_OBSERVED_MESSAGE },
	{ "Runtime.exceptionThrown", on_exception, .longest = LIMIT_OBSERVED_MESSAGE },
	{ "Log.entryAdded", on_log, .longest = LIMIT_OBSERVED_MESSAGE },
	{ "Network.requestWillBeSent", on_request },
	{ "Network.responseReceived", on_response_received },
	{ "Network.dataReceived", on_data_received, .unread = true },
	{ "Network.loadingFinished", on_finished },
	{ "Network.loadingFailed", on_failed },
	{ "Network.requestServedFromCache", on_cached },
	{ "Network.webSocketCreated", on_websocket_created },
	{ "Network.webSocketHandshakeResponseReceived", on_websocket_opened },
	{ "Network.webSocketFrameSent", on_websocket_sent, .longest = LIMIT_OBSERVED_MESSAGE },
	{ "Network.webSocketFrameReceived", on_websocket_received, .longest = LIMIT_OBSERVED_MESSAGE },
	{ "Network.webSocketFrameError", on_websocket_error },
	{ "Network.webSocketClosed", on_websocket_closed },
	/* A request that got no answer would wait forever. */
	{ "Fetch.requestPaused", on_request_paused, .longest = LIMIT_CDP_MESSAGE },
	{ "Fetch.authRequired", on_auth_required, .longest = LIMIT_CDP_MESSAGE },
	{},
};
