/* The addresses of a host name, found without blocking the loop. */
#pragma once

#include <netdb.h>

#include "base/macros.h"
#include "loop/loop.h"

struct lookup;

/*
 * `done` is called once, from the loop: with the addresses, which are freed behind it, or with NULL and the reason, for a person.
 * `host` may be a numeric address. NULL when that many look-ups are under way that no more fits.
 */
struct lookup *lookup_new(struct loop *l, const char *host, int port,
			  void (*done)(const struct addrinfo *addresses, const char *failure, void *data), void *data);
/* Any time, also inside of `done`: nothing is called from then on. */
struct lookup *lookup_free(struct lookup *u);
DEFINE_FREEP(lookup);
