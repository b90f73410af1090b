/* The rows. Order within a group is the order of --help. */
#include <limits.h>

#include "base/limits.h"
#include "base/log.h"
#include "base/node.h"
#include "devserver/permit.h"
#include "egress/rules.h"
#include "main/option_checks.h"
#include "main/options.h"
#include "observe/journal.h"
#include "observe/redact.h"
#include "page/emulate.h"
#include "page/values.h"

#define MEMBER_TYPE(m) \
	_Generic((m), const char *: OPTION_STRING, int: OPTION_INT, unsigned: OPTION_INT, uint64_t: OPTION_INT, \
		 double: OPTION_NUMBER, struct viewport: OPTION_SIZE, const char *const *: OPTION_LIST, const struct json *: OPTION_OBJECT)
#define MEMBER(m) .offset = offsetof(struct options, m), .size = sizeof(((struct options *)0)->m)

/* The members, one or two, that get the name of the option. */
#define NAMES(...) .names = { __VA_ARGS__ }
#define NAME(m) offsetof(struct options, m)

#define OPTION(name, member, ...) \
	{ \
		.flag = name, MEMBER(member), .type = MEMBER_TYPE(((struct options *)0)->member), __VA_ARGS__ \
	}
#define CHOICE(name, member, table, ...) \
	{ \
		.flag = name, MEMBER(member), .type = OPTION_CHOICE, .choices = table, __VA_ARGS__ \
	}
#define SWITCH(name, member, value_on, value_off, ...) \
	{ \
		.flag = name, MEMBER(member), .type = OPTION_SWITCH, .on = value_on, .off = value_off, __VA_ARGS__ \
	}

/* Rows of what only the config file has: Playwright's options. */
#define CONFIG(key, member, ...) \
	OPTION(key, member, .keys = { key }, .config_file_only = true, .group = GROUP_CONFIG_FILE, __VA_ARGS__)
#define CONFIG_CHOICE(key, member, table, ...) \
	CHOICE(key, member, table, .keys = { key }, .config_file_only = true, .group = GROUP_CONFIG_FILE, __VA_ARGS__)
#define CONFIG_SWITCH(key, member, value_on, value_off, ...) \
	SWITCH(key, member, value_on, value_off, .keys = { key }, .config_file_only = true, .group = GROUP_CONFIG_FILE, __VA_ARGS__)
#define CONTEXT "browser.contextOptions."
#define LAUNCH "browser.launchOptions."

#define HOUR_MSEC (60 * 60 * 1000)

static const char *const planned_browsers[] = { "moz-firefox-beta", "moz-firefox-nightly", "webkit", NULL };
static const char *const planned_words[] = {
	"name its program with --executable-path, and its kind with --browser firefox",
	"name its program with --executable-path, and its kind with --browser firefox",
	"not supported: its drivers have no WebDriver BiDi, serve one session each, and report neither requests nor the console",
};
static const char *const snapshot_modes[] = {
	[ACTION_SNAPSHOTS_FULL] = "full",
	[ACTION_SNAPSHOTS_NONE] = "none",
	[ACTION_SNAPSHOTS_INLINE] = "explicit",
	NULL,
};
static const char *const answer_forms[] = { [ANSWERS_PLAYWRIGHT] = "playwright", [ANSWERS_COMPACT] = "compact", NULL };
static const char *const tool_profiles[] = { [TOOLS_FULL] = "full", [TOOLS_MINIMAL] = "minimal", NULL };
static const char *const second_browsers[] = {
	[SECOND_NONE] = "none",
	[SECOND_CHROMIUM] = "chromium",
	[SECOND_FIREFOX] = "firefox",
	NULL,
};
static const char *const image_modes[] = { "allow", "omit", "only", NULL };
static const char *const artifact_modes[] = { "auto", "none", "link", NULL };
static const char *const path_modes[] = { "relative", "absolute", NULL };
static const char *const codegen_languages[] = { "typescript", "python", "java", "csharp", "none", NULL };
static const char *const compat_versions[] = { [COMPAT_0_0_83] = "0.0.83", [COMPAT_0_0_84] = "0.0.84", NULL };
static const char *const service_worker_modes[] = { "allow", "block", NULL };
static const char *const console_levels[] = {
	[MESSAGE_ERROR] = "error", [MESSAGE_WARNING] = "warning", [MESSAGE_INFO] = "info", [MESSAGE_DEBUG] = "debug", NULL,
};
static const char *const confirm_defaults[] = { "deny", "allow", NULL };
static const char *const transports[] = { "auto", "stdio", "http", NULL };
static const char *const log_formats[] = { "text", "json", NULL };
static const char *const shell_table[] = { "bash", "zsh", "fish", NULL };
static const char *const markdown_table[] = {
	[MARKDOWN_TOOLS] = "tools", [MARKDOWN_OPTIONS] = "options", [MARKDOWN_ENGINES] = "engines", NULL
};

const char *const option_group_table[] = {
	[GROUP_BROWSER] = "Browser",
	[GROUP_PAGES] = "Pages",
	[GROUP_SESSIONS] = "Sessions",
	[GROUP_TIMEOUTS] = "Time limits",
	[GROUP_ANSWERS] = "Tools and their answers",
	[GROUP_OBSERVING] = "Observing (cdp_* tools)",
	[GROUP_SERVERS] = "Servers of startSession (--caps e2e)",
	[GROUP_HTTP] = "HTTP",
	[GROUP_SERVER] = "Server",
	[GROUP_INFORMATION] = "Information",
	[GROUP_CONFIG_FILE] = "In the config file only",
};

const struct option option_table[] = {
	CHOICE("browser", browser.start.product, browser_product_table, .value = "NAME", .planned = planned_browsers,
	       .planned_words = planned_words, .shared = true, .forgiven_in_command = true,
	       .keys = { "browser.browserName", "browser.launchOptions.channel" },
	       .help = "Browser to use: auto, chromium, a channel of Chrome or Edge, or firefox",
	       .man = "With auto and chromium, the Chromium headless shell is preferred where it is installed and no window is "
		      "wanted: it starts several times faster. auto goes on to Google Chrome and Microsoft Edge. Channels are "
		      "chrome, chrome-beta, chrome-dev, chrome-canary, and the same of msedge. firefox, or moz-firefox, is the stock Firefox, "
		      "version 140 or newer, which is controlled by WebDriver BiDi; tools that it cannot do are not listed."),
	CHOICE("second-browser", second_browser, second_browsers, .value = "NAME", .keys = { "browser.second" },
	       .help = "A browser with another engine, for sessions that ask for it: create_session takes engine",
	       .man = "It is searched for on this machine and started when the first session asks for it."),
	OPTION("executable-path", browser.start.executable, .value = "PATH", .shared = true,
	       .keys = { "browser.launchOptions.executablePath" }, NAMES(NAME(browser.start.names.executable)),
	       .help = "Start this browser (a path, or a name to find on PATH) instead of searching for one"),
	SWITCH("headless", headless, HEADLESS, HEADED, .shared = true, .variable = "HEADLESS",
	       .keys = { "browser.launchOptions.headless" }, NAMES(NAME(browser.start.names.headless)),
	       .help = "Run the browser without a window"),
	SWITCH("headed", headless, HEADED, HEADLESS, .command_line_only = true, .help = "Show the browser's window"),
	SWITCH("sandbox", browser.start.sandbox, SANDBOX_ON, SANDBOX_OFF, .shared = true,
	       .keys = { "browser.launchOptions.chromiumSandbox" }, NAMES(NAME(browser.start.names.sandbox)),
	       .help = "Require the browser's sandbox; by default it is on where it can work",
	       .man = "It cannot work for root and where user namespaces are not allowed (many containers). There the browser is "
		      "started without it and a notice on stderr says so; with --sandbox it is not, and fails to start."),
	SWITCH("no-sandbox", browser.start.sandbox, SANDBOX_OFF, OPTION_KEEP, .shared = true,
	       .help = "Start the browser without its sandbox"),
	CHOICE("browser-connection", browser.start.connection, browser_connection_table, .value = "HOW",
	       .keys = { "browser.connection" }, NAMES(NAME(browser.start.names.connection)),
	       .help = "How the server talks to the browser that it starts: port, pipe, or auto, which is the port where it can be private",
	       .man = "port: the browser listens on a debugging port (--remote-debugging-port) of the kernel's choice. The server connects to "
		      "it, closes it for everyone else, and makes sure that no other process was faster; a browser to which another "
		      "process has connected is ended before it is used. pipe: a socket that the browser inherits "
		      "(--remote-debugging-pipe). auto takes the pipe, and says so on stderr, for profiles that stay on disk, where the "
		      "kernel does not permit a step (pidfd_getfd(2) in most containers), and after three such browsers in a row. With "
		      "port the browser fails to start instead."),
	OPTION("browser-linger", browser.linger, .value = "MS", .unit = USEC_PER_MSEC, .min = 0, .max = 7 * 24 * HOUR_MSEC,
	       .keys = { "browser.linger" },
	       .help = "How long the browser stays after its last session, so that the next one need not wait for a start; 0: it ends at once",
	       .man = "With a profile that stays on disk it always ends at once, because another browser may want the profile. A browser "
		      "of --cdp-endpoint is never ended."),
	OPTION("browser-arg", browser.start.args, .value = "ARG", .check = option_is_browser_arg,
	       .keys = { "browser.launchOptions.args" },
	       .allowed =
		       "an argument that starts with --, and none of --user-data-dir and --type, which browserd sets itself; addresses in "
		       "it without a user name and password",
	       .help = "Additional argument for the browser; may be repeated",
	       .man = "In the environment variable, arguments are separated by blanks; in the config file they are a list. "
		      "--remote-debugging-* is refused (under the name playwright-mcp ignored with a warning): every page and user of this "
		      "machine could take the browser over."),
	OPTION("proxy-server", browser.start.proxy_server, .value = "URL", .shared = true,
	       .keys = { "browser.launchOptions.proxy.server", "browser.contextOptions.proxy.server" },
	       .check = proxy_address_is_valid, .secret = true,
	       .allowed =
		       "[http://|https://][USER:PASSWORD@]HOST[:PORT], or socks4:// or socks5://HOST[:PORT], for which Chromium has no user names",
	       .help = "Proxy for all pages, for example http://proxy:3128 or socks5://proxy:1080"),
	OPTION("proxy-bypass", browser.start.proxy_bypass, .value = "HOSTS", .shared = true,
	       .keys = { "browser.launchOptions.proxy.bypass", "browser.contextOptions.proxy.bypass" },
	       .help = "Hosts that are reached without the proxy, comma-separated, for example .local,10.0.0.1",
	       .man = "This machine (localhost, 127.0.0.1, [::1]) always is; under the name playwright-mcp only if it is in the list."),
	SWITCH("isolated", isolated, true, false, .shared = true, .keys = { "browser.isolated" },
	       NAMES(NAME(browser.start.names.isolated)),
	       .help = "Discard cookies and storage at the end; without it --user-data-dir may keep them"),
	OPTION("user-data-dir", browser.start.user_data_dir, .value = "PATH", .shared = true, .keys = { "browser.userDataDir" },
	       NAMES(NAME(browser.start.names.user_data_dir)),
	       .help = "Directory of the browser profile, which keeps cookies and storage of the client's own session",
	       .man = "It is created if it does not exist. One server at a time can use it. Sessions of create_session are always "
		      "isolated. Without this and --isolated, playwright-mcp keeps a profile for each working directory."),
	OPTION("cdp-endpoint", browser.endpoints, .value = "URL", .shared = true, .keys = { "browser.cdpEndpoint" }, .secret = true,
	       .check = option_is_endpoint, NAMES(NAME(browser.names.endpoint)),
	       .allowed =
		       "http://HOST[:PORT] of a debugging port, or ws://HOST[:PORT]/PATH of a browser's WebSocket; https: and wss: "
		       "for TLS; with a user name and password (USER:PASSWORD@) if it needs them; or chrome, msedge or another channel",
	       .help = "Use the running browser at this address, or the user's own (chrome, msedge...), instead of starting one",
	       .man = "http://HOST:PORT is the debugging port of a Chromium (--remote-debugging-port); ws://, wss:// and https:// "
		      "are for browsers of grids and providers. chrome, chromium, msedge and the other channels are the user's own browser, when its user "
		      "permits that (chrome://inspect/#remote-debugging): its default user data directory says where it listens. The client's own session works in the tabs that the browser has, with "
		      "its cookies and window size, unless --isolated; other sessions get contexts of their own. The browser is never "
		      "ended; what the server has opened is closed at its end. Options that belong to the start of a browser have no "
		      "effect. Given several times (in a variable with blanks between the addresses, in the config file as a list), sessions are "
		      "spread over the browsers, the one with the fewest first, and one that cannot be connected to is passed over. An address "
		      "with {session} in its path or query, which stands for the id of a session, or --cdp-per-session: a connection for each "
		      "session. Downloads and uploads need a browser on this machine (localhost, 127.0.0.1 or [::1]). --device, "
		      "--proxy-server, --egress, --allowed-origins, --blocked-origins and --caps e2e cannot be combined with it."),
	OPTION("attach-tabs", browser.lent_origins, .value = "ORIGINS", .separator = ';', .keys = { "browser.attachTabs" },
	       .help = "Tabs of the browser of --cdp-endpoint that agents may use, by their origins; separated by semicolons",
	       .man = "An origin is written as for --allowed-origins (https://mail.example). list_tabs lists the tabs that show one of these, and "
		      "create_session opens a session in one of them by its argument attach. Such a session has that tab, the windows that it opens "
		      "and tabs of its own; their main frames show these origins only. Cookies, storage states, permissions, downloads and requests outside "
		      "of pages are refused, and there are no other sessions in that browser. A tab stays open when its session ends. Needs "
		      "one address of --cdp-endpoint; cannot be combined with --oauth-issuer, because all users would share the tabs."),
	SWITCH("cdp-per-session", browser.per_session, true, false, .keys = { "browser.cdpPerSession" },
	       .help = "Open a connection to --cdp-endpoint for each session, behind which a provider has a browser for it",
	       .man = "It is closed with the session, and by browser_close. There are as many as sessions (--max-sessions). A provider that "
		      "refuses the connection, answers 429 (too many sessions), 408, 502, 503 or 504 is asked again, after Retry-After if it "
		      "says that, until --cdp-timeout is over."),
	OPTION("cdp-header", browser.endpoint_fields, .value = "HEADER", .variadic = true, .shared = true,
	       .variable = "PLAYWRIGHT_MCP_CDP_HEADERS", .keys = { "browser.cdpHeaders" }, .separator = '\n', .secret = true,
	       .check = option_is_header, .named_items = true,
	       .allowed = "\"Name: value\", for example \"Authorization: Bearer TOKEN\"; in the config file an object of names and "
			  "values",
	       .help = "Header for the requests to --cdp-endpoint, \"Name: value\"; may be repeated"),
	OPTION("cdp-timeout", browser.endpoint_timeout, .value = "MS", .unit = USEC_PER_MSEC, .shared = true, .min = 0,
	       .max = HOUR_MSEC, .keys = { "browser.cdpTimeout" },
	       .help = "Time limit for the connection to --cdp-endpoint, and for that browser to open a context or page; a browser that was "
		       "started here has ten times as long for that. 0: none"),
	OPTION("endpoint", unused_text, .value = "URL", .shared = true, .keys = { "browser.remoteEndpoint" }, .hidden = true,
	       .secret = true,
	       .refusal = "there is no connection to Playwright's browser servers; leave it out and a browser is started here"),
	OPTION("remote-header", unused_text, .value = "HEADER", .shared = true, .variable = "PLAYWRIGHT_MCP_REMOTE_HEADERS",
	       .hidden = true, .secret = true, .no_effect = "it belongs to --endpoint"),
	SWITCH("extension", unused_switch, true, false, .shared = true, .keys = { "extension" }, .hidden = true,
	       .refusal = "the Playwright Extension is not supported; connect to a running browser with --cdp-endpoint instead"),
	SWITCH("shared-browser-context", http.one_owner, true, false, .shared = true, .keys = { "sharedBrowserContext" },
	       .help = "Over HTTP, all clients work in one session, with the same tabs, cookies and files",
	       .man = "Not with --oauth-issuer, and without effect with --isolated. It is for clients that trust each other."),
	OPTION("profile-dir-name", unused_text, .value = "NAME", .shared = true, .hidden = true,
	       .no_effect = "it belongs to --extension"),

	OPTION("viewport-size", browser.page.viewport, .group = GROUP_PAGES, .value = "WxH", .shared = true, .min = 1,
	       .max = LIMIT_VIEWPORT, .keys = { "browser.contextOptions.viewport" },
	       .help = "Size of pages in CSS pixels; 1280x720 unless --device sets another"),
	OPTION("device", device, .group = GROUP_PAGES, .value = "NAME", .shared = true, .check = option_is_device,
	       .allowed =
		       "a device of Playwright, for example iPhone 15, iPhone 15 landscape, iPad Pro 11, Pixel 7, Galaxy S24, Desktop Chrome",
	       .help = "Device to emulate, for example \"iPhone 15\": its screen, user agent and touch input"),
	SWITCH("mobile", mobile, true, false, .group = GROUP_PAGES, .shared = true, .help = "Emulate a mobile phone"),
	OPTION("user-agent", browser.page.user_agent, .group = GROUP_PAGES, .value = "TEXT", .shared = true,
	       .keys = { "browser.contextOptions.userAgent" }, .help = "User agent that pages and servers see"),
	SWITCH("ignore-https-errors", browser.page.ignore_https_errors, true, false, .group = GROUP_PAGES, .shared = true,
	       .keys = { "browser.contextOptions.ignoreHTTPSErrors" }, .help = "Open pages with invalid TLS certificates"),
	OPTION("init-script", browser.page.init_scripts, .group = GROUP_PAGES, .value = "PATH", .variadic = true, .shared = true,
	       .separator = '\n', .keys = { "browser.initScript" }, .beside_config = true,
	       .help = "JavaScript file to run in every document before its own scripts; may be given several times"),
	OPTION("init-page", init_page_paths, .group = GROUP_PAGES, .value = "PATH", .variadic = true, .shared = true,
	       .separator = '\n', .keys = { "browser.initPage" }, .beside_config = true,
	       .help = "JavaScript module whose default export prepares each page of browser_* tools before its first use; may be given "
		       "several times",
	       .man = "The function gets { page } and can do what browser_run_code_unsafe can. A module has no imports; TypeScript has to "
		      "be compiled."),
	OPTION("grant-permissions", browser.page.permissions, .group = GROUP_PAGES, .value = "NAMES", .variadic = true,
	       .shared = true, .separator = ',', .keys = { "browser.contextOptions.permissions" }, .check = option_is_permission,
	       .allowed = "accelerometer, ambient-light-sensor, background-sync, camera, clipboard-read, clipboard-write, "
			  "geolocation, gyroscope, local-fonts, magnetometer, microphone, midi, midi-sysex, notifications, "
			  "payment-handler, storage-access",
	       .help = "Permissions that pages have without asking, comma-separated, for example geolocation,clipboard-read"),
	OPTION("allowed-origins", egress.allowed_origins, .group = GROUP_PAGES, .value = "ORIGINS", .shared = true,
	       .separator = ';', .keys = { "network.allowedOrigins" }, NAMES(NAME(egress.names.allowed_origins)),
	       .help = "Origins that pages may reach; all others are blocked; separated by semicolons",
	       .man = "An origin is https://example.com, http://localhost:* for all ports, or a host for http and https at their own "
		      "ports; hosts may have wildcards (*.example.com). A proxy enforces this for all connections of a session "
		      "by host and port; the scheme is checked for documents and resources that a page requests."),
	OPTION("blocked-origins", egress.blocked_origins, .group = GROUP_PAGES, .value = "ORIGINS", .shared = true,
	       .separator = ';', .keys = { "network.blockedOrigins" }, NAMES(NAME(egress.names.blocked_origins)),
	       .help = "Origins that pages may not reach, even if they are allowed; separated by semicolons",
	       .man = "Other numbers and names of the same address count as well: blocking http://127.0.0.1:8080 blocks that port of this "
		      "machine."),
	OPTION("egress", egress_rules, .group = GROUP_PAGES, .value = "RULES", .separator = ',', .keys = { "network.egress" },
	       .check = egress_is_rule,
	       .allowed =
		       "public, loopback, private, NAME, *.DOMAIN, ADDRESS or ADDRESS/BITS, each with :PORT or :FROM-TO or without; "
		       "none or all, alone",
	       NAMES(NAME(egress.names.rules), NAME(browser.names.proxied_webrtc)),
	       .help = "Where pages may connect, comma-separated, for example public,loopback:3000,10.1.2.3:8080; default: anywhere",
	       .man = "Each connection is judged by the name that the page uses and the address that it is made to, in a proxy of the "
		      "session. public, loopback and private are classes of addresses, ADDRESS/BITS a network. NAME and ADDRESS are hosts "
		      "as pages write them: a NAME may lead to public and private addresses, *.DOMAIN (the hosts below it) to public ones. "
		      "Link-local addresses and metadata services of clouds are never reached. Sessions can limit themselves further "
		      "(egress of create_session); all restricts nothing, but prepares the browser for such sessions."),
	OPTION("storage-state", storage_state_path, .group = GROUP_PAGES, .value = "PATH", .shared = true,
	       .keys = { "browser.contextOptions.storageState", "storageState" },
	       .help = "File with initial cookies and local storage of isolated sessions, in Playwright's format",
	       .man = "The config file may also have the object itself."),
	SWITCH("block-service-workers", browser.page.block_service_workers, true, false, .group = GROUP_PAGES, .shared = true,
	       .help = "Block service workers"),
	CHOICE("service-workers", browser.page.block_service_workers, service_worker_modes, .group = GROUP_PAGES, .value = "MODE",
	       .hidden = true, .keys = { "browser.contextOptions.serviceWorkers" }, .help = "Service workers: allow or block"),
	OPTION("test-id-attribute", browser.page.test_id_attribute, .group = GROUP_PAGES, .value = "NAME", .shared = true,
	       .keys = { "testIdAttribute" }, .help = "Attribute that getByTestId() matches instead of data-testid"),
	SWITCH("webmcp", browser.start.no_webmcp, false, true, .group = GROUP_PAGES, .shared = true, .hidden = true,
	       .keys = { "webmcp" }, .help = "List the tools that pages register by WebMCP"),
	SWITCH("no-webmcp", browser.start.no_webmcp, true, OPTION_KEEP, .group = GROUP_PAGES, .shared = true,
	       .help = "Do not list the tools that pages register by WebMCP"),

	OPTION("session-timeout", sessions.timeout, .group = GROUP_SESSIONS, .value = "MS", .unit = USEC_PER_MSEC, .min = 1,
	       .max = 7 * 24 * HOUR_MSEC, .keys = { "sessions.timeout" }, .help = "Close a session after this time without use"),
	OPTION("idle-timeout", sessions.own_timeout, .group = GROUP_SESSIONS, .value = "MS", .unit = USEC_PER_MSEC, .shared = true,
	       .min = 0, .max = 7 * 24 * HOUR_MSEC, .keys = { "timeouts.idle" },
	       .help = "Close the client's own session after this time without use; 0: never"),
	OPTION("rest-after", sessions.rest_after, .group = GROUP_SESSIONS, .value = "SECONDS", .min = 0, .max = 7 * 24 * 60 * 60,
	       .keys = { "sessions.restAfter" },
	       .help = "Let the pages of a session rest when it has had no call for this long; 0: never",
	       .man = "A page that rests is like a tab in the background: document.visibilityState is \"hidden\", it draws no frames, and its "
		      "timers run once a second; a minute later a page without connections, requests and workers is frozen, and its timers run "
		      "once a minute. The next call wakes the pages first. Pages that play sound or a video, or are observed or recorded, do not "
		      "rest, and none of a browser that shows windows or that another program has started (--cdp-endpoint)."),
	OPTION("max-sessions", sessions.max, .group = GROUP_SESSIONS, .value = "N", .min = 1, .max = 1000,
	       .keys = { "sessions.max" }, NAMES(NAME(sessions.names.max)), .help = "Maximum number of open sessions",
	       .man = "Each one costs about 13 MB of memory in the browser, plus what its page needs."),
	OPTION("max-sessions-per-owner", sessions.max_per_owner, .group = GROUP_SESSIONS, .value = "N", .min = 0, .max = 1000,
	       .keys = { "sessions.maxPerOwner" }, NAMES(NAME(sessions.names.max_per_owner)),
	       .help = "Maximum number of open sessions of one owner; 0: no limit of its own, but with --oauth-issuer owners share the places",
	       .man = "An owner is the subject of an OAuth token, the holders of the shared token, or a client if there are no "
		      "tokens. With 0 and --oauth-issuer, one subject alone gets half of --max-sessions, two get a third each, so "
		      "that there is always a place for the next one. Clients' sessions (--http-max-sessions) and requests under way "
		      "(--http-max-requests) are always shared in this way."),
	OPTION("max-memory", sessions.max_memory, .group = GROUP_SESSIONS, .value = "MB", .min = 0, .max = 1 << 24,
	       .keys = { "sessions.maxTotalMemory" }, NAMES(NAME(sessions.names.max_memory)),
	       .help = "Memory of the server and all its processes, in MiB, above which sessions sleep and none is added; 0: any amount. By default four fifths of the machine's",
	       .man = "When the server, its browser and the servers of applications would take more with another session, which is expected "
		      "to take as much as those that run do on average, the sessions that were used longest ago are put to sleep: their "
		      "pages are closed, and opened again with the next call. Where none may sleep, a new session is refused with "
		      "MAX_SESSIONS_REACHED. What runs is not ended. The default is four fifths of the memory of the machine, or of the control group (container, unit) where that has less. A browser that is only connected to (--cdp-endpoint) does not count."),
	OPTION("max-session-pages", sessions.limits.pages, .group = GROUP_SESSIONS, .value = "N", .min = 1, .max = 1000,
	       .keys = { "sessions.maxPages" }, NAMES(NAME(sessions.limits.names.pages)),
	       .help = "Maximum number of pages that are open in one session",
	       .man = "Windows that pages open beyond it are closed before they load, and the next answer says so. Pages of all sessions "
		      "of one owner may open windows until there are twice as many."),
	OPTION("max-session-memory", sessions.limits.memory, .group = GROUP_SESSIONS, .value = "MB", .min = 0, .max = 1 << 20,
	       .keys = { "sessions.maxMemory" }, NAMES(NAME(sessions.limits.names.memory)),
	       .help = "Memory that the processes of the pages of one session may take, in MiB; 0: any amount",
	       .man = "It is looked at once a second. The page that takes the most is ended when there is more, as if it had crashed, and the "
		      "next answer says so. A page of text takes about 20 MiB, an editor or a dashboard 100 to 300, and one page can take "
		      "several thousand. Only in a browser that the server has started."),
	OPTION("max-browser-memory", browser.max_memory, .group = GROUP_SESSIONS, .value = "MB", .min = 0, .max = 1 << 20,
	       .keys = { "sessions.maxBrowserMemory" }, NAMES(NAME(browser.names.max_memory)),
	       .help = "Memory that the browser's main process may have, in MiB; 0: any amount",
	       .man = "All sessions share that process, which keeps blobs, databases, caches and files of pages. When it has more, the pages of the "
		      "session that makes it grow are ended and what they have stored is cleared, or those of the one that keeps the most blobs in "
		      "it, if that is at least a quarter of it. The next answer says so. Only in a browser that the server has started."),
	OPTION("max-origin-storage", browser.max_storage, .group = GROUP_SESSIONS, .value = "MB", .min = 0, .max = 1 << 20,
	       .keys = { "sessions.maxOriginStorage" },
	       .help = "What one origin may store in a session (IndexedDB, caches, files), in MiB; 0: as much as the browser allows",
	       .man = "Sessions keep it in the memory of the browser's main process, which all share. Writing more fails in the page with "
		      "QuotaExceededError. Without the limit Chromium allows each origin about a twentieth of the machine's memory. It does not hold "
		      "for the profile of --user-data-dir, nor for embedded documents of other sites."),
	SWITCH("lazy-sessions", sessions.lazy, true, false, .group = GROUP_SESSIONS, .keys = { "sessions.lazy" },
	       .help = "Create a session when a call names an unknown sessionId",
	       .man = "Clients then choose their own ids, up to 256 bytes of any text, and need no create_session."),

	OPTION("state-store", store.url, .group = GROUP_SESSIONS, .value = "URL", .keys = { "state.store" }, .secret = true,
	       .check = option_is_store, .allowed = "redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE], or rediss:// for TLS",
	       .help = "Redis or Valkey server for states of sessions, for example redis://127.0.0.1:6379",
	       .man = "Needs Redis 6.2 or newer, or Valkey. The store keeps the states of save_state and, with --node, the sessions that are open when "
		      "the server ends, so that other nodes can go on with them. The server connects when it first needs the store, and again when "
		      "the connection was lost. All keys begin with browserd:. A client that can read the store can read the cookies in it: set a "
		      "password, and use TLS (rediss:) outside of this machine."),
	OPTION("state-store-password-file", store_password_file, .group = GROUP_SESSIONS, .value = "PATH",
	       .keys = { "state.passwordFile" }, .help = "File whose first line is the password of --state-store"),
	OPTION("state-store-ca", store.authorities, .group = GROUP_SESSIONS, .value = "PATH", .keys = { "state.ca" },
	       .help = "PEM file of the authorities whose certificates rediss:// accepts, instead of those of this machine"),
	OPTION("state-dir", state_dir, .group = GROUP_SESSIONS, .value = "PATH", .keys = { "state.dir" }, .beside_config = true,
	       .help = "Folder where save_state stores encrypted states and the key that encrypts them. Default with --caps states: "
		       "$XDG_STATE_HOME/browserd, or ~/.local/state/browserd if XDG_STATE_HOME is not set",
	       .man = "PATH/states has a folder for each owner. PATH/key is the key, which the server creates when it first needs one. The folder "
		      "and its files must belong to the user that runs the server. No other user may write to them or read the key. With "
		      "--state-store the server stores states in Redis instead."),
	OPTION("state-key", states.key.given, .group = GROUP_SESSIONS, .value = "KEY", .keys = { "state.key" }, .secret = true,
	       .check = option_is_key, .allowed = OPTION_KEY_ALLOWED,
	       .help = "Key of the files in --state-dir and of --vault, 32 bytes in base64 (openssl rand -base64 32), instead of the one that is kept there",
	       .man = "The variable is the better place: others can read the command line until it was blanked."),
	OPTION("state-ttl", store.ttl, .group = GROUP_SESSIONS, .value = "SECONDS", .min = 60, .max = 366 * 24 * 3600,
	       .keys = { "state.ttl" },
	       .help = "How long the state store keeps a state, or a session of a node that has ended, after it was saved"),

	OPTION("timeout-action", timeouts.action, .group = GROUP_TIMEOUTS, .value = "MS", .unit = USEC_PER_MSEC, .shared = true,
	       .min = 0, .max = HOUR_MSEC, .keys = { "timeouts.action" },
	       .help = "Time limit for click and type to find their element ready; 0: an hour"),
	OPTION("timeout-navigation", timeouts.navigation, .group = GROUP_TIMEOUTS, .value = "MS", .unit = USEC_PER_MSEC,
	       .shared = true, .min = 0, .max = HOUR_MSEC, .keys = { "timeouts.navigation" },
	       .help = "Time limit for loading a page; 0: an hour"),

	OPTION("timeout-settle", timeouts.settle, .group = GROUP_TIMEOUTS, .value = "MS", .unit = USEC_PER_MSEC, .shared = true,
	       .min = 0, .max = HOUR_MSEC, .keys = { "timeouts.settle" },
	       .help = "Longest time that browser_* tools wait for the effects of an action to settle",
	       .man = "They answer as soon as the page has settled. Navigations and requests that an action starts have longer."),
	OPTION("timeout-control", sessions.control.patience, .group = GROUP_TIMEOUTS, .value = "MS", .unit = USEC_PER_MSEC,
	       .min = 0, .max = HOUR_MSEC, .keys = { "timeouts.control" },
	       .help = "Longest time that a call waits for a person who has control of its session; 0: an hour",
	       .man = "Then it fails with USER_HAS_CONTROL, and may be repeated. Many clients give a call up after 60 seconds."),

	CHOICE("answers", answers.form, answer_forms, .group = GROUP_ANSWERS, .value = "FORM", .keys = { "answers" },
	       .help = "Form of the answers of browser_* tools: playwright (as @playwright/mcp) or compact (for agents, in few tokens)"),
	CHOICE("snapshot-mode", answers.snapshots, snapshot_modes, .group = GROUP_ANSWERS, .value = "MODE", .shared = true,
	       .keys = { "snapshot.mode" }, .forgiven_in_command = true,
	       .help = "Snapshots in answers of actions: full (a link to a file), explicit (in the answer itself) or none"),
	OPTION("output-dir", output.dir, .group = GROUP_ANSWERS, .value = "PATH", .shared = true, .keys = { "outputDir" },
	       NAMES(NAME(output.names.dir)),
	       .help = "Directory for snapshots, screenshots and logs; default: .playwright-mcp in the working directory",
	       .man = "Over HTTP it is where each owner has a directory of its own, which stays; without it these are in a temporary folder "
		      "that goes with the server. Files are for their owner alone (mode 600), and replace no file that the server has not written "
		      "itself."),
	OPTION("output-max-size", output.max, .group = GROUP_ANSWERS, .value = "BYTES", .shared = true, .min = 0, .max = 1ll << 50,
	       .keys = { "outputMaxSize" },
	       .help = "Total size of files that browserd named itself; above it the oldest are removed; 0: no limit"),
	OPTION("secrets", secrets_path, .group = GROUP_ANSWERS, .value = "PATH", .shared = true,
	       .variable = "PLAYWRIGHT_MCP_SECRETS_FILE",
	       .help = "File of NAME=VALUE lines; answers show <secret>NAME</secret> instead of a value, and typing NAME types the value",
	       .man = "Values have at least 4 bytes; under the name playwright-mcp, shorter ones are typed but not masked. They are masked in all output: answers, resources, files that tools write, "
		      "events and logs, also when encoded as JSON, URL, HTML or base64. Images, binary files and other encodings "
		      "are not masked."),
	OPTION("vault", vault_path, .group = GROUP_ANSWERS, .value = "PATH", .keys = { "vault" },
	       .help = "File of logins that fill_login fills into pages; browserd vault add NAME adds one",
	       .man = "Agents see the names and origins of the logins, and no user name, password or key of one-time codes: what was filled is masked in all "
		      "output as the values of --secrets are. A login is filled only into pages of its origins, which are https ones or of this machine. "
		      "Over HTTP it needs --auth-token or --oauth-issuer; with the latter a login is for the subjects that it names. "
		      "The file is encrypted with the key of --state-key."),
	CHOICE("artifacts", answers.links, artifact_modes, .group = GROUP_ANSWERS, .value = "MODE", .keys = { "artifacts" },
	       .help = "Links to written files in answers, as resources: auto (link over HTTP, none over stdio), none or link",
	       .man = "Clients of another machine read the files that tools write as resources. They can be read for a day, by the "
		      "client whose call wrote them."),
	CHOICE("image-responses", answers.images, image_modes, .group = GROUP_ANSWERS, .value = "MODE", .shared = true,
	       .keys = { "imageResponses" }, .help = "Images in answers: allow, omit, or only (without the text)"),
	CHOICE("file-paths", output.absolute_paths, path_modes, .group = GROUP_ANSWERS, .value = "MODE", .shared = true,
	       .keys = { "filePaths" }, .help = "File names in answers: relative (to the working directory) or absolute"),
	SWITCH("snapshot-boxes", answers.boxes, true, false, .group = GROUP_ANSWERS, .shared = true, .keys = { "snapshot.boxes" },
	       .help = "Add position and size of each element to snapshots"),
	CHOICE("console-level", answers.console_level, console_levels, .group = GROUP_ANSWERS, .value = "LEVEL", .shared = true,
	       .keys = { "console.level" },
	       .help = "Least severe console messages to include in answers: error, warning, info or debug"),
	SWITCH("allow-unrestricted-file-access", output.unrestricted, true, false, .group = GROUP_ANSWERS, .shared = true,
	       .keys = { "allowUnrestrictedFileAccess" },
	       .help = "Allow file: URLs, and reading and writing files outside of the working directory"),
	CHOICE("profile", tool_profile, tool_profiles, .group = GROUP_ANSWERS, .value = "NAME", .keys = { "profile" },
	       .help = "Tools to offer: full, or minimal, which is enough to read pages and act on them, in sessions",
	       .man = "minimal are create_session, close_session, browser_navigate, browser_snapshot, browser_find, browser_click, browser_type, "
		      "browser_fill_form, browser_file_upload, browser_batch, browser_read and browser_take_screenshot, as far as there are such tools, and those "
		      "of --caps. A model reads the whole list at each turn."),
	OPTION("tools", tools, .group = GROUP_ANSWERS, .value = "NAMES", .separator = ',', .keys = { "tools" },
	       .help = "Offer these tools alone, comma-separated, or with --profile minimal these as well",
	       .man = "Other tools are neither listed nor can they be called. webmcp stands for all tools that pages register."),
	SWITCH("no-run-code", no_run_code, true, false, .group = GROUP_ANSWERS, .keys = { "noRunCode" },
	       .help = "Remove browser_run_code_unsafe, which runs code of the agent",
	       .man = "That code runs in a hidden page without a network of its own. It can do to the pages of its session what "
		      "the other tools can, and nothing else."),
	OPTION("caps", caps, .group = GROUP_ANSWERS, .value = "NAMES", .shared = true, .separator = ',', .may_be_empty = true,
	       .keys = { "capabilities" }, .names_capabilities = true,
	       .help = "Additional sets of tools, comma-separated; unknown names cause a warning. The sets are "),
	SWITCH("vision", vision, true, false, .group = GROUP_ANSWERS, .shared = true, .keys = { "vision" }, .hidden = true,
	       .help = "The older name of --caps vision"),
	SWITCH("save-trace", unused_switch, true, false, .command_line_only = true, .hidden = true,
	       .refusal =
		       "traces are recorded by the tools browser_start_tracing and browser_stop_tracing, which --caps devtools adds"),
	OPTION("record", record, .group = GROUP_ANSWERS, .value = "WHAT", .keys = { "record" }, .check = option_is_record,
	       .allowed = "video, trace, or both with a comma between",
	       .help = "Record every session for people who watch it afterwards: video, trace, or both, comma-separated",
	       .man = "The recordings are in the folder recordings of the output directory, over HTTP of the owner's directory: a folder for each "
		      "session, with a timeline of its calls, and the videos of its tabs or a trace. Sessions that are recorded neither rest nor sleep. "
		      "create_session takes record for one session, also without this option."),
	OPTION("record-keep", record_keep, .group = GROUP_ANSWERS, .value = "AGE", .keys = { "recordKeep" }, .check = option_is_age,
	       .allowed = "a whole number with s, m, h or d, such as 12h or 7d, or 0",
	       .help = "Age at which recordings are removed, such as 12h or 7d; 0: never"),
	OPTION("record-max-size", recordings.max_size, .group = GROUP_ANSWERS, .value = "BYTES", .min = 0, .max = 1ll << 50,
	       .keys = { "recordMaxSize" },
	       .help = "Total size of recordings; above it the oldest of the owner that has most are removed; 0: no limit"),
	SWITCH("save-session", answers.recorded, true, false, .group = GROUP_ANSWERS, .shared = true, .keys = { "saveSession" },
	       .help = "Record the calls of browser_* tools and their answers in session-TIME/session.md of the output directory",
	       .man = "Only calls that were answered, not those that failed without an answer. Values of --secrets are masked."),
	CHOICE("codegen", answers.code, codegen_languages, .group = GROUP_ANSWERS, .value = "LANGUAGE", .shared = true,
	       .keys = { "codegen" }, .help = "Language of generated code: typescript, python, java, csharp or none"),
	CHOICE("compat", answers.compat, compat_versions, .group = GROUP_ANSWERS, .value = "VERSION", .shared = true,
	       .keys = { "compat" }, .help = "Version of @playwright/mcp whose tools and answers are followed: 0.0.83 or 0.0.84"),
	SWITCH("ignore-roots", output.ignore_roots, true, false, .group = GROUP_ANSWERS, .shared = true, .keys = { "ignoreRoots" },
	       .help = "Do not ask clients for their workspace roots; the working directory is the workspace"),
	OPTION("redact-url-params", answers.redacted_params, .group = GROUP_ANSWERS, .value = "NAMES", .shared = true,
	       .separator = ',', .keys = { "redactUrlParams" },
	       .help = "URL parameters whose values answers replace by <redacted>, comma-separated"),

	OPTION("cdp-host", observers.host, .group = GROUP_OBSERVING, .value = "ADDRESS", .variable = "CDP_HOST",
	       .keys = { "cdp.host" }, NAMES(NAME(observers.names.host)),
	       .help = "Address of the browser that cdp_* tools use when a call names none",
	       .man = "Without it and --cdp-port they look at the pages of the sessions alone. 127.0.0.1 where only the port is set. "
		      "With --port, no call may name another one."),
	OPTION("cdp-port", observers.port, .group = GROUP_OBSERVING, .value = "PORT", .min = 1, .max = 65535,
	       .variable = "CDP_PORT", .keys = { "cdp.port" }, NAMES(NAME(observers.names.port)),
	       .help = "Debugging port of that browser; 9222 if only the address is set"),
	SWITCH("localonly", observers.any_address, false, true, .group = GROUP_OBSERVING, .variable = "CDP_SECURITY_LOCALONLY",
	       .keys = { "cdp.localOnly" }, .help = "Connect only to debugging ports of this machine"),
	SWITCH("no-localonly", observers.any_address, true, OPTION_KEEP, .group = GROUP_OBSERVING,
	       NAMES(NAME(observers.names.any_address)),
	       .help = "Also connect to debugging ports of other machines (never to 0.0.0.0)"),
	OPTION("buffer-size", observers.buffer_size, .group = GROUP_OBSERVING, .value = "N", .min = 1, .max = LIMIT_OBSERVED_BUFFER,
	       .variable = "DEFAULT_BUFFER_SIZE", .keys = { "cdp.bufferSize" },
	       .help = "Events to keep of each observed target; the oldest are dropped first"),
	OPTION("ttl-sec", observers.ttl, .group = GROUP_OBSERVING, .value = "SECONDS", .unit = USEC_PER_SEC, .min = 1,
	       .max = 7 * 24 * 3600, .variable = "DEFAULT_TTL_SEC", .keys = { "cdp.ttlSec" },
	       .help = "How long events are kept after the newest one"),

	OPTION("redact", redact.patterns, .group = GROUP_OBSERVING, .value = "REGEX", .check = redact_is_pattern,
	       .keys = { "redact" }, .allowed = "a POSIX extended regular expression",
	       .help = "Mask text that matches in URLs, headers, bodies and console messages; may be repeated",
	       .man = "It is masked before it is stored, for all tools that show what a page wrote or sent. Bodies that are no text "
		      "are left as they are. In the environment variable, expressions are separated by blanks."),
	OPTION("event-sink", sink.path, .group = GROUP_OBSERVING, .value = "file:PATH", .check = option_is_sink,
	       .keys = { "eventSink" }, .allowed = "file: and a path",
	       .help = "Append console and network events of all pages to this file, as JSON lines",
	       .man = "Each line is written at once, so that a crash loses the last one at most."),
	OPTION("event-sink-size", sink.max_bytes, .group = GROUP_OBSERVING, .value = "MIB", .unit = 1 << 20, .min = 1,
	       .max = 1 << 20, .keys = { "eventSinkSize" },
	       .help = "Size at which that file is renamed to PATH.1, replacing an older one"),
	SWITCH("default-redaction", redact.headers, true, false, .group = GROUP_OBSERVING, .keys = { "defaultRedaction" },
	       .help = "Mask the values of authorization, proxy-authorization, cookie and set-cookie headers"),
	SWITCH("no-default-redaction", redact.headers, false, OPTION_KEEP, .group = GROUP_OBSERVING,
	       .help = "Show the values of these headers"),

	OPTION("server-commands", e2e.permit.commands, .group = GROUP_SERVERS, .value = "PATHS", .separator = ':',
	       .variable = "SERVER_COMMAND_PATH", .keys = { "servers.commands" }, NAMES(NAME(e2e.permit.names.commands)),
	       .name_with_variable = true,
	       .help = "Programs that startSession may start: files, or directories with all files in them, colon-separated; default: any",
	       .man = "Over HTTP nothing is started without this list. An interpreter in it (python3, node, sh) runs whatever its "
		      "arguments say."),
	OPTION("server-dirs", e2e.permit.directories, .group = GROUP_SERVERS, .value = "PATHS", .separator = ':',
	       .keys = { "servers.dirs" }, NAMES(NAME(e2e.permit.names.directories)),
	       .help = "With --server-commands: directories, including subdirectories, that these programs may run in, colon-separated",
	       .man = "A client may choose (cwd) the directory that the command is in, folders of --server-commands, and these. Programs take "
		      "code from where they run: name none that clients can write to."),
	OPTION("server-env", e2e.permit.variables, .group = GROUP_SERVERS, .value = "NAMES", .separator = ',',
	       .keys = { "servers.env" }, .check = permit_is_variable, .allowed = "NAME or PREFIX_*",
	       NAMES(NAME(e2e.permit.names.variables)),
	       .help = "With --server-commands: further environment variables that clients may set, comma-separated",
	       .man = "Clients may always set CI, FORCE_COLOR, HOST, LANG, LC_ALL, NODE_ENV, NO_COLOR, PORT and TZ. Allow no variable "
		      "that makes a program run code from it, such as NODE_OPTIONS, PYTHONPATH or PATH."),
	OPTION("server-log-dirs", e2e.log_folders, .group = GROUP_SERVERS, .value = "PATHS", .separator = ':',
	       .keys = { "servers.logDirs" }, .help = "Directories in which server commands may keep their logs, colon-separated",
	       .man = "TMPDIR, /tmp, the folder of the command and the one that it runs in may always be used."),
	OPTION("egress-hosts", egress_hosts, .group = GROUP_SERVERS, .value = "HOSTS", .separator = ',',
	       .variable = "ALLOWED_HOSTS", .keys = { "servers.egressHosts" }, .check = egress_is_host,
	       .allowed = "NAME, NAME:PORT or *.NAME",
	       .help = "Hosts that pages of startSession may reach in addition to their server, comma-separated",
	       .man = "Without this, that is all of the public Internet, and nothing of this machine, private networks and cloud "
		      "metadata. A name that stands here in full may be in a private network; metadata addresses never are reached."),
	OPTION("server-idle-timeout", e2e.idle, .group = GROUP_SERVERS, .value = "MS", .unit = USEC_PER_MSEC, .min = 1,
	       .max = 7 * 24 * HOUR_MSEC, .keys = { "servers.idleTimeout" },
	       .help = "End a session with a server after this time without use"),
	OPTION("server-lifetime", e2e.lifetime, .group = GROUP_SERVERS, .value = "MS", .unit = USEC_PER_MSEC, .min = 1,
	       .max = 7 * 24 * HOUR_MSEC, .keys = { "servers.lifetime" },
	       .help = "End a session with a server this long after its start, used or not"),

	CHOICE("transport", transport, transports, .group = GROUP_HTTP, .value = "NAME", .variable = "TRANSPORT_MODE",
	       .keys = { "server.transport" }, .help = "Transport: stdio, http, or auto (http if --port is given)",
	       .man = "With http and no --port, the environment variable PORT is the port, or else 3000. With stdio, --port has no "
		      "effect."),
	OPTION("port", http.port, .group = GROUP_HTTP, .value = "PORT", .shared = true, .min = 0, .max = 65535,
	       .keys = { "server.port" }, .help = "Serve MCP over HTTP on this port instead of stdin and stdout; 0: any free port",
	       .man = "The URL and what clients need to connect are printed on stderr. Each client has an MCP session with a "
		      "browser session of its own."),
	OPTION("host", http.host, .group = GROUP_HTTP, .value = "HOST", .shared = true, .keys = { "server.host" },
	       .help = "Address or name to listen on; others than this machine's loopback, such as 0.0.0.0 (all), need --auth-token or --oauth-issuer"),
	OPTION("allowed-hosts", http.allowed_hosts, .group = GROUP_HTTP, .value = "HOSTS", .variadic = true, .shared = true,
	       .keys = { "server.allowedHosts" }, NAMES(NAME(http.names.allowed_hosts)),
	       .help = "Accepted Host names of requests, and origins of web pages that may send requests, comma-separated",
	       .man = "NAME, NAME:PORT or * (any name): what the Host field of requests may say besides this machine (localhost, "
		      "127.0.0.1, [::1]) and --host, so that no page in a browser can reach the server through a name of its own. "
		      "A whole origin such as https://tools.example: web pages of that origin may send requests, if the server wants a "
		      "token; no other page may, whatever its port, and names and * list no origins. Everything else is answered 403."),
	OPTION("tls-cert", tls.cert, .group = GROUP_HTTP, .value = "PATH", .keys = { "server.tlsCert" },
	       NAMES(NAME(tls.cert_option)),
	       .help = "Serve HTTPS with the certificate chain in this PEM file, the server's own certificate first",
	       .man = "TLS 1.2 and 1.3. Files that have changed are read again when the next client connects; a new pair that cannot be "
		      "used is logged, and the old one stays."),
	OPTION("tls-key", tls.key, .group = GROUP_HTTP, .value = "PATH", .keys = { "server.tlsKey" }, NAMES(NAME(tls.key_option)),
	       .help = "Private key of that certificate (PEM, without a passphrase)"),
	OPTION("auth-token", http.token, .group = GROUP_HTTP, .value = "TOKEN", .keys = { "server.authToken" },
	       .check = option_is_token, .allowed = OPTION_TOKEN_ALLOWED, .secret = true, NAMES(NAME(http.names.token)),
	       .help = "Bearer token that clients must send; required if --host is not a loopback address",
	       .man = "It is blanked in the command line and the environment as soon as it has been read. Until then, and in the "
		      "history of a shell, others may read it: --auth-token-file is the better place."),
	OPTION("auth-token-file", auth_token_file, .group = GROUP_HTTP, .value = "PATH", .keys = { "server.authTokenFile" },
	       NAMES(NAME(http.names.token_file)), .help = "File whose first line is the bearer token"),
	OPTION("oauth-issuer", keys.issuer, .group = GROUP_HTTP, .value = "URL", .keys = { "server.oauth.issuer" },
	       .check = option_is_web_address, .allowed = "an address such as https://issuer.example",
	       NAMES(NAME(keys.names.issuer), NAME(http.names.issuer)),
	       .help = "Accept the access tokens (JWT) that this OAuth authorization server issues",
	       .man = "A token must be signed with RS256, PS256, ES256 or EdDSA by a key of --oauth-jwks, name this issuer (iss) and the "
		      "audience (aud, --oauth-audience), be within its time of validity, and have a subject (sub). Its scope browser:read "
		      "permits tools that only read, browser:act all tools. Browser sessions and files belong to the subject of the "
		      "token that created them. Clients find the issuer at /.well-known/oauth-protected-resource (RFC 9728)."),
	OPTION("oauth-jwks", keys.source, .group = GROUP_HTTP, .value = "SOURCE", .keys = { "server.oauth.jwks" },
	       NAMES(NAME(keys.names.source)),
	       .help = "Public keys of the issuer (JWKS): a file or a URL; default: found through the issuer's metadata",
	       .man = "By default the URL is read from the issuer's metadata (/.well-known/oauth-authorization-server of RFC 8414, or "
		      "openid-configuration) each time the keys are. An unusable file is an error at startup. A URL is fetched in the background; plain http is "
		      "accepted for this machine only, and the certificate of an https server must be one that this machine trusts."),
	OPTION("oauth-jwks-refresh", keys.period, .group = GROUP_HTTP, .value = "MS", .unit = USEC_PER_MSEC, .min = 1000,
	       .max = 7 * 24 * HOUR_MSEC, .keys = { "server.oauth.jwksRefresh" },
	       .help = "How often to read the keys again; a token with an unknown key also causes it, at most every 30 seconds"),
	OPTION("oauth-audience", http.audience, .group = GROUP_HTTP, .value = "TEXT", .keys = { "server.oauth.audience" },
	       .help = "Required audience of tokens; default: the URL of /mcp (--public-url)"),
	OPTION("public-url", http.public_url, .group = GROUP_HTTP, .value = "URL", .keys = { "server.publicUrl" },
	       .check = option_is_public_url, .allowed = "an address such as https://tools.example/mcp, without a slash at its end",
	       .help = "URL of /mcp as clients know it, if it differs from host and port (behind a proxy)"),
	OPTION("http-session-timeout", http.session_timeout, .group = GROUP_HTTP, .value = "MS", .unit = USEC_PER_MSEC, .min = 1,
	       .max = 7 * 24 * HOUR_MSEC, .keys = { "server.sessionTimeout" },
	       .help = "End an MCP session and its browser sessions after this time without requests and open streams"),
	OPTION("http-ping-timeout", http.ping_timeout, .group = GROUP_HTTP, .value = "MS", .unit = USEC_PER_MSEC, .min = 0,
	       .max = HOUR_MSEC, .variable = "PLAYWRIGHT_MCP_PING_TIMEOUT_MS", .keys = { "server.pingTimeout" },
	       .help = "End an MCP session whose client does not answer a ping within this time; 0: no pings",
	       .man = "A client that has called a tool and opened its event stream is sent a ping, and the next one three seconds after each answer. "
		      "While its stream is closed it has the same time; a new stream brings the ping again. A client that never opens a stream is "
		      "sent none."),
	SWITCH("no-view", no_view, true, false, .group = GROUP_HTTP, .keys = { "server.noView" },
	       .help = "Do not serve the live view at /view, where people look at the sessions",
	       .man = "Who may use /mcp logs in with the same token, and sees its own sessions (docs/view.md)."),
	OPTION("view-port", view_port, .group = GROUP_HTTP, .value = "PORT", .min = 0, .max = 65535, .keys = { "server.viewPort" },
	       .help = "Over stdin and stdout, serve the live view on this port of 127.0.0.1; 0: any free port",
	       .man = "The address, with a token that only this start has, is written to stderr."),
	OPTION("http-max-sessions", http.sessions, .group = GROUP_HTTP, .value = "N", .min = 1, .max = 100000,
	       .keys = { "server.maxSessions" }, NAMES(NAME(http.names.sessions)), .help = "Maximum number of MCP sessions",
	       .man = "One without browser sessions costs a few KiB. How many browser sessions there may be is --max-sessions."),
	OPTION("http-max-connections", http.limits.connections, .group = GROUP_HTTP, .value = "N", .min = 1, .max = 100000,
	       .keys = { "server.maxConnections" }, NAMES(NAME(http.limits.names.connections)),
	       .help = "Maximum number of connections; further ones are answered 503"),
	OPTION("http-max-requests", http.requests, .group = GROUP_HTTP, .value = "N", .min = 1, .max = 100000,
	       .keys = { "server.maxRequests" }, NAMES(NAME(http.names.requests)),
	       .help = "Maximum number of concurrent requests; further ones are answered 503"),
	OPTION("http-max-head", http.limits.head, .group = GROUP_HTTP, .value = "BYTES", .min = 1024, .max = 1 << 20,
	       .keys = { "server.maxHead" }, NAMES(NAME(http.limits.names.head)),
	       .help = "Maximum size of request headers; larger ones are answered 431"),
	OPTION("http-max-body", http.limits.body, .group = GROUP_HTTP, .value = "BYTES", .min = 1024, .max = LIMIT_LINE,
	       .keys = { "server.maxBody" }, NAMES(NAME(http.limits.names.body)),
	       .help = "Maximum size of a request body; larger ones are answered 413"),
	OPTION("http-calls-per-minute", http.calls_per_minute, .group = GROUP_HTTP, .value = "N", .min = 0, .max = 1000000,
	       .keys = { "server.callsPerMinute" }, NAMES(NAME(http.names.calls_per_minute)),
	       .help = "Maximum tool calls of one client per minute, for example 100; 0: no limit",
	       .man = "More are answered 429 with Retry-After. A client is the subject of an OAuth token, a session where there is no "
		      "such token, or an address where there is no session either."),
	OPTION("http-sessions-per-minute", http.sessions_per_minute, .group = GROUP_HTTP, .value = "N", .min = 0, .max = 1000000,
	       .keys = { "server.sessionsPerMinute" }, NAMES(NAME(http.names.sessions_per_minute)),
	       .help = "Maximum new sessions per minute of one OAuth user or address, for example 10; 0: no limit"),

	OPTION("node", http.node, .group = GROUP_HTTP, .value = "NAME", .keys = { "server.node" }, .check = node_name_is_valid,
	       .allowed = "1 to 63 letters, digits, - and _",
	       .help = "Name of this server in a fleet: ids of its sessions begin with it, so that a proxy can find the server of a request",
	       .man = "Ids are NAME.RANDOM, in the header Mcp-Session-Id, in the argument sessionId, and in 2026-07-28 also in the header "
		      "Mcp-Param-SessionId, which tools/list asks clients to send. Requests for sessions of another node are answered 404 or "
		      "421, unless that node has saved them in the --state-store."),

	OPTION("drain", drain, .group = GROUP_HTTP, .value = "SECONDS", .unit = USEC_PER_SEC, .min = 0, .max = 24 * 3600,
	       .keys = { "server.drain" },
	       .help = "After SIGTERM, serve the sessions that are open for at most this time before the end; 0: end at once",
	       .man = "Meanwhile GET /ready answers 503, and what would begin a session (initialize, and in 2026-07-28 requests without a "
		      "session) is refused with 503 and Retry-After. The server ends as soon as no session is left, or at a second signal. With "
		      "--node and --state-store it then saves those that are left."),
	SWITCH("no-health", http.health, false, true, .group = GROUP_HTTP, .keys = { "server.noHealth" },
	       .help = "Disable /health and /ready"),
	SWITCH("no-metrics", http.metrics, false, true, .group = GROUP_HTTP, .keys = { "server.noMetrics" },
	       .help = "Disable /metrics"),

	OPTION("confirm", confirm.tools, .group = GROUP_SERVER, .value = "TOOLS", .separator = ',', .keys = { "confirm.tools" },
	       .check = option_is_tool, .allowed = "names of tools, such as browser_click,browser_type",
	       .help = "Tools that need the user's confirmation before each call, comma-separated",
	       .man = "The client asks, if it can (elicitation, since protocol version 2025-06-18); if the user does not confirm, the call fails "
		      "with NOT_CONFIRMED and does nothing. This protects tools, not effects: evaluate and browser_run_code_unsafe can "
		      "do what a click does, too. webmcp stands for all tools that pages register."),
	CHOICE("confirm-default", confirm.by_default, confirm_defaults, .group = GROUP_SERVER, .value = "ANSWER",
	       .keys = { "confirm.default" }, NAMES(NAME(confirm.names.by_default)),
	       .help = "What --confirm does if the client cannot ask its user: deny or allow"),
	OPTION("config", config_path, .group = GROUP_SERVER, .value = "PATH", .shared = true,
	       .help = "Read options from this file, JSON or INI; command line and environment take precedence",
	       .man = "A file whose name ends with .ini, or that does not begin with a brace, is read as INI: lines such as "
		      "browser.isolated=true, also in sections ([browser]); a key that ends with [] adds to a list. "
		      "--init-script in it is relative to its folder; all other paths to the working directory."),
	CHOICE("log-level", log_level, log_level_table, .group = GROUP_SERVER, .value = "LEVEL", .keys = { "logLevel" },
	       .help = "Least severe messages on stderr: debug, info, notice, warning, error, critical, alert or emergency"),
	CHOICE("log-format", log_format, log_formats, .group = GROUP_SERVER, .value = "FORMAT", .keys = { "logFormat" },
	       .help = "Format of log lines on stderr: text or json",
	       .man = "In json each line is an object of timestamp, level, component, event, sessionId and details. Secrets, "
		      "arguments and answers of calls are in neither."),

	SWITCH("help", action, ACTION_HELP, ACTION_SERVE, .group = GROUP_INFORMATION, .letter = 'h', .command_line_only = true,
	       .help = "Show this help"),
	SWITCH("version", action, ACTION_VERSION, ACTION_SERVE, .group = GROUP_INFORMATION, .letter = 'V',
	       .command_line_only = true, .help = "Show the version"),
	SWITCH("man", action, ACTION_MAN, ACTION_SERVE, .group = GROUP_INFORMATION, .command_line_only = true,
	       .help = "Print the manual page: browserd --man | man -l -"),
	SWITCH("print-config", action, ACTION_PRINT_CONFIG, ACTION_SERVE, .group = GROUP_INFORMATION, .command_line_only = true,
	       .help = "Print all options as a config file, and on stderr where each value came from"),
	CHOICE("completion", completion, shell_table, .group = GROUP_INFORMATION, .value = "SHELL", .command_line_only = true,
	       .help = "Print a completion script for bash, zsh or fish"),
	CHOICE("markdown", markdown, markdown_table, .group = GROUP_INFORMATION, .value = "PAGE", .command_line_only = true,
	       .hidden = true, .help = "Print docs/tools.md or docs/options.md: tools or options"),

	OPTION(CONTEXT "storageState", storage_state, .keys = { CONTEXT "storageState", "storageState" }, .config_file_only = true,
	       .group = GROUP_CONFIG_FILE, .allowed = "{cookies: [...], origins: [...]}", .secret = true,
	       .help = "The object that a file of --storage-state has"),
	CONFIG("secrets", given_secrets, .check_object = texts_are_valid, .of_texts = true, .secret = true,
	       .allowed = "an object of names and texts", .help = "What a file of --secrets has; used without one"),
	CONFIG(CONTEXT "locale", browser.page.locale, .check = locale_is_valid, .allowed = "a language tag such as de-DE",
	       .help = "Language of pages: navigator.language, Accept-Language, the format of numbers and dates"),
	CONFIG(CONTEXT "timezoneId", browser.page.timezone, .check = timezone_is_valid, .allowed = "a name such as Europe/Paris",
	       .help = "Time zone of pages"),
	CONFIG(CONTEXT "geolocation", browser.page.geolocation, .check_object = place_is_valid,
	       .allowed = "{latitude: from -90 to 90, longitude: from -180 to 180, accuracy: at least 0, or left out}",
	       .help = "Place that pages see if they have the permission geolocation"),
	CONFIG(CONTEXT "extraHTTPHeaders", browser.page.headers, .check_object = texts_are_valid, .of_texts = true, .secret = true,
	       .allowed = "an object of header names and texts", .help = "Headers to send with every request of pages"),
	CONFIG_SWITCH(CONTEXT "offline", browser.page.offline, true, false, .help = "Pages have no network"),
	CONFIG_CHOICE(CONTEXT "colorScheme", browser.page.media.color_scheme, color_scheme_table,
		      .help = "The media feature prefers-color-scheme"),
	CONFIG_CHOICE(CONTEXT "reducedMotion", browser.page.media.reduced_motion, reduced_motion_table,
		      .help = "The media feature prefers-reduced-motion"),
	CONFIG_CHOICE(CONTEXT "forcedColors", browser.page.media.forced_colors, forced_colors_table,
		      .help = "The media feature forced-colors"),
	CONFIG_CHOICE(CONTEXT "contrast", browser.page.media.contrast, contrast_table,
		      .help = "The media feature prefers-contrast"),
	CONFIG(CONTEXT "deviceScaleFactor", browser.page.scale, .min = 0, .max = 16,
	       .help = "Device pixels for each CSS pixel, if they are not those of --device"),
	CONFIG_SWITCH(CONTEXT "isMobile", browser.page.mobile, PAGE_ON, PAGE_OFF, .help = "Lay pages out as for a phone"),
	CONFIG_SWITCH(CONTEXT "hasTouch", browser.page.touch, PAGE_ON, PAGE_OFF, .help = "Pages see a touch screen"),
	CONFIG(CONTEXT "screen", browser.page.screen, .min = 1, .max = LIMIT_VIEWPORT, .help = "Size of the screen that pages see"),
	CONFIG_SWITCH(CONTEXT "javaScriptEnabled", browser.page.no_javascript, false, true, .help = "Whether scripts of pages run"),
	CONFIG_SWITCH(CONTEXT "bypassCSP", browser.page.bypass_csp, true, false,
		      .help = "Ignore the content security policies of pages"),
	CONFIG_SWITCH(CONTEXT "acceptDownloads", browser.no_downloads, false, true, .help = "Whether downloads are saved"),
	CONFIG_SWITCH(CONTEXT "strictSelectors", unused_switch, true, false, .hidden = true,
		      .help = "Locators must match one element: they always have to"),
	CONFIG(CONTEXT "httpCredentials", browser.page.credentials, .check_object = option_is_credentials, .of_texts = true,
	       .secret = true,
	       .allowed = "{username: TEXT, password: TEXT, origin: http://HOST[:PORT] or left out, send: always or unauthorized}",
	       .help = "User name and password for servers that ask for them (HTTP authentication), of this origin if it names one"),
	CONFIG(CONTEXT "baseURL", browser.page.base_url, .check = option_is_web_address,
	       .allowed = "an address such as https://host.example/app/",
	       .help = "Base of relative addresses in code (browser_run_code_unsafe)"),
	CONFIG(CONTEXT "recordHar", records.har, .check_object = record_har_is_valid,
	       .allowed = "{path: a file whose name does not end with .zip, content: omit, embed or attach, omitContent: true or "
			  "false, mode: full or minimal, urlFilter: a glob pattern}; only path is required",
	       .help = "HTTP archive of what pages request, written when browser_close or the end of the session closes them",
	       .man = "content says where bodies of responses are: in the archive (embed, the default), in files beside it (attach), or "
		      "nowhere. While several sessions are recorded, the names of the others get a number: x-1.har."),
	CONFIG(CONTEXT "recordVideo", records.video, .check_object = record_video_is_valid,
	       .allowed = "{dir: a directory, size: {width, height}, at most 800 pixels each if left out}",
	       .help = "Directory for a video of each page, in WebM"),
	CONFIG(CONTEXT "clientCertificates", unused_list, .hidden = true, .refusal = "client certificates are not supported"),
	OPTION(LAUNCH "proxy.username", browser.page.proxy_username, .config_file_only = true, .group = GROUP_CONFIG_FILE,
	       .keys = { LAUNCH "proxy.username", CONTEXT "proxy.username" }, .secret = true,
	       .help = "User name for a proxy that asks for one"),
	OPTION(LAUNCH "proxy.password", browser.page.proxy_password, .config_file_only = true, .group = GROUP_CONFIG_FILE,
	       .keys = { LAUNCH "proxy.password", CONTEXT "proxy.password" }, .secret = true, .help = "Its password"),
	CONFIG("timeouts.expect", timeouts.expect, .unit = USEC_PER_MSEC, .min = 0, .max = HOUR_MSEC,
	       .help = "Time limit for browser_verify_* tools and for expect() in code, in milliseconds; 0: an hour"),
	CONFIG(LAUNCH "timeout", browser.timeout_launch, .unit = USEC_PER_MSEC, .min = 0, .max = HOUR_MSEC,
	       .help = "Time limit for the start of the browser, in milliseconds; 0: none"),
	CONFIG(LAUNCH "env", browser.start.env, .check_object = option_is_environment, .of_texts = true, .secret = true,
	       .allowed = "an object of names and texts, numbers, true or false",
	       .help = "The environment variables of the browser, instead of those of the server"),
	CONFIG(LAUNCH "ignoreDefaultArgs", browser.start.without_args,
	       .help = "A list of arguments that the browser is not given although it usually is"),
	CONFIG_SWITCH(LAUNCH "ignoreDefaultArgs", browser.start.without_usual_args, true, false, .hidden = true,
		      .help = "Or true: all of them"),
	CONFIG_SWITCH(LAUNCH "ignoreAllDefaultArgs", browser.start.without_usual_args, true, false,
		      .help = "Give the browser no arguments but those that it needs to be controlled"),
	CONFIG(LAUNCH "slowMo", browser.slow_motion, .unit = USEC_PER_MSEC, .min = 0, .max = HOUR_MSEC,
	       .help = "Time to wait before each call of a tool, in milliseconds"),
	CONFIG(LAUNCH "downloadsPath", unused_text, .hidden = true, .no_effect = "downloads are saved in --output-dir"),
	CONFIG(LAUNCH "tracesDir", unused_text, .hidden = true, .no_effect = "traces are saved in --output-dir"),
	CONFIG(LAUNCH "firefoxUserPrefs", browser.start.preferences, .check_object = option_is_preferences,
	       .allowed = "an object of names and texts, whole numbers, true or false",
	       .help = "Preferences of Firefox (about:config) in addition to those that it is started with, or in their place"),
	CONFIG_SWITCH(LAUNCH "handleSIGINT", unused_switch, true, false, .hidden = true,
		      .help = "SIGINT always ends the server and its browser"),
	CONFIG_SWITCH(LAUNCH "handleSIGTERM", unused_switch, true, false, .hidden = true,
		      .help = "SIGTERM always ends the server and its browser"),
	CONFIG_SWITCH(LAUNCH "handleSIGHUP", unused_switch, true, false, .hidden = true,
		      .help = "SIGHUP always ends the server and its browser"),
	CONFIG_SWITCH(LAUNCH "devtools", unused_switch, true, false, .hidden = true,
		      .no_effect = "the developer tools are not opened"),
	{}
};
