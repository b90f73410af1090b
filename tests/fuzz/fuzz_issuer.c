/*
 * An issuer, a newline, and what is at the address of its metadata: only metadata of exactly this issuer names its keys. The
 * keys themselves are in fuzz_token.c.
 */
#include "auth/metadata.h"
#include "fuzz.h"
#include "loop/http_url.h"

static void check_url(const char *url)
{
	struct http_url u;

	if (http_url_split(url, &u))
		CHECK(*u.host && u.port > 0 && u.port <= 65535 && *u.path == '/' && !strpbrk(url, " \t\r\n"));
}

static void check_places(const char *issuer)
{
	_cleanup_(str_done) struct str address = {};
	unsigned n = 0;

	while (metadata_url(issuer, n, &address)) {
		CHECK(strstr(address.data, "/.well-known/") && address.len < 2 * strlen(issuer) + 64);
		check_url(address.data);
		str_reset(&address);
		CHECK(++n <= 3);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *newline = memchr(data, '\n', size);
	size_t len = newline ? (size_t)(newline - data) : size;
	char *issuer = must(strndup((const char *)data, len)), *text = fuzz_copy(data + len, size - len), *keys;
	const char *why = NULL;

	check_places(issuer);
	keys = metadata_keys(text, size - len, issuer, &why);
	CHECK(!keys == !!why);
	if (keys)
		check_url(keys);
	free(keys);
	free(issuer);
	free(text);
	return 0;
}
