/* Files below a directory: what is opened, and what leads out or blocks and is not. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/file.h"

static char base[64], root[80];

static const char *at(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", base, name);
	return path;
}

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* base/outside/secret; base/root/{file, dir/inner, links, pipe} */
static int setup(void **state)
{
	strcpy(base, "/tmp/browserd-beneath-XXXXXX");
	if (!mkdtemp(base))
		return -1;
	snprintf(root, sizeof(root), "%s/root", base);
	mkdir(root, 0755);
	mkdir(at("outside"), 0755);
	mkdir(at("root/dir"), 0755);
	write_text(at("outside/secret"), "secret");
	write_text(at("root/file"), "file");
	write_text(at("root/dir/inner"), "inner");
	return 0;
}

static int teardown(void **state)
{
	_cleanup_(str_done) struct str command = {};

	str_appendf(&command, "rm -rf %s", base);
	return system(command.data);
}

static void link_to(const char *target, const char *name)
{
	assert_int_equal(symlink(target, at(name)), 0);
}

static int create(const char *rest)
{
	unsigned made = 0;

	return beneath_create(root, rest, &made);
}

static void expect_text(int fd, const char *text)
{
	_cleanup_(str_done) struct str there = {};

	assert_true(fd >= 0);
	assert_int_equal(file_read_from(fd, 100, &there), 0);
	assert_string_equal(there.data, text);
	close(fd);
}

static void regular_files_are_opened(void **state)
{
	expect_text(beneath_open(root, "file", O_RDONLY), "file");
	expect_text(beneath_open(root, "dir/inner", O_RDONLY), "inner");
	assert_int_equal(beneath_open(root, "nothing", O_RDONLY), -ENOENT);
	assert_int_equal(beneath_open(root, "file/x", O_RDONLY), -ENOTDIR);
	assert_int_equal(beneath_open(root, "dir", O_RDONLY), -EISDIR);
	assert_int_equal(beneath_open(root, "", O_RDONLY), -EISDIR);
}

static void names_that_lead_up_are_refused(void **state)
{
	assert_int_equal(beneath_open(root, "../outside/secret", O_RDONLY), -EINVAL);
	assert_int_equal(beneath_open(root, "dir/../file", O_RDONLY), -EINVAL);
	assert_int_equal(beneath_open(root, "./file", O_RDONLY), -EINVAL);
	assert_int_equal(beneath_open(root, "dir//inner", O_RDONLY), -EINVAL);
	assert_int_equal(beneath_open(root, "/file", O_RDONLY), -EINVAL);
	assert_int_equal(create(".."), -EINVAL);
}

static void links_are_not_followed(void **state)
{
	link_to("../outside/secret", "root/up");
	link_to("../outside", "root/way");
	link_to("file", "root/inside");
	link_to("/nowhere/at/all", "root/dangling");
	assert_int_equal(beneath_open(root, "up", O_RDONLY), -ELOOP);
	assert_int_equal(beneath_open(root, "way/secret", O_RDONLY), -ELOOP);
	assert_int_equal(beneath_open(root, "inside", O_RDONLY), -ELOOP);
	assert_int_equal(beneath_open(root, "up", O_WRONLY), -ELOOP);
	assert_int_equal(create("way/new"), -ELOOP);
	assert_int_equal(create("dangling"), -EEXIST);
	assert_int_equal(access(at("outside/new"), F_OK), -1);
}

static void what_would_block_is_not_opened(void **state)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(mkfifo(at("root/pipe"), 0600), 0);
	assert_int_equal(beneath_open(root, "pipe", O_RDONLY), -EINVAL);
	assert_int_equal(beneath_open(root, "pipe", O_WRONLY), -EINVAL);
	strcpy(address.sun_path, at("root/socket"));
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(beneath_open(root, "socket", O_RDONLY), -EINVAL);
	close(fd);
	assert_int_equal(beneath_open("/dev", "null", O_RDONLY), -EINVAL);
}

static void new_files_are_private_and_replace_nothing(void **state)
{
	mode_t mask = umask(0);
	struct stat st;
	unsigned made = 0;
	int fd = beneath_create(root, "new/deep/file", &made);

	umask(mask);
	assert_true(fd >= 0);
	assert_int_equal(made, 2);
	close(fd);
	assert_int_equal(stat(at("root/new/deep/file"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(stat(at("root/new/deep"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(create("file"), -EEXIST);
	expect_text(beneath_open(root, "file", O_RDONLY), "file");
}

static void a_root_is_made_only_where_that_is_wanted(void **state)
{
	char there[100];
	int fd;

	snprintf(there, sizeof(there), "%s/not/yet", root);
	assert_int_equal(beneath_directory(there, "", false), -ENOENT);
	fd = beneath_directory(there, "more", true);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(access(at("root/not/yet/more"), F_OK), 0);
}

static void an_identity_is_that_of_one_content(void **state)
{
	struct file_identity before, after;
	struct stat st;

	assert_int_equal(stat(at("root/file"), &st), 0);
	before = after = file_identity(&st);
	assert_true(file_identity_equals(&before, &after));
	write_text(at("root/file"), "longer");
	assert_int_equal(stat(at("root/file"), &st), 0);
	after = file_identity(&st);
	assert_false(file_identity_equals(&before, &after));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(regular_files_are_opened),
		TEST(names_that_lead_up_are_refused),
		TEST(links_are_not_followed),
		TEST(what_would_block_is_not_opened),
		TEST(new_files_are_private_and_replace_nothing),
		TEST(a_root_is_made_only_where_that_is_wanted),
		TEST(an_identity_is_that_of_one_content),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
