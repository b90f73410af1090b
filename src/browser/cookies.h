/* Cookies of a browser context, as JSON. All functions suspend; -ESTALE: the context has no page through which to ask. */
#pragma once

#include "browser/context.h"

/*
 * `ret` gets the reply, owned by the caller: result.cookies is a list of {name, value, domain, path, expires, httpOnly, secure,
 * sameSite...}. `urls` is a JSON list: only the cookies that requests to these would carry; NULL: all.
 */
int context_cookies(struct task *t, struct context *c, const char *urls, struct json **ret);
/* `cookies` is a JSON list of {name, value, url or domain and path, expires, httpOnly, secure, sameSite}. */
int context_add_cookies(struct task *t, struct context *c, const char *cookies);
int context_clear_cookies(struct task *t, struct context *c);
