/* The option table through all of its sources. */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "browser/browser.h"
#include "main/option_parser.h"
#include "main/options.h"
#include "reply/code.h"
#include "page/emulate.h"

#define WORDS(...) ((char *const *)(const char *const[]){ __VA_ARGS__, NULL })
#define ARGV(...) WORDS("browserd", __VA_ARGS__)
#define NOTHING ((char *const *)(const char *const[]){ NULL })

static struct options options;
static struct str error;

static int parse_as(const char *name, char *const argv[], char *const env[])
{
	options_done(&options);
	options = (struct options){};
	str_reset(&error);
	return options_parse(&options, option_profile_for(name), argv, env, &error);
}

static int parse(char *const argv[], char *const env[])
{
	return parse_as("browserd", argv, env);
}

static void accept(char *const argv[], char *const env[])
{
	int r = parse(argv, env);

	if (r < 0)
		fail_msg("refused: %s", str_text(&error));
}

static int done(void **state)
{
	options_done(&options);
	options = (struct options){};
	str_done(&error);
	return 0;
}

static size_t length(const char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

/* A config file with this text; the name is valid until the next call. */
static char *config_file(const char *text)
{
	static char path[64];
	FILE *f;
	int fd;

	strcpy(path, "/tmp/browserd-test-options-XXXXXX");
	fd = mkstemp(path);
	f = fdopen(fd, "w");
	fputs(text, f);
	fclose(f);
	return path;
}

static void test_transport(void **state)
{
	accept(ARGV(NULL), WORDS("PORT=8080")); /* somebody else's */
	assert_int_equal(options.http.port, -1);
	accept(ARGV(NULL), WORDS("TRANSPORT_MODE=http", "PORT=8080"));
	assert_int_equal(options.http.port, 8080);
	accept(ARGV(NULL), WORDS("TRANSPORT_MODE=http"));
	assert_int_equal(options.http.port, 3000);
	accept(ARGV("--port", "99"), WORDS("TRANSPORT_MODE=http", "PORT=8080"));
	assert_int_equal(options.http.port, 99);
	accept(ARGV("--port", "99"), WORDS("TRANSPORT_MODE=stdio"));
	assert_int_equal(options.http.port, -1);
	assert_int_equal(parse(ARGV("--transport", "http"), WORDS("PORT=many")), -EINVAL);
	assert_non_null(strstr(error.data, "PORT"));
}

static void test_servers(void **state)
{
	accept(ARGV(NULL), NOTHING);
	assert_null(options.e2e.permit.commands);
	assert_int_equal(options.e2e.idle, 600000 * USEC_PER_MSEC);
	assert_int_equal(options.e2e.lifetime, 3600000 * USEC_PER_MSEC);
	accept(ARGV(NULL), WORDS("SERVER_COMMAND_PATH=/a:/b/c", "ALLOWED_HOSTS=example.com,*.test:80"));
	assert_int_equal(length(options.e2e.permit.commands), 2);
	assert_string_equal(options.e2e.permit.commands[1], "/b/c");
	assert_string_equal(options.egress_hosts[1], "*.test:80");
	assert_int_equal(parse(ARGV("--egress-hosts", "http://x"), NOTHING), -EINVAL);
}

static void test_defaults(void **state)
{
	accept(ARGV(NULL), NOTHING);
	assert_int_equal(options.action, ACTION_SERVE);
	assert_int_equal(options.browser.start.product, BROWSER_AUTO);
	assert_true(options.browser.start.headless);
	assert_int_equal(options.browser.start.sandbox, SANDBOX_AUTO);
	assert_int_equal(options.sessions.timeout, 300000 * USEC_PER_MSEC);
	assert_int_equal(options.sessions.max, 10);
	assert_false(options.sessions.lazy);
	assert_int_equal(options.timeouts.action, 5000 * USEC_PER_MSEC);
	assert_int_equal(options.timeouts.navigation, 60000 * USEC_PER_MSEC);
	assert_null(options.browser.start.executable);
	assert_null(options.browser.start.args);
}

static void test_no_program_name(void **state)
{
	accept(NOTHING, NULL);
	assert_ptr_equal(option_profile_for(NULL), option_profile_table);
	assert_ptr_equal(option_profile_for("/usr/bin/anything"), option_profile_table);
}

/* Packages without links start the drop-in by its name as the first argument, which is then where its own name would be. */
static void test_name_as_first_argument(void **state)
{
	char program[] = "/opt/browserd", name[] = "playwright-mcp", option[] = "--isolated";
	char *argv[] = { program, name, option, NULL }, *plain[] = { program, option, name, NULL };
	char **rest = argv, *none[] = { NULL };

	assert_string_equal(option_profile_take(&rest)->program, "playwright-mcp");
	assert_string_equal(rest[0], "playwright-mcp");
	assert_string_equal(rest[1], "--isolated");
	rest = plain;
	assert_string_equal(option_profile_take(&rest)->program, "browserd");
	assert_ptr_equal(rest, plain);
	rest = none;
	assert_string_equal(option_profile_take(&rest)->program, "browserd");
}

static void test_command_line(void **state)
{
	accept(ARGV("--browser=chrome", "--executable-path", "/opt/x y", "--headed", "--no-sandbox", "--viewport-size", "800x600",
		    "--max-sessions=3", "--lazy-sessions", "--user-agent=a=b", "--log-level", "error", "--browser-arg",
		    "--mute-audio", "--browser-arg=--lang=de", "--proxy-server", "socks5://h:1", "--ignore-https-errors"),
	       NOTHING);
	assert_int_equal(options.browser.start.product, BROWSER_CHROME);
	assert_string_equal(options.browser.start.executable, "/opt/x y");
	assert_false(options.browser.start.headless);
	assert_int_equal(options.browser.start.sandbox, SANDBOX_OFF);
	assert_int_equal(options.browser.page.viewport.width, 800);
	assert_int_equal(options.browser.page.viewport.height, 600);
	assert_int_equal(options.sessions.max, 3);
	assert_true(options.sessions.lazy);
	assert_string_equal(options.browser.page.user_agent, "a=b");
	assert_int_equal(options.log_level, LOG_ERROR);
	assert_int_equal(length(options.browser.start.args), 2);
	assert_string_equal(options.browser.start.args[0], "--mute-audio");
	assert_string_equal(options.browser.start.args[1], "--lang=de");
	assert_null(options.browser.start.args[2]);
	assert_string_equal(options.browser.start.proxy_server, "socks5://h:1");
	assert_true(options.browser.page.ignore_https_errors);
}

static void test_lists_in_one_text(void **state)
{
	accept(ARGV("--grant-permissions", "geolocation, camera", "--grant-permissions=midi"),
	       WORDS("PLAYWRIGHT_MCP_CAPS=core,core-tabs"));
	assert_int_equal(length(options.browser.page.permissions), 3);
	assert_string_equal(options.browser.page.permissions[1], "camera");
	assert_string_equal(options.browser.page.permissions[2], "midi");
	assert_int_equal(length(options.caps), 2);
	assert_string_equal(options.caps[1], "core-tabs");
}

static void test_devices_have_a_size(void **state)
{
	accept(ARGV("--mobile"), NOTHING);
	assert_int_equal(options.browser.page.viewport.width, 360);
	accept(ARGV("--device", " iphone 15 LANDSCAPE "), NOTHING);
	assert_int_equal(options.browser.page.viewport.width, 734);
	assert_int_equal(options.browser.page.viewport.height, 343);
	accept(ARGV("--device", "Desktop Safari"), NOTHING);
	assert_false(options.browser.page.device->mobile);
	accept(ARGV("--device", "iPhone 15"), NOTHING);
	assert_int_equal(options.browser.page.viewport.height, 659);
	accept(ARGV("--device", "iPhone 15", "--viewport-size", "500x600"), NOTHING);
	assert_int_equal(options.browser.page.viewport.width, 500);
}

static void test_init_scripts_are_read(void **state)
{
	char *path = config_file("window.x = 1; // the end"), expected[1024];

	accept(ARGV("--init-script", path), NOTHING);
	unlink(path);
	snprintf(expected, sizeof(expected), "(() => {\nwindow.x = 1; // the end\n})();\n//# sourceURL=%s", path);
	assert_string_equal(options.browser.page.init_scripts[0], expected);
}

/* Where the one has no display it shows no window; its pages have the window's size where there is one. */
static void test_the_other_name(void **state)
{
	static const char drop_in[] = "/usr/bin/playwright-mcp";

	assert_string_equal(option_profile_for(drop_in)->program, "playwright-mcp");
	assert_int_equal(parse_as(drop_in, ARGV(NULL), NOTHING), 0);
	assert_true(options.browser.start.headless);
	assert_int_equal(options.browser.page.viewport.width, 1280);
	assert_int_equal(parse_as(drop_in, ARGV(NULL), WORDS("DISPLAY=:1")), 0);
	assert_false(options.browser.start.headless);
	assert_int_equal(options.browser.page.viewport.width, 0);
	assert_int_equal(parse_as(drop_in, ARGV("--headless"), WORDS("DISPLAY=:1")), 0);
	assert_true(options.browser.start.headless);
	assert_int_equal(options.browser.page.viewport.width, 1280);
}

static void test_profiles(void **state)
{
	static const char drop_in[] = "playwright-mcp";

	accept(ARGV(NULL), NOTHING);
	assert_null(options.browser.start.user_data_dir);
	accept(ARGV("--user-data-dir", "/x"), NOTHING);
	assert_string_equal(options.browser.start.user_data_dir, "/x");
	assert_int_equal(parse_as(drop_in, ARGV(NULL), WORDS("HOME=/home/me")), 0);
	assert_memory_equal(options.browser.start.user_data_dir, "/home/me/.cache/browserd/mcp-chrome-", 36);
	assert_int_equal(parse_as(drop_in, ARGV(NULL), WORDS("PWMCP_PROFILES_DIR_FOR_TEST=/p")), 0);
	assert_memory_equal(options.browser.start.user_data_dir, "/p/mcp-chrome-", 14);
	assert_int_equal(parse_as(drop_in, ARGV("--isolated"), NOTHING), 0);
	assert_null(options.browser.start.user_data_dir);
}

static void test_options_without_effect_are_taken(void **state)
{
	accept(ARGV("--save-session", "--no-webmcp", "--extension=false"), NOTHING);
}

static void test_later_argument_wins(void **state)
{
	accept(ARGV("--headed", "--headless", "--max-sessions", "1", "--max-sessions", "2", "--lazy-sessions",
		    "--lazy-sessions=false"),
	       NOTHING);
	assert_true(options.browser.start.headless);
	assert_int_equal(options.sessions.max, 2);
	assert_false(options.sessions.lazy);
}

static void test_actions(void **state)
{
	static const struct {
		const char *argument;
		enum option_action action;
	} cases[] = {
		{ "doctor", ACTION_DOCTOR },
		{ "--help", ACTION_HELP },
		{ "-h", ACTION_HELP },
		{ "--version", ACTION_VERSION },
		{ "-V", ACTION_VERSION },
		{ "--man", ACTION_MAN },
		{ "--completion=zsh", ACTION_COMPLETION },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		accept(ARGV(cases[i].argument, "--headed"), NOTHING);
		assert_int_equal(options.action, cases[i].action);
		options_done(&options);
	}
	/* A wrong environment must not keep anybody from reading the help. */
	accept(ARGV("--help"), WORDS("BROWSERD_MAX_SESSIONS=many", "BROWSERD_CONFIG=/nowhere"));
	assert_int_equal(options.action, ACTION_HELP);
}

static void test_environment(void **state)
{
	accept(ARGV(NULL), WORDS("BROWSERD_MAX_SESSIONS=7", "PLAYWRIGHT_MCP_TIMEOUT_ACTION=123", "HEADLESS=false",
				 "PLAYWRIGHT_MCP_VIEWPORT_SIZE=640,480", "BROWSERD_BROWSER_ARG=--a  --b=c",
				 "BROWSERD_USER_AGENT=", "PLAYWRIGHT_MCP_NO_SANDBOX=1"));
	assert_int_equal(options.sessions.max, 7);
	assert_int_equal(options.timeouts.action, 123 * USEC_PER_MSEC);
	assert_false(options.browser.start.headless);
	assert_int_equal(options.browser.page.viewport.width, 640);
	assert_int_equal(options.browser.page.viewport.height, 480);
	assert_int_equal(length(options.browser.start.args), 2);
	assert_string_equal(options.browser.start.args[1], "--b=c");
	assert_null(options.browser.page.user_agent);
	assert_int_equal(options.browser.start.sandbox, SANDBOX_OFF);
}

static void test_own_variable_wins(void **state)
{
	accept(ARGV(NULL), WORDS("HEADLESS=false", "PLAYWRIGHT_MCP_HEADLESS=false", "BROWSERD_HEADLESS=true"));
	assert_true(options.browser.start.headless);
	options_done(&options);
	accept(ARGV(NULL), WORDS("BROWSERD_NO_SANDBOX=false", "BROWSERD_SANDBOX=true"));
	assert_int_equal(options.browser.start.sandbox, SANDBOX_ON);
}

static void test_config(void **state)
{
	char *path = config_file(
		"{\"browser\": {\"browserName\": \"chromium\", \"launchOptions\": {\"channel\": \"msedge\","
		"\"headless\": false, \"executablePath\": \"/x\", \"args\": [\"--a\", \"--b\"], \"chromiumSandbox\": true,"
		"\"proxy\": {\"server\": \"http://p:1\", \"bypass\": \".local\"}},"
		"\"contextOptions\": {\"viewport\": {\"width\": 10, \"height\": 20}, \"userAgent\": \"ua\\u00e9\","
		"\"ignoreHTTPSErrors\": true}},"
		"\"timeouts\": {\"action\": 1, \"navigation\": 2}, \"sessions\": {\"max\": 4, \"timeout\": 5, \"lazy\": true},"
		"\"logLevel\": null, \"capabilities\": [\"core\"]}");

	log_set_level(LOG_EMERGENCY); /* the unknown key is reported */
	accept(ARGV("--config", path), NOTHING);
	log_set_level(LOG_NOTICE);
	unlink(path);
	assert_int_equal(options.browser.start.product, BROWSER_MSEDGE);
	assert_false(options.browser.start.headless);
	assert_string_equal(options.browser.start.executable, "/x");
	assert_int_equal(length(options.browser.start.args), 2);
	assert_int_equal(options.browser.start.sandbox, SANDBOX_ON);
	assert_string_equal(options.browser.start.proxy_server, "http://p:1");
	assert_string_equal(options.browser.start.proxy_bypass, ".local");
	assert_int_equal(options.browser.page.viewport.height, 20);
	assert_string_equal(options.browser.page.user_agent, "ua\xc3\xa9");
	assert_true(options.browser.page.ignore_https_errors);
	assert_int_equal(options.timeouts.navigation, 2 * USEC_PER_MSEC);
	assert_int_equal(options.sessions.max, 4);
	assert_int_equal(options.sessions.timeout, 5 * USEC_PER_MSEC);
	assert_true(options.sessions.lazy);
}

static void test_precedence(void **state)
{
	char *path = config_file("{\"browser\": {\"launchOptions\": {\"args\": [\"--config\"]}},"
				 "\"timeouts\": {\"action\": 1, \"navigation\": 1}, \"sessions\": {\"max\": 1}}");
	_cleanup_(str_done) struct str variable = {};

	str_appendf(&variable, "PLAYWRIGHT_MCP_CONFIG=%s", path);
	accept(ARGV("--timeout-action", "3"),
	       WORDS(variable.data, "BROWSERD_TIMEOUT_ACTION=2", "BROWSERD_TIMEOUT_NAVIGATION=2", "BROWSERD_BROWSER_ARG=--env"));
	unlink(path);
	assert_int_equal(options.timeouts.action, 3 * USEC_PER_MSEC);
	assert_int_equal(options.timeouts.navigation, 2 * USEC_PER_MSEC);
	assert_int_equal(options.sessions.max, 1);
	/* A list is not mixed from several sources. */
	assert_int_equal(length(options.browser.start.args), 1);
	assert_string_equal(options.browser.start.args[0], "--env");
}

#define ATTACHED "--cdp-endpoint", "http://localhost:9222"

static void test_a_running_browser(void **state)
{
	char *path = config_file(
		"{\"browser\": {\"cdpEndpoint\": \"ws://h/x\", \"cdpTimeout\": 7, \"contextOptions\": {\"viewport\": null}, "
		"\"cdpHeaders\": {\"A\": \"b, c\", \"D\": \"e\"}}}");

	accept(ARGV(ATTACHED, "--cdp-header", "A: b", "C: d", "--cdp-header", "E: f", "--headless"), NOTHING);
	assert_int_equal(length(options.browser.endpoint_fields), 3);
	assert_string_equal(options.browser.endpoint_fields[1], "C: d");
	assert_int_equal(options.browser.endpoint_timeout, 30 * USEC_PER_SEC);
	assert_int_equal(options.browser.page.viewport.width, 0); /* it keeps its own */
	assert_true(options.sessions.persistent);
	assert_int_equal(parse_as("playwright-mcp", ARGV(ATTACHED, "--isolated", "--viewport-size", "5x6"), WORDS("HOME=/home/me")),
			 0);
	assert_null(options.browser.start.user_data_dir);
	assert_false(options.sessions.persistent);
	assert_int_equal(options.browser.page.viewport.height, 6);
	accept(ARGV(NULL),
	       WORDS("PLAYWRIGHT_MCP_CDP_ENDPOINT=http://h", "PLAYWRIGHT_MCP_CDP_HEADERS=A: b c", "PLAYWRIGHT_MCP_CDP_TIMEOUT=5"));
	assert_string_equal(options.browser.endpoint_fields[0], "A: b c");
	assert_int_equal(options.browser.endpoint_timeout, 5 * USEC_PER_MSEC);
	accept(ARGV("--config", path), NOTHING);
	unlink(path);
	assert_string_equal(options.browser.endpoints[0], "ws://h/x");
	assert_int_equal(length(options.browser.endpoint_fields), 2);
	assert_string_equal(options.browser.endpoint_fields[0], "A: b, c");
	assert_int_equal(options.browser.endpoint_timeout, 7 * USEC_PER_MSEC);
	assert_int_equal(options.browser.page.viewport.width, 0);
	accept(ARGV(NULL), WORDS("BROWSERD_CDP_ENDPOINT=http://h  ws://i/a,b?{session}"));
	assert_int_equal(length(options.browser.endpoints), 2);
	assert_string_equal(options.browser.endpoints[1], "ws://i/a,b?{session}");
	assert_true(options.browser.per_session);
	accept(ARGV(ATTACHED, "--cdp-endpoint", "ws://i"), NOTHING);
	assert_false(options.browser.per_session);
}

static void test_several_values_of_one_option(void **state)
{
	accept(ARGV("--grant-permissions", "geolocation", "midi", "--headless"), NOTHING);
	assert_int_equal(length(options.browser.page.permissions), 2);
	accept(ARGV("--grant-permissions", "geolocation", "doctor"), NOTHING);
	assert_int_equal(length(options.browser.page.permissions), 1);
	assert_int_equal(options.action, ACTION_DOCTOR);
	accept(ARGV("--port", "0", "--allowed-hosts", "a.test", "b.test:1", "--headless", "--allowed-hosts=*"), NOTHING);
	assert_int_equal(length(options.http.allowed_hosts), 3);
	assert_string_equal(options.http.allowed_hosts[1], "b.test:1");
}

struct refusal {
	char *const *argv, *const *env;
	const char *parts[3]; /* that the message holds: what, value, what is allowed */
};

static void check_refusals(const struct refusal *refusals, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(parse(refusals[i].argv, refusals[i].env), -EINVAL);
		for (size_t k = 0; k < 3 && refusals[i].parts[k]; k++)
			if (!strstr(str_text(&error), refusals[i].parts[k]))
				fail_msg("\"%s\" does not say \"%s\"", str_text(&error), refusals[i].parts[k]);
	}
}

/* As people write them in configurations of clients. */
static void test_ways_to_write_a_value(void **state)
{
	static const char *const sizes[] = { "1024x600", "1024X600", "1024,600", "1024, 600", " 1024 , 600 ", "1024 x 600" };
	static const char *const numbers[] = { "5000", " 5000 ", "5e3" };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		accept(ARGV("--viewport-size", (char *)sizes[i]), NOTHING);
		assert_int_equal(options.browser.page.viewport.width, 1024);
		assert_int_equal(options.browser.page.viewport.height, 600);
	}
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		accept(ARGV("--timeout-action", (char *)numbers[i], "--max-sessions", " 7 ", "--"), NOTHING);
		assert_int_equal(options.timeouts.action, 5 * USEC_PER_SEC);
		assert_int_equal(options.sessions.max, 7);
	}
	accept(ARGV("--codegen", " Python", "--caps", " vision , ,pdf ", "--browser", "Chrome", "--output-max-size", "10737418240"),
	       NOTHING);
	assert_int_equal(options.answers.code, CODE_PYTHON);
	assert_string_equal(options.caps[0], "vision");
	assert_string_equal(options.caps[1], "pdf");
	assert_int_equal(options.browser.start.product, BROWSER_CHROME);
	assert_int_equal(options.output.max, 10ull << 30);
	accept(ARGV("--user-agent", " X Y "), WORDS("PLAYWRIGHT_MCP_ISOLATED= true ", "PLAYWRIGHT_MCP_OUTPUT_DIR= X Y "));
	assert_true(options.isolated);
	assert_string_equal(options.output.dir, "X Y");
	assert_string_equal(options.browser.page.user_agent, " X Y ");
}

static void test_recordings(void **state)
{
	static const char *const ages[] = { "7", "d", "7w", "-1d", "7d ago", "1.5h", "9999999d" };
	static const char *const wrong[] = { "sound", "video,", ",video", "video,sound", "Video" };

	accept(ARGV("--record", "trace"), NOTHING);
	assert_int_equal(options.recordings.kinds, RECORD_TRACE);
	accept(ARGV("--record", "video,trace"), NOTHING);
	assert_int_equal(options.recordings.kinds, RECORD_VIDEO | RECORD_TRACE);
	accept(ARGV("--record-keep", "36h", "--record-max-size", "1000000"), NOTHING);
	assert_int_equal(options.recordings.keep, 36 * 3600 * USEC_PER_SEC);
	assert_int_equal(options.recordings.max_size, 1000000);
	accept(ARGV("--record-keep", "0"), NOTHING);
	assert_int_equal(options.recordings.keep, 0);
	accept(ARGV(NULL), NOTHING);
	assert_int_equal(options.recordings.keep, 7 * 24 * 3600 * USEC_PER_SEC);
	for (size_t i = 0; i < ARRAY_SIZE(ages); i++) {
		assert_int_equal(parse(ARGV("--record-keep", (char *)ages[i]), NOTHING), -EINVAL);
		assert_non_null(strstr(str_text(&error), "a whole number with s, m, h or d"));
	}
	accept(ARGV("--browser", "firefox", "--record", "trace"), NOTHING);
	assert_int_equal(parse(ARGV("--browser", "firefox", "--record", "video"), NOTHING), -EINVAL);
	assert_non_null(
		strstr(str_text(&error), "--record video cannot be used with firefox, which does not have videos of pages"));
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		assert_int_equal(parse(ARGV("--record", (char *)wrong[i]), NOTHING), -EINVAL);
		assert_non_null(strstr(str_text(&error), "--record"));
	}
}

static void test_addresses_of_proxies(void **state)
{
	static const struct {
		const char *given, *server, *user, *password;
	} table[] = {
		{ "proxy:3128", "proxy:3128", NULL, NULL },
		{ " http://proxy:3128/ ", "http://proxy:3128", NULL, NULL },
		{ "HTTPS://proxy/a?b", "HTTPS://proxy", NULL, NULL },
		{ "http://me:p%40ss:word@proxy:3128", "http://proxy:3128", "me", "p@ss:word" },
		{ "me@proxy", "proxy", "me", NULL },
		{ "socks5://[::1]:1080/", "socks5://[::1]:1080", NULL, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		const struct page_options *page = &options.browser.page;

		accept(ARGV("--proxy-server", (char *)table[i].given), NOTHING);
		assert_string_equal(options.browser.start.proxy_server, table[i].server);
		assert_string_equal(page->proxy_username ? page->proxy_username : "", table[i].user ? table[i].user : "");
		assert_string_equal(page->proxy_password ? page->proxy_password : "", table[i].password ? table[i].password : "");
	}
}

static void accept_as_reference(char *const argv[], char *const env[])
{
	if (parse_as("playwright-mcp", argv, env) < 0)
		fail_msg("refused: %s", str_text(&error));
}

/* "$VARIABLE" of a variable that is not set. */
static void test_an_empty_value_is_none(void **state)
{
	for (const struct option *option = option_table; option->flag; option++) {
		_cleanup_(str_done) struct str argument = {};

		if (!option->shared || option->type == OPTION_SWITCH)
			continue;
		str_appendf(&argument, "--%s=", option->flag);
		accept_as_reference(ARGV(argument.data), NOTHING);
	}
	accept_as_reference(ARGV("--isolated", "--user-data-dir", "", "--executable-path="),
			    WORDS("PLAYWRIGHT_MCP_EXECUTABLE_PATH=/x"));
	assert_null(options.browser.start.user_data_dir);
	assert_string_equal(options.browser.start.executable, "/x");
}

static void test_values_that_the_reference_ignores(void **state)
{
	char *path = config_file("{\"imageResponses\": \"auto\", \"codegen\": \"perl\"}");

	accept_as_reference(ARGV("--config", path, "--browser", "netscape", "--snapshot-mode", "auto"),
			    WORDS("PLAYWRIGHT_MCP_MOBILE=maybe"));
	unlink(path);
	assert_int_equal(options.browser.start.product, BROWSER_AUTO);
	assert_false(options.mobile);
	accept_as_reference(ARGV("--timeout-navigation", "86400000", "--timeout-action", "5000.5"), NOTHING);
	assert_int_equal(options.timeouts.navigation, 3600 * USEC_PER_SEC);
	assert_int_equal(options.timeouts.action, 5 * USEC_PER_SEC);
	assert_int_equal(parse_as("playwright-mcp", ARGV("--browser", "webkit"), NOTHING), -EINVAL);
	assert_int_equal(parse_as("playwright-mcp", ARGV("--codegen", "perl"), NOTHING), -EINVAL);
	assert_int_equal(parse_as("playwright-mcp", ARGV("--auth-token="), NOTHING), -EINVAL);
}

static void test_types_in_the_config_file(void **state)
{
	char *path = config_file("{\"browser\": {\"isolated\": \"true\", \"launchOptions\": {\"headless\": 0, "
				 "\"args\": \"--a\"}, \"contextOptions\": {\"viewport\": \"1024x600\"}}, "
				 "\"timeouts\": {\"action\": \"700\"}, \"capabilities\": \"vision, pdf\"}");

	accept(ARGV("--config", path), NOTHING);
	unlink(path);
	assert_true(options.isolated);
	assert_int_equal(options.headless, HEADED);
	assert_string_equal(options.browser.start.args[0], "--a");
	assert_int_equal(options.browser.page.viewport.width, 1024);
	assert_int_equal(options.timeouts.action, 700 * USEC_PER_MSEC);
	assert_string_equal(options.caps[1], "pdf");
}

static void test_firefox(void **state)
{
	char *path = config_file(
		"{\"browser\": {\"browserName\": \"firefox\", \"launchOptions\": {\"firefoxUserPrefs\": {\"a.b\": true}}}}");

	accept(ARGV("--browser", "moz-firefox"), NOTHING);
	assert_int_equal(options.browser.start.product, BROWSER_FIREFOX);
	accept(ARGV("--config", path), NOTHING);
	unlink(path);
	assert_int_equal(options.browser.start.product, BROWSER_FIREFOX);
	assert_true(json_bool(json_member(options.browser.start.preferences, "a.b"), NULL, false));
}

static void test_refused_arguments(void **state)
{
	const struct refusal refusals[] = {
		{ ARGV("--browser", "webkit"),
		  NOTHING,
		  { "Invalid --browser: webkit (not supported: its drivers", "auto, chromium" } },
		{ ARGV("--browser", "lynx"), NOTHING, { "Invalid --browser: lynx. Valid values are: auto", "msedge" } },
		{ ARGV("--browser", "moz-firefox-beta"), NOTHING, { "Invalid --browser: moz-firefox-beta (name its", "msedge" } },
		{ ARGV("--cdp-endpoint", "ws://{session}.h/"), NOTHING, { "--cdp-endpoint", "not possible" } },
		{ ARGV("--max-sessions=0"), NOTHING, { "--max-sessions", "\"0\"", "from 1 to 1000" } },
		{ ARGV("--max-sessions=4.5"), NOTHING, { "--max-sessions", "\"4.5\"", "whole number" } },
		{ ARGV("--max-sessions=0x10"), NOTHING, { "\"0x10\"" } },
		{ ARGV("--max-sessions=1 0"), NOTHING, { "\"1 0\"" } },
		{ ARGV("--timeout-action=5s"), NOTHING, { "--timeout-action", "\"5s\"", "whole number" } },
		{ ARGV("--timeout-action=-1"), NOTHING, { "\"-1\"", "from 0" } },
		{ ARGV("--timeout-action=inf"), NOTHING, { "\"inf\"" } },
		{ ARGV("--max-sessions=5x"), NOTHING, { "\"5x\"" } },
		{ ARGV("--max-sessions=99999999999999999999"), NOTHING, { "\"99999999999999999999\"" } },
		{ ARGV("--max-sessions="), NOTHING, { "--max-sessions", "\"\"" } },
		{ ARGV("--max-sessions"), NOTHING, { "option '--max-sessions <N>' argument missing", "whole number" } },
		{ ARGV("--user-agent", "--headless"), NOTHING, { "option '--user-agent <TEXT>' argument missing" } },
		{ ARGV("--viewport-size", "800"),
		  NOTHING,
		  { "Invalid resolution format: use --viewport-size=\"800x600\"", "\"800\"", "1280x720" } },
		{ ARGV("--viewport-size", "800x"), NOTHING, { "\"800x\"" } },
		{ ARGV("--viewport-size", "x"), NOTHING, { "\"x\"" } },
		{ ARGV("--viewport-size", "0x5"), NOTHING, { "\"0x5\"" } },
		{ ARGV("--viewport-size", "1x99999"), NOTHING, { "16384" } },
		{ ARGV("--executable-path="), NOTHING, { "--executable-path", "not empty" } },
		{ ARGV("--auth-token-file="), NOTHING, { "--auth-token-file", "not empty" } },
		{ ARGV("--egress", " , "), NOTHING, { "--egress", "public, loopback" } },
		{ ARGV("--proxy-server", "ftp://x"), NOTHING, { "--proxy-server", "is not possible", "socks5://" } },
		{ ARGV("--browser-arg", "https://example.org"), NOTHING, { "--browser-arg", "starts with --" } },
		{ ARGV("--browser-arg", "--remote-debugging-port=1"), NOTHING, { "take the browser over" } },
		{ ARGV("--headless=maybe"), NOTHING, { "--headless", "\"maybe\"", "true or false" } },
		{ ARGV("--save-trace"), NOTHING, { "--save-trace", "browser_start_tracing", "--caps devtools" } },
		{ ARGV("--extension"), NOTHING, { "--extension", "--cdp-endpoint instead" } },
		{ ARGV("--cdp-endpoint", "localhost:9222"), NOTHING, { "--cdp-endpoint", "http://HOST" } },
		{ ARGV("--cdp-endpoint", "ftp://localhost"), NOTHING, { "--cdp-endpoint", "ws://HOST" } },
		{ ARGV("--cdp-header", "no colon"), NOTHING, { "--cdp-header", "Name: value" } },
		{ ARGV(ATTACHED, "--device", "iPhone 15"), NOTHING, { "Device emulation is not supported with cdpEndpoint." } },
		{ ARGV(ATTACHED, "--mobile"), NOTHING, { "Device emulation is not supported with cdpEndpoint." } },
		{ ARGV(ATTACHED, "--proxy-server", "http://p:1"), NOTHING, { "--proxy-server", "--cdp-endpoint" } },
		{ ARGV(ATTACHED, "--egress", "public"), NOTHING, { "--egress", "--cdp-endpoint" } },
		{ ARGV(ATTACHED, "--egress-hosts", "a.example"), NOTHING, { "--egress-hosts", "--cdp-endpoint" } },
		{ ARGV(ATTACHED, "--allowed-origins", "http://a"), NOTHING, { "--allowed-origins", "--cdp-endpoint" } },
		{ ARGV(ATTACHED, "--blocked-origins", "http://a"), NOTHING, { "--blocked-origins", "--cdp-endpoint" } },
		{ ARGV(ATTACHED, "--caps", "e2e"), NOTHING, { "--caps e2e", "--cdp-endpoint" } },
		{ ARGV("--device", "Nokia 3310"), NOTHING, { "--device", "iPhone 15" } },
		{ ARGV("--device", "iPhone 15", "--mobile"), NOTHING, { "--mobile", "--device" } },
		{ ARGV("--isolated", "--user-data-dir", "/x"), NOTHING, { "--isolated", "--user-data-dir" } },
		{ ARGV("--storage-state", "/dev/null"), NOTHING, { "--storage-state", "/dev/null", "regular file" } },
		{ ARGV("--grant-permissions", "midi,flying"), NOTHING, { "\"flying\"", "geolocation" } },
		{ ARGV("--grant-permissions", ","), NOTHING, { "--grant-permissions" } },
		{ ARGV("--init-script", "/nowhere"), NOTHING, { "Init script file does not exist: ", "/nowhere" } },
		{ ARGV("--log-level", "loud"), NOTHING, { "Invalid --log-level: loud", "debug, info" } },
		{ ARGV("serve"), NOTHING, { "unknown command \"serve\"", "doctor" } },
		{ ARGV("-x"), NOTHING, { "unknown option '-x'", "--help" } },
		{ ARGV("-"), NOTHING, { "unknown option '-'" } },
		{ ARGV("--", "--headless=1", "serve"), NOTHING, { "unknown command \"serve\"" } },
		{ ARGV("--config", "/nowhere/at/all"), NOTHING, { "--config", "/nowhere/at/all", "No such file" } },
		{ ARGV("--config", "/tmp"), NOTHING, { "--config", "directory" } },
		{ ARGV("--config", "/dev/zero"), NOTHING, { "--config", "/dev/zero", "not a regular file" } },
	};

	check_refusals(refusals, ARRAY_SIZE(refusals));
}

static void test_refused_variables(void **state)
{
	const struct refusal refusals[] = {
		{ ARGV(NULL), WORDS("BROWSERD_MAX_SESSIONS=x"), { "BROWSERD_MAX_SESSIONS: \"x\"", "whole number" } },
		{ ARGV(NULL), WORDS("PLAYWRIGHT_MCP_BROWSER=webkit"), { "Invalid PLAYWRIGHT_MCP_BROWSER: webkit (not supported" } },
		{ ARGV(NULL), WORDS("HEADLESS=new"), { "HEADLESS: \"new\"", "true or false" } },
		{ ARGV(NULL), WORDS("BROWSERD_BROWSER_ARG=--a b"), { "BROWSERD_BROWSER_ARG: \"b\"" } },
		{ ARGV(NULL), WORDS("BROWSERD_CONFIG=/nowhere"), { "/nowhere" } },
	};

	check_refusals(refusals, ARRAY_SIZE(refusals));
}

static void refuse_config(const char *text, const char *part)
{
	char *path = config_file(text);
	int r = parse(ARGV("--config", path), NOTHING);

	unlink(path);
	assert_int_equal(r, -EINVAL);
	if (!strstr(error.data, part) || !strstr(error.data, path))
		fail_msg("\"%s\" does not say \"%s\" and the file", error.data, part);
}

static void test_refused_config(void **state)
{
	refuse_config("{\"a\": 1,}", "line 1, column 9: it is not valid JSON");
	refuse_config("{\n\t\"sessions\": {\n\t\t\"max\": 4 // of them\n\t}\n}", "line 3, column 12: it is not valid JSON");
	refuse_config("{\"a\": \"\xff\"}", "not UTF-8");
	refuse_config("{\"a\": \"\\u0000\"}", "escape");
	refuse_config("{\"sessions\": {\"max\": \"four\"}}", "sessions.max in ");
	refuse_config("{\"sessions\": {\"max\": true}}", ": \"true\" has the wrong type; allowed: a whole number");
	refuse_config("{\"browser\": {\"isolated\": \"new\"}}", ": \"new\" is neither true nor false; allowed: true or false");
	refuse_config("{\"browser\": {\"contextOptions\": {\"storageState\": 4}}}", ": \"4\" has the wrong type; allowed: text");
	refuse_config("{\"sessions\": {\"max\": 1.5}}", "\"1.5\"");
	refuse_config("{\"sessions\": {\"lazy\": 2}}", "sessions.lazy");
	refuse_config("{\"browser\": {\"launchOptions\": {\"args\": [1]}}}", "wrong type");
	refuse_config("{\"browser\": {\"launchOptions\": {\"headless\": {}}}}", "true or false");
	refuse_config("{\"browser\": {\"contextOptions\": {\"viewport\": {\"width\": 5}}}}", "\"5x0\"");
	refuse_config("{\"browser\": {\"browserName\": \"webkit\"}}", "not supported");
	refuse_config("{\"browser\": {\"launchOptions\": {\"firefoxUserPrefs\": {\"a\": 1.5}}}}", "whole numbers");
}

static void test_ini_form(void **state)
{
	static const struct {
		const char *ini, *json;
	} cases[] = {
		{ "", "{}" },
		{ "; nothing\n# more\n\n", "{}" },
		{ "browser.isolated=true\nsessions.max = 4\n", "{\"browser\":{\"isolated\":true},\"sessions\":{\"max\":4}}" },
		{ "a.b=1\nc=x y\na.d='2'\r\n", "{\"a\":{\"b\":1,\"d\":2},\"c\":\"x y\"}" },
		{ "[browser]\nisolated=1\n[timeouts]\naction=5\n",
		  "{\"browser\":{\"isolated\":true},\"timeouts\":{\"action\":5}}" },
		{ "browser.contextOptions.viewport=80x60",
		  "{\"browser\":{\"contextOptions\":{\"viewport\":{\"width\":80,\"height\":60}}}}" },
		{ "capabilities[]=pdf\ncapabilities[]=vision", "{\"capabilities\":[\"pdf\",\"vision\"]}" },
		{ "capabilities=pdf", "{\"capabilities\":[\"pdf\"]}" },
		{ "codegen=5", "{\"codegen\":\"5\"}" },
		{ "[browser.cdpHeaders]\nX-F=1\nX-G=true", "{\"browser\":{\"cdpHeaders\":{\"X-F\":\"1\",\"X-G\":\"true\"}}}" },
		{ "browser.contextOptions.extraHTTPHeaders.X-F=1",
		  "{\"browser\":{\"contextOptions\":{\"extraHTTPHeaders\":{\"X-F\":\"1\"}}}}" },
		{ "secrets.PIN=0000", "{\"secrets\":{\"PIN\":\"0000\"}}" },
		{ "browser.contextOptions.geolocation.latitude=1",
		  "{\"browser\":{\"contextOptions\":{\"geolocation\":{\"latitude\":1}}}}" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(str_done) struct str json = {}, wrong = {};

		assert_int_equal(option_ini_to_json(cases[i].ini, &json, &wrong), 0);
		assert_string_equal(json.data, cases[i].json);
	}
}

static void test_suggestions(void **state)
{
	static const struct {
		const char *wrong;
		const char *right;
	} cases[] = {
		{ "--headles", "--headless?" },
		{ "--max-session=5", "--max-sessions?" },
		{ "--executablepath", "--executable-path?" },
		{ "--viewport", "--view-port?" },
		{ "--session-timout", "--session-timeout?" },
		{ "--completely-different", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(parse(ARGV(cases[i].wrong), NOTHING), -EINVAL);
		assert_non_null(strstr(error.data, "unknown option '--"));
		assert_non_null(strstr(error.data, cases[i].right ? cases[i].right : "--help"));
	}
}

static void test_values_of_secret_options_are_not_shown(void **state)
{
	char *const *const argvs[] = {
		ARGV("--auth-token", "hunter2"),
		ARGV("--auth-token=hunter2"),
		ARGV("--auth-tokn=hunter2"),
		ARGV("--proxy-server", "socks5://me:hunter2@proxy:3128"),
		ARGV("--proxy-server", "http://me:hunter2@"),
		ARGV("--browser-arg", "--proxy-server=http://me:hunter2@proxy"),
		ARGV("--cdp-endpoint", "tcp://host/?token=hunter2"),
		ARGV("--cdp-header", "hunter2 alone"),
		ARGV("--cdp-header", "A: b", "hunter2 alone"),
		ARGV("-hunter2"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(argvs); i++) {
		assert_int_equal(parse(argvs[i], NOTHING), -EINVAL);
		if (strstr(argvs[i][1], "browser-arg")) /* an argument is shown, what is allowed is said with it */
			assert_non_null(strstr(error.data, "without a user name"));
		else
			assert_null(strstr(error.data, "hunter2"));
	}
	assert_int_equal(parse(ARGV(NULL), WORDS("BROWSERD_AUTH_TOKEN=hunter2")), -EINVAL);
	assert_null(strstr(error.data, "hunter2"));
}

static void test_secret_options_are_blanked_where_they_stood(void **state)
{
	char one[] = "--auth-token", two[] = "0123456789abcdef", three[] = "--proxy-server=http://proxy:3128",
	     four[] = "--headless", five[] = "--cdp-header", six[] = "A: b", seven[] = "C: d";
	char name[] = "browserd", variable[] = "BROWSERD_AUTH_TOKEN=fedcba9876543210", other[] = "BROWSERD_MAX_SESSIONS=3";
	char *argv[] = { name, one, two, three, four, five, six, seven, NULL }, *env[] = { variable, other, NULL };

	setenv("BROWSERD_AUTH_TOKEN", "fedcba9876543210", 1);
	accept(argv, env);
	options_blank(argv, env);
	assert_string_equal(one, "--auth-token");
	assert_string_equal(two, "****************");
	assert_string_equal(three, "--proxy-server=*****************");
	assert_string_equal(four, "--headless");
	assert_string_equal(six, "****");
	assert_string_equal(seven, "****");
	assert_string_equal(variable, "BROWSERD_AUTH_TOKEN=****************");
	assert_string_equal(other, "BROWSERD_MAX_SESSIONS=3");
	assert_null(getenv("BROWSERD_AUTH_TOKEN"));
	assert_string_equal(options.http.token, "0123456789abcdef");
	assert_string_equal(options.browser.start.proxy_server, "http://proxy:3128");
}

static void test_files_with_secrets_that_all_can_read(void **state)
{
	char *path = config_file("{\"server\": {\"authToken\": \"0123456789abcdef\"}}");
	unsigned at = 0;

	accept(ARGV("--config", path), NOTHING);
	assert_null(options_exposed_file(&options, &at));
	assert_int_equal(chmod(path, 0644), 0);
	at = 0;
	assert_string_equal(options_exposed_file(&options, &at), path);
	assert_null(options_exposed_file(&options, &at));
	unlink(path);
	path = config_file("{\"sessions\": {\"max\": 3}}");
	assert_int_equal(chmod(path, 0644), 0);
	accept(ARGV("--config", path), NOTHING);
	at = 0;
	assert_null(options_exposed_file(&options, &at));
	unlink(path);
}

static void test_files_of_secrets(void **state)
{
	static const struct {
		const char *line, *value; /* NULL: none */
	} table[] = {
		{ "A=open sesame", "open sesame" },
		{ "export A = open", "open" },
		{ "\xef\xbb\xbf"
		  "A: open \r",
		  "open" },
		{ "A=\"open sesame\" # a comment", "open sesame" },
		{ "A='#open'", "#open" },
		{ "A=`it's \"open\"`", "it's \"open\"" },
		{ "A=open#sesame # closed", "open#sesame" },
		{ "A=\"open\\nsesame\"", "open\nsesame" },
		{ "A='open\\n'", "open\\n" },
		{ "A=a=b:c", "a=b:c" },
		{ "A='open' sesame", "'open' sesame" },
		{ "# A=open", NULL },
		{ "A:open", NULL },
		{ "A=", NULL },
		{ "=open", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		char *path = config_file(table[i].line);

		accept(ARGV("--secrets", path), NOTHING);
		unlink(path);
		if (!table[i].value != !options.secrets[0].name ||
		    (table[i].value && strcmp(options.secrets[0].value, table[i].value) != 0))
			fail_msg("%s: \"%s\"", table[i].line, options.secrets[0].value);
		if (table[i].value)
			assert_string_equal(options.secrets[0].name, "A");
	}
}

static void test_secrets_have_a_shortest_length(void **state)
{
	char *path = config_file("LONG=abcd\nCVV=123\n");

	assert_int_equal(parse(ARGV("--secrets", path), NOTHING), -EINVAL);
	assert_non_null(strstr(error.data, "CVV"));
	assert_null(strstr(error.data, "123 "));
	accept_as_reference(ARGV("--secrets", path), NOTHING);
	assert_string_equal(options.secrets[1].value, "123");
	assert_string_equal(options.masked_secrets[0].name, "LONG");
	assert_null(options.masked_secrets[1].name);
	unlink(path);
	path = config_file("LONG=abcd\n");
	accept(ARGV("--secrets", path), NOTHING);
	assert_string_equal(options.secrets[0].value, "abcd");
	unlink(path);
}

static void test_long_words(void **state)
{
	char word[5000];

	memset(word, 'a', sizeof(word));
	word[0] = word[1] = '-';
	word[sizeof(word) - 1] = '\0';
	assert_int_equal(parse(ARGV(word), NOTHING), -EINVAL);
	assert_true(error.len < 500);
	assert_int_equal(parse(ARGV("--max-sessions", word + 2), NOTHING), -EINVAL);
	assert_true(error.len < 500);
}

/*
 * The options of @playwright/mcp, except its HTTP transport: an mcp.json with them starts, or the error gives the
 * reason.
 */
static void test_the_references_options_are_known(void **state)
{
	static const char *const flags[] = {
		"allowed-origins",
		"allow-unrestricted-file-access",
		"blocked-origins",
		"block-service-workers",
		"browser",
		"caps",
		"cdp-endpoint",
		"cdp-header",
		"cdp-timeout",
		"codegen",
		"config",
		"console-level",
		"device",
		"endpoint",
		"executable-path",
		"extension",
		"file-paths",
		"grant-permissions",
		"headless",
		"idle-timeout",
		"ignore-https-errors",
		"image-responses",
		"init-page",
		"init-script",
		"isolated",
		"mobile",
		"no-sandbox",
		"no-webmcp",
		"output-dir",
		"output-max-size",
		"profile-dir-name",
		"proxy-bypass",
		"proxy-server",
		"sandbox",
		"save-session",
		"secrets",
		"shared-browser-context",
		"snapshot-boxes",
		"snapshot-mode",
		"storage-state",
		"test-id-attribute",
		"timeout-action",
		"timeout-navigation",
		"timeout-settle",
		"user-agent",
		"user-data-dir",
		"viewport-size",
	};

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		const struct option *o = option_table;

		while (o->flag && strcmp(o->flag, flags[i]) != 0)
			o++;
		if (!o->flag || !(o->shared || o->command_line_only))
			fail_msg("--%s is not known, or not by its variable", flags[i]);
	}
}

static void test_settings_know_the_names_of_their_options(void **state)
{
	accept(ARGV(NULL), NOTHING);
	assert_string_equal(options.sessions.names.max_per_owner, "--max-sessions-per-owner");
	assert_string_equal(options.tls.key_option, "--tls-key");
	assert_string_equal(options.e2e.permit.names.commands, "--server-commands or SERVER_COMMAND_PATH");
	for (const struct option *o = option_table; o->flag; o++)
		for (size_t i = 0; i < ARRAY_SIZE(o->names) && o->names[i]; i++) {
			const char *name = *(const char **)((char *)&options + o->names[i]);

			assert_memory_equal(name, "--", 2);
			assert_memory_equal(name + 2, o->flag, strlen(o->flag));
		}
}

static void test_units(void **state)
{
	accept(ARGV("--ttl-sec", "90", "--event-sink-size", "3", "--idle-timeout", "1500", "--http-max-body", "5000"), NOTHING);
	assert_int_equal(options.observers.ttl, 90 * USEC_PER_SEC);
	assert_int_equal(options.sink.max_bytes, 3 << 20);
	assert_int_equal(options.sessions.own_timeout, 1500 * USEC_PER_MSEC);
	assert_int_equal(options.http.limits.body, 5000);
	assert_int_equal(options.http.limits.head, 16384);
}

static void test_settings_that_depend_on_others(void **state)
{
	accept(ARGV("--port", "0", "--oauth-issuer", "https://issuer.test", "--event-sink", "file:/tmp/e", "--blocked-origins",
		    "http://a.test", "--allow-unrestricted-file-access", "--device", "Pixel 10"),
	       NOTHING);
	assert_string_equal(options.http.issuer, "https://issuer.test");
	assert_true(options.sessions.shared && options.observers.shared);
	assert_true(options.observers.listed_only && options.e2e.listed_only);
	assert_int_equal(options.answers.links, LINKS_ADD);
	assert_string_equal(options.sink.path, "/tmp/e");
	assert_ptr_equal(options.browser.page.blocked_origins, options.egress.blocked_origins);
	assert_true(options.browser.page.files && options.browser.start.proxied_webrtc);
	assert_ptr_equal(options.browser.page.user_agent, options.browser.page.device->user_agent);
	assert_null(options.egress.rules);
	accept(ARGV("--artifacts", "link", "--proxy-server", "socks4://h"), NOTHING);
	assert_int_equal(options.answers.links, LINKS_ADD);
	assert_true(options.egress.upstream_unusable && !options.egress.upstream);
	accept(ARGV("--proxy-server", "socks5://h:7", "--egress", "public"), NOTHING);
	assert_int_equal(options.egress.upstream->port, 7);
	assert_true(egress_settings_restrict(&options.egress));
	assert_null(options.e2e.egress);
}

static void test_token_file(void **state)
{
	char *path = config_file("0123456789abcdef\nsecond line\n");

	accept(ARGV("--port", "0", "--auth-token-file", path), NOTHING);
	assert_string_equal(options.http.token, "0123456789abcdef");
	accept(ARGV("--port", "0", "--auth-token-file", path, "--auth-token", "fedcba9876543210"), NOTHING);
	assert_string_equal(options.http.token, "fedcba9876543210");
	accept(ARGV("--auth-token-file", path), NOTHING); /* stdin and stdout need no token */
	assert_null(options.http.token);
	unlink(path);
	assert_int_equal(parse(ARGV("--port", "0", "--auth-token-file", path), NOTHING), -EINVAL);
	assert_non_null(strstr(error.data, path));
	path = config_file("hunter2\n");
	assert_int_equal(parse(ARGV("--port", "0", "--auth-token-file", path), NOTHING), -EINVAL);
	assert_non_null(strstr(error.data, "16 to 1024"));
	assert_null(strstr(error.data, "hunter2"));
	unlink(path);
}

/* Two rows that answer to one name would hide each other. */
static void test_names_are_unique(void **state)
{
	for (const struct option *a = option_table; a->flag; a++) {
		assert_true(a->help || a->refusal || a->no_effect);
		assert_true(a->config_file_only || !a->value == (a->type == OPTION_SWITCH));
		for (const struct option *b = a + 1; b->flag; b++) {
			if (b->config_file_only && a->type != b->type)
				continue; /* the config file's value may have one of several types */
			assert_string_not_equal(a->flag, b->flag);
			if (a->keys[0] && b->keys[0])
				assert_string_not_equal(a->keys[0], b->keys[0]);
		}
	}
}

static void test_texts_name_every_option(void **state)
{
	void (*const write_table[])(const struct option_profile *, struct str *) = {
		options_help,
		options_markdown,
	};

	for (size_t i = 0; i < ARRAY_SIZE(write_table); i++) {
		_cleanup_(str_done) struct str text = {};

		write_table[i](option_profile_table, &text);
		for (const struct option *o = option_table; o->flag; o++)
			assert_true(o->hidden || (o->config_file_only && i == 0) || strstr(text.data, o->flag));
	}
	for (enum option_shell shell = SHELL_BASH; shell <= SHELL_FISH; shell++) {
		_cleanup_(str_done) struct str text = {};

		options_completion(option_profile_table, shell, &text);
		for (const struct option *o = option_table; o->flag; o++)
			assert_true(o->hidden || o->config_file_only || strstr(text.data, o->flag));
	}
}

static void test_help_fits(void **state)
{
	_cleanup_(str_done) struct str text = {};
	char *rest;

	options_help(option_profile_table, &text);
	for (char *line = strtok_r(text.data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (strlen(line) > 100)
			fail_msg("wider than 100 columns: %s", line);
}

#define TEST(fn) cmocka_unit_test_teardown(fn, done)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_transport),
		TEST(test_servers),
		TEST(test_defaults),
		TEST(test_no_program_name),
		TEST(test_name_as_first_argument),
		TEST(test_command_line),
		TEST(test_lists_in_one_text),
		TEST(test_devices_have_a_size),
		TEST(test_init_scripts_are_read),
		TEST(test_the_other_name),
		TEST(test_profiles),
		TEST(test_options_without_effect_are_taken),
		TEST(test_later_argument_wins),
		TEST(test_actions),
		TEST(test_environment),
		TEST(test_own_variable_wins),
		TEST(test_config),
		TEST(test_precedence),
		TEST(test_a_running_browser),
		TEST(test_several_values_of_one_option),
		TEST(test_ways_to_write_a_value),
		TEST(test_recordings),
		TEST(test_addresses_of_proxies),
		TEST(test_an_empty_value_is_none),
		TEST(test_values_that_the_reference_ignores),
		TEST(test_types_in_the_config_file),
		TEST(test_firefox),
		TEST(test_refused_arguments),
		TEST(test_refused_variables),
		TEST(test_refused_config),
		TEST(test_ini_form),
		TEST(test_ini_form),
		TEST(test_suggestions),
		TEST(test_long_words),
		TEST(test_values_of_secret_options_are_not_shown),
		TEST(test_secret_options_are_blanked_where_they_stood),
		TEST(test_files_with_secrets_that_all_can_read),
		TEST(test_files_of_secrets),
		TEST(test_secrets_have_a_shortest_length),
		TEST(test_the_references_options_are_known),
		TEST(test_settings_know_the_names_of_their_options),
		TEST(test_units),
		TEST(test_settings_that_depend_on_others),
		TEST(test_token_file),
		TEST(test_names_are_unique),
		TEST(test_texts_name_every_option),
		TEST(test_help_fits),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
