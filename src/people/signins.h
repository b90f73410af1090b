/*
 * Logins to the live view. The page exchanges a token, or a link, for a login, whose secret is in a cookie from then on. A login has the
 * scope that it was made with, and ends by its time, by logging out, or when there are too many of its owner by
 * token, or by links to its session (LIMIT_VIEW_LOGINS_*).
 */
#pragma once

#include "base/clock.h"
#include "base/node.h"
#include "base/random.h"
#include "loop/loop.h"
#include "people/scope.h"

struct signins;
struct signin;

#define LOGIN_SECRET_SIZE (NODE_NAME_SIZE + RANDOM_NAME_SIZE)
#define LOGIN_TIME (12 * 3600 * USEC_PER_SEC)

/* `node`: as in struct mcp_http_options. `ended` is called with each login that ends, before it is freed. */
struct signins *signins_new(struct loop *l, const char *node, void (*ended)(struct signin *login, void *data), void *data);
struct signins *signins_free(struct signins *l);

/* Makes a login that lasts for `time`; the person of the scope gets its number. Borrowed until it ends. */
struct signin *signins_add(struct signins *l, const struct scope *scope, usec_t time);
/* The login with this secret; NULL: none, or it has ended. */
struct signin *signins_find(const struct signins *l, const char *secret);
void signin_end(struct signin *login);

const char *signin_secret(const struct signin *login); /* "NODE.RANDOM" or "RANDOM" */
const struct scope *signin_scope(const struct signin *login);
usec_t signin_until(const struct signin *login);
