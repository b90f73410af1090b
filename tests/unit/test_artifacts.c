/* Files as resources: whose they are, and when they cease to be. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "tools/artifacts.h"

static void count(const struct artifact *a, void *data)
{
	++*(unsigned *)data;
}

static unsigned count_of(struct artifacts *a, uint64_t owner)
{
	unsigned n = 0;

	artifacts_each(a, owner, count, &n);
	return n;
}

static void test_owners(void **state)
{
	_cleanup_(artifacts_freep) struct artifacts *a = artifacts_new();
	const struct artifact *first = artifacts_add(a, 1, "/nowhere/a b%.png");

	assert_string_equal(first->uri, "artifact://1/a%20b%25.png");
	assert_string_equal(first->name, "a b%.png");
	assert_string_equal(first->type, "image/png");
	assert_int_equal(first->size, 0);
	assert_string_equal(artifacts_add(a, 2, "/nowhere/a b%.png")->uri, "artifact://2/a%20b%25.png");
	assert_string_equal(artifacts_add(a, 1, "/nowhere/a b%.png")->uri, "artifact://1/a%20b%25.png");
	assert_string_equal(artifacts_add(a, 1, "/nowhere/plain")->type, "application/octet-stream");
	assert_int_equal(count_of(a, 1), 2);
	assert_int_equal(count_of(a, 2), 1);
	artifacts_end(a, 1);
	assert_int_equal(count_of(a, 1), 0);
	assert_int_equal(count_of(a, 2), 1);
}

static void test_many(void **state)
{
	_cleanup_(artifacts_freep) struct artifacts *a = artifacts_new();
	char path[64];

	for (unsigned i = 0; i < LIMIT_ARTIFACTS_COUNT + 10; i++) {
		snprintf(path, sizeof(path), "/nowhere/%u.log", i);
		artifacts_add(a, 1, path);
	}
	assert_int_equal(count_of(a, 1), LIMIT_ARTIFACTS_COUNT);
	assert_string_equal(artifacts_add(a, 1, "/nowhere/10.log")->uri, "artifact://11/10.log"); /* the oldest one that is left */
	assert_string_equal(artifacts_add(a, 1, "/nowhere/9.log")->uri, "artifact://1011/9.log"); /* gone, and another one now */
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_owners), cmocka_unit_test(test_many) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
