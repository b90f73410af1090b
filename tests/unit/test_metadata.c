#include "test.h"

#include <string.h>

#include "auth/metadata.h"

static void assert_place(const char *issuer, unsigned n, const char *address)
{
	_cleanup_(str_done) struct str out = {};

	assert_int_equal(metadata_url(issuer, n, &out), address != NULL);
	assert_string_equal(str_text(&out), address ? address : "");
}

/* RFC 8414, 3.1, and OpenID Connect Discovery 1.0, 4.1 */
static void places(void **state)
{
	assert_place("https://a.example", 0, "https://a.example/.well-known/oauth-authorization-server");
	assert_place("https://a.example", 1, "https://a.example/.well-known/openid-configuration");
	assert_place("https://a.example", 2, NULL);
	assert_place("https://a.example/", 0, "https://a.example/.well-known/oauth-authorization-server");
	assert_place("https://a.example/", 2, NULL);
	assert_place("http://[::1]:81/b/c", 0, "http://[::1]:81/.well-known/oauth-authorization-server/b/c");
	assert_place("http://[::1]:81/b/c", 1, "http://[::1]:81/.well-known/openid-configuration/b/c");
	assert_place("http://[::1]:81/b/c/", 2, "http://[::1]:81/b/c/.well-known/openid-configuration");
	assert_place("http://[::1]:81/b/c", 3, NULL);
}

static char *keys(const char *text)
{
	_cleanup_(freep) char *copy = must(strdup(text));
	const char *why = NULL;
	char *found = metadata_keys(copy, strlen(copy), "https://a.example", &why);

	assert_true(found || why);
	return found;
}

static void only_the_issuer_itself_is_believed(void **state)
{
	_cleanup_(freep) char *found = keys("{\"issuer\":\"https://a.example\",\"jwks_uri\":\"https://b.example/k\"}");

	assert_string_equal(found, "https://b.example/k");
	assert_null(keys("{\"issuer\":\"https://a.example/\",\"jwks_uri\":\"https://b.example/k\"}"));
	assert_null(keys("{\"issuer\":[\"https://a.example\"],\"jwks_uri\":\"https://b.example/k\"}"));
	assert_null(keys("{\"jwks_uri\":\"https://b.example/k\"}"));
	assert_null(keys("{\"issuer\":\"https://a.example\"}"));
	assert_null(keys("{\"issuer\":\"https://a.example\",\"jwks_uri\":{}}"));
	assert_null(keys("[]"));
	assert_null(keys("<html>"));
	assert_null(keys(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places),
		cmocka_unit_test(only_the_issuer_itself_is_believed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
