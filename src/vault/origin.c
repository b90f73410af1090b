#include "vault/origin.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/host.h"
#include "base/limits.h"

#define HTTPS "https://"
#define HTTP "http://"

static int origin_refuse(const char **why, const char *words)
{
	*why = words;
	return -EINVAL;
}

/*
 * A host that a browser shows as it is written here: names of letters, digits and hyphens, and addresses in their usual form. Others, such
 * as 127.1 or names with capitals of other scripts, would be written differently in location.origin.
 */
static bool is_plain_host(const char *host, size_t len)
{
	char last = len > 0 ? host[len - 1] : '.';

	if (len == 5 && memcmp(host, "[::1]", 5) == 0)
		return true;
	for (size_t i = 0; i < len; i++)
		if (!isascii(host[i]) || (!isalnum((unsigned char)host[i]) && !strchr("-_.", host[i])) || host[i] == '\0' ||
		    (host[i] == '.' && (i == 0 || host[i - 1] == '.')))
			return false;
	return len <= 253 && last != '.';
}

/* A name whose last part is a number is an address for browsers, and has to have four parts then. */
static bool is_whole_address(const char *host, size_t len)
{
	size_t start = len;
	unsigned dots = 0;

	while (start > 0 && host[start - 1] != '.')
		start--;
	if (!isdigit((unsigned char)host[start]))
		return true;
	for (size_t i = 0; i < len; i++) {
		if (!isdigit((unsigned char)host[i]) && host[i] != '.')
			return false;
		if (host[i] == '0' && (i == 0 || host[i - 1] == '.') && i + 1 < len && host[i + 1] != '.')
			return false; /* octal */
		dots += host[i] == '.';
	}
	return dots == 3;
}

/* The port behind the host; the default one is left out. */
static int append_port(const char *text, unsigned standard, struct str *out, const char **why)
{
	unsigned long port;
	size_t len = strspn(text, "0123456789");

	if (len == 0 || len > 5 || text[len] || *text == '0')
		return origin_refuse(why, "its port is not a number from 1 to 65535");
	port = strtoul(text, NULL, 10);
	if (port > 65535)
		return origin_refuse(why, "its port is not a number from 1 to 65535");
	if (port != standard)
		str_appendf(out, ":%lu", port);
	return 0;
}

static int origin_append_host(const char *host, size_t len, bool secure, struct str *out, const char **why)
{
	size_t brackets = *host == '[' ? 1 : 0, at = out->len;

	if (len == 0 || !is_plain_host(host, len) || (!brackets && !is_whole_address(host, len)))
		return origin_refuse(
			why,
			"its host is neither a name in ASCII letters, digits, hyphens and dots (xn-- for others) nor an address "
			"of four numbers or [::1]");
	if (!secure && !host_is_loopback(host + brackets, len - 2 * brackets))
		return origin_refuse(why, "http is possible to this machine only (localhost, 127.0.0.1, [::1]); use https");
	str_append_len(out, host, len);
	ascii_lower(out->data + at);
	return 0;
}

int login_origin_parse(const char *text, struct str *out, const char **why)
{
	bool secure = strncasecmp(text, HTTPS, strlen(HTTPS)) == 0;
	_cleanup_(str_done) struct str origin = {}, copy = {};
	const char *host, *end;
	int r;

	if (!secure && strncasecmp(text, HTTP, strlen(HTTP)) != 0)
		return origin_refuse(why, "it does not begin with https://");
	if (strlen(text) > LIMIT_ORIGIN)
		return origin_refuse(why, "it is too long");
	str_append(&copy, text + strlen(secure ? HTTPS : HTTP));
	if (copy.len > 0 && copy.data[copy.len - 1] == '/')
		str_truncate(&copy, copy.len - 1);
	host = str_text(&copy);
	end = host + (*host == '[' ? strcspn(host, "]") + (strchr(host, ']') ? 1 : 0) : strcspn(host, ":"));
	if (strpbrk(host, "/?#@\\"))
		return origin_refuse(why, "it has more than a scheme, a host and a port");
	str_append(&origin, secure ? HTTPS : HTTP);
	r = origin_append_host(host, (size_t)(end - host), secure, &origin, why);
	if (r == 0 && *end)
		r = *end == ':' ? append_port(end + 1, secure ? 443 : 80, &origin, why) :
				  origin_refuse(why, "it has more than a scheme, a host and a port");
	if (r == 0)
		str_append(out, origin.data);
	return r;
}

bool login_origin_is_local(const char *origin)
{
	const char *host = strstr(origin, "://") + 3;

	return *host == '[' ? host_is_loopback(host + 1, strcspn(host + 1, "]")) : host_is_loopback(host, strcspn(host, ":"));
}
