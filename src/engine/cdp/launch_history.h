/* For launch.c: whether the next browser is connected to over its debugging port or a pipe. */
#pragma once

#include "engine/cdp/debugging_port.h"
#include "engine/launch.h"

/*
 * Decides by `o`, sets `o->connection` to CONNECTION_PORT or CONNECTION_PIPE, and prepares the port, whose `handler` gets `data`; `ret` is NULL
 * for the pipe. -ENOTSUP with a text in `error` when the port is required and cannot be made private.
 */
int launch_choose_connection(struct launch_history *h, struct loop *l, struct engine_options *o,
			     const struct debugging_port_handler *handler, void *data, struct str *error,
			     struct debugging_port **ret);
