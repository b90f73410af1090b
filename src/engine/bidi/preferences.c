#include "engine/bidi/preferences.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/macros.h"
#include "base/str.h"

#define MARK "// Written by browserd at each start: changes are lost.\n"
#define FILE_MAX (1u << 20)

struct preference {
	const char *name, *value; /* the value as JavaScript */
};

/* clang-format off */
static const struct preference usual_table[] = {
	/* Firefox itself sends nothing: no updates, experiments, lists, reports or probes of the network. */
	{ "app.normandy.api_url", "''" },
	{ "app.normandy.enabled", "false" },
	{ "app.update.auto", "false" },
	{ "app.update.checkInstallTime", "false" },
	{ "app.update.disabledForTesting", "true" },
	{ "app.update.enabled", "false" },
	{ "apz.content_response_timeout", "60000" },
	{ "browser.chrome.site_icons", "false" },
	{ "browser.contentblocking.introCount", "99" },
	{ "browser.discovery.enabled", "false" },
	{ "browser.ml.enable", "false" },
	{ "browser.newtabpage.activity-stream.feeds.system.topstories", "false" },
	{ "browser.newtabpage.activity-stream.feeds.topsites", "false" },
	{ "browser.newtabpage.activity-stream.telemetry", "false" },
	{ "browser.ping-centre.telemetry", "false" },
	{ "browser.region.network.url", "''" },
	{ "browser.region.update.enabled", "false" },
	{ "browser.safebrowsing.blockedURIs.enabled", "false" },
	{ "browser.safebrowsing.downloads.enabled", "false" },
	{ "browser.safebrowsing.malware.enabled", "false" },
	{ "browser.safebrowsing.phishing.enabled", "false" },
	{ "browser.safebrowsing.provider.mozilla.updateURL", "''" },
	{ "browser.search.geoSpecificDefaults", "false" },
	{ "browser.search.update", "false" },
	{ "browser.topsites.contile.enabled", "false" },
	{ "datareporting.healthreport.uploadEnabled", "false" },
	{ "datareporting.policy.dataSubmissionEnabled", "false" },
	{ "datareporting.policy.dataSubmissionPolicyBypassNotification", "true" },
	{ "datareporting.usage.uploadEnabled", "false" },
	{ "dom.push.connection.enabled", "false" },
	{ "extensions.blocklist.enabled", "false" },
	{ "extensions.getAddons.cache.enabled", "false" },
	{ "extensions.systemAddon.update.enabled", "false" },
	{ "extensions.update.enabled", "false" },
	{ "geo.wifi.scan", "false" },
	{ "media.gmp-manager.updateEnabled", "false" },
	{ "media.gmp-manager.url", "''" },
	{ "messaging-system.rsexperimentloader.enabled", "false" },
	{ "network.captive-portal-service.enabled", "false" },
	{ "network.connectivity-service.enabled", "false" },
	{ "network.manage-offline-status", "false" },
	{ "network.sntp.pools", "''" },
	{ "nimbus.rollouts.enabled", "false" },
	{ "security.certerrors.mitm.priming.enabled", "false" },
	{ "services.settings.server", "'data:,#remote-settings-dummy/v1'" },
	{ "toolkit.telemetry.enabled", "false" },
	{ "toolkit.telemetry.server", "''" },
	{ "toolkit.telemetry.unified", "false" },
	/* No start pages, welcomes or questions. */
	{ "browser.aboutwelcome.enabled", "false" },
	{ "browser.bookmarks.restore_default_bookmarks", "false" },
	{ "browser.newtabpage.enabled", "false" },
	{ "browser.rights.3.shown", "true" },
	{ "browser.sessionstore.resume_from_crash", "false" },
	{ "browser.shell.checkDefaultBrowser", "false" },
	{ "browser.startup.blankWindow", "false" },
	{ "browser.startup.homepage", "'about:blank'" },
	{ "browser.startup.homepage_override.mstone", "'ignore'" },
	{ "browser.startup.page", "0" },
	{ "browser.startup.preXulSkeletonUI", "false" },
	{ "browser.tabs.closeWindowWithLastTab", "false" },
	{ "browser.tabs.warnOnClose", "false" },
	{ "browser.uitour.enabled", "false" },
	{ "browser.warnOnQuit", "false" },
	{ "startup.homepage_welcome_url", "'about:blank'" },
	{ "startup.homepage_welcome_url.additional", "''" },
	{ "termsofuse.bypassNotification", "true" },
	{ "toolkit.cosmeticAnimations.enabled", "false" },
	{ "toolkit.startup.max_resumed_crashes", "-1" },
	/* Nothing covers pages or asks in their place. */
	{ "browser.ml.chat.page", "false" }, /* any of these four makes Firefox set a timer in the page at each click */
	{ "browser.ml.chat.provider", "''" },
	{ "browser.ml.chat.shortcuts", "false" },
	{ "browser.ml.chat.shortcuts.smartwindow", "false" },
	{ "browser.translations.automaticallyPopup", "false" },
	{ "browser.translations.enable", "false" },
	{ "privacy.webrtc.legacyGlobalIndicator", "false" },
	{ "signon.autofillForms", "false" },
	{ "signon.rememberSignons", "false" },
	/* No requests that nobody asked for; names are looked up by the system, or by the proxy. */
	{ "browser.urlbar.speculativeConnect.enabled", "false" },
	{ "network.dns.disablePrefetch", "true" },
	{ "network.dns.disablePrefetchFromHTTPS", "true" },
	{ "network.dns.upgrade_with_https_rr", "false" },
	{ "network.dns.use_https_rr_as_altsvc", "false" },
	{ "network.http.speculative-parallel-limit", "0" },
	{ "network.predictor.enabled", "false" },
	{ "network.prefetch-next", "false" },
	{ "network.trr.mode", "5" },
	/* What is not granted is denied: nobody would answer the question. */
	{ "permissions.default.camera", "2" },
	{ "permissions.default.desktop-notification", "2" },
	{ "permissions.default.geo", "2" },
	{ "permissions.default.microphone", "2" },
	{ "permissions.default.xr", "2" },
	{ "permissions.memory_only", "true" }, /* what is granted ends with the browser, also where it has a profile */
	/* Pages that compute long are slow, not broken. */
	{ "dom.ipc.reportProcessHangs", "false" },
	{ "dom.max_chrome_script_run_time", "0" },
	{ "dom.max_script_run_time", "0" },
	{ "hangmonitor.timeout", "0" },
	/* Tabs that are not in front work as if they were. */
	{ "dom.min_background_timeout_value", "0" },
	{ "dom.min_background_timeout_value_without_budget_throttling", "0" },
	{ "dom.timeout.enable_budget_timer_throttling", "false" },
	{ "focusmanager.testmode", "true" },
	{ "layout.testing.top-level-always-active", "true" },
	/* Windows that a page opens are for the agent to judge. */
	{ "dom.disable_open_during_load", "false" },
	{ "dom.popup_allowed_events", "'change click dblclick mouseup notificationclick reset submit touchend'" },
	/* Files are given to pages by commands. */
	{ "dom.file.createInChild", "true" },
	{ "remote.bidi.dismiss_file_pickers.enabled", "true" },
	/* Pages are as their servers made them. */
	{ "browser.contentblocking.features.standard", "'-tp,tpPrivate,cookieBehavior0,-cryptoTP,-fp'" },
	{ "dom.security.https_first", "false" },
	{ "network.cookie.cookieBehavior", "4" },
	{ "privacy.trackingprotection.enabled", "false" },
	{ "privacy.trackingprotection.pbmode.enabled", "false" },
	{ "security.mixed_content.upgrade_display_content", "false" },
	/* A page that was left ends, with its memory. */
	{ "browser.sessionhistory.max_total_viewers", "0" },
	/* A scroll is done when it was asked for. */
	{ "general.smoothScroll", "false" },
	/* Sound would go to the speakers of the machine. */
	{ "media.volume_scale", "'0.0'" },
	/* Dictionaries and add-ons are those of the profile. */
	{ "extensions.autoDisableScopes", "0" },
	{ "extensions.enabledScopes", "5" },
	{ "extensions.installDistroAddons", "false" },
};

/* Where there is no screen, pages have their full width, as in Chromium: a scroll bar takes none, and is not in pictures. */
static const struct preference headless_table[] = {
	{ "ui.useOverlayScrollbars", "1" },
};

/* What the rules for connections rest on: written last, so that nothing replaces it. */
static const struct preference proxy_table[] = {
	{ "network.proxy.allow_bypass", "false" },
	{ "network.proxy.allow_hijacking_localhost", "true" }, /* proxies of contexts get the requests for this machine, too */
	{ "network.proxy.failover_direct", "false" },
};

/* Where only a proxy may be connected to, nothing goes by UDP, past it. */
static const struct preference confined_table[] = {
	{ "media.peerconnection.enabled", "false" },
	{ "network.http.http3.enable", "false" },
	{ "network.webtransport.enabled", "false" },
};
/* clang-format on */

static void print_table(const struct preference *table, size_t count, struct str *out)
{
	for (size_t i = 0; i < count; i++)
		str_appendf(out, "user_pref('%s', %s);\n", table[i].name, table[i].value);
}

static void print_text(const char *name, const char *value, struct str *out)
{
	str_appendf(out, "user_pref('%s', ", name);
	str_append_quoted(out, value, strlen(value));
	str_append(out, ");\n");
}

/* Of the operator; options_is_preferences() has made sure that they are scalars. */
static void print_given(const struct json *preferences, struct str *out)
{
	json_foreach(p, preferences) {
		str_append(out, "user_pref(");
		str_append_quoted(out, json_name(p), strlen(json_name(p)));
		str_append(out, ", ");
		json_print(out, p);
		str_append(out, ");\n");
	}
}

/* ---- the proxy of the whole browser ---- */

static const char *const loopback_hosts[] = { "localhost", "127.0.0.1", "[::1]" };

/* Chromium's list of hosts as Firefox writes it: commas between them, ".example.com" for "*.example.com". */
static void print_bypass(const struct engine_options *o, struct str *out)
{
	const char *host = o->proxy_bypass ? o->proxy_bypass : "";
	_cleanup_(str_done) struct str list = {};
	size_t len;

	for (; *host; host += len) {
		host += strspn(host, ",; ");
		len = strcspn(host, ",; ");
		if (len == 0 || starts_with(host, "<-loopback>"))
			continue;
		str_append(&list, list.len ? "," : "");
		str_append_len(&list, starts_with(host, "*.") ? host + 1 : host, starts_with(host, "*.") ? len - 1 : len);
	}
	for (size_t i = 0; !o->proxies_loopback && i < ARRAY_SIZE(loopback_hosts); i++)
		str_appendf(&list, "%s%s", list.len ? "," : "", loopback_hosts[i]);
	print_text("network.proxy.no_proxies_on", str_text(&list), out);
}

struct server {
	const char *host;
	size_t host_len;
	int port;
};

/* "HOST[:PORT]", without the brackets of a numeric address. */
static struct server split_server(const char *address, int usual_port)
{
	bool is_bracketed = *address == '[';
	struct server s = { .host = address + is_bracketed,
			    .host_len = strcspn(address + is_bracketed, is_bracketed ? "]" : ":/") };
	const char *colon = strchr(s.host + s.host_len, ':');

	s.port = colon ? atoi(colon + 1) : usual_port;
	return s;
}

static void print_server(const char *kind, struct server s, struct str *out)
{
	_cleanup_(str_done) struct str name = {}, host = {};

	str_appendf(&name, "network.proxy.%s", kind);
	str_append_len(&host, s.host, s.host_len);
	print_text(name.data, str_text(&host), out);
	str_appendf(out, "user_pref('%s_port', %d);\n", name.data, s.port);
}

/* A proxy that is spoken to over TLS has no preference of its own, only a word in a script. */
static void print_tls_proxy(struct server s, struct str *out)
{
	_cleanup_(str_done) struct str script = {};
	bool is_numeric = memchr(s.host, ':', s.host_len);

	str_appendf(&script, "data:text/javascript,function FindProxyForURL(){return 'HTTPS %s%.*s%s:%d'}", is_numeric ? "[" : "",
		    (int)s.host_len, s.host, is_numeric ? "]" : "", s.port);
	print_text("network.proxy.autoconfig_url", script.data, out);
}

static void print_proxy(const struct engine_options *o, struct str *out)
{
	const char *address = strstr(o->proxy_server, "://");
	size_t scheme = address ? (size_t)(address - o->proxy_server) : 0;
	bool is_tls = scheme == 5 && starts_with(o->proxy_server, "https"), is_socks = starts_with(o->proxy_server, "socks");
	struct server s = split_server(address ? address + 3 : o->proxy_server, is_tls ? 443 : is_socks ? 1080 : 80);

	str_appendf(out, "user_pref('network.proxy.type', %d);\n", is_tls ? 2 : 1);
	if (is_tls) {
		print_tls_proxy(s, out);
	} else if (is_socks) {
		print_server("socks", s, out);
		str_appendf(out, "user_pref('network.proxy.socks_version', %d);\n", starts_with(o->proxy_server, "socks4") ? 4 : 5);
		str_append(out, "user_pref('network.proxy.socks_remote_dns', true);\n");
	} else {
		print_server("http", s, out);
		print_server("ssl", s, out);
	}
	print_bypass(o, out);
}

void preferences_print(const struct engine_options *o, struct str *out)
{
	str_append(out, MARK);
	if (!o->without_usual_args) {
		print_table(usual_table, ARRAY_SIZE(usual_table), out);
		if (o->headless)
			print_table(headless_table, ARRAY_SIZE(headless_table), out);
	}
	str_append(out, "user_pref('network.proxy.type', 0);\n"); /* not that of the system */
	print_given(o->preferences, out);
	print_table(proxy_table, ARRAY_SIZE(proxy_table), out);
	if (o->proxy_server)
		print_proxy(o, out);
	if (o->proxied_webrtc)
		print_table(confined_table, ARRAY_SIZE(confined_table), out);
}

/* ---- the file ---- */

/* Whether there is none, or one that this program has written. */
static bool is_own_file(const char *path)
{
	_cleanup_(str_done) struct str text = {};
	int r = file_read(path, FILE_MAX, &text);

	return r == -ENOENT || (r == 0 && starts_with(str_text(&text), MARK));
}

/* Moved into place: a browser that starts never reads a part of it. */
static int preferences_replace(const char *path, const struct str *text)
{
	_cleanup_(str_done) struct str new = {};
	int fd, r;

	str_appendf(&new, "%s.browserd", path);
	unlink(new.data);
	fd = open(new.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return -errno;
	r = file_write_all(fd, text->data, text->len);
	close(fd);
	if (r == 0 && rename(new.data, path) < 0)
		r = -errno;
	if (r < 0)
		unlink(new.data);
	return r;
}

int preferences_write(const char *profile, const struct engine_options *o, struct str *error)
{
	_cleanup_(str_done) struct str path = {}, text = {};
	int r = -EEXIST;

	str_appendf(&path, "%s/user.js", profile);
	if (!is_own_file(path.data)) {
		str_appendf(
			error,
			"Failed to launch Firefox: the profile folder %s has a file user.js of its own, in whose place preferences of this "
			"program would be. Move what it sets to browser.launchOptions.firefoxUserPrefs of a config file, or name another "
			"folder with %s",
			profile, o->names.user_data_dir);
		return r;
	}
	preferences_print(o, &text);
	r = preferences_replace(path.data, &text);
	if (r < 0)
		str_appendf(error, "Failed to launch Firefox: cannot write %s: %s", path.data, strerror(-r));
	return r;
}
