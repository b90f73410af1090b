#include "test.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"

/* But for downloads, which agents know as navigations that failed. */
static void every_code_has_its_own_name(void **state)
{
	assert_string_equal(error_name(-ERR_DOWNLOAD), error_name(-ERR_NAVIGATION_FAILED));
	for (int code = ERR_FIRST + 1; code < ERR_LAST; code++) {
		if (code == ERR_DOWNLOAD)
			continue;
		assert_int_equal(error_from_name(error_name(-code)), -code);
		for (int other = ERR_FIRST + 1; other < code; other++)
			if (other != ERR_DOWNLOAD)
				assert_string_not_equal(error_name(-code), error_name(-other));
	}
}

static void errno_values_map_to_two_names(void **state)
{
	assert_string_equal(error_name(-EINVAL), "INVALID_PARAMETERS");
	assert_string_equal(error_name(-ENOTCONN), "BROWSER_ERROR");
	assert_string_equal(error_name(-ECANCELED), "BROWSER_ERROR");
	assert_string_equal(error_name(0), "BROWSER_ERROR");
}

static void unknown_names_are_browser_errors(void **state)
{
	assert_int_equal(error_from_name("NO_SUCH_NAME"), -ERR_BROWSER_ERROR);
	assert_int_equal(error_from_name(NULL), -ERR_BROWSER_ERROR);
	assert_int_equal(error_from_name("INVALID_PARAMETERS"), -ERR_INVALID_PARAMETERS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_code_has_its_own_name),
		cmocka_unit_test(errno_values_map_to_two_names),
		cmocka_unit_test(unknown_names_are_browser_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
