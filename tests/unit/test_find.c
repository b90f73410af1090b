/* What is said to users who have no browser. */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/find.h"

static void the_command_is_that_of_the_system(void **state)
{
	const struct engine_options headless = { .headless = true }, windows = {};
	static const struct {
		const char *os_release, *command;
	} cases[] = {
		{ "PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n", "apt-get install chromium-headless-shell" },
		{ "ID=raspbian\nID_LIKE=debian", "apt-get install chromium-headless-shell" },
		{ "ID=ubuntu\nID_LIKE=debian\n", "npx playwright install --with-deps chromium-headless-shell" },
		{ "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", "npx playwright install --with-deps chromium-headless-shell" },
		{ "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", "dnf install chromium-headless" },
		{ "NAME=\"Alpine Linux\"\nID=alpine", "apk add chromium" },
		{ "ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"", "zypper install chromium" },
		{ "ID=debianish\nVARIANT_ID=debian\n", "npx playwright install chromium-headless-shell" },
		{ "", "npx playwright install chromium-headless-shell" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(engine_installer(cases[i].os_release, &headless), cases[i].command);
	assert_string_equal(engine_installer("ID=debian", &windows), "apt-get install chromium");
}

static void the_command_for_firefox_is_that_of_the_system(void **state)
{
	const struct engine_options firefox = { .product = BROWSER_FIREFOX };

	assert_string_equal(engine_installer("ID=debian\n", &firefox), "apt-get install firefox-esr");
	assert_non_null(strstr(engine_installer("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", &firefox), "not the snap"));
	assert_non_null(strstr(engine_installer("", &firefox), "https://www.mozilla.org/"));
}

/* A program in a folder of its own, with the description that Firefox has beside it. */
static void make_firefox(const char *folder, const char *version)
{
	_cleanup_(str_done) struct str program = {}, description = {};
	FILE *file;

	str_appendf(&program, "%s/firefox-esr", folder);
	file = must(fopen(program.data, "w"));
	fputs("\x7f"
	      "ELF",
	      file);
	fclose(file);
	chmod(program.data, 0755);
	str_appendf(&description, "%s/application.ini", folder);
	file = must(fopen(description.data, "w"));
	fprintf(file, "[App]\nVendor=Mozilla\nVersion=%s\n\n[Gecko]\nMinVersion=%s\n", version, version);
	fclose(file);
}

static int find_firefox(const char *version, enum sandbox_mode sandbox, struct engine_choice *ret, struct str *error)
{
	struct engine_options o = { .product = BROWSER_FIREFOX, .headless = true, .sandbox = sandbox, .names.executable = "--exe" };
	char folder[] = "/tmp/test-find-XXXXXX";
	_cleanup_(str_done) struct str program = {}, description = {};
	int r;

	must(mkdtemp(folder));
	make_firefox(folder, version);
	str_appendf(&program, "%s/firefox-esr", folder);
	str_appendf(&description, "%s/application.ini", folder);
	o.executable = program.data;
	r = engine_find(&o, ret, error);
	unlink(program.data);
	unlink(description.data);
	rmdir(folder);
	return r;
}

static void an_old_firefox_is_refused(void **state)
{
	_cleanup_(engine_choice_done) struct engine_choice choice = {};
	_cleanup_(str_done) struct str error = {};

	assert_int_equal(find_firefox("128.14.0", SANDBOX_AUTO, &choice, &error), -ENOENT);
	assert_non_null(strstr(error.data, "is version 128, and at least 140 is needed"));
	assert_int_equal(find_firefox("140.0", SANDBOX_AUTO, &choice, &error), 0);
}

/* For root, too. */
static void the_sandbox_of_firefox_is_on_unless_turned_off(void **state)
{
	_cleanup_(engine_choice_done) struct engine_choice on = {}, off = {};
	_cleanup_(str_done) struct str error = {};

	assert_int_equal(find_firefox("153.8.0", SANDBOX_ON, &on, &error), 0);
	assert_false(on.no_sandbox || on.sandbox_warning);
	assert_int_equal(find_firefox("153.8.0", SANDBOX_OFF, &off, &error), 0);
	assert_true(off.no_sandbox);
}

static void a_missing_firefox_is_named(void **state)
{
	const struct engine_options o = { .product = BROWSER_FIREFOX, .headless = true, .executable = "/nowhere/firefox" };
	_cleanup_(engine_choice_done) struct engine_choice choice = {};
	_cleanup_(str_done) struct str error = {};

	assert_int_equal(engine_find(&o, &choice, &error), -ENOENT);
	assert_non_null(strstr(error.data, "Failed to launch firefox because"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_command_is_that_of_the_system),
		cmocka_unit_test(the_command_for_firefox_is_that_of_the_system),
		cmocka_unit_test(an_old_firefox_is_refused),
		cmocka_unit_test(the_sandbox_of_firefox_is_on_unless_turned_off),
		cmocka_unit_test(a_missing_firefox_is_named),
	};

	return cmocka_run_group_tests_name("find", tests, NULL, NULL);
}
