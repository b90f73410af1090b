#include "engine/emulate.h"

#include <string.h>

#include "engine/cdp/cdp.h"

void engine_set_screen(struct engine_target *s, const struct screen *screen)
{
	cdp_post(s, "Emulation.setDeviceMetricsOverride",
		 "{width: ?, height: ?, deviceScaleFactor: ?, mobile: ?, screenWidth: ?, screenHeight: ?}", screen->width,
		 screen->height, screen->scale, screen->is_mobile, screen->screen_width, screen->screen_height);
}

void engine_enable_touch(struct engine_target *s)
{
	cdp_post(s, "Emulation.setTouchEmulationEnabled", "{enabled: true}");
}

void engine_set_focused(struct engine_target *s, bool on)
{
	cdp_post(s, "Emulation.setFocusEmulationEnabled", "{enabled: ?}", on);
}

bool engine_can_freeze(const struct engine_target *s)
{
	return true;
}

void engine_freeze(struct engine_target *s, bool on)
{
	cdp_post(s, "Page.setWebLifecycleState", "{state: ?}", on ? "frozen" : "active");
}

int engine_find_window(struct task *t, _borrowed_ struct engine_target *root, const char *target, int *ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	int r = cdp_call(t, root, &reply, "Browser.getWindowForTarget", "{targetId: ?}", target);

	*ret = (int)json_int(reply, "result.windowId", 0);
	return r;
}

void engine_restore_window(struct engine_target *root, int window)
{
	cdp_post(root, "Browser.setWindowBounds", "{windowId: ?, bounds: {windowState: 'minimized'}}", window);
	cdp_post(root, "Browser.setWindowBounds", "{windowId: ?, bounds: {windowState: 'normal'}}", window);
}

void engine_set_language(struct engine_target *s, const char *user_agent, const char *locale, const char *timezone)
{
	if (user_agent || locale)
		cdp_post(s, "Emulation.setUserAgentOverride", "{userAgent: ?, acceptLanguage: ?}", user_agent ? user_agent : "",
			 locale ? locale : "");
	if (locale)
		cdp_post(s, "Emulation.setLocaleOverride", "{locale: ?}", locale);
	if (timezone)
		cdp_post(s, "Emulation.setTimezoneOverride", "{timezoneId: ?}", timezone);
}

int engine_set_media(struct task *t, _borrowed_ struct engine_target *s, const char *type, const char *features)
{
	_cleanup_(str_done) struct str choice = {};

	str_json(&choice, "{features: ?", JSON_RAW(features));
	if (type)
		str_json(&choice, ", media: ?", type);
	str_append_char(&choice, '}');
	if (t)
		return cdp_call(t, s, NULL, "Emulation.setEmulatedMedia", "?", JSON_RAW(choice.data));
	cdp_post(s, "Emulation.setEmulatedMedia", "?", JSON_RAW(choice.data));
	return 0;
}

void engine_set_geolocation(struct engine_target *s, const struct geolocation *place)
{
	if (place)
		cdp_post(s, "Emulation.setGeolocationOverride", "{latitude: ?, longitude: ?, accuracy: ?}", place->latitude,
			 place->longitude, place->accuracy);
	else
		cdp_post(s, "Emulation.clearGeolocationOverride", "{}");
}

void engine_bypass_csp(struct engine_target *s)
{
	cdp_post(s, "Page.setBypassCSP", "{enabled: true}");
}

void engine_disable_scripts(struct engine_target *s)
{
	cdp_post(s, "Emulation.setScriptExecutionDisabled", "{value: true}");
}

/* Appends the members of a JSON object. */
static void append_members(struct str *out, const char *object)
{
	size_t inner = strlen(object) - strlen("{}");

	if (inner && out->len > 1)
		str_append_char(out, ',');
	str_append_len(out, object + 1, inner);
}

/* Of several with one name Chromium takes the last. */
void engine_set_headers(struct engine_target *s, const char *shared, const char *own)
{
	_cleanup_(str_done) struct str all = {};

	str_append_char(&all, '{');
	append_members(&all, shared);
	append_members(&all, own);
	str_append_char(&all, '}');
	cdp_post(s, "Network.setExtraHTTPHeaders", "{headers: ?}", JSON_RAW(all.data));
}

void engine_limit_storage(struct engine_target *s, const char *origin, uint64_t bytes)
{
	cdp_post(s, "Storage.overrideQuotaForOrigin", "{origin: ?, quotaSize: ?}", origin, (double)bytes);
}
