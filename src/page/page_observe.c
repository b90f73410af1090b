#include "page/page_observe.h"

#include "base/limits.h"
#include "observe/normalise.h"
#include "page/state.h"

#define OBJECTS_KEPT 200 /* messages with objects after which the browser may forget these */

void page_observe_enable(struct cdp_session *s)
{
	cdp_post(s, "Runtime.enable", "{}");
	cdp_post(s, "Network.enable", "{maxPostDataSize: %u}", LIMIT_OBSERVED_POST);
}

#define OBSERVE(what) \
	void page_observe_##what(struct cdp_session *s, const struct json *params, void *page) \
	{ \
		normalise_##what(((struct page *)page)->journal, cdp_session_id(s), params); \
	}

OBSERVE(log)
OBSERVE(cached)
OBSERVE(websocket_error)

/* The same for what settling waits for: the page's traffic hears of the event first. */
#define OBSERVE_TRAFFIC(what, heard) \
	void page_observe_##what(struct cdp_session *s, const struct json *params, void *data) \
	{ \
		struct page *p = data; \
\
		if (heard) \
			waitq_wake(&p->changed); \
		normalise_##what(p->journal, cdp_session_id(s), params); \
	}

OBSERVE_TRAFFIC(request, traffic_on_request(&p->traffic, cdp_session_id(s), params))
OBSERVE_TRAFFIC(response, traffic_on_response(&p->traffic, params))
OBSERVE_TRAFFIC(finished, traffic_on_finished(&p->traffic, params))
OBSERVE_TRAFFIC(failed, traffic_on_failed(&p->traffic, params))
OBSERVE_TRAFFIC(websocket_created, traffic_on_socket_created(&p->traffic, cdp_session_id(s), params))
OBSERVE_TRAFFIC(websocket_opened, traffic_on_socket_answered(&p->traffic, params))
OBSERVE_TRAFFIC(websocket_sent, traffic_on_socket_sent(&p->traffic, params))
OBSERVE_TRAFFIC(websocket_received, traffic_on_socket_answered(&p->traffic, params))
OBSERVE_TRAFFIC(websocket_closed, traffic_on_socket_closed(&p->traffic, params))

static void release_objects(struct cdp_session *s)
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
	p->logged_objects += any;
	if (p->logged_objects < OBJECTS_KEPT)
		return;
	p->logged_objects = 0;
	release_objects(p->cdp);
	TAILQ_FOREACH(child, &p->children, link)
		release_objects(child->cdp);
}

void page_observe_console(struct cdp_session *s, const struct json *params, void *page)
{
	struct page *p = page;

	normalise_console(p->journal, cdp_session_id(s), params);
	count_objects(p, json_get(params, "args"));
}

void page_observe_exception(struct cdp_session *s, const struct json *params, void *page)
{
	struct page *p = page;

	normalise_exception(p->journal, cdp_session_id(s), params);
	count_objects(p, json_get(params, "exceptionDetails"));
}
