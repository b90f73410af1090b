#include "browser/intercept.h"

#include <fnmatch.h>
#include <string.h>

#include "browser/browser.h"
#include "browser/internal.h"

struct origin {
	char scheme[16], host[256], port[8];
};

static bool copy_part(char *dst, size_t size, const char *from, size_t len)
{
	if (len >= size)
		return false;
	memcpy(dst, from, len);
	dst[len] = '\0';
	return true;
}

/* Parts that are not written are empty, a scheme's own port included. False: it is no origin. */
static bool parse_origin(const char *text, struct origin *ret)
{
	const char *scheme = strstr(text, "://"), *host = scheme ? scheme + 3 : text, *colon;
	size_t len = strcspn(host, "/?#");
	const char *at = memrchr(host, '@', len);

	*ret = (struct origin){};
	if (scheme && !copy_part(ret->scheme, sizeof(ret->scheme), text, (size_t)(scheme - text)))
		return false;
	if (at) { /* user:password@ */
		len -= (size_t)(at + 1 - host);
		host = at + 1;
	}
	colon = memrchr(host, ':', len);
	if (colon && colon[1] && !memchr(colon, ']', len - (size_t)(colon - host))) {
		if (!copy_part(ret->port, sizeof(ret->port), colon + 1, len - (size_t)(colon + 1 - host)))
			return false;
		len = (size_t)(colon - host);
	}
	if (strcmp(ret->port, strcmp(ret->scheme, "https") == 0 ? "443" : "80") == 0)
		ret->port[0] = '\0';
	return len > 0 && copy_part(ret->host, sizeof(ret->host), host, len);
}

static bool is_web(const char *url)
{
	return strncasecmp(url, "http://", 7) == 0 || strncasecmp(url, "https://", 8) == 0;
}

bool origin_matches(const char *pattern, const char *url)
{
	struct origin wanted, found;

	if (!is_web(url) || !parse_origin(pattern, &wanted) || !parse_origin(url, &found))
		return false;
	if (wanted.scheme[0] && strcmp(wanted.scheme, "*") != 0 && strcasecmp(wanted.scheme, found.scheme) != 0)
		return false;
	if ((wanted.scheme[0] || wanted.port[0]) && strcmp(wanted.port, "*") != 0 && strcmp(wanted.port, found.port) != 0)
		return false;
	if (wanted.host[0] == '[') /* IPv6, no wildcard */
		return strcasecmp(wanted.host, found.host) == 0;
	return fnmatch(wanted.host, found.host, FNM_CASEFOLD) == 0;
}

static bool is_in(const char *const *list, const char *url)
{
	for (; list && *list; list++)
		if (origin_matches(*list, url))
			return true;
	return false;
}

bool origin_allowed(const struct browser_options *o, const char *url)
{
	if (!is_web(url))
		return true;
	return !is_in(o->blocked_origins, url) && (!o->allowed_origins || is_in(o->allowed_origins, url));
}

void intercept_enable(struct cdp_session *s, const struct browser_options *o)
{
	if (o->allowed_origins || o->blocked_origins)
		cdp_post(s, "Fetch.enable", "{patterns: [{urlPattern: '*'}]}");
}

void intercept_paused(struct cdp_session *s, const struct json *params, void *data)
{
	const struct page *p = data;
	const char *id = json_str(params, "requestId"), *url = json_str(params, "request.url");

	if (!id || !url || !page_alive(p))
		return;
	if (p->blank)
		cdp_post(s, "Fetch.fulfillRequest",
			 "{requestId: %s, responseCode: 200, responseHeaders: [{name: 'Content-Type', value: 'text/html'}]}", id);
	else if (origin_allowed(page_options(p), url))
		cdp_post(s, "Fetch.continueRequest", "{requestId: %s}", id);
	else
		cdp_post(s, "Fetch.failRequest", "{requestId: %s, errorReason: 'BlockedByClient'}", id);
}
