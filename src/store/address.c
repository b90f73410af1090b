#include "store/address.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"

#define PORT 6379
#define DATABASE_MAX 65535

static bool address_is_visible(const char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || *text > '~')
			return false;
	return true;
}

static bool address_take_scheme(const char **url, struct store_address *a)
{
	a->tls = strncasecmp(*url, "rediss://", 9) == 0;
	if (!a->tls && strncasecmp(*url, "redis://", 8) != 0)
		return false;
	*url += a->tls ? 9 : 8;
	return true;
}

/* "user:password", both percent-encoded, up to `end`. False: what they stand for contains a NUL. */
static bool take_user(const char *text, const char *end, struct store_address *a)
{
	const char *colon = memchr(text, ':', (size_t)(end - text));

	str_append_percent_decoded(&a->user, text, (size_t)((colon ? colon : end) - text));
	if (colon)
		str_append_percent_decoded(&a->password, colon + 1, (size_t)(end - colon - 1));
	return a->password.len <= LIMIT_STORE_PASSWORD && a->user.len <= LIMIT_STORE_PASSWORD &&
	       strlen(str_text(&a->user)) == a->user.len && strlen(str_text(&a->password)) == a->password.len;
}

/* A whole number that takes all of the text up to `end`; false: it is none, or more than `max`. */
static bool address_take_number(const char *text, const char *end, unsigned max, unsigned *ret)
{
	unsigned n = 0;

	if (text == end || end - text > 5)
		return false;
	for (; text < end; text++) {
		if (*text < '0' || *text > '9')
			return false;
		n = n * 10 + (unsigned)(*text - '0');
	}
	*ret = n;
	return n <= max;
}

/* NAME[:PORT] up to `end`, where the name may be an address of version 6 in brackets. */
static bool address_take_host(const char *text, const char *end, struct store_address *a)
{
	bool brackets = *text == '[';
	const char *last = memchr(text, brackets ? ']' : ':', (size_t)(end - text));
	size_t length = (size_t)((last ? last : end) - text) - brackets;
	unsigned port = PORT;

	if (length == 0 || length >= sizeof(a->host) || (brackets && !last))
		return false;
	memcpy(a->host, text + brackets, length);
	text += length + 2 * brackets;
	if (text < end && (*text != ':' || !address_take_number(text + 1, end, 65535, &port) || port == 0))
		return false;
	a->port = (int)port;
	return true;
}

bool store_address_parse(const char *url, struct store_address *ret)
{
	const char *end, *user;

	*ret = (struct store_address){};
	if (!address_is_visible(url) || strpbrk(url, "?#") || !address_take_scheme(&url, ret))
		return false;
	user = strrchr(url, '@');
	if (user && !take_user(url, user, ret))
		return false;
	url = user ? user + 1 : url;
	end = url + strcspn(url, "/");
	if (!address_take_host(url, end, ret))
		return false;
	return !*end || !end[1] || address_take_number(end + 1, end + strlen(end), DATABASE_MAX, &ret->database);
}

void store_address_done(struct store_address *a)
{
	if (a->password.data)
		explicit_bzero(a->password.data, a->password.len);
	str_done(&a->user);
	str_done(&a->password);
}

void store_address_describe(const struct store_address *a, struct str *out)
{
	bool v6 = strchr(a->host, ':');

	str_appendf(out, "redis%s://%s%s%s:%d", a->tls ? "s" : "", v6 ? "[" : "", a->host, v6 ? "]" : "", a->port);
	if (a->database)
		str_appendf(out, "/%u", a->database);
}
