/* Settings that are computed from several options, from the environment, or from the contents of files. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "base/limits.h"
#include "base/log.h"
#include "browser/pool.h"
#include "browser/profile.h"
#include "egress/rules.h"
#include "main/environment.h"
#include "main/machine_memory.h"
#include "main/option_checks.h"
#include "main/option_parser.h"
#include "main/service.h"
#include "main/tool_list.h"
#include "page/emulate.h"
#include "reply/code.h"
#include "reply/writer.h"
#include "tools/capability.h"

#define MOBILE_DEVICE "Pixel 10"

/* ---- the state store ---- */

static int check_store(struct parser *p)
{
	const struct options *o = p->options;

	if (!o->store.url && (o->store_password_file || o->store.authorities))
		log_warning("--state-store-password-file and --state-store-ca have no effect without --state-store");
	if (!o->store.url || store_is_built())
		return 0;
	str_append(
		p->error,
		"--state-store: this program was built without hiredis, the library for it; build it with -Dstate_store=enabled, or "
		"leave the option out");
	return -EINVAL;
}

/* ---- browser and pages ---- */

static void settle_viewport(struct options *o)
{
	const struct device *device = o->browser.page.device;

	if (o->browser.page.viewport.width > 0)
		return;
	/* The browser's own: null in the config file, or a browser that runs already. */
	if (o->browser.page.viewport.width < 0 || o->browser.endpoints) {
		o->browser.page.viewport = (struct viewport){};
		return;
	}
	if (device)
		o->browser.page.viewport = (struct viewport){ device->width, device->height };
	else if (o->browser.start.headless || !o->viewport_of_window)
		o->browser.page.viewport = (struct viewport){ 1280, 720 };
}

static int settle_device(struct parser *p)
{
	struct options *o = p->options;
	struct page_options *page = &o->browser.page;

	if (o->mobile && o->device) {
		str_append(p->error, "Cannot use --mobile together with --device, pick one.");
		return -EINVAL;
	}
	page->device = device_find(o->mobile ? MOBILE_DEVICE : o->device);
	if (page->device && !page->user_agent)
		page->user_agent = page->device->user_agent;
	settle_viewport(o);
	return 0;
}

/* What the paths of the profiles of workspaces begin with. */
static const char *profile_prefix(struct options *o, char *const env[])
{
	enum browser_product product = o->browser.start.product;
	const char *name = product == BROWSER_AUTO     ? "chrome" :
			   product == BROWSER_CHROMIUM ? "chrome-for-testing" :
							 browser_product_table[product];
	const char *parent = environment_get(env, "PWMCP_PROFILES_DIR_FOR_TEST");
	const char *cache = environment_get(env, "XDG_CACHE_HOME"), *home = environment_get(env, "HOME");

	if (!parent && cache && *cache == '/')
		parent = arena_printf(&o->arena, "%s/browserd", cache);
	else if (!parent)
		parent = arena_printf(&o->arena, "%s/.cache/browserd", home && *home ? home : "/tmp");
	return arena_printf(&o->arena, "%s/mcp-%s-", parent, name);
}

/* The profile of the working directory, and the prefix for those of the roots of clients. */
static void settle_profile_of_folder(struct options *o, char *const env[])
{
	_cleanup_(str_done) struct str path = {};
	char here[PATH_MAX];

	o->browser.profile_prefix = profile_prefix(o, env);
	profile_of_folder(o->browser.profile_prefix, getcwd(here, sizeof(here)) ? here : "/", &path);
	o->browser.start.user_data_dir = arena_strdup(&o->arena, path.data);
}

/* The profile of a running browser is its own. */
static void settle_attached_profile(struct parser *p)
{
	struct options *o = p->options;

	if (o->browser.start.user_data_dir)
		log_warning("--user-data-dir has no effect: the browser of --cdp-endpoint has its own profile");
	if ((o->storage_state_path || o->storage_state) && !o->isolated)
		log_warning("--storage-state has no effect on the client's own session, which works in the tabs of the browser of "
			    "--cdp-endpoint, unless --isolated is given");
	if (p->profile->server.style.sessions_hidden && !o->isolated) { /* there are no others, and the file need not exist */
		o->storage_state_path = NULL;
		o->storage_state = NULL;
	}
	o->browser.start.user_data_dir = NULL;
	o->sessions.persistent = !o->isolated;
}

static int settle_profile(struct parser *p, char *const env[])
{
	struct options *o = p->options;

	if (o->isolated && o->browser.start.user_data_dir) {
		str_append(p->error,
			   "Browser userDataDir is not supported in isolated mode: leave --isolated or --user-data-dir out");
		return -EINVAL;
	}
	if (o->browser.endpoints) {
		settle_attached_profile(p);
		return 0;
	}
	if (o->profile_of_folder && !o->isolated && !o->browser.start.user_data_dir && !o->storage_state_path && !o->storage_state)
		settle_profile_of_folder(o, env);
	o->sessions.persistent = o->browser.start.user_data_dir;
	return 0;
}

/* Every page and user of this machine could take the browser over by another port. */
static int settle_debugging_ports(struct parser *p)
{
	struct options *o = p->options;
	size_t count = 0, left = 0;
	const char **args;

	if (!o->browser.start.args)
		return 0;
	while (o->browser.start.args[count])
		count++;
	args = arena_alloc(&o->arena, (count + 1) * sizeof(*args));
	for (size_t i = 0; i < count; i++) {
		const char *arg = o->browser.start.args[i];

		if (!starts_with(arg, "--remote-debugging-") && !starts_with(arg, "--marionette")) { /* a port of Firefox */
			args[left++] = arg;
		} else if (o->ignores_debugging_ports) {
			log_warning(
				"browser.launchOptions.args: %s is ignored: every page and user of this machine could take the browser "
				"over by a debugging port. For two clients of one browser, start the browser yourself, with the port, "
				"and connect both (--cdp-endpoint)",
				arg);
		} else {
			str_appendf(
				p->error,
				"--browser-arg and browser.launchOptions.args: %s is not possible: every page and user of this machine "
				"could take the browser over. Start the browser yourself and use --cdp-endpoint instead",
				arg);
			return -EINVAL;
		}
	}
	args[left] = NULL;
	o->browser.start.args = args;
	return 0;
}

static void settle_memory(struct options *o)
{
	if (o->sessions.max_memory < 0)
		o->sessions.max_memory = (int)MIN(memory_share(machine_memory("").bytes) >> 20, (uint64_t)INT_MAX);
}

static int settle_browser(struct parser *p, char *const env[])
{
	const char *x11 = environment_get(env, "DISPLAY"), *wayland = environment_get(env, "WAYLAND_DISPLAY");
	bool display = (x11 && *x11) || (wayland && *wayland);
	struct options *o = p->options;
	int r;

	o->browser.start.headless = o->headless == HEADLESS || (o->headless == HEADLESS_WITHOUT_DISPLAY && !display);
	o->headless = o->browser.start.headless ? HEADLESS : HEADED;
	if (o->browser.start.product == BROWSER_MOZ_FIREFOX)
		o->browser.start.product = BROWSER_FIREFOX;
	o->browser.page.follows_0_0_84 = o->http.own_addresses = o->answers.compat >= COMPAT_0_0_84;
	o->browser.page.files = o->output.unrestricted;
	option_settle_proxy(o);
	r = settle_device(p);
	if (r == 0)
		r = option_check_features(p);
	if (r == 0)
		r = settle_debugging_ports(p);
	return r < 0 ? r : settle_profile(p, env);
}

/* ---- where pages may connect ---- */

/* The proxies of sessions support upstream proxies with http and socks5, without exceptions and credentials. */
static void settle_upstream(struct options *o)
{
	const char *proxy = o->browser.start.proxy_server;

	o->egress.upstream_unusable =
		proxy && (o->browser.start.proxy_bypass || o->browser.page.proxy_username || !upstream_parse(proxy, &o->upstream));
	o->egress.upstream = proxy && !o->egress.upstream_unusable ? &o->upstream : NULL;
}

static int settle_rules(struct parser *p, const char *const *items, const char *option, struct egress_rules **ret)
{
	int r = items ? egress_rules_new(items, ret, p->error) : 0;

	if (r < 0)
		str_prepend(p->error, option, strlen(option));
	return r;
}

#define NOT_LISTED "it is not among the hosts that the operator allows (--egress-hosts, ALLOWED_HOSTS)"
#define NOT_OWN \
	"only the session's own server and the public Internet are reached; the operator can name more with --egress-hosts or --egress"

/* Without other rules, sessions with a dev server may reach that server and the public Internet. */
static int settle_dev_servers(struct parser *p)
{
	struct options *o = p->options;
	int r = settle_rules(p, o->egress_hosts, "--egress-hosts: ", &o->rules[1]);

	if (r == 0 && !o->egress_hosts && !egress_rules_restrict(o->rules[0]))
		r = egress_rules_parse("public", &o->rules[1], p->error);
	o->e2e.egress = o->rules[1];
	o->e2e.egress_why = o->egress_hosts ? NOT_LISTED : NOT_OWN;
	return r;
}

static int settle_egress(struct parser *p)
{
	struct options *o = p->options;
	int r;

	r = settle_rules(p, o->egress_rules, "--egress: ", &o->rules[0]);
	if (r < 0)
		return r;
	o->egress.rules = o->rules[0];
	o->browser.page.allowed_origins = o->egress.allowed_origins;
	o->browser.page.blocked_origins = o->egress.blocked_origins;
	o->browser.start.proxied_webrtc =
		options_dev_servers(o) || o->egress_rules || o->egress.allowed_origins || o->egress.blocked_origins;
	settle_upstream(o);
	r = settle_dev_servers(p);
	if (r < 0 || !o->egress.upstream_unusable || !egress_settings_restrict(&o->egress))
		return r;
	str_appendf(p->error,
		    "%s cannot be used with --egress, --allowed-origins and --blocked-origins: connections that these allow "
		    "go through http:// and socks5:// proxies without a user name, for all hosts",
		    o->browser.start.proxy_bypass ? "--proxy-bypass" : "--proxy-server of this kind");
	return -EINVAL;
}

/* ---- a browser that runs already ---- */

/* What only the start of a browser, or its proxies on this machine, can provide; what is asked for and cannot be had stops the start. */
static const char *combined_in_vain(const struct options *o)
{
	if (o->device || o->mobile)
		return "Device emulation is not supported with cdpEndpoint. Leave --device and --mobile out";
	if (o->browser.start.proxy_server || o->browser.start.proxy_bypass)
		return "--proxy-server and --proxy-bypass cannot be used with --cdp-endpoint: a browser gets its proxy when it is "
		       "started. Start it with that proxy and leave the options out";
	if (o->egress_rules || o->egress_hosts || o->egress.allowed_origins || o->egress.blocked_origins)
		return "--egress, --egress-hosts, --allowed-origins and --blocked-origins cannot be used with --cdp-endpoint: they are "
		       "enforced by proxies that the server's own browser uses. Leave --cdp-endpoint or them out";
	if (options_dev_servers(o))
		return "--caps e2e cannot be used with --cdp-endpoint: its sessions are confined by proxies that the server's own "
		       "browser uses. Leave one of them out";
	return NULL;
}

/* The number of addresses; with a template among them, each session has a connection of its own. */
static size_t settle_endpoints(struct options *o)
{
	size_t count = 0;

	for (; o->browser.endpoints && o->browser.endpoints[count]; count++)
		o->browser.per_session |= pool_is_template(o->browser.endpoints[count]);
	return count;
}

/* Why tabs cannot be lent; NULL: they can, or are not. */
static const char *lends_in_vain(const struct options *o, size_t addresses)
{
	if (!o->browser.lent_origins)
		return NULL;
	if (addresses != 1 || o->browser.per_session)
		return "--attach-tabs lends tabs of one running browser: give its address with --cdp-endpoint, such as chrome, and without "
		       "--cdp-per-session";
	if (o->keys.issuer)
		return "--attach-tabs cannot be used with --oauth-issuer: all users would share the tabs of one person. Leave one of them out";
	return NULL;
}

static int settle_endpoint(struct parser *p)
{
	struct options *o = p->options;
	const char *wrong = o->browser.endpoints ? combined_in_vain(o) : NULL;
	size_t length = 0, addresses = settle_endpoints(o);

	if (addresses > LIMIT_ENDPOINTS_COUNT)
		wrong = arena_printf(&o->arena, "--cdp-endpoint: there are %zu addresses, and %u are the most", addresses,
				     LIMIT_ENDPOINTS_COUNT);
	if (!wrong)
		wrong = lends_in_vain(o, addresses);
	if (!o->browser.endpoints && o->browser.per_session) {
		log_warning("--cdp-per-session has no effect without --cdp-endpoint");
		o->browser.per_session = false;
	}
	if (!o->browser.endpoints && o->browser.endpoint_fields)
		log_warning("--cdp-header has no effect without --cdp-endpoint");
	for (const char *const *field = o->browser.endpoint_fields; field && *field; field++)
		length += strlen(*field) + 4;
	if (length > LIMIT_ENDPOINT_FIELDS)
		wrong = "--cdp-header: all headers together are too long";
	if (!wrong)
		return 0;
	str_append(p->error, wrong);
	return -EINVAL;
}

/* ---- clients ---- */

#define HTTP_PORT 3000 /* the default */

/* Sockets of a service manager are served over HTTP, unless stdin and stdout are asked for. */
static int settle_sockets(struct parser *p, char *const env[])
{
	struct options *o = p->options;

	if (o->transport == TRANSPORT_STDIO || o->action != ACTION_SERVE)
		return 0;
	return service_take_sockets(o, env, p->error);
}

/* The variable PORT is read with --transport http only, because many environments set it for other programs. */
static int settle_transport(struct parser *p, char *const env[])
{
	const char *port = environment_get(env, "PORT");
	struct options *o = p->options;
	char *end;
	long n;

	if (o->transport == TRANSPORT_STDIO)
		o->http.port = -1;
	if (o->transport != TRANSPORT_HTTP || o->http.port >= 0)
		return 0;
	n = port && *port ? strtol(port, &end, 10) : HTTP_PORT;
	if (port && *port && (*end || n < 0 || n > 65535)) {
		str_appendf(p->error, "PORT is not a port number: \"%s\"; give a whole number from 0 to 65535", port);
		return -EINVAL;
	}
	o->http.port = (int)n;
	return 0;
}

/* A variable may be set for several servers, as in the image; who gives the option expects it to be used. */
static void warn_of_ports(const struct options *o)
{
	const char *origin = o->origins[option_find_key("server.host") - option_table];

	if (o->http.port < 0 && origin && starts_with(origin, "--"))
		log_warning("%s has no effect without --port: the server serves one client, on stdin and stdout", origin);
	if (o->http.port >= 0 && o->view_port >= 0)
		log_warning("--view-port has no effect with --port, where the live view is at /view");
}

/* Over HTTP, clients are not the operator, and do not know each other if their tokens name them. */
static void settle_clients(struct options *o)
{
	bool http = o->http.port >= 0;

	o->http.issuer = o->keys.issuer;
	o->sessions.node = o->http.node;
	/* With windows over stdio, the clipboard is that of the person who sees them. */
	o->browser.page.own_clipboards = http || (o->browser.start.headless && !o->browser.endpoints);
	o->browser.page.releases_pointer = o->browser.start.headless && !o->browser.endpoints;
	o->sessions.shared = o->observers.shared = o->keys.issuer;
	o->sessions.one_for_all = o->http.one_owner && http;
	o->e2e.listed_only = http;
	o->observers.listed_only = http || o->browser.lent_origins;
	o->answers.writer = o->answers.form == ANSWERS_COMPACT ? &compact_writer : &markdown_writer;
	if (o->answers.links == LINKS_AUTO)
		o->answers.links = http ? LINKS_ADD : LINKS_NONE;
	if (o->sink.path)
		o->sink.path += strlen(OPTION_SINK_FILE);
}

/* PW_LANG_NAME: the variant of Playwright that starts the server, whose language the code should have. */
static void settle_language(struct options *o, char *const env[])
{
	static const char *const variants[] = { [CODE_PYTHON] = "python", [CODE_JAVA] = "java", [CODE_CSHARP] = "csharp" };
	const char *name = environment_get(env, "PW_LANG_NAME");
	bool given = o->origins[option_find_key("codegen") - option_table];

	for (size_t i = 0; name && !given && i < ARRAY_SIZE(variants); i++)
		if (variants[i] && !strcmp(variants[i], name))
			o->answers.code = (int)i;
	if (o->answers.form == ANSWERS_COMPACT && !given) /* an agent that wants code asks for it */
		o->answers.code = CODE_NONE;
}

/* Clients that ask for no time limit get one that no call of a person or an agent reaches, so that none stays for ever. */
static void settle_timeouts(struct timeouts *timeouts)
{
	if (!timeouts->action)
		timeouts->action = LIMIT_CALL_TIMEOUT;
	if (!timeouts->navigation)
		timeouts->navigation = LIMIT_CALL_TIMEOUT;
	if (!timeouts->expect)
		timeouts->expect = LIMIT_CALL_TIMEOUT;
}

static void settle_recordings(struct options *o)
{
	if (o->record)
		record_kinds(o->record, &o->recordings.kinds);
	o->recordings.keep = option_age(o->record_keep) * USEC_PER_SEC;
}

static void warn_of_capabilities(const struct options *o)
{
	if (o->vision)
		log_warning("The --vision option is deprecated, use --caps=vision instead");
	for (const char *const *cap = o->caps; cap && *cap; cap++)
		if (!capability_find(*cap) || capability_find(*cap)->options_only)
			log_warning("--caps: unknown capability \"%.64s\" is ignored", *cap);
}

/* Pages register tools only where clients may have them. */
static int settle_tools(struct parser *p)
{
	p->options->browser.start.no_webmcp = !tool_list_has_page_tools(p->options);
	return tool_list_check(p->options, p->profile, p->error);
}

/* It has the settings of the first one, but for what names a program, a profile or an address. */
static void settle_second_browser(struct options *o)
{
	o->second = o->browser;
	o->second.start.product = o->second_browser == SECOND_FIREFOX ? BROWSER_FIREFOX : BROWSER_CHROMIUM;
	o->second.start.executable = o->second.start.user_data_dir = NULL;
	o->second.start.args = o->second.start.without_args = NULL;
	if (o->second_browser == SECOND_FIREFOX && o->second.start.connection == CONNECTION_PIPE) /* which it does not have */
		o->second.start.connection = CONNECTION_AUTO;
	o->second.profile_prefix = NULL;
	o->second.endpoints = NULL;
	o->second.per_session = false;
}

static int check_second_browser(struct parser *p)
{
	const struct options *o = p->options;
	bool is_firefox = o->browser.start.product == BROWSER_FIREFOX;

	if (!o->second_browser || is_firefox == (o->second_browser == SECOND_CHROMIUM))
		return 0;
	str_appendf(p->error, "--second-browser: the first browser has the engine %s already; name the other one, or leave it out",
		    engine_name(&o->browser.start));
	return -EINVAL;
}

int options_settle(struct parser *p, char *const env[])
{
	int r = settle_endpoint(p);

	if (r == 0)
		r = check_second_browser(p);
	if (r == 0)
		r = check_store(p);
	if (r == 0)
		r = settle_browser(p, env);
	if (r == 0)
		r = settle_egress(p);
	if (r < 0)
		return r;
	if (p->options->isolated) /* as in the reference, whose isolated clients share nothing */
		p->options->http.one_owner = false;
	if (p->options->http.one_owner && p->options->keys.issuer) {
		str_append(p->error, "--shared-browser-context and --oauth-issuer exclude each other: tokens keep clients apart");
		return -EINVAL;
	}
	settle_memory(p->options);
	settle_timeouts(&p->options->timeouts);
	settle_recordings(p->options);
	if (!p->options->browser.timeout_launch)
		p->options->browser.timeout_launch = LIMIT_CALL_TIMEOUT;
	settle_language(p->options, env);
	warn_of_capabilities(p->options);
	r = settle_tools(p);
	if (r == 0)
		r = settle_sockets(p, env);
	if (r == 0)
		r = settle_transport(p, env);
	if (r == 0)
		r = option_settle_states(p, env);
	if (r < 0)
		return r;
	settle_second_browser(p->options);
	settle_clients(p->options);
	warn_of_ports(p->options);
	return option_load_files(p);
}
