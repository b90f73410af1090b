/* Resolves a host name without blocking the loop. */
#pragma once

#include <netdb.h>

#include "base/macros.h"
#include "loop/loop.h"

struct lookup;

/*
 * `done` is called once, from the loop: with the addresses, which are freed when it returns, or with NULL and the reason as
 * readable text. `host` may be a numeric address. Returns NULL when too many look-ups are in progress.
 */
struct lookup *lookup_new(struct loop *l, const char *host, int port,
			  void (*done)(const struct addrinfo *addresses, const char *failure, void *data), void *data);
/* May be called any time, also inside `done`; no callback follows. */
struct lookup *lookup_free(struct lookup *u);
DEFINE_FREEP(lookup);
