/* The storage state of a browser context, as Playwright writes it: {cookies, origins: [{origin, localStorage, indexedDB}]}. */
#pragma once

#include "base/json.h"
#include "base/str.h"
#include "browser/context.h"

/* What is wrong with the state that a context begins with, NULL when it can be used. */
const char *storage_check(const struct json *state);
/* Suspends. Fails as task_fail() says: the browser refuses a cookie, an origin cannot be opened. */
int storage_restore(struct task *t, struct context *c, const struct json *state);

/*
 * Checks the state that a client gives. -ERR_INVALID_PARAMETERS: the task's failure says what is wrong, in the words of Playwright:
 * "storageState.cookies[0].value: expected string, got undefined". Does not suspend.
 */
int storage_check_all(struct task *t, const struct json *state);
/*
 * Replaces cookies, local storage and databases: those of all origins that pages of the context have shown, and those of the
 * state. Suspends.
 */
int storage_replace(struct task *t, struct context *c, const struct json *state);
/* Appends the state: cookies, and the local storage of all origins that pages of the context have shown. Suspends. */
int storage_collect(struct task *t, struct context *c, struct str *out);
/* As storage_collect(), but cookies alone, which the browser has, whatever pages do. */
int storage_collect_cookies(struct task *t, struct context *c, struct str *out);
/*
 * As storage_collect(), with the IndexedDB databases of these origins. `left_out` gets what could not be kept, JSON objects {origin, databases: [names]}
 * with commas between them: files and keys, and what goes beyond LIMIT_STATE_DATABASES. A page that does not answer is not waited for: the
 * storage of its origin is read elsewhere.
 */
int storage_collect_all(struct task *t, struct context *c, struct str *out, struct str *left_out);
