/* What an engine cannot do is not offered, whatever the options say. The engine of this program says what a test wants it to. */
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/features.h"
#include "main/options.h"
#include "main/tool_list.h"
#include "tools/table.h"

#define ARGV(...) ((char *const *)(const char *const[]){ "browserd", __VA_ARGS__, NULL })

static unsigned features;
static struct options options;
static struct str error;

unsigned __wrap_engine_features(const struct engine_options *o);
unsigned __wrap_engine_features(const struct engine_options *o)
{
	return features;
}

static int parse(char *const argv[])
{
	options_done(&options);
	options = (struct options){};
	str_reset(&error);
	return options_parse(&options, option_profile_for("browserd"), argv, (char *const *)(const char *const[]){ NULL }, &error);
}

static bool is_listed(const char *name)
{
	const struct tool **tools = tool_list_new(&options, option_profile_for("browserd")), **tool = tools;
	bool found;

	while (*tool && strcmp((*tool)->name, name) != 0)
		tool++;
	found = *tool;
	free(tools);
	return found;
}

static void tools_follow_what_the_engine_can_do(void **state)
{
	assert_int_equal(parse(ARGV("--caps", "devtools")), 0);
	features = ENGINE_VIDEOS;
	assert_true(is_listed("browser_start_video"));
	assert_null(tool_list_missing("browser_start_video", &options));
	features = ENGINE_PAGE_TOOLS;
	assert_false(is_listed("browser_start_video"));
	assert_false(is_listed("browser_stop_video"));
	assert_true(is_listed("browser_start_tracing"));
	assert_string_equal(tool_list_missing("browser_start_video", &options), "videos of pages");
	assert_null(tool_list_missing("browser_click", &options));
	assert_null(tool_list_missing("nonsense", &options));
}

static void tools_of_pages_follow_it(void **state)
{
	assert_int_equal(parse(ARGV("--caps", "core")), 0);
	features = ENGINE_PAGE_TOOLS;
	assert_true(tool_list_has_page_tools(&options));
	features = 0;
	assert_false(tool_list_has_page_tools(&options));
}

static void a_tool_that_is_asked_for_is_refused(void **state)
{
	char *const *argv = ARGV("--caps", "devtools", "--tools", "browser_start_video");

	features = ENGINE_VIDEOS;
	assert_int_equal(parse(argv), 0);
	features = 0;
	assert_int_equal(parse(argv), -EINVAL);
	assert_string_equal(error.data, "--tools: browser_start_video needs videos of pages, which the browser does not have");
}

static void an_option_that_needs_something_is_refused(void **state)
{
	features = ~(unsigned)ENGINE_PHONES;
	assert_int_equal(parse(ARGV("--device", "Desktop Firefox")), 0);
	assert_int_equal(parse(ARGV("--mobile")), -EINVAL);
	assert_non_null(strstr(error.data, "--mobile cannot be used with "));
	assert_int_equal(parse(ARGV("--device", "iPhone 15")), -EINVAL);
	assert_non_null(strstr(error.data, "which does not have pages laid out for a phone"));
	features = ~0u;
	assert_int_equal(parse(ARGV("--mobile")), 0);
	assert_int_equal(parse(ARGV("--device", "iPhone 15")), 0);
}

static int done(void **state)
{
	options_done(&options);
	str_done(&error);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tools_follow_what_the_engine_can_do),
		cmocka_unit_test(an_option_that_needs_something_is_refused),
		cmocka_unit_test(tools_of_pages_follow_it),
		cmocka_unit_test(a_tool_that_is_asked_for_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, done);
}
