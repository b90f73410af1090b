#include "test.h"

#include <string.h>

#include "base/host.h"

static void what_only_this_machine_has(void **state)
{
	static const char *const ours[] = { "localhost", "LocalHost", "a.localhost",     "127.0.0.1",
					    "127.1.2.3", "::1",       "::ffff:127.0.0.1" };
	static const char *const others[] = { "",           ".",           "localhost.example",
					      "xlocalhost", ".localhost.", "127.0.0.1.example",
					      "127.1",      "127.0.0.x",   "128.0.0.1",
					      "0.0.0.0",    "::",          "::2",
					      "[::1]" };

	for (size_t i = 0; i < ARRAY_SIZE(ours); i++)
		assert_true(host_is_loopback(ours[i], strlen(ours[i])));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		assert_false(host_is_loopback(others[i], strlen(others[i])));
	assert_true(host_is_loopback("localhost:80", 9));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_only_this_machine_has),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
