/*
 * The origins that pages may reach, and those that the pages of a group have shown documents of: where their local storage and databases
 * may be.
 */
#pragma once

#include <stdbool.h>
#include <sys/queue.h>

#include "base/str.h"

struct engine_target;
struct page_options;

struct visited_origin {
	TAILQ_ENTRY(visited_origin) link;
	char *origin; /* scheme://host, with the port unless it is the scheme's own */
};

/* In the order of the first visits. Of more than LIMIT_ORIGINS_COUNT the first are forgotten. */
struct visited_origins {
	TAILQ_HEAD(, visited_origin) list;
	void *by_origin; /* tsearch() tree of their texts */
	unsigned count;
};

bool url_is_web(const char *url); /* http: or https: */
/* Whether an origin of the list, which ends with NULL, matches `url` (origin_matches()). NULL lists none. */
bool origin_is_listed(const char *const *list, const char *url);
/* May pages reach it? What is in no list is reached unless there is a list of allowed ones. */
bool origin_allowed(const struct page_options *o, const char *url);

void origins_init(struct visited_origins *all);
void origins_done(struct visited_origins *all);
bool origins_have(const struct visited_origins *all, const char *origin);
/* `url` is in Chromium's own spelling. What is not of the web has no origin to remember. */
void origins_visit(struct visited_origins *all, const char *url);
/* Limits what the origin of the URL may store in databases, caches and files while the page is open. Does not wait. */
void origin_limit_storage(struct engine_target *s, const char *url, unsigned mib);
/* Appends the origin of a URL of the web; false for any other. */
bool url_origin(struct str *out, const char *url);
/* Whether `url` is a URL of the web whose scheme, host and port are those of `origin`. */
bool url_has_origin(const char *url, const char *origin);
