/* Which addresses belong to an origin that options name. */
#include "test.h"

#include "browser/browser.h"
#include "browser/intercept.h"

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
		{ "example.com", "http://example.com:99/", true },
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

static void test_lists(void **state)
{
	static const char *const allowed[] = { "a.test", "b.test", NULL }, *const blocked[] = { "b.test", NULL };
	const struct browser_options both = { .allowed_origins = allowed, .blocked_origins = blocked };
	const struct browser_options only_blocked = { .blocked_origins = blocked };

	assert_true(origin_allowed(&both, "http://a.test/"));
	assert_false(origin_allowed(&both, "http://b.test/"));
	assert_false(origin_allowed(&both, "http://c.test/"));
	assert_true(origin_allowed(&both, "about:blank"));
	assert_true(origin_allowed(&only_blocked, "http://c.test/"));
	assert_false(origin_allowed(&only_blocked, "http://b.test/"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_origins),
		cmocka_unit_test(test_lists),
	};

	return cmocka_run_group_tests_name("intercept", tests, NULL, NULL);
}
