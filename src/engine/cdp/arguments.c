#include "engine/cdp/arguments.h"

#include <string.h>
#include <sys/statvfs.h>

#include "base/str.h"

#define SHM_ENOUGH (512ull << 20) /* below this, shared memory goes to files in the profile's temporary folder */

#define PIPE_ARG "--remote-debugging-pipe"
#define PORT_ARG "--remote-debugging-port=0"
#define UNWANTED_FEATURES \
	"Translate,MediaRouter,DialMediaRouteProvider,GlobalMediaControls,LensOverlay,AimEnabled,OptimizationHints," \
	"NetworkTimeServiceQuerying,HttpsUpgrades,AcceptCHFrame,BlockOriginHeaderModificationOnRedirect," \
	"DestroyProfileOnBrowserClose,PaintHolding,msForceBrowserSignIn"

/* What every automation needs: quiet, no services of the maker, nothing that throttles pages that are not in front. */
static const char *const common_args[] = {
	"--no-first-run",
	"--no-default-browser-check",
	"--no-service-autorun",
	"--disable-field-trial-config", /* features are those of the version, not of an experiment */
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
	"--disable-default-apps",
	"--disable-component-extensions-with-background-pages",
	"--disable-back-forward-cache", /* a page that was left ends, with its memory */
	"--disable-infobars",           /* they would make the page smaller */
	"--disable-client-side-phishing-detection",
	"--disable-breakpad",
	"--disable-crash-reporter",
	"--disable-popup-blocking",
	"--disable-prompt-on-repost",
	"--disable-hang-monitor",
	"--disable-renderer-backgrounding",
	"--disable-backgrounding-occluded-windows",
	"--disable-ipc-flooding-protection",
	"--disable-search-engine-choice-screen",
	"--disable-blink-features=AutomationControlled", /* navigator.webdriver is false */
	("--disable-features=" UNWANTED_FEATURES),
	"--allow-pre-commit-input", /* input right after a navigation is not dropped */
	"--force-color-profile=srgb",
	"--metrics-recording-only",
	"--password-store=basic",
	"--use-mock-keychain",
	"--mute-audio",
	"--enable-unsafe-swiftshader",       /* WebGL where there is no graphics card, without a warning in each page's console */
	"--disable-gpu-process-crash-limit", /* the sixth end of that process would be that of the browser; gpu_limit.h ends it */
};

/* Hints of pages would have names looked up by the machine's own resolver, past every proxy. */
#define NO_DNS_HINTS "dnsPrefetchingEnabled=false"

static const char *const headless_args[] = {
	"--headless",
	"--hide-scrollbars",
	/* A mouse that can hover, which a machine without one would not report. */
	"--blink-settings=" NO_DNS_HINTS ",primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
};

static const char *const headed_args[] = {
	"--blink-settings=" NO_DNS_HINTS,
};

static bool is_left_out(const struct engine_options *o, const char *arg)
{
	for (const char *const *left_out = o->without_args; left_out && *left_out; left_out++)
		if (strcmp(*left_out, arg) == 0)
			return true;
	return false;
}

/* The usual arguments but for those that the options leave out. */
static void args_add_usual(struct arguments *a, const struct engine_options *o, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!o->without_usual_args && !is_left_out(o, list[i]))
			arguments_add(a, list[i]);
}

static bool shm_is_small(void)
{
	struct statvfs v;

	return statvfs("/dev/shm", &v) < 0 || (unsigned long long)v.f_bavail * v.f_frsize < SHM_ENOUGH;
}

/*
 * Those that the user has installed belong to the profile. Where it is limited where sessions may connect, none is loaded: an extension
 * may change the browser's proxy.
 */
static void add_extensions(struct arguments *a, const struct engine_options *o)
{
	static const char *const none[] = { "--disable-extensions" };

	if (!o->user_data_dir || o->proxied_webrtc)
		args_add_usual(a, o, none, ARRAY_SIZE(none));
}

#define ENABLED_FEATURES "--enable-features="

/* Chromium reads only the last list of features, so the features of the operator and the own ones share one list. */
static void add_features(struct arguments *a, const struct engine_options *o)
{
	const char *features = "";

	for (const char *const *arg = o->args; arg && *arg; arg++)
		if (!strncmp(*arg, ENABLED_FEATURES, strlen(ENABLED_FEATURES)))
			features = *arg + strlen(ENABLED_FEATURES);
	if (!o->no_webmcp)
		arguments_add(a, arena_printf(&a->arena, ENABLED_FEATURES "%s%sWebMCP", features, *features ? "," : ""));
}

/* Whether the list of hosts that are reached without the proxy has a name of this machine. */
static bool names_loopback(const char *list)
{
	static const char *const names[] = { "localhost", "127.0.0.1", "::1", "[::]", "[::1]", "<loopback>", "<-loopback>" };
	size_t len;

	for (const char *host = list; *host; host += len) {
		host += strspn(host, ",; ");
		len = strcspn(host, ",; ");
		for (size_t i = 0; i < ARRAY_SIZE(names); i++)
			if (len == strlen(names[i]) && strncmp(host, names[i], len) == 0)
				return true;
	}
	return false;
}

/* Chromium reaches this machine without the proxy unless "<-loopback>" is in the list of exceptions. */
static void add_proxy(struct arguments *a, const struct engine_options *o)
{
	const char *bypass = o->proxy_bypass ? o->proxy_bypass : "";
	const char *loopback = o->proxies_loopback && !names_loopback(bypass) ? ";<-loopback>" : "";

	arguments_add(a, arena_printf(&a->arena, "--proxy-server=%s", o->proxy_server));
	if (*bypass || *loopback)
		arguments_add(a, arena_printf(&a->arena, "--proxy-bypass-list=%s%s", bypass, loopback));
}

void arguments_build(struct arguments *a, const struct engine_options *o, const struct engine_choice *choice, const char *profile)
{
	arguments_add(a, choice->program);
	arguments_add(a, o->connection == CONNECTION_PORT ? PORT_ARG : PIPE_ARG);
	args_add_usual(a, o, common_args, ARRAY_SIZE(common_args));
	add_extensions(a, o);
	if (o->headless)
		args_add_usual(a, o, headless_args, ARRAY_SIZE(headless_args));
	else
		args_add_usual(a, o, headed_args, ARRAY_SIZE(headed_args));
	arguments_add(a, arena_printf(&a->arena, "--user-data-dir=%s", profile));
	if (o->width > 0)
		arguments_add(a, arena_printf(&a->arena, "--window-size=%d,%d", o->width, o->height));
	if (choice->no_sandbox)
		arguments_add(a, "--no-sandbox");
	if (shm_is_small())
		arguments_add(a, "--disable-dev-shm-usage");
	if (o->proxy_server)
		add_proxy(a, o);
	if (o->proxied_webrtc)
		arguments_add(a, "--force-webrtc-ip-handling-policy=disable_non_proxied_udp");
	for (const char *const *arg = o->args; arg && *arg; arg++)
		arguments_add(a, *arg);
	add_features(a, o);
	if (!choice->headless_shell)
		arguments_add(a, "--no-startup-window");
	arguments_add(a, NULL);
}
