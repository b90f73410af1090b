/* Cookies of a browser context. All functions with a task suspend. -ENOTCONN: the browser has ended. */
#pragma once

#include "browser/context.h"
#include "engine/cookies.h"

/*
 * `ret` is owned by the caller. `urls` is a JSON list: only the cookies that requests to these would carry, which takes a page of
 * the context (-ESTALE: it has none); NULL: all.
 */
int context_cookies(struct task *t, struct context *c, const char *urls, struct cookies *ret);
/* `cookies` is a JSON list of {name, value, url or domain and path, expires, httpOnly, secure, sameSite}. */
int context_add_cookies(struct task *t, struct context *c, const char *cookies);
/*
 * Sets cookies by the rules of Playwright: {name, value, url or domain and path, expires (-1: with the session), httpOnly, secure,
 * sameSite}. -ERR_INVALID_PARAMETERS: one cannot be set, as the task's failure says; then no cookie was set.
 */
int context_set_cookies(struct task *t, struct context *c, const struct json *cookies);
int context_clear_cookies(struct task *t, struct context *c);
/* Removes the cookies with that name, domain (as the browser lists it, with a dot for a whole domain) and path; NULL: any. */
int context_delete_cookies(struct task *t, struct context *c, const char *name, const char *domain, const char *path);
/* Appends the list in JSON, each cookie as Playwright describes it. */
void cookies_print(struct str *out, const struct cookies *c);
