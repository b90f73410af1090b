#include "base/host.h"

#include <string.h>
#include <strings.h>

static bool host_is_name(const char *host, size_t len, const char *name)
{
	return len == strlen(name) && !strncasecmp(host, name, len);
}

static bool is_loopback_address(const char *host, size_t len)
{
	unsigned dots = 0;

	if (len < 5 || strncmp(host, "127.", 4) != 0)
		return false;
	for (size_t i = 4; i < len; i++) {
		dots += host[i] == '.';
		if (host[i] != '.' && (host[i] < '0' || host[i] > '9'))
			return false;
	}
	return dots == 2;
}

bool host_is_loopback(const char *host, size_t len)
{
	static const char domain[] = ".localhost";
	size_t domain_len = sizeof(domain) - 1;

	return host_is_name(host, len, "localhost") || host_is_name(host, len, "::1") ||
	       host_is_name(host, len, "::ffff:127.0.0.1") || is_loopback_address(host, len) ||
	       (len > domain_len && !strncasecmp(host + len - domain_len, domain, domain_len));
}
