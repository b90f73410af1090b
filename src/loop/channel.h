/*
 * A transport over a connected stream socket (one end of a socketpair) whose messages end with a NUL each, as Chromium
 * with --remote-debugging-pipe reads them from descriptor 3 and writes them to descriptor 4.
 */
#pragma once

#include <stddef.h>

#include "loop/transport.h"

/*
 * Takes ownership of `fd`, even on failure. The channel is open from the start, so the handler's `open` is never called.
 * `handler` must outlive the transport. Callbacks never run before this returns.
 */
int channel_open(struct loop *l, int fd, size_t message_limit, const struct transport_handler *handler, void *data,
		 struct transport **ret);
