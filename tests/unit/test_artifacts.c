/* Files as resources: whose they are, and when they cease to be. */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/limits.h"
#include "reply/artifact_contents.h"
#include "reply/artifacts.h"

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

/* `path` was written for the owner, and has so many bytes now. */
static const struct artifact *put_sized(struct artifacts *a, uint64_t owner, const char *path, off_t size)
{
	struct output_file f = { .path = path, .root = "/", .rest = path + 1 };
	struct stat st = { .st_mode = S_IFREG, .st_size = size };

	return artifacts_add(a, owner, &f, &st);
}

static const struct artifact *put(struct artifacts *a, uint64_t owner, const char *path)
{
	return put_sized(a, owner, path, 0);
}

static void test_owners(void **state)
{
	_cleanup_(artifacts_freep) struct artifacts *a = artifacts_new();
	const struct artifact *first = put(a, 1, "/nowhere/a b%.png");

	assert_string_equal(first->uri, "artifact://1/a%20b%25.png");
	assert_string_equal(first->name, "a b%.png");
	assert_string_equal(first->type, "image/png");
	assert_int_equal(first->size, 0);
	assert_string_equal(put(a, 2, "/nowhere/a b%.png")->uri, "artifact://2/a%20b%25.png");
	assert_string_equal(put(a, 1, "/nowhere/a b%.png")->uri, "artifact://1/a%20b%25.png");
	assert_string_equal(put(a, 1, "/nowhere/plain")->type, "application/octet-stream");
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
		put(a, 1, path);
	}
	assert_int_equal(count_of(a, 1), LIMIT_ARTIFACTS_COUNT);
	assert_string_equal(put(a, 1, "/nowhere/10.log")->uri, "artifact://11/10.log"); /* the oldest one that is left */
	assert_string_equal(put(a, 1, "/nowhere/9.log")->uri, "artifact://1011/9.log"); /* gone, and another one now */
}

static void test_bytes(void **state)
{
	_cleanup_(artifacts_freep) struct artifacts *a = artifacts_new();

	put(a, 1, "/nowhere/first.png");
	assert_int_equal(put_sized(a, 1, "/nowhere/large.png", LIMIT_ARTIFACTS_BYTES / 2)->size, LIMIT_ARTIFACTS_BYTES / 2);
	put_sized(a, 1, "/nowhere/large.png", LIMIT_ARTIFACTS_BYTES);
	assert_int_equal(count_of(a, 1), 2);
	put_sized(a, 1, "/nowhere/large.png", LIMIT_ARTIFACTS_BYTES + 1L);
	assert_int_equal(count_of(a, 1), 1); /* the oldest is removed first, the newest one stays */
	put(a, 1, "/nowhere/first.png");
	assert_int_equal(count_of(a, 1), 1);
}

/* However many and however large the files of one owner are, those of the others remain. */
static void test_shares(void **state)
{
	_cleanup_(artifacts_freep) struct artifacts *a = artifacts_new();
	char path[64];

	put_sized(a, 1, "/nowhere/kept.png", LIMIT_ARTIFACTS_BYTES / 4);
	for (unsigned i = 0; i < 2 * LIMIT_ARTIFACTS_COUNT; i++) {
		snprintf(path, sizeof(path), "/nowhere/%u.log", i);
		put(a, 2, path);
	}
	assert_int_equal(count_of(a, 1), 1);
	assert_int_equal(count_of(a, 2), LIMIT_ARTIFACTS_COUNT - 1);
	assert_int_equal(put_sized(a, 2, "/nowhere/huge.zip", 2L * LIMIT_ARTIFACTS_BYTES)->size, 2L * LIMIT_ARTIFACTS_BYTES);
	assert_int_equal(count_of(a, 1), 1);
	put(a, 3, "/nowhere/other.png");
	assert_int_equal(count_of(a, 1), 1);
	assert_int_equal(count_of(a, 2), 0);
	assert_int_equal(count_of(a, 3), 1);
}

/* Only the very file that was written, as it was left, and only for whom it was written. */
static void test_known(void **state)
{
	_cleanup_(artifacts_freep) struct artifacts *a = artifacts_new();
	struct output_file f = { .path = "/nowhere/x", .root = "/nowhere", .rest = "x" };
	const struct stat left = { .st_dev = 1, .st_ino = 2, .st_size = 3, .st_mtim = { 4, 5 } };
	struct stat other;

	assert_false(artifacts_is_unchanged(a, 1, &f, &left));
	artifacts_add(a, 1, &f, &left);
	assert_true(artifacts_is_unchanged(a, 1, &f, &left));
	assert_false(artifacts_is_unchanged(a, 2, &f, &left));
	other = left, other.st_ino = 7;
	assert_false(artifacts_is_unchanged(a, 1, &f, &other));
	other = left, other.st_size = 4;
	assert_false(artifacts_is_unchanged(a, 1, &f, &other));
	other = left, other.st_mtim.tv_nsec++;
	assert_false(artifacts_is_unchanged(a, 1, &f, &other));
	f.rest = "y";
	assert_false(artifacts_is_unchanged(a, 1, &f, &left));
	assert_null(artifacts_find(a, 1, &f));
}

static void test_age(void **state)
{
	_cleanup_(artifacts_freep) struct artifacts *a = artifacts_new();
	_cleanup_(str_done) struct str out = {};

	put(a, 1, "/nowhere/old.png");
	put(a, 1, "/nowhere/again.png");
	clock_ahead = (LIMIT_ARTIFACT_AGE - 60) * USEC_PER_SEC;
	assert_string_equal(put(a, 1, "/nowhere/again.png")->uri, "artifact://2/again.png");
	assert_int_equal(count_of(a, 1), 2);
	clock_ahead += 120 * USEC_PER_SEC;
	assert_int_equal(count_of(a, 1), 1);
	assert_int_equal(artifact_read(NULL, a, 1, "artifact://1/old.png", &out), -ENOENT);
	put(a, 1, "/nowhere/new.png"); /* the old one is forgotten now */
	assert_string_equal(put(a, 1, "/nowhere/old.png")->uri, "artifact://4/old.png");
	clock_ahead = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_owners), cmocka_unit_test(test_many),  cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_shares), cmocka_unit_test(test_known), cmocka_unit_test(test_age),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
