/* WebSocket client as a transport. Text messages only, without compression. */
#pragma once

#include <stddef.h>

#include "loop/transport.h"

/* `host` is a numeric address. `handler` must outlive the transport. Callbacks never run before this returns. */
int ws_connect(struct loop *l, const char *host, int port, const char *path, size_t message_limit,
	       const struct transport_handler *handler, void *data, struct transport **ret);
