/* The names that the program can be called by, with their tools and defaults. */
#include <string.h>

#include "base/limits.h"
#include "base/log.h"
#include "main/options.h"
#include "tools/browser/browse.h"
#include "tools/table.h"

#define HOUR (3600 * USEC_PER_SEC)

/* What both names have in common. */
#define HTTP_DEFAULTS \
	.http.port = -1, .view_port = -1, .http.host = "127.0.0.1", .http.session_timeout = HOUR / 2, .http.sessions = 1000, \
	.http.requests = 256, .http.limits = { .head = 16384, .body = 4 << 20, .connections = 1000 }, .http.health = true, \
	.http.metrics = true, .keys.period = HOUR
#define COMMON_DEFAULTS \
	.browser.start.product = BROWSER_AUTO, .browser.start.sandbox = SANDBOX_AUTO, .browser.timeout_launch = 30 * USEC_PER_SEC, \
	.browser.endpoint_timeout = 30 * USEC_PER_SEC, .sessions.max = 10, .sessions.rest_after = 10, .sessions.max_memory = -1, \
	.sessions.control = { .patience = 45 * USEC_PER_SEC, .unused = LIMIT_CONTROL_UNUSED, .absent = LIMIT_CONTROL_ABSENT }, \
	.sessions.limits.pages = 50, .sessions.limits.memory = 4096, .browser.max_memory = 1024, .browser.max_storage = 256, \
	.e2e.idle = HOUR / 6, .e2e.lifetime = HOUR, .answers.console_level = MESSAGE_INFO, \
	.timeouts = { .action = 5 * USEC_PER_SEC, \
		      .navigation = 60 * USEC_PER_SEC, \
		      .expect = 5 * USEC_PER_SEC, \
		      .settle = 500 * USEC_PER_MSEC }, \
	.record_keep = "7d", .recordings.max_size = 10ull << 30, .store.ttl = 7 * 24 * 3600, \
	.observers.buffer_size = LIMIT_OBSERVED_COUNT, .observers.ttl = HOUR, .sink.max_bytes = 64 << 20, .log_level = LOG_NOTICE, \
	HTTP_DEFAULTS

const struct option_profile option_profile_table[] = {
	{
		.program = "browserd",
		.summary = "MCP server that drives one Chromium with isolated sessions",
		.usage_status = 2,
		.server = {
			.name = "browserd",
			.title = "Browser with isolated sessions",
			.instructions =
				"Each session is an isolated browser: its cookies, storage and pages are invisible to other "
				"sessions. Without a sessionId, browser_* tools use a default session of this client. For a separate "
				"session call create_session, pass its sessionId to the other tools, and end with close_session; "
				"a session also ends at the time that list_sessions shows, which each call postpones. browser_* tools "
				"work on snapshots: they take the refs that a snapshot shows, CSS or XPath, answer with a snapshot when the "
				"page has settled, or at once if a dialog opens, and report the files that they write and downloads. "
				"navigate, click, type, evaluate and screenshot need a sessionId, take CSS or XPath and answer short "
				"JSON, for scripted steps on known pages. Both work on the same session. Names of files are relative to "
				"the working directory. Calls on different sessions run concurrently, calls on one session in the order "
				"in which they arrived.",
			.tools = tool_table,
			.style = { .session_argument = "sessionId", .refuses_unknown = true },
		},
		.tools_lazy = tool_table_lazy,
		.defaults = {
			COMMON_DEFAULTS, .headless = HEADLESS, .browser.linger = 10 * USEC_PER_SEC, .sessions.timeout = HOUR / 12, .redact.headers = true,
			.browser.page.extended_snapshots = true, .answers.exact_places = true,
			.answers.trace_archives = true,
			/* What an action has started has settled: only a script with a timer of its own can add options now. */
			.timeouts.option = 500 * USEC_PER_MSEC,
			.answers.form = ANSWERS_COMPACT,
			.answers.snapshots = ACTION_SNAPSHOTS_INLINE, /* hosts of agents often have no files: a link shows nothing there */
		},
	},
	{ /* what a client of @playwright/mcp finds there, and nothing more */
		.program = "playwright-mcp",
		.summary = "MCP server with the tools, options and answers of @playwright/mcp",
		.usage_status = 1,
		.server = {
			.name = "Playwright",
			.tools = tool_table_browser,
			.style = { .session_argument = "sessionId", .sessions_hidden = true, .explicit = true },
			.tools_only = true,
			.unknown_tool = browse_unknown_tool,
		},
		.tools_lazy = tool_table_browser,
		.defaults = {
			COMMON_DEFAULTS, .headless = HEADLESS_WITHOUT_DISPLAY, .viewport_of_window = true, .forgiving = true,
			.ignores_debugging_ports = true,
			.profile_of_folder = true,
			.sessions.timeout = HOUR, .sessions.own_timeout = HOUR,
			.http.any_path = true, .http.short_words = true, .http.own_name_only = true,
			.http.ping_timeout = 5 * USEC_PER_SEC, .no_view = true,
			.answers.links = LINKS_NONE, .answers.bare_bodies = true,
			.browser.page.renews_refs = true, .browser.page.crash_page = true, .browser.start.proxies_loopback = true,
		},
	},
	{}
};

static const struct option_profile *find_profile(const char *name)
{
	for (const struct option_profile *p = option_profile_table; name && p->program; p++)
		if (!strcmp(p->program, name))
			return p;
	return NULL;
}

const struct option_profile *option_profile_for(const char *argv0)
{
	const char *slash = argv0 ? strrchr(argv0, '/') : NULL;
	const struct option_profile *found = find_profile(slash ? slash + 1 : argv0);

	return found ? found : &option_profile_table[0];
}

const struct option_profile *option_profile_take(char ***argv)
{
	const struct option_profile *found = (*argv)[0] ? find_profile((*argv)[1]) : NULL;

	if (!found)
		return option_profile_for((*argv)[0]);
	(*argv)++;
	return found;
}
