/*
 * The browsers that the sessions of a server work in. Usually this is one, which the server starts or connects to, and the pool only
 * passes it on. Browsers elsewhere (browser_options.endpoints) may be several: a session gets the one that has the fewest, and one that
 * cannot be connected to is passed over while another one can. Or a session gets a connection of its own, behind which a provider has a
 * browser for it (browser_options.per_session); both end with the session.
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"
#include "browser/browser.h"
#include "loop/task.h"
#include "engine/targets.h"

struct pool;

/*
 * `first` is the browser at the first address, or the one that is started here. `second`: one with another engine, for the sessions that ask for
 * it; NULL: none. Both outlive the pool.
 */
struct pool *pool_new(struct loop *l, struct browser *first, struct browser *second);
/* Ends the connections to all others. All contexts must have been freed. */
struct pool *pool_free(struct pool *p);
DEFINE_FREEP(pool);

/* browser_set_proxy() for these two. */
void pool_set_proxy(struct pool *p, const char *proxy);
struct browser *pool_second(const struct pool *p);
/* The options of the browser of a session, which asks for the second one or does not. */
const struct browser_options *pool_options(const struct pool *p, bool second);
/*
 * The browser for a session that does not ask for the second one. It is connected to by then if it is one of several. `own_context`: a browser whose own context is free is
 * preferred. Suspends. -ERR_BROWSER_ERROR: there is none, and what was worth another attempt has been tried until the limit of
 * browser_options.endpoint_timeout.
 */
int pool_enter(struct task *t, struct pool *p, const char *session_id, bool own_context, struct browser **ret);
/*
 * A session was being made in `b`, for `took`, which failed with `r`. True: the browser has ended or hangs, so it rests, and the session
 * may leave it and enter another one.
 */
bool pool_lost(struct pool *p, struct browser *b, int r, usec_t took);
/* Whether there are several browsers, or can be. */
bool pool_is_spread(const struct pool *p);
/* The session has freed its contexts. A browser of its own ends. */
void pool_leave(struct pool *p, struct browser *b);

/* Whether the address has a place for the id of a session, so that each has a connection of its own. */
bool pool_is_template(const char *address);
/* Appends the address with that id in it. */
void pool_expand(const char *address, const char *session_id, struct str *out);

unsigned pool_running(const struct pool *p);
/* MiB that the browsers which were started here and run are expected to take without pages. */
unsigned pool_empty_memory(const struct pool *p);
unsigned pool_starts(const struct pool *p); /* so far */
/* browser_kill() for all. */
void pool_kill(struct pool *p);
