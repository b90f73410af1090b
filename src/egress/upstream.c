#include "egress/upstream.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/macros.h"
#include "egress/address.h"

bool upstream_parse(const char *url, struct upstream *ret)
{
	static const struct {
		const char *scheme;
		enum upstream_kind kind;
		int port;
	} kinds[] = { { "http://", UPSTREAM_HTTP, 80 },
		      { "socks5://", UPSTREAM_SOCKS5, 1080 },
		      { "socks://", UPSTREAM_SOCKS5, 1080 } };
	size_t len;
	char *end;
	long port;

	*ret = (struct upstream){ .kind = UPSTREAM_HTTP, .port = 80 };
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strncasecmp(url, kinds[i].scheme, strlen(kinds[i].scheme)) == 0) {
			*ret = (struct upstream){ .kind = kinds[i].kind, .port = kinds[i].port };
			url += strlen(kinds[i].scheme);
			break;
		}
	if (strstr(url, "://") || strpbrk(url, "@;="))
		return false;
	if (*url == '[') {
		url++;
		len = strcspn(url, "]");
	} else {
		len = strcspn(url, ":/");
	}
	if (len == 0 || len >= sizeof(ret->host))
		return false;
	memcpy(ret->host, url, len);
	url += len + (url[len] == ']');
	if (*url == ':') {
		port = strtol(url + 1, &end, 10);
		if (port < 1 || port > 65535)
			return false;
		ret->port = (int)port;
		url = end;
	}
	return !*url || strcmp(url, "/") == 0;
}

static size_t socks_connect(const struct sockaddr *address, char *out)
{
	const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
	const struct sockaddr_in *four = (const struct sockaddr_in *)address;
	bool is_six = address->sa_family == AF_INET6;
	size_t size = is_six ? 16 : 4;

	memcpy(out, "\5\1\0", 3);
	out[3] = is_six ? 4 : 1;
	memcpy(out + 4, is_six ? (const void *)&six->sin6_addr : (const void *)&four->sin_addr, size);
	memcpy(out + 4 + size, is_six ? &six->sin6_port : &four->sin_port, 2);
	return 4 + size + 2;
}

static size_t http_connect(const struct sockaddr *address, char *out)
{
	char host[ADDRESS_TEXT_MAX], target[ADDRESS_TEXT_MAX + 16];
	bool is_six = address->sa_family == AF_INET6;
	int port =
		ntohs(is_six ? ((const struct sockaddr_in6 *)address)->sin6_port : ((const struct sockaddr_in *)address)->sin_port);

	address_print(address, host);
	snprintf(target, sizeof(target), is_six ? "[%s]:%d" : "%s:%d", host, port);
	return (size_t)snprintf(out, UPSTREAM_REQUEST_MAX, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", target, target);
}

void upstream_request(const struct upstream *u, unsigned step, const struct sockaddr *address, char out[UPSTREAM_REQUEST_MAX],
		      size_t *ret_len)
{
	*ret_len = 0;
	if (u->kind == UPSTREAM_HTTP) {
		if (step == 0)
			*ret_len = http_connect(address, out);
	} else if (step == 0) {
		memcpy(out, "\5\1\0", 3);
		*ret_len = 3;
	} else if (step == 1) {
		*ret_len = socks_connect(address, out);
	}
}

/* RFC 1928, section 6: the length depends on the address type. */
static int socks_reply_length(const uint8_t *p, size_t len)
{
	if (len < 5)
		return 0;
	return p[3] == 1 ? 10 : p[3] == 4 ? 22 : p[3] == 3 ? 7 + p[4] : -ECONNREFUSED;
}

int upstream_reply(const struct upstream *u, unsigned step, const char *data, size_t len)
{
	const uint8_t *p = (const uint8_t *)data;
	const char *end;
	int want;

	if (u->kind == UPSTREAM_HTTP) {
		end = memmem(data, len, "\r\n\r\n", 4);
		if (!end)
			return 0;
		return len > 12 && strncmp(data, "HTTP/1.", 7) == 0 && data[8] == ' ' && data[9] == '2' ? (int)(end + 4 - data) :
													  -ECONNREFUSED;
	}
	if (len < 2)
		return 0;
	if (p[0] != 5 || p[1] != 0)
		return -ECONNREFUSED;
	if (step == 0)
		return 2;
	want = socks_reply_length(p, len);
	return want > 0 && len < (size_t)want ? 0 : want;
}
