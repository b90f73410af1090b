/*
 * Logins to the live view. The page exchanges a token, or a link, for a login, whose secret is in a cookie from then on. A login has the
 * scope that it was made with, and ends by its time, by logging out, or when its owner has more than LIMIT_VIEW_LOGINS_OWNER_COUNT.
 */
#pragma once

#include "base/clock.h"
#include "base/node.h"
#include "base/random.h"
#include "loop/loop.h"
#include "people/scope.h"

struct logins;
struct login;

#define LOGIN_SECRET_SIZE (NODE_NAME_SIZE + RANDOM_NAME_SIZE)
#define LOGIN_TIME (12 * 3600 * USEC_PER_SEC)

/* `node`: as in struct mcp_http_options. `ended` is called with each login that ends, before it is freed. */
struct logins *logins_new(struct loop *l, const char *node, void (*ended)(struct login *login, void *data), void *data);
struct logins *logins_free(struct logins *l);

/* Makes a login that lasts for `time`; the person of the scope gets its number. Borrowed until it ends. */
struct login *logins_add(struct logins *l, const struct scope *scope, usec_t time);
/* The login with this secret; NULL: none, or it has ended. */
struct login *logins_find(const struct logins *l, const char *secret);
void login_end(struct login *login);

const char *login_secret(const struct login *login); /* "NODE.RANDOM" or "RANDOM" */
const struct scope *login_scope(const struct login *login);
usec_t login_until(const struct login *login);
