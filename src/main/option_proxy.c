/* --proxy-server: what addresses of proxies are made of. */
#include <string.h>

#include "base/macros.h"
#include "main/option_checks.h"
#include "main/option_parser.h"

/* [SCHEME://][USER[:PASSWORD]@]HOST[:PORT][/...] */
struct proxy_address {
	const char *user, *host; /* `user` is NULL if the address has no user name */
	size_t user_len, host_len;
	size_t scheme_len; /* with "://" */
};

/* The length of the scheme with "://"; 0: none, -1: one that Chromium has no proxies for. */
static int scheme_length(const char *value)
{
	static const char *const schemes[] = { "http://", "https://", "socks://", "socks4://", "socks5://" };
	size_t len = strcspn(value, ":/@");

	for (size_t i = 0; i < ARRAY_SIZE(schemes); i++)
		if (strncasecmp(value, schemes[i], strlen(schemes[i])) == 0)
			return (int)strlen(schemes[i]);
	return strncmp(value + len, "://", 3) == 0 ? -1 : 0;
}

/* Chromium has no user names for SOCKS. */
static bool option_proxy_parse(const char *value, struct proxy_address *ret)
{
	int scheme = scheme_length(value);
	const char *at;

	if (scheme < 0 || strpbrk(value, " \t\r\n"))
		return false;
	*ret = (struct proxy_address){ .scheme_len = (size_t)scheme, .host = value + scheme };
	ret->host_len = strcspn(ret->host, "/?#");
	at = memrchr(ret->host, '@', ret->host_len);
	if (at) {
		ret->user = ret->host;
		ret->user_len = (size_t)(at - ret->host);
		ret->host_len -= ret->user_len + 1;
		ret->host = at + 1;
	}
	return ret->host_len > 0 && !(at && strncasecmp(value, "socks", 5) == 0);
}

bool option_is_proxy(const char *value)
{
	struct proxy_address address;

	return option_proxy_parse(value, &address);
}

static const char *decoded(struct arena *a, const char *text, size_t len)
{
	_cleanup_(str_done) struct str out = {};

	str_append_percent_decoded(&out, text, len);
	return arena_strdup(a, str_text(&out));
}

void option_settle_proxy(struct options *o)
{
	const char *value = o->browser.start.proxy_server, *colon;
	struct proxy_address address;

	if (!value || !option_proxy_parse(value, &address))
		return;
	o->browser.start.proxy_server =
		arena_printf(&o->arena, "%.*s%.*s", (int)address.scheme_len, value, (int)address.host_len, address.host);
	if (!address.user || o->browser.page.proxy_username)
		return;
	colon = memchr(address.user, ':', address.user_len);
	if (colon)
		o->browser.page.proxy_password =
			decoded(&o->arena, colon + 1, address.user_len - (size_t)(colon + 1 - address.user));
	o->browser.page.proxy_username =
		decoded(&o->arena, address.user, colon ? (size_t)(colon - address.user) : address.user_len);
}
