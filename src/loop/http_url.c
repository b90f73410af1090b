#include "loop/http_url.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/host.h"

static const char *skip_scheme(const char *url, bool *ret_tls)
{
	*ret_tls = strncasecmp(url, "https://", 8) == 0;
	return *ret_tls ? url + 8 : strncasecmp(url, "http://", 7) == 0 ? url + 7 : NULL;
}

/* A line break would end the first line of the request, and begin a header field of the URL's choice. */
static bool has_blank(const char *url)
{
	while (*url && (unsigned char)*url > ' ' && *url != 0x7f)
		url++;
	return *url;
}

bool http_url_split(const char *url, struct http_url *ret)
{
	const char *host, *rest;
	size_t authority, len;
	int port_len = 0;
	bool brackets;

	*ret = (struct http_url){};
	host = skip_scheme(url, &ret->tls);
	authority = host ? strcspn(host, "/?#") : 0;
	if (!authority || memchr(host, '@', authority) || has_blank(url))
		return false;
	brackets = host[0] == '[';
	host += brackets;
	len = strcspn(host, brackets ? "]/?#" : ":/?#");
	if (len == 0 || len >= sizeof(ret->host) || (brackets && host[len] != ']'))
		return false;
	memcpy(ret->host, host, len);
	rest = host + len + brackets;
	ret->port = ret->tls ? 443 : 80;
	if (*rest == ':' && (sscanf(rest, ":%5d%n", &ret->port, &port_len) != 1 || ret->port < 1 || ret->port > 65535))
		return false;
	rest += port_len;
	ret->path = *rest ? rest : "/";
	return *ret->path == '/';
}

bool http_url_is_safe(const struct http_url *u)
{
	return u->tls || host_is_loopback(u->host, strlen(u->host));
}
