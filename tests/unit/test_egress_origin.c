/* Which addresses and connections belong to an origin that an option names. */
#include "test.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include "egress/origin.h"

static void test_origins(void **state)
{
	static const struct {
		const char *pattern, *url;
		bool matches;
	} cases[] = {
		{ "https://example.com", "https://example.com/path?q#f", true },
		{ "https://example.com", "https://EXAMPLE.com", true },
		{ "https://example.com", "https://example.com:443/", true },
		{ "https://example.com:443", "https://example.com/", true },
		{ "https://example.com", "https://example.com:8443/", false },
		{ "https://example.com", "http://example.com/", false },
		{ "https://example.com", "https://example.com.evil.net/", false },
		{ "https://example.com", "https://evil.net/https://example.com", false },
		{ "https://example.com", "https://example.com@evil.net/", false },
		{ "https://example.com", "https://user:word@example.com/", true },
		{ "http://localhost:*", "http://localhost:3000/", true },
		{ "http://localhost:*", "https://localhost:3000/", false },
		{ "example.com", "http://example.com/", true },
		{ "example.com", "https://example.com/", true },
		{ "example.com", "http://example.com:99/", false },
		{ "example.com", "https://example.com:80/", false },
		{ "example.com:*", "http://example.com:99/", true },
		{ "example.com", "http://example.com./", true },
		{ "https://example.com", "wss://example.com/socket", true },
		{ "http://127.0.0.*", "http://127.0.0.1:99/", false },
		{ "127.0.0.*", "http://127.0.0.1:99/", true },
		{ "http://[::1]:80", "http://[0:0::1]/", true },
		{ "ftp://example.com", "http://example.com/", false },
		{ "http://example.com:x", "http://example.com/", false },
		{ "example.com", "https://sub.example.com/", false },
		{ "*.example.com", "https://sub.example.com/", true },
		{ "*.example.com", "https://example.com/", false },
		{ "example.com:99", "http://example.com:99/", true },
		{ "example.com:99", "http://example.com:98/", false },
		{ "http://[::1]:80", "http://[::1]/", true },
		{ "http://[::1]", "http://[::1]:81/", false },
		{ "https://example.com/", "https://example.com/x", true },
		{ "*", "https://anything/", true },
		{ "*", "data:text/html,x", false },
		{ "", "https://example.com/", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (origin_matches(cases[i].pattern, cases[i].url) != cases[i].matches)
			fail_msg("%s and %s", cases[i].pattern, cases[i].url);
}

/* A connection has a host and a port, and no scheme. */
static void test_hosts(void **state)
{
	static const struct {
		const char *pattern, *host;
		int port;
		bool matches;
	} cases[] = {
		{ "https://example.com", "example.com", 443, true },
		{ "https://example.com", "example.com", 80, false },
		{ "http://example.com", "example.com", 80, true },
		{ "example.com", "example.com", 80, true },
		{ "example.com", "example.com", 443, true },
		{ "example.com", "example.com", 8080, false },
		{ "http://example.com:8080", "example.com", 8080, true },
		{ "http://localhost:*", "localhost", 3000, true },
		{ "*.example.com", "a.example.com", 443, true },
		{ "*.example.com", "example.com", 443, false },
		{ "http://[::1]:8080", "::1", 8080, true },
		{ "http://[::1]:8080", "0:0:0:0:0:0:0:1", 8080, true },
		{ "http://127.0.0.1:8080", "localhost", 8080, false },
		{ "*", "example.com", 8080, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (origin_matches_host(cases[i].pattern, cases[i].host, cases[i].port) != cases[i].matches)
			fail_msg("%s and %s port %d", cases[i].pattern, cases[i].host, cases[i].port);
}

static bool leads(const char *pattern, const char *number, int port)
{
	struct sockaddr_in6 six = { .sin6_family = AF_INET6 };
	struct sockaddr_in four = { .sin_family = AF_INET };

	if (inet_pton(AF_INET, number, &four.sin_addr) == 1)
		return origin_matches_address(pattern, (struct sockaddr *)&four, port);
	assert_int_equal(inet_pton(AF_INET6, number, &six.sin6_addr), 1);
	return origin_matches_address(pattern, (struct sockaddr *)&six, port);
}

static void test_other_names(void **state)
{
	static const char *const here[] = {
		"127.0.0.1", "127.0.0.2", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1", "64:ff9b::7f00:1"
	};
	static const char *const patterns[] = { "http://127.0.0.1:81", "http://localhost:81", "http://[::1]:*", "a.localhost:81" };

	for (size_t p = 0; p < ARRAY_SIZE(patterns); p++)
		for (size_t i = 0; i < ARRAY_SIZE(here); i++)
			if (!leads(patterns[p], here[i], 81))
				fail_msg("%s does not lead to %s", here[i], patterns[p]);
	assert_false(leads("http://127.0.0.1:81", "127.0.0.1", 82));
	assert_false(leads("http://127.0.0.1:81", "203.0.113.1", 81));
	assert_true(leads("http://203.0.113.1", "::ffff:203.0.113.1", 80));
	assert_true(leads("http://203.0.113.1", "2002:cb00:7101::", 80));
	assert_false(leads("http://203.0.113.1", "203.0.113.2", 80));
	assert_false(leads("http://example.com", "203.0.113.1", 80));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_origins),
		cmocka_unit_test(test_hosts),
		cmocka_unit_test(test_other_names),
	};

	return cmocka_run_group_tests_name("egress_origin", tests, NULL, NULL);
}
