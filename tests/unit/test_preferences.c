/* The preferences that Firefox is started with. */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "engine/bidi/preferences.h"

/* The value that Firefox takes, that of the last line with the name; NULL: none. */
static const char *value(const char *text, const char *name, struct str *ret)
{
	_cleanup_(str_done) struct str plain = {}, quoted = {};

	str_appendf(&plain, "user_pref('%s', ", name);
	str_appendf(&quoted, "user_pref(\"%s\", ", name);
	str_reset(ret);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (starts_with(line, plain.data) || starts_with(line, quoted.data)) {
			str_reset(ret);
			str_append_len(ret, line + plain.len, strcspn(line + plain.len, "\n") - strlen(");"));
		}
	}
	return ret->len ? ret->data : NULL;
}

static void check_value(const struct engine_options *o, const char *name, const char *wanted)
{
	_cleanup_(str_done) struct str text = {}, is = {};
	const char *found;

	preferences_print(o, &text);
	found = value(text.data, name, &is);
	if (!wanted ? found != NULL : !found || strcmp(found, wanted) != 0)
		fail_msg("%s is %s, not %s", name, found ? found : "missing", wanted ? wanted : "missing");
}

#define CHECK(name, wanted, ...) check_value(&(const struct engine_options){ __VA_ARGS__ }, name, wanted)

static void a_proxy_becomes_preferences(void **state)
{
	CHECK("network.proxy.type", "0", .headless = true);
	CHECK("network.proxy.type", "1", .proxy_server = "h:3128");
	CHECK("network.proxy.http", "\"h\"", .proxy_server = "h:3128");
	CHECK("network.proxy.ssl_port", "3128", .proxy_server = "http://h:3128");
	CHECK("network.proxy.http_port", "80", .proxy_server = "http://h");
	CHECK("network.proxy.http", "\"::1\"", .proxy_server = "http://[::1]:3128");
	CHECK("network.proxy.http_port", "3128", .proxy_server = "http://[::1]:3128");
	CHECK("network.proxy.http", NULL, .proxy_server = "socks5://h:9");
	CHECK("network.proxy.socks_port", "9", .proxy_server = "socks5://h:9");
	CHECK("network.proxy.socks_version", "4", .proxy_server = "socks4://h:9");
	CHECK("network.proxy.autoconfig_url", "\"data:text/javascript,function FindProxyForURL(){return 'HTTPS h:443'}\"",
	      .proxy_server = "https://h");
}

static void this_machine_is_reached_through_the_proxy_if_wanted(void **state)
{
	CHECK("network.proxy.no_proxies_on", "\"localhost,127.0.0.1,[::1]\"", .proxy_server = "h:1");
	CHECK("network.proxy.no_proxies_on", "\"\"", .proxy_server = "h:1", .proxies_loopback = true);
	CHECK("network.proxy.no_proxies_on", "\".a.example,b\"", .proxy_server = "h:1", .proxies_loopback = true,
	      .proxy_bypass = "*.a.example; b, <-loopback>");
	CHECK("network.proxy.allow_hijacking_localhost", "true", .headless = true);
}

/* Nothing that is given replaces what the rules for connections rest on. */
static void what_is_given_comes_before_the_rules(void **state)
{
	static const char text[] =
		"{\"general.smoothScroll\": true, \"a.b\": \"c\", \"n\": 7, \"media.peerconnection.enabled\": true, "
		"\"network.proxy.allow_hijacking_localhost\": false}";
	_cleanup_(json_freep) struct json *given = NULL;

	assert_int_equal(json_parse(text, strlen(text), 4, 0, &given), 0);
	CHECK("general.smoothScroll", "false", .headless = true);
	CHECK("general.smoothScroll", "true", .preferences = given);
	CHECK("a.b", "\"c\"", .preferences = given);
	CHECK("n", "7", .preferences = given);
	CHECK("network.proxy.allow_hijacking_localhost", "true", .preferences = given);
	CHECK("media.peerconnection.enabled", "true", .preferences = given);
	CHECK("media.peerconnection.enabled", "false", .preferences = given, .proxied_webrtc = true);
	CHECK("general.smoothScroll", NULL, .without_usual_args = true);
	CHECK("ui.useOverlayScrollbars", "1", .headless = true);
	CHECK("ui.useOverlayScrollbars", NULL, .headless = false);
	CHECK("ui.useOverlayScrollbars", NULL, .headless = true, .without_usual_args = true);
}

static void a_file_of_the_user_stays(void **state)
{
	const struct engine_options o = { .names.user_data_dir = "--dir" };
	char folder[] = "/tmp/test-preferences-XXXXXX";
	_cleanup_(str_done) struct str path = {}, error = {}, text = {};
	FILE *file;

	must(mkdtemp(folder));
	str_appendf(&path, "%s/user.js", folder);
	assert_int_equal(preferences_write(folder, &o, &error), 0);
	assert_int_equal(preferences_write(folder, &o, &error), 0);
	assert_int_equal(error.len, 0);
	file = must(fopen(path.data, "w"));
	fputs("user_pref('mine', 1);\n", file);
	fclose(file);
	assert_int_equal(preferences_write(folder, &o, &error), -EEXIST);
	assert_non_null(strstr(error.data, "firefoxUserPrefs"));
	assert_int_equal(file_read(path.data, 1000, &text), 0);
	assert_string_equal(text.data, "user_pref('mine', 1);\n");
	unlink(path.data);
	assert_int_equal(rmdir(folder), 0); /* no other file */
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_proxy_becomes_preferences),
		cmocka_unit_test(this_machine_is_reached_through_the_proxy_if_wanted),
		cmocka_unit_test(what_is_given_comes_before_the_rules),
		cmocka_unit_test(a_file_of_the_user_stays),
	};

	return cmocka_run_group_tests_name("preferences", tests, NULL, NULL);
}
