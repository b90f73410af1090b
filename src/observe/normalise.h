/*
 * What the browser tells, into the journal. One function for each CDP event; `params` are the event's, `session` is
 * the CDP session that it came from. Nothing in an event is trusted to be there, to have its type or to be small: what
 * is missing becomes "" or 0, texts are cut at the limits of base/limits.h. Nothing suspends, nothing fails.
 *
 * Requests are joined by CDP's request id. A redirect ends the request that it answers and begins another one of the
 * same id, so that every hop is a pair of its own. data: URLs are left out: nothing travels for them.
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

/* Page.javascriptDialogOpening, javascriptDialogClosed */
void normalise_dialog_opened(struct journal *j, const char *session, const struct json *params);
void normalise_dialog_closed(struct journal *j, const char *session, const struct json *params);

/* A download, with its URL: what the browser tells of it comes in several events, so its owner puts it together. */
void normalise_download(struct journal *j, const char *session, const char *url, const struct observed_download *d);

/* Network.webSocket...: Created, HandshakeResponseReceived, FrameSent, FrameReceived, FrameError, Closed */
void normalise_websocket_created(struct journal *j, const char *session, const struct json *params);
void normalise_websocket_opened(struct journal *j, const char *session, const struct json *params);
void normalise_websocket_sent(struct journal *j, const char *session, const struct json *params);
void normalise_websocket_received(struct journal *j, const char *session, const struct json *params);
void normalise_websocket_error(struct journal *j, const char *session, const struct json *params);
void normalise_websocket_closed(struct journal *j, const char *session, const struct json *params);
