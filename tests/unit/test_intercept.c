/* Which requests of pages are let pass on their way. */
#include "test.h"

#include "page/origins.h"
#include "page/options.h"

static void test_lists(void **state)
{
	static const char *const allowed[] = { "a.test", "b.test", NULL }, *const blocked[] = { "b.test", NULL };
	const struct page_options both = { .allowed_origins = allowed, .blocked_origins = blocked };
	const struct page_options only_blocked = { .blocked_origins = blocked };

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
		cmocka_unit_test(test_lists),
	};

	return cmocka_run_group_tests_name("intercept", tests, NULL, NULL);
}
