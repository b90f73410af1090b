/* Names of files that calls give: what they lead to, and which are too long. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/limits.h"
#include "loop/failure_words.h"
#include "loop/loop.h"
#include "reply/output.h"

static char base[64];

static int setup(void **state)
{
	strcpy(base, "/tmp/test_paths.XXXXXX");
	return mkdtemp(base) && chdir(base) == 0 ? 0 : -1;
}

static int teardown(void **state)
{
	_cleanup_(str_done) struct str command = {};

	str_appendf(&command, "rm -rf %s", base);
	return chdir("/") < 0 ? -1 : system(command.data);
}

/* A name, and what output_find() does with it. */
struct lookup {
	const char *name;
	const char *rest;    /* the file below the workspace */
	const char *message; /* or the beginning of the message that refuses it */
	bool finished;
};

static int run(struct task *t, void *data)
{
	static const struct output_settings settings = {};
	const struct output output = { .settings = &settings };
	const struct file_access files = { .output = &output, .workspace = base };
	const struct lookup *lookup = data;
	struct output_file f;
	int r = output_find(t, &files, lookup->name, &f);

	if (r == 0)
		assert_string_equal(f.root, base);
	if (r == 0 && lookup->rest)
		assert_string_equal(f.rest, lookup->rest);
	return r;
}

static void done(struct task *t, int r, void *data)
{
	struct lookup *lookup = data;

	lookup->finished = true;
	assert_int_equal(r, lookup->message ? -ERR_INVALID_PARAMETERS : 0);
	if (lookup->message)
		assert_memory_equal(failure_words(t, task_error(t)), lookup->message, strlen(lookup->message));
}

static void in_task(int (*fn)(struct task *t, void *data), struct lookup *lookup)
{
	_cleanup_(loop_freep) struct loop *l = NULL;

	assert_int_equal(loop_new(&l), 0);
	assert_int_equal(task_start(l, "path", fn, done, lookup, &(struct task *){ NULL }), 0);
	while (!lookup->finished)
		loop_step(l);
}

static void leads_to(const char *name, const char *rest)
{
	in_task(run, &(struct lookup){ .name = name, .rest = rest });
}

static void is_refused(const char *name, const char *message)
{
	in_task(run, &(struct lookup){ .name = name, .message = message });
}

static void links_are_resolved_as_far_as_the_path_exists(void **state)
{
	_cleanup_(str_done) struct str absolute = {};

	assert_int_equal(mkdir("dir", 0700), 0);
	assert_int_equal(mkdir("dir/inner", 0700), 0);
	assert_int_equal(symlink("dir/inner", "way"), 0);
	assert_int_equal(symlink("nowhere", "dangling"), 0);
	assert_int_equal(symlink("/etc", "out"), 0);
	leads_to("way", "dir/inner");
	leads_to("./way/", "dir/inner");
	leads_to("way/new/file", "dir/inner/new/file");
	leads_to("way/../new", "dir/new");
	leads_to("dir//inner/x", "dir/inner/x");
	leads_to("dangling", "dangling");
	leads_to("no/such/file", "no/such/file");
	str_appendf(&absolute, "%s/way/file", base);
	leads_to(absolute.data, "dir/inner/file");
	is_refused("out/passwd", "File access denied: ");
	is_refused("no/../../x", "File access denied: ");
	is_refused("/", "File access denied: /");
}

static void append_names(struct str *out, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		str_append(out, "a/");
	str_append(out, "b");
}

static void long_names_are_refused(void **state)
{
	_cleanup_(str_done) struct str deep = {}, long_one = {}, message = {};

	append_names(&deep, LIMIT_PATH_NAMES_COUNT - 3); /* after /tmp/test_paths.XXXXXX */
	leads_to(deep.data, deep.data);
	str_append(&deep, "/c");
	str_appendf(&message,
		    "the path %s/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a... has %zu bytes and 101 names: a file is named by at most",
		    base, strlen(base) + 1 + deep.len);
	is_refused(deep.data, message.data);
	for (unsigned i = 0; i < LIMIT_PATH - strlen(base) - 1; i++)
		str_append_char(&long_one, i % 200 == 199 ? '/' : 'a');
	leads_to(long_one.data, long_one.data);
	str_append_char(&long_one, 'a');
	is_refused(long_one.data, "the path ");
}

static int find_workspace(struct task *t, void *data)
{
	const struct lookup *lookup = data;
	const char *path = output_workspace(t, lookup->name);

	if (lookup->rest)
		assert_string_equal(path, lookup->rest);
	else
		assert_null(path);
	return 0;
}

static void a_long_root_of_a_client_is_none(void **state)
{
	_cleanup_(str_done) struct str uri = {};

	in_task(find_workspace, &(struct lookup){ .name = "file:///home/a%20b/", .rest = "/home/a b" });
	str_append(&uri, "file:///");
	append_names(&uri, LIMIT_PATH_NAMES_COUNT);
	in_task(find_workspace, &(struct lookup){ .name = uri.data });
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(links_are_resolved_as_far_as_the_path_exists),
		TEST(long_names_are_refused),
		TEST(a_long_root_of_a_client_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
