/* Normalises the events of WebSockets: opening, frames, errors and closing. */
#include "base/limits.h"
#include "engine/cdp/normalise.h"

static struct observed *normalise_sockets_add_event(struct journal *j, enum websocket_event event, const char *session,
						    const struct json *params)
{
	const struct observed *created = journal_find(j, json_str(params, "requestId"));
	struct observed *e;

	e = journal_add(j, OBSERVED_WEBSOCKET, session);
	e->time = json_num(params, "timestamp", 0);
	e->request_id = journal_text(j, json_text(params, "requestId"), LIMIT_OBSERVED_WORD);
	e->request = created ? created->seq : OBSERVED_NONE;
	journal_follow(j, e, created);
	e->websocket.event = event;
	return e;
}

void normalise_websocket_created(struct journal *j, const char *session, const struct json *params)
{
	struct observed *e = normalise_sockets_add_event(j, WEBSOCKET_CREATED, session, params);

	e->url = journal_masked(j, json_text(params, "url"), LIMIT_OBSERVED_URL);
	journal_index(j, e);
	journal_done(j, e);
}

void normalise_websocket_opened(struct journal *j, const char *session, const struct json *params)
{
	struct observed *e = normalise_sockets_add_event(j, WEBSOCKET_OPENED, session, params);

	e->websocket.status = (int)json_int(params, "response.status", 0);
	journal_done(j, e);
}

static void add_frame(struct journal *j, enum websocket_event event, const char *session, const struct json *params)
{
	struct observed *e = normalise_sockets_add_event(j, event, session, params);

	e->websocket.opcode = (int)json_int(params, "response.opcode", 0);
	e->websocket.payload = journal_masked(j, json_str(params, "response.payloadData"), LIMIT_OBSERVED_TEXT);
	journal_done(j, e);
}

void normalise_websocket_sent(struct journal *j, const char *session, const struct json *params)
{
	add_frame(j, WEBSOCKET_SENT, session, params);
}

void normalise_websocket_received(struct journal *j, const char *session, const struct json *params)
{
	add_frame(j, WEBSOCKET_RECEIVED, session, params);
}

void normalise_websocket_error(struct journal *j, const char *session, const struct json *params)
{
	struct observed *e = normalise_sockets_add_event(j, WEBSOCKET_ERROR, session, params);

	e->websocket.payload = journal_masked(j, json_str(params, "errorMessage"), LIMIT_OBSERVED_TEXT);
	journal_done(j, e);
}

void normalise_websocket_closed(struct journal *j, const char *session, const struct json *params)
{
	struct observed *e = normalise_sockets_add_event(j, WEBSOCKET_CLOSED, session, params);

	journal_done(j, e);
}
