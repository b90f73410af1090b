/* The cookies of browser contexts; `context` is the id of one, "" for the browser's own. */
#pragma once

#include "engine/engine.h"

/* The texts are never NULL, and belong to the list. */
struct cookie {
	const char *name, *value;
	const char *domain; /* with a dot in front: of its subdomains, too */
	const char *path;
	double expires; /* seconds since 1970; -1: with the session */
	bool http_only, secure;
	const char *same_site;        /* "Strict", "Lax", "None"; "Lax" where the server says nothing, as the browser assumes */
	const struct json *partition; /* the browser's key, to be handed back as it is; NULL: not partitioned */
};

struct cookies {
	struct cookie *items;
	size_t count;
	struct json *reply; /* holds the texts */
};

void cookies_done(struct cookies *c);
/* Reads {name, value, domain, path, expires, httpOnly, secure, sameSite, partitionKey}; the texts stay those of `from`. For engines. */
struct cookie cookie_read(const struct json *from);

/* Suspends: all of the context. -ERR_INVALID_PARAMETERS: the browser refused. `ret` is owned by the caller. */
int engine_cookies(struct task *t, _borrowed_ struct engine_target *root, const char *context, struct cookies *ret);
/* Suspends: those that requests of the page `s` to one of `urls`, a JSON list, would carry. */
int engine_cookies_for(struct task *t, _borrowed_ struct engine_target *s, const char *urls, struct cookies *ret);
/*
 * Suspends. `list` is a JSON list of {name, value, url or domain and path, expires, httpOnly, secure, sameSite, partitionKey}, as clients write
 * it and the browser checks it. -ERR_INVALID_PARAMETERS: the browser refused.
 */
int engine_set_cookies(struct task *t, _borrowed_ struct engine_target *root, const char *context, const char *list);
/* Suspends. Removes all of the context. -ERR_INVALID_PARAMETERS: the browser refused. */
int engine_clear_cookies(struct task *t, _borrowed_ struct engine_target *root, const char *context);
