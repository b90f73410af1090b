/* How Chromium is started by options, and what earlier starts mean for how it is connected to. */
#include "test.h"

#include <string.h>

#include "base/json.h"
#include "base/log.h"
#include "engine/cdp/arguments.h"
#include "engine/launch.h"

static unsigned count(const struct arguments *a, const char *wanted)
{
	unsigned n = 0;

	for (size_t i = 0; a->items[i]; i++)
		n += strcmp(a->items[i], wanted) == 0;
	return n;
}

/* Whether the command line by these options has `wanted` once, and `other` (NULL: any) not at all. */
static void check(const struct engine_options *o, const char *wanted, const char *other)
{
	static char program[] = "/usr/bin/chromium";
	const struct engine_choice choice = { .program = program };
	_cleanup_(arguments_done) struct arguments a = {};

	arguments_build(&a, o, &choice, "/p");
	assert_string_equal(a.items[0], program);
	if (count(&a, wanted) != 1)
		fail_msg("%s is there %u times", wanted, count(&a, wanted));
	if (other && count(&a, other))
		fail_msg("%s is there", other);
}

#define CHECK(wanted, other, ...) check(&(const struct engine_options){ __VA_ARGS__ }, wanted, other)

static void options_become_arguments(void **state)
{
	static const char *const left_out[] = { "--mute-audio", NULL };

	CHECK("--remote-debugging-port=0", "--remote-debugging-pipe", .connection = CONNECTION_PORT);
	CHECK("--remote-debugging-pipe", "--remote-debugging-port=0", .connection = CONNECTION_PIPE);
	CHECK("--user-data-dir=/p", "--headless", .headless = false);
	CHECK("--headless", NULL, .headless = true);
	CHECK("--window-size=3,4", NULL, .width = 3, .height = 4);
	CHECK("--hide-scrollbars", "--mute-audio", .headless = true, .without_args = left_out);
	CHECK("--user-data-dir=/p", "--mute-audio", .without_usual_args = true);
}

/* The extensions of a profile that stays are the user's; one may change the proxy. */
static void extensions_are_of_profiles_without_limits(void **state)
{
	CHECK("--disable-extensions", NULL, .user_data_dir = NULL);
	CHECK("--disable-extensions", NULL, .user_data_dir = "/p", .proxied_webrtc = true);
	CHECK("--user-data-dir=/p", "--disable-extensions", .user_data_dir = "/p");
}

static void this_machine_is_reached_through_the_proxy_if_wanted(void **state)
{
	CHECK("--proxy-server=h:1", "--proxy-bypass-list=<-loopback>", .proxy_server = "h:1");
	CHECK("--proxy-bypass-list=;<-loopback>", NULL, .proxy_server = "h:1", .proxies_loopback = true);
	CHECK("--proxy-bypass-list=a;<-loopback>", NULL, .proxy_server = "h:1", .proxies_loopback = true, .proxy_bypass = "a");
	CHECK("--proxy-bypass-list=a, [::1]", NULL, .proxy_server = "h:1", .proxies_loopback = true, .proxy_bypass = "a, [::1]");
}

static void features_share_one_list(void **state)
{
	static const char *const args[] = { "--enable-features=A,B", NULL };

	CHECK("--enable-features=WebMCP", NULL, .args = NULL);
	CHECK("--enable-features=A,B,WebMCP", NULL, .args = args);
	CHECK("--enable-features=A,B", "--enable-features=A,B,WebMCP", .args = args, .no_webmcp = true);
}

static void the_environment_has_an_own_temporary_folder(void **state)
{
	_cleanup_(json_freep) struct json *variables = NULL;
	_cleanup_(arguments_done) struct arguments env = {}, far = {};
	static const char text[] = "{\"A\":\"b c\",\"N\":7,\"TMPDIR\":\"/theirs\"}";

	assert_int_equal(json_parse(text, strlen(text), 4, 0, &variables), 0);
	arguments_build_environment(&env, variables, "/ours");
	assert_string_equal(arguments_variable(&env, "A"), "b c");
	assert_string_equal(arguments_variable(&env, "N"), "7");
	assert_string_equal(arguments_variable(&env, "TMPDIR"), "/ours");
	assert_null(arguments_variable(&env, "PATH"));
	arguments_build_environment(&far, NULL, "/a-folder-whose-name-is-so-long-that-no-socket-in-it-could-have-an-address");
	assert_non_null(arguments_variable(&far, "PATH"));
	assert_null(strstr(arguments_variable(&far, "TMPDIR"), "a-folder"));
}

/* Another process may have connected by chance; after the third time it is no chance. */
static void a_shared_port_is_tried_three_times(void **state)
{
	const struct engine_options o = { .connection = CONNECTION_AUTO };
	_cleanup_(launch_history_done) struct launch_history h = {};
	_cleanup_(str_done) struct str error = {};

	assert_true(launch_may_retry(&h, &o, true, "it is shared", &error));
	assert_true(launch_may_retry(&h, &o, true, "it is shared", &error));
	assert_false(h.pipe_only || h.pipe_reason.len);
	assert_true(launch_may_retry(&h, &o, true, "it is shared", &error));
	assert_true(h.pipe_only);
	assert_string_equal(h.pipe_reason.data, "it is shared");
	assert_int_equal(error.len, 0);
}

static void a_port_that_is_required_is_never_replaced(void **state)
{
	const struct engine_options o = { .connection = CONNECTION_PORT, .names.connection = "--how" };
	_cleanup_(launch_history_done) struct launch_history h = {};
	_cleanup_(str_done) struct str error = {};

	assert_false(launch_may_retry(&h, &o, false, "it is open", &error));
	assert_false(h.pipe_only);
	assert_string_equal(error.data, "Failed to launch the browser: its debugging port is not private (--how port): it is open");
}

static void a_profile_that_stays_has_no_port(void **state)
{
	assert_non_null(launch_port_obstacle(NULL, &(const struct engine_options){ .user_data_dir = "/p" }));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_become_arguments),
		cmocka_unit_test(extensions_are_of_profiles_without_limits),
		cmocka_unit_test(this_machine_is_reached_through_the_proxy_if_wanted),
		cmocka_unit_test(features_share_one_list),
		cmocka_unit_test(the_environment_has_an_own_temporary_folder),
		cmocka_unit_test(a_shared_port_is_tried_three_times),
		cmocka_unit_test(a_port_that_is_required_is_never_replaced),
		cmocka_unit_test(a_profile_that_stays_has_no_port),
	};

	log_set_level(LOG_EMERGENCY);
	return cmocka_run_group_tests_name("launch", tests, NULL, NULL);
}
