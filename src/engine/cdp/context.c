#include "engine/context.h"

#include <string.h>

#include "base/error.h"
#include "base/str.h"
#include "engine/cdp/cdp.h"

/* CDP's names of permissions. */
static const struct {
	const char *name, *cdp;
} permission_table[] = {
	{ "accelerometer", "sensors" },
	{ "ambient-light-sensor", "sensors" },
	{ "background-sync", "backgroundSync" },
	{ "camera", "videoCapture" },
	{ "clipboard-read", "clipboardReadWrite" },
	{ "clipboard-write", "clipboardSanitizedWrite" },
	{ "geolocation", "geolocation" },
	{ "gyroscope", "sensors" },
	{ "local-fonts", "localFonts" },
	{ "magnetometer", "sensors" },
	{ "microphone", "audioCapture" },
	{ "midi", "midi" },
	{ "midi-sysex", "midiSysex" },
	{ "notifications", "notifications" },
	{ "payment-handler", "paymentHandler" },
	{ "storage-access", "storageAccess" },
};

/* A further member of parameters: the context, unless it is the browser's own, which has no id. */
static void append_context(struct str *out, const char *context)
{
	if (*context)
		str_json(out, ", browserContextId: ?", context);
}

void engine_create_context(struct task *t, struct engine_target *root, struct engine_call *call, const char *proxy,
			   bool ignores_certificates)
{
	if (proxy)
		cdp_send(t, root, call, "Target.createBrowserContext",
			 "{disposeOnDetach: true, proxyServer: ?, proxyBypassList: '<-loopback>'}", proxy);
	else
		cdp_send(t, root, call, "Target.createBrowserContext", "{disposeOnDetach: true}");
}

int engine_created_context(struct task *t, const struct engine_call *call, const char **ret)
{
	*ret = json_str(cdp_call_result(call), "browserContextId");
	if (engine_id_is_valid(*ret))
		return 0;
	if (t)
		return task_fail(
			t, -ERR_BROWSER_ERROR,
			"the browser's reply to Target.createBrowserContext has no valid browserContextId; use another browser");
	return -ERR_BROWSER_ERROR;
}

void engine_dispose_context(struct engine_target *root, const char *context)
{
	cdp_post(root, "Target.disposeBrowserContext", "{browserContextId: ?}", context);
}

int engine_open_page(struct task *t, struct engine_target *root, const char *context, const char **ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	_cleanup_(str_done) struct str more = {};
	int r;

	append_context(&more, context);
	r = cdp_call(t, root, &reply, "Target.createTarget", "{url: 'about:blank' ?}", JSON_RAW(str_text(&more)));
	if (r < 0)
		return r;
	if (!engine_id_is_valid(json_str(reply, "result.targetId")))
		return task_fail(t, -ERR_BROWSER_ERROR, "the browser's reply to Target.createTarget has no valid targetId");
	*ret = arena_printf(task_arena(t), "%s", json_str(reply, "result.targetId"));
	return 0;
}

/* ---- downloads ---- */

/* Events are enabled although downloads are refused: otherwise the browser would stop sending those of other contexts. */
void engine_save_downloads(struct engine_target *root, const char *context, const char *directory)
{
	_cleanup_(str_done) struct str more = {};

	if (directory)
		str_json(&more, ", downloadPath: ?", directory);
	append_context(&more, context);
	cdp_post(root, "Browser.setDownloadBehavior", "{behavior: ?, eventsEnabled: true ?}", directory ? "allowAndName" : "deny",
		 JSON_RAW(str_text(&more)));
}

void engine_cancel_download(struct engine_target *root, const char *context, const char *guid)
{
	_cleanup_(str_done) struct str more = {};

	append_context(&more, context);
	cdp_post(root, "Browser.cancelDownload", "{guid: ? ?}", guid, JSON_RAW(str_text(&more)));
}

/* ---- permissions ---- */

static const char *find_permission(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(permission_table); i++)
		if (strcmp(permission_table[i].name, name) == 0)
			return permission_table[i].cdp;
	return NULL;
}

void engine_grant(struct task *t, struct engine_target *root, struct engine_call *call, const char *context,
		  const char *const *permissions, const char *origin)
{
	_cleanup_(str_done) struct str list = {}, more = {};

	for (; *permissions; permissions++)
		str_json(&list, "? ?", JSON_COMMA(list.len), find_permission(*permissions));
	if (origin)
		str_json(&more, ", origin: ?", origin);
	append_context(&more, context);
	cdp_send_or_post(t, root, call, "Browser.grantPermissions", "{permissions: [?] ?}", JSON_RAW(str_text(&list)),
			 JSON_RAW(str_text(&more)));
}

void engine_ungrant(struct task *t, struct engine_target *root, struct engine_call *call, const char *context)
{
	if (*context)
		cdp_send_or_post(t, root, call, "Browser.resetPermissions", "{browserContextId: ?}", context);
	else
		cdp_send_or_post(t, root, call, "Browser.resetPermissions", "{}");
}

void engine_deny(struct engine_target *root, const char *context, const char *permission)
{
	_cleanup_(str_done) struct str more = {};

	append_context(&more, context);
	cdp_post(root, "Browser.setPermission", "{permission: {name: ?}, setting: 'denied' ?}", permission,
		 JSON_RAW(str_text(&more)));
}

/* ---- storage ---- */

void engine_clear_storage(struct engine_target *s, const char *origin)
{
	cdp_post(s, "Storage.clearDataForOrigin",
		 "{origin: ?, storageTypes: 'indexeddb,cache_storage,file_systems,service_workers'}", origin);
}
