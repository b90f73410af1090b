/* Which connection to the browsers that are started here is used: their debugging ports or pipes (browser_options.connection). */
#pragma once

#include <stdbool.h>

#include "base/str.h"
#include "browser/browser.h"
#include "browser/debugging_port.h"
#include "loop/loop.h"

/* Zeroed at first; released by connection_done(). */
struct connection {
	struct debugging_port *port; /* to the browser that was started; NULL: the pipe */
	struct str pipe_reason;      /* why it is the pipe although that was not asked for, a half sentence; empty: it is not */
	bool pipe_only;              /* a port has failed */
	unsigned shared;             /* browsers of this start that were ended because of their ports */
};

/*
 * Before each start of a browser: decides by `o`, sets `o->connection` to CONNECTION_PORT or CONNECTION_PIPE, and prepares the port, whose
 * `handler` gets `data`. -ENOTSUP with a text in `error` when the port is required and cannot be made private.
 */
int connection_choose(struct connection *c, struct loop *l, struct browser_options *o, const struct debugging_port_handler *handler,
		      void *data, struct str *error);
/*
 * The port has failed (debugging_port_handler). True: the browser is to be ended and another one started; false: the start has failed, with a
 * text in `error`.
 */
bool connection_may_retry(struct connection *c, const struct browser_options *o, bool shared, const char *reason,
			  struct str *error);
/* What the connection is called in messages. */
const char *connection_name(const struct connection *c);
/* The browser has ended. */
void connection_release(struct connection *c);
void connection_done(struct connection *c);
