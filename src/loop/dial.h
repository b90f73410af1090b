/*
 * Opens a TCP connection to a host: looks its name up and tries its addresses in their order, the next one when one refuses or
 * cannot be reached. There is no timeout: the caller frees the attempt to end it.
 */
#pragma once

#include "base/macros.h"
#include "loop/loop.h"

struct dial;

#define DIAL_ADDRESS_SIZE 64 /* a numeric address with its zone */

struct dial_result {
	int fd;              /* non-blocking; the callback owns it. -1: no address could be connected to */
	const char *address; /* that it is connected to, numeric */
	const char *failure; /* why it is missing, readable: "connect ECONNREFUSED 127.0.0.1:9222" */
};

/* `done` is called once, from the loop and never before this returns. `host` is a name or a numeric address without brackets. */
struct dial *dial_new(struct loop *l, const char *host, int port, void (*done)(const struct dial_result *result, void *data),
		      void *data);
/* May be called any time, also inside of `done`; no callback follows. */
struct dial *dial_free(struct dial *d);
DEFINE_FREEP(dial);
