/* How much longer other processes are waited for on a busy machine. */
#include "test.h"

#include "base/limits.h"
#include "loop/patience.h"

static void test_factor(void **state)
{
	(void)state;
	assert_true(patience_factor("0.00 0.00 0.00 1/100 1234\n", 2) == 1);
	assert_true(patience_factor("2.00 9.00 9.00 2/100 1234\n", 2) == 1);
	assert_true(patience_factor("6.00 0.00 0.00 1/100 1234\n", 2) == 3);  /* the last minute */
	assert_true(patience_factor("0.10 0.00 0.00 10/100 1234\n", 2) == 5); /* this moment */
	assert_true(patience_factor("900.00 0.00 0.00 500/600 1234\n", 2) == LIMIT_PATIENCE_FACTOR);
	assert_true(patience_factor("", 2) == 1);
	assert_true(patience_factor("busy", 2) == 1);
	assert_true(patience_factor("6.00 0.00 0.00 1/100 1234\n", 0) == 1);
}

static void test_it_is_never_shorter(void **state)
{
	(void)state;
	assert_true(patience(1000) >= 1000);
	assert_true(patience(1000) <= (usec_t)(LIMIT_PATIENCE_FACTOR * 1000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_factor),
		cmocka_unit_test(test_it_is_never_shorter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
