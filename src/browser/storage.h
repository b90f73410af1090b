/* Cookies and local storage that a browser context begins with: Playwright's storage state, {cookies, origins}. */
#pragma once

#include "base/json.h"
#include "browser/context.h"

/* What is wrong with it, NULL when it can be used. */
const char *storage_check(const struct json *state);
/* Suspends. Fails as task_fail() says: the browser refuses a cookie, an origin cannot be opened. */
int storage_restore(struct task *t, struct context *c, const struct json *state);
