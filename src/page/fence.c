#include "page/fence.h"

#include <string.h>

#include "base/host.h"
#include "base/log.h"
#include "engine/targets.h"
#include "page/internal.h"
#include "page/origins.h"

/* Documents that have no server: they are made by what opens them, or by the browser. That of a tab which has not loaded has no address. */
static bool has_no_server(const char *url)
{
	static const char *const prefixes[] = { "about:", "data:", "chrome-error:" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (strncmp(url, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return !*url;
}

bool fence_allows(const struct page_group *g, const char *url)
{
	static const char blob[] = "blob:";

	if (!g->fence || has_no_server(url))
		return true;
	return origin_is_listed(g->fence, url + (strncmp(url, blob, sizeof(blob) - 1) == 0 ? sizeof(blob) - 1 : 0));
}

bool fence_allows_frame(const struct page_group *g, const char *url)
{
	const char *host = strstr(url, "://");
	bool brackets;

	if (!host || fence_allows(g, url))
		return true;
	host += strlen("://");
	brackets = *host == '[';
	return !host_is_loopback(host + brackets, strcspn(host + brackets, brackets ? "]" : ":/?#"));
}

bool fence_leaves(struct page *p)
{
	if (!p->group || fence_allows(p->group, page_url(p)))
		return false;
	log_info("a tab that was offered is left, because it shows an origin that was not: %s", page_url(p));
	engine_detach(p->group->browser, engine_target_id(p->target));
	return true;
}
