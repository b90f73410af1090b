/* Files as resources: whose they are, and when they cease to be. */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "tools/artifacts.h"

/* The clock that artifacts see: the linker puts this in the place of clock_now(). */
static usec_t clock_ahead;
usec_t __real_clock_now(void);
usec_t __wrap_clock_now(void);

usec_t __wrap_clock_now(void)
{
	return __real_clock_now() + clock_ahead;
}

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

static void test_bytes(void **state)
{
	_cleanup_(artifacts_freep) struct artifacts *a = artifacts_new();
	char path[] = "/tmp/test_artifacts.XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, LIMIT_ARTIFACTS_BYTES / 2), 0); /* a hole: it takes no room */
	artifacts_add(a, 1, "/nowhere/first.png");
	assert_int_equal(artifacts_add(a, 1, path)->size, LIMIT_ARTIFACTS_BYTES / 2);
	artifacts_add(a, 2, path);
	assert_int_equal(count_of(a, 1), 2);
	assert_int_equal(ftruncate(fd, LIMIT_ARTIFACTS_BYTES / 2 + 1), 0);
	artifacts_add(a, 2, path);
	assert_int_equal(count_of(a, 1), 0); /* whoever's they are, the oldest go first */
	assert_int_equal(count_of(a, 2), 1);
	assert_int_equal(ftruncate(fd, LIMIT_ARTIFACTS_BYTES + 1L), 0);
	artifacts_add(a, 2, path);
	assert_int_equal(count_of(a, 2), 1); /* the newest one stays */
	artifacts_add(a, 1, "/nowhere/first.png");
	assert_int_equal(count_of(a, 2), 0);
	close(fd);
	unlink(path);
}

static void test_age(void **state)
{
	_cleanup_(artifacts_freep) struct artifacts *a = artifacts_new();
	_cleanup_(str_done) struct str out = {};

	artifacts_add(a, 1, "/nowhere/old.png");
	artifacts_add(a, 1, "/nowhere/again.png");
	clock_ahead = (LIMIT_ARTIFACT_AGE - 60) * USEC_PER_SEC;
	assert_string_equal(artifacts_add(a, 1, "/nowhere/again.png")->uri, "artifact://2/again.png");
	assert_int_equal(count_of(a, 1), 2);
	clock_ahead += 120 * USEC_PER_SEC;
	assert_int_equal(count_of(a, 1), 1);
	assert_int_equal(artifacts_read(NULL, a, 1, "artifact://1/old.png", &out), -ENOENT);
	artifacts_add(a, 1, "/nowhere/new.png"); /* the old one is forgotten now */
	assert_string_equal(artifacts_add(a, 1, "/nowhere/old.png")->uri, "artifact://4/old.png");
	clock_ahead = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_owners), cmocka_unit_test(test_many), cmocka_unit_test(test_bytes), cmocka_unit_test(test_age),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
