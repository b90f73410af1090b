#include "page/origins.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "egress/origin.h"
#include "engine/emulate.h"
#include "page/internal.h"
#include "page/options.h"

void origins_init(struct visited_origins *all)
{
	TAILQ_INIT(&all->list);
	all->by_origin = NULL;
	all->count = 0;
}

static int origins_compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

bool origins_have(const struct visited_origins *all, const char *origin)
{
	return tfind(origin, &all->by_origin, origins_compare);
}

static void forget(struct visited_origins *all, struct visited_origin *o)
{
	TAILQ_REMOVE(&all->list, o, link);
	tdelete(o->origin, &all->by_origin, origins_compare);
	all->count--;
	free(o->origin);
	free(o);
}

void origins_done(struct visited_origins *all)
{
	while (all->count)
		forget(all, TAILQ_FIRST(&all->list));
}

bool url_is_web(const char *url)
{
	return strncasecmp(url, "http://", 7) == 0 || strncasecmp(url, "https://", 8) == 0;
}

bool origin_is_listed(const char *const *list, const char *url)
{
	for (; list && *list; list++)
		if (origin_matches(*list, url))
			return true;
	return false;
}

bool origin_allowed(const struct page_options *o, const char *url)
{
	if (!url_is_web(url))
		return true;
	return !origin_is_listed(o->blocked_origins, url) && (!o->allowed_origins || origin_is_listed(o->allowed_origins, url));
}

/* Length of scheme and authority; 0: `url` is not of the web. */
static size_t origins_origin_length(const char *url)
{
	size_t begin;

	if (!url_is_web(url))
		return 0;
	begin = (size_t)(strstr(url, "://") + 3 - url);
	return begin + strcspn(url + begin, "/?#");
}

bool url_origin(struct str *out, const char *url)
{
	str_append_len(out, url, origins_origin_length(url));
	return origins_origin_length(url);
}

bool url_has_origin(const char *url, const char *origin)
{
	size_t len = origins_origin_length(url);

	return len && len == origins_origin_length(origin) && strncmp(url, origin, len) == 0;
}

void origins_visit(struct visited_origins *all, const char *url)
{
	_cleanup_(str_done) struct str origin = {};
	struct visited_origin *o;

	if (origins_origin_length(url) > LIMIT_ORIGIN || !url_origin(&origin, url) || origins_have(all, origin.data))
		return;
	if (all->count >= LIMIT_ORIGINS_COUNT)
		forget(all, TAILQ_FIRST(&all->list));
	o = NEW(struct visited_origin);
	o->origin = str_take(&origin);
	TAILQ_INSERT_TAIL(&all->list, o, link);
	must(tsearch(o->origin, &all->by_origin, origins_compare));
	all->count++;
}

/*
 * Contexts keep what origins store in memory, and Chromium's own quota for each origin is a share of the machine's memory. The override ends
 * with the attachment, so each page sets it again for its documents. The separate storage of an embedded document of another
 * site cannot be limited.
 */
void origin_limit_storage(struct engine_target *s, const char *url, unsigned mib)
{
	_cleanup_(str_done) struct str origin = {};

	if (mib && origins_origin_length(url) <= LIMIT_ORIGIN && url_origin(&origin, url))
		engine_limit_storage(s, origin.data, (uint64_t)mib << 20);
}

static void origins_group_init(struct page_group *g)
{
	origins_init(&g->origins);
}

static void origins_group_done(struct page_group *g)
{
	origins_done(&g->origins);
}

const struct page_part origins_part = {
	.group_init = origins_group_init,
	.group_done = origins_group_done,
};
