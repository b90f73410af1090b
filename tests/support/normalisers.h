/* The normaliser's functions by the name of their event, for tests that feed it what a browser could send. */
#pragma once

#include "engine/cdp/normalise.h"

struct normaliser {
	const char *event;
	void (*fn)(struct journal *j, const char *session, const struct json *params);
};

static const struct normaliser normaliser_table[] = {
	{ "Runtime.consoleAPICalled", normalise_console },
	{ "Runtime.exceptionThrown", normalise_exception },
	{ "Log.entryAdded", normalise_log },
	{ "Network.requestWillBeSent", normalise_request },
	{ "Network.responseReceived", normalise_response },
	{ "Network.loadingFinished", normalise_finished },
	{ "Network.loadingFailed", normalise_failed },
	{ "Network.requestServedFromCache", normalise_cached },
	{ "Network.webSocketCreated", normalise_websocket_created },
	{ "Network.webSocketHandshakeResponseReceived", normalise_websocket_opened },
	{ "Network.webSocketFrameSent", normalise_websocket_sent },
	{ "Network.webSocketFrameReceived", normalise_websocket_received },
	{ "Network.webSocketFrameError", normalise_websocket_error },
	{ "Network.webSocketClosed", normalise_websocket_closed },
};
