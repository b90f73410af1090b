/*
 * Links that show one session to whoever has them: for the people that an agent asks for help. A link is valid for some minutes, and where
 * it is said so, once. It never gives more than its maker had: the maker says whether `act` is among that.
 */
#pragma once

#include "base/clock.h"
#include "base/node.h"
#include "base/random.h"
#include "people/scope.h"

struct links;

#define LINK_ID_SIZE (NODE_NAME_SIZE + RANDOM_NAME_SIZE)

struct links *links_new(const char *node);
struct links *links_free(struct links *l);

/*
 * Makes a link, and its id, "NODE.RANDOM" or "RANDOM". `scope` has a session. False: LIMIT_LINKS_OWNER_COUNT links of its owner, or
 * LIMIT_LINKS_COUNT of all, are valid.
 */
bool links_add(struct links *l, const struct scope *scope, usec_t valid, bool once, char ret_id[LINK_ID_SIZE]);
/* Uses the link with this id, for what `ret` says. False: there is none, it was used up, or its time is over. */
bool links_use(struct links *l, const char *id, struct scope *ret);
