/*
 * Adds CDP events to the journal in normalised form. One function per CDP event; `params` are the event's parameters,
 * `session` is the CDP session that it came from. Members of an event may be missing, of a wrong type or huge:
 * missing ones become "" or 0, texts are cut at the limits of base/limits.h. No function suspends or fails.
 *
 * Events of a request are joined by CDP's request id. A redirect ends the request that it answers and begins another
 * with the same id, so that each hop is a request with its own response. data: URLs are skipped, as they cause no
 * network traffic.
 */
#pragma once

#include "base/json.h"
#include "observe/journal.h"

/* Runtime.consoleAPICalled, Runtime.exceptionThrown, Log.entryAdded */
void normalise_console(struct journal *j, const char *session, const struct json *params);
void normalise_exception(struct journal *j, const char *session, const struct json *params);
void normalise_log(struct journal *j, const char *session, const struct json *params);

/* Network.requestWillBeSent, responseReceived, loadingFinished, loadingFailed, requestServedFromCache */
void normalise_request(struct journal *j, const char *session, const struct json *params);
void normalise_response(struct journal *j, const char *session, const struct json *params);
void normalise_finished(struct journal *j, const char *session, const struct json *params);
void normalise_failed(struct journal *j, const char *session, const struct json *params);
void normalise_cached(struct journal *j, const char *session, const struct json *params);

/* Network.webSocket...: Created, HandshakeResponseReceived, FrameSent, FrameReceived, FrameError, Closed */
void normalise_websocket_created(struct journal *j, const char *session, const struct json *params);
void normalise_websocket_opened(struct journal *j, const char *session, const struct json *params);
void normalise_websocket_sent(struct journal *j, const char *session, const struct json *params);
void normalise_websocket_received(struct journal *j, const char *session, const struct json *params);
void normalise_websocket_error(struct journal *j, const char *session, const struct json *params);
void normalise_websocket_closed(struct journal *j, const char *session, const struct json *params);
