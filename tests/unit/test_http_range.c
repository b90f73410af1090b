/* Range of RFC 9110, section 14: which part of a file a request gets. */
#include "test.h"

#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "loop/http_range.h"

struct range_case {
	const char *field;
	uint64_t size;
	enum http_range range;
	uint64_t from, len;
};

static void check(const struct range_case *c)
{
	uint64_t from = 77, len = 77;
	enum http_range range = http_range_of(c->field, c->size, &from, &len);

	if (range != c->range)
		fail_msg("%s of %lu bytes: %d", c->field ? c->field : "no field", (unsigned long)c->size, range);
	assert_int_equal(from, range == HTTP_RANGE_PART ? c->from : 77);
	assert_int_equal(len, range == HTTP_RANGE_PART ? c->len : 77);
}

static void test_parts(void **state)
{
	static const struct range_case cases[] = {
		{ "bytes=0-0", 10, HTTP_RANGE_PART, 0, 1 },
		{ "bytes=0-499", 1000, HTTP_RANGE_PART, 0, 500 },
		{ "bytes=500-999", 1000, HTTP_RANGE_PART, 500, 500 },
		{ "bytes=500-", 1000, HTTP_RANGE_PART, 500, 500 },
		{ "bytes=-500", 1000, HTTP_RANGE_PART, 500, 500 },
		{ "bytes=-5000", 1000, HTTP_RANGE_PART, 0, 1000 },
		{ "bytes=900-5000", 1000, HTTP_RANGE_PART, 900, 100 },
		{ "Bytes= 1-2 \t", 10, HTTP_RANGE_PART, 1, 2 },
		{ "bytes=00009-9", 10, HTTP_RANGE_PART, 9, 1 },
		{ "bytes=9-99999999999999999999999999", 10, HTTP_RANGE_PART, 9, 1 },
		{ "bytes=-99999999999999999999999999", 10, HTTP_RANGE_PART, 0, 10 },
		{ "bytes=-18446744073709551616", 10, HTTP_RANGE_PART, 0, 10 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check(&cases[i]);
}

static void test_parts_that_are_not_there(void **state)
{
	static const struct range_case cases[] = {
		{ "bytes=10-", 10, HTTP_RANGE_UNSATISFIABLE },
		{ "bytes=10-20", 10, HTTP_RANGE_UNSATISFIABLE },
		{ "bytes=18446744073709551616-", 10, HTTP_RANGE_UNSATISFIABLE },
		{ "bytes=-0", 10, HTTP_RANGE_UNSATISFIABLE },
		{ "bytes=0-0", 0, HTTP_RANGE_UNSATISFIABLE },
		{ "bytes=-1", 0, HTTP_RANGE_UNSATISFIABLE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check(&cases[i]);
}

static void test_what_means_the_whole_file(void **state)
{
	static const char *const fields[] = {
		"",           "bytes",         "bytes=",     "bytes=-",     "bytes=a-b",   "bytes=1",
		"bytes=2-1",  "bytes=0-1,3-4", "bytes=0-1,", "bytes=,0-1",  "bytes=0x1-2", "bytes=+1-2",
		"bytes=1--2", "bytes=1-2-3",   "bytes=1 -2", "seconds=1-2", "bytes:1-2",   " bytes=1-2",
	};

	check(&(const struct range_case){ NULL, 10, HTTP_RANGE_WHOLE });
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		check(&(const struct range_case){ fields[i], 10, HTTP_RANGE_WHOLE });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_parts_that_are_not_there),
		cmocka_unit_test(test_what_means_the_whole_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
