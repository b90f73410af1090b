#include "egress/origin.h"

#include <arpa/inet.h>
#include <fnmatch.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/macros.h"
#include "egress/address.h"
#include "egress/rules.h"

#define ANY_PORT (-1)

struct origin {
	char scheme[16]; /* "http" or "https", "" for both */
	char host[256];  /* normalised, IPv6 without brackets */
	bool six;
	int port; /* 0 for the default port of the scheme, or ANY_PORT */
};

static bool origin_copy_part(char *dst, size_t size, const char *from, size_t len)
{
	if (len >= size)
		return false;
	memcpy(dst, from, len);
	dst[len] = '\0';
	return true;
}

static bool read_scheme(const char *text, size_t len, struct origin *ret)
{
	static const char *const schemes[][2] = {
		{ "http", "http" }, { "https", "https" }, { "ws", "http" }, { "wss", "https" }, { "*", "" }
	};

	for (size_t i = 0; i < ARRAY_SIZE(schemes); i++)
		if (strlen(schemes[i][0]) == len && strncasecmp(schemes[i][0], text, len) == 0)
			return origin_copy_part(ret->scheme, sizeof(ret->scheme), schemes[i][1], strlen(schemes[i][1]));
	return false;
}

static bool read_port(const char *text, size_t len, struct origin *ret)
{
	char digits[8], *end;

	if (len == 1 && *text == '*') {
		ret->port = ANY_PORT;
		return true;
	}
	if (!origin_copy_part(digits, sizeof(digits), text, len))
		return false;
	ret->port = (int)strtol(digits, &end, 10);
	return !*end && ret->port >= 0 && ret->port <= 65535;
}

/* False when the text is not an origin. */
static bool parse_origin(const char *text, struct origin *ret)
{
	const char *scheme = strstr(text, "://"), *host = scheme ? scheme + 3 : text, *colon, *at;
	size_t len = strcspn(host, "/?#\\");

	*ret = (struct origin){};
	if (scheme && !read_scheme(text, (size_t)(scheme - text), ret))
		return false;
	at = memrchr(host, '@', len);
	if (at) { /* user:password@ */
		len -= (size_t)(at + 1 - host);
		host = at + 1;
	}
	colon = memrchr(host, ':', len);
	if (colon && !memchr(colon, ']', len - (size_t)(colon - host))) {
		size_t rest = len - (size_t)(colon + 1 - host);

		if (rest && !read_port(colon + 1, rest, ret))
			return false;
		len = (size_t)(colon - host);
	}
	ret->six = len > 2 && *host == '[' && host[len - 1] == ']';
	if (ret->six) {
		host++;
		len -= 2;
	}
	if (len == 0 || !origin_copy_part(ret->host, sizeof(ret->host), host, len))
		return false;
	egress_host_normalise(ret->host);
	if (!scheme && !ret->port && ret->host[len - 1] == '*') /* the wildcard also matches a port */
		ret->port = ANY_PORT;
	return true;
}

static bool port_matches(const struct origin *wanted, const char *scheme, int port)
{
	if (wanted->port == ANY_PORT || (wanted->port && wanted->port == port))
		return true;
	if (wanted->port)
		return false;
	return (port == 80 && strcmp(scheme, "https") != 0) || (port == 443 && strcmp(scheme, "http") != 0);
}

static bool host_matches(const struct origin *wanted, const char *host)
{
	struct network a, b;

	if (network_parse(wanted->host, strlen(wanted->host), &a) && network_parse(host, strlen(host), &b))
		return network_equal(&a, &b);
	return fnmatch(wanted->host, host, 0) == 0;
}

bool origin_matches(const char *pattern, const char *url)
{
	struct origin wanted, found;

	if (!strstr(url, "://") || !parse_origin(pattern, &wanted) || !parse_origin(url, &found) || !found.scheme[0])
		return false;
	if (wanted.scheme[0] && strcmp(wanted.scheme, found.scheme) != 0)
		return false;
	if (!found.port)
		found.port = strcmp(found.scheme, "https") == 0 ? 443 : 80;
	return port_matches(&wanted, found.scheme, found.port) && host_matches(&wanted, found.host);
}

bool origin_matches_host(const char *pattern, const char *host, int port)
{
	struct origin wanted;

	return parse_origin(pattern, &wanted) && port_matches(&wanted, wanted.scheme, port) && host_matches(&wanted, host);
}

static bool is_loopback(const struct origin *o, const struct network *n)
{
	struct sockaddr_in6 six = { .sin6_family = AF_INET6 };
	struct sockaddr_in four = { .sin_family = AF_INET };

	if (!n)
		return egress_host_is_localhost(o->host);
	memcpy(&six.sin6_addr, n->bytes, sizeof(six.sin6_addr));
	memcpy(&four.sin_addr, n->bytes, sizeof(four.sin_addr));
	return address_classify(n->family == AF_INET ? (struct sockaddr *)&four : (struct sockaddr *)&six) == ADDRESS_LOOPBACK;
}

bool origin_matches_address(const char *pattern, const struct sockaddr *address, int port)
{
	struct origin wanted;
	struct network n;
	bool numeric;

	if (!parse_origin(pattern, &wanted) || !port_matches(&wanted, wanted.scheme, port))
		return false;
	numeric = network_parse(wanted.host, strlen(wanted.host), &n);
	if (is_loopback(&wanted, numeric ? &n : NULL))
		return address_classify(address) == ADDRESS_LOOPBACK || address_is_own(address);
	return numeric && network_reached_by(&n, address);
}
