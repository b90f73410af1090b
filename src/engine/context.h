/*
 * Browser contexts, asked of the browser itself (`root`). `context` is the id of one, "" for the browser's own.
 *
 * Where a call is given, it is sent, to be awaited with engine_await(); NULL: the reply is dropped, and `t` has no meaning.
 */
#pragma once

#include "engine/engine.h"

/*
 * The context ends with the connection. `proxy`: what its requests go through, those to this machine included; NULL: as the
 * browser's do. `ignores_certificates`: of the pages that it will have, for engines that set this when a context is made; others do it by
 * engine_ignore_certificates().
 */
void engine_create_context(struct task *t, struct engine_target *root, struct engine_call *call, const char *proxy,
			   bool ignores_certificates);
/* The id of the context that was created, borrowed from the call. -ERR_BROWSER_ERROR: there is none that is valid; `t` may be NULL. */
int engine_created_context(struct task *t, const struct engine_call *call, const char **ret);
void engine_dispose_context(struct engine_target *root, const char *context);
/* Suspends: opens a page on about:blank. `ret` is the id of its target, in the task's arena. */
int engine_open_page(struct task *t, _borrowed_ struct engine_target *root, const char *context, const char **ret);

/* Downloads are saved in `directory`, under the names that download_begun.guid says; NULL: they are refused. They are reported in any case. */
void engine_save_downloads(struct engine_target *root, const char *context, const char *directory);
void engine_cancel_download(struct engine_target *root, const char *context, const char *guid);

/* Whether there is a permission of that name, as `navigator.permissions` and Playwright spell it. Not each browser can grant each of them. */
bool engine_knows_permission(const char *name);
/* Pages of `origin` (NULL: all) have the permissions of this list, which ends with NULL, and no others; they are not asked for. */
void engine_grant(struct task *t, struct engine_target *root, struct engine_call *call, const char *context,
		  const char *const *permissions, const char *origin);
/* Pages ask for all permissions again. */
void engine_ungrant(struct task *t, struct engine_target *root, struct engine_call *call, const char *context);
void engine_deny(struct engine_target *root, const char *context, const char *permission); /* to all pages of a context */

/* What the origin has stored in the context of the page `s` is removed, but for cookies and local storage. */
void engine_clear_storage(struct engine_target *s, const char *origin);
