/*
 * The connection to the debugging port of a browser that is starting: from its address, which the browser writes to its profile
 * (DevToolsActivePort), to a WebSocket, after which the port is closed to all other processes (loop/private_port.h).
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"
#include "engine/cdp/cdp.h"
#include "loop/loop.h"
#include "loop/process.h"

struct debugging_port;

struct debugging_port_handler {
	/* The WebSocket is being opened. `c` belongs to the receiver, and is freed before the struct debugging_port. */
	void (*connecting)(struct cdp *c, void *data);
	/*
	 * The browser must be ended: the port is not private. `shared`: another process has, or may have, connected; else a step is not
	 * possible. `reason` is readable. No other callback but cdp.closed follows.
	 */
	void (*failed)(bool shared, const char *reason, void *data);
	/* `open`: the port is private, and the browser is as it has started. */
	struct cdp_handler cdp;
};

/*
 * Before the browser starts. Negative errno. `handler` must outlive it. There is no timeout: the caller frees it to end it.
 */
int debugging_port_new(struct loop *l, const struct debugging_port_handler *handler, void *data, struct debugging_port **ret);
/* The browser has been started with this profile, as a process of `owner`. Negative errno. */
int debugging_port_begin(struct debugging_port *p, const char *profile, const struct process *owner);
/* May be called any time, but inside of callbacks. */
struct debugging_port *debugging_port_free(struct debugging_port *p);
DEFINE_FREEP(debugging_port);
