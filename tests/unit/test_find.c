/* What is said to users who have no browser. */
#include "test.h"

#include "engine/find.h"

static void the_command_is_that_of_the_system(void **state)
{
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
		assert_string_equal(engine_installer(cases[i].os_release, true), cases[i].command);
	assert_string_equal(engine_installer("ID=debian", false), "apt-get install chromium");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_command_is_that_of_the_system),
	};

	return cmocka_run_group_tests_name("find", tests, NULL, NULL);
}
