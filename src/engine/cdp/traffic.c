/* Events of requests, WebSockets and the console: first to the owner of the target, then into its journal. */
#include <string.h>

#include "base/limits.h"
#include "engine/cdp/events.h"
#include "engine/cdp/internal.h"
#include "engine/cdp/network.h"
#include "engine/cdp/normalise.h"
#include "observe/resource.h"

void engine_record(struct engine_target *s)
{
	cdp_post(s, "Runtime.enable", "{}");
	cdp_post(s, "Network.enable", "{maxPostDataSize: ?}", LIMIT_OBSERVED_POST);
}

void engine_record_log(struct engine_target *s)
{
	cdp_post(s, "Log.enable", "{}");
}

typedef void normaliser(struct journal *j, const char *session, const struct json *params);

static void record(const struct engine_target *s, normaliser *normalise, const struct json *params)
{
	struct journal *j = s->hears && s->hears->journal ? s->hears->journal(s->data) : NULL;

	if (j)
		normalise(j, engine_target_id(s), params);
}

/* ---- requests and WebSockets ---- */

static struct exchange_event exchange_of(const struct engine_target *s, const struct json *params)
{
	const char *id = json_str(params, "requestId"), *loader = json_str(params, "loaderId");

	return (struct exchange_event){
		.id = id,
		.target = engine_target_id(s),
		.loader = loader,
		.document = id && loader && strcmp(id, loader) == 0 ? loader : NULL, /* the request of a document has its id */
		.status_text = "",
	};
}

static void traffic_on_request_event(struct engine_target *s, const struct json *params, void *data)
{
	struct exchange_event x = exchange_of(s, params);

	x.resource = resource_kind_find(json_text(params, "type"));
	x.is_data = starts_with(json_str(params, "request.url"), "data:");
	x.redirected = json_get(params, "redirectResponse");
	REPORT(s, traffic, request, &x);
	record(s, normalise_request, params);
}

static void traffic_on_response_event(struct engine_target *s, const struct json *params, void *data)
{
	struct exchange_event x = exchange_of(s, params);

	x.status = (int)json_int(params, "response.status", 0);
	x.status_text = json_text(params, "response.statusText");
	x.frame = json_str(params, "frameId");
	REPORT(s, traffic, response, &x);
	record(s, normalise_response, params);
}

static void on_failed(struct engine_target *s, const struct json *params, void *data)
{
	struct exchange_event x = exchange_of(s, params);

	x.canceled = json_bool(params, "canceled", false);
	REPORT(s, traffic, failed, &x);
	record(s, normalise_failed, params);
}

#define EXCHANGE(what, handler) \
	static void on_##what(struct engine_target *s, const struct json *params, void *data) \
	{ \
		const struct exchange_event x = exchange_of(s, params); \
\
		REPORT(s, traffic, handler, &x); \
		record(s, normalise_##what, params); \
	}

EXCHANGE(finished, finished)
EXCHANGE(websocket_created, socket_created)
EXCHANGE(websocket_opened, socket_answered)
EXCHANGE(websocket_sent, socket_sent)
EXCHANGE(websocket_received, socket_answered)
EXCHANGE(websocket_closed, socket_closed)

static void on_cached(struct engine_target *s, const struct json *params, void *data)
{
	record(s, normalise_cached, params);
}

static void on_websocket_error(struct engine_target *s, const struct json *params, void *data)
{
	record(s, normalise_websocket_error, params);
}

static void on_data_received(struct engine_target *s, const struct json *params, void *data)
{
	REPORT(s, traffic, received, s);
}

static void on_request_paused(struct engine_target *s, const struct json *params, void *data)
{
	_cleanup_(intercepted_request_done) struct intercepted_request q = {};

	if (cdp_read_request(params, &q))
		REPORT(s, traffic, intercepted, s, &q);
}

static void on_auth_required(struct engine_target *s, const struct json *params, void *data)
{
	struct challenge c;

	if (cdp_read_challenge(params, &c))
		REPORT(s, traffic, challenged, s, &c);
}

/* ---- the console ---- */

void engine_forget_logged(struct engine_target *s)
{
	cdp_post(s, "Runtime.releaseObjectGroup", "{objectGroup: 'console'}");
}

static void report_objects(struct engine_target *s, const struct json *values)
{
	bool any = false;

	json_foreach(v, values)
		any |= json_get(v, "objectId") != NULL;
	if (any)
		REPORT(s, console, kept_objects, s);
}

static void on_console(struct engine_target *s, const struct json *params, void *data)
{
	record(s, normalise_console, params);
	report_objects(s, json_get(params, "args"));
}

static void on_exception(struct engine_target *s, const struct json *params, void *data)
{
	record(s, normalise_exception, params);
	report_objects(s, json_get(params, "exceptionDetails"));
}

static void on_log(struct engine_target *s, const struct json *params, void *data)
{
	record(s, normalise_log, params);
}

const struct cdp_event cdp_traffic_events[] = {
	{ "Runtime.consoleAPICalled", on_console, .longest = LIMIT_OBSERVED_MESSAGE },
	{ "Runtime.exceptionThrown", on_exception, .longest = LIMIT_OBSERVED_MESSAGE },
	{ "Log.entryAdded", on_log, .longest = LIMIT_OBSERVED_MESSAGE },
	{ "Network.requestWillBeSent", traffic_on_request_event },
	{ "Network.responseReceived", traffic_on_response_event },
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
