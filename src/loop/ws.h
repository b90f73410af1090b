/* WebSocket client as a transport, also over TLS. Text messages only, without compression. */
#pragma once

#include <stddef.h>

#include "loop/request.h"
#include "loop/transport.h"

/*
 * `fd` is a connected, non-blocking socket (loop/dial.h), which the transport owns from here on. `handler` must outlive the
 * transport. Callbacks never run before this returns.
 */
int ws_open(struct loop *l, int fd, const struct request *request, size_t message_limit, const struct transport_handler *handler,
	    void *data, struct transport **ret);
