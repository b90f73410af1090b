#include "page/emulate.h"

#include <string.h>

#include "page/intercept.h"
#include "page/internal.h"
#include "page/options.h"
#include "scripts/scripts.h"

#define CHROME "Chrome/155.0.0.0"
#define WEBKIT " AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.6 Mobile/15E148 Safari/604.1"
#define IPHONE(os) "Mozilla/5.0 (iPhone; CPU iPhone OS " os " like Mac OS X)" WEBKIT
#define IPAD "Mozilla/5.0 (iPad; CPU OS 12_2 like Mac OS X)" WEBKIT
#define ANDROID(device) \
	"Mozilla/5.0 (Linux; Android " device ") AppleWebKit/537.36 (KHTML, like Gecko) " CHROME " Mobile Safari/537.36"
#define DESKTOP(system) "Mozilla/5.0 (" system ") AppleWebKit/537.36 (KHTML, like Gecko) " CHROME " Safari/537.36"

const struct device device_table[] = {
	{ "iPhone SE (3rd gen)", IPHONE("18_5"), 375, 667, 375, 667, 2, true },
	{ "iPhone 11", IPHONE("12_2"), 414, 715, 414, 896, 2, true },
	{ "iPhone 12", IPHONE("14_4"), 390, 664, 390, 844, 3, true },
	{ "iPhone 12 Pro", IPHONE("14_4"), 390, 664, 390, 844, 3, true },
	{ "iPhone 13", IPHONE("15_0"), 390, 664, 390, 844, 3, true },
	{ "iPhone 13 Pro", IPHONE("15_0"), 390, 664, 390, 844, 3, true },
	{ "iPhone 13 Pro Max", IPHONE("15_0"), 428, 746, 428, 926, 3, true },
	{ "iPhone 14", IPHONE("16_0"), 390, 664, 390, 844, 3, true },
	{ "iPhone 14 Pro", IPHONE("16_0"), 393, 660, 393, 852, 3, true },
	{ "iPhone 14 Pro Max", IPHONE("16_0"), 430, 740, 430, 932, 3, true },
	{ "iPhone 15", IPHONE("17_5"), 393, 659, 393, 852, 3, true },
	{ "iPhone 15 Plus", IPHONE("17_5"), 430, 739, 430, 932, 3, true },
	{ "iPhone 15 Pro", IPHONE("17_5"), 393, 659, 393, 852, 3, true },
	{ "iPhone 15 Pro Max", IPHONE("17_5"), 430, 739, 430, 932, 3, true },
	{ "iPad (gen 7)", IPAD, 810, 1080, 810, 1080, 2, true },
	{ "iPad Mini", IPAD, 768, 1024, 768, 1024, 2, true },
	{ "iPad Pro 11", IPAD, 834, 1194, 834, 1194, 2, true },
	{ "Pixel 5", ANDROID("11; Pixel 5"), 393, 727, 393, 851, 2.75, true },
	{ "Pixel 7", ANDROID("14; Pixel 7"), 412, 839, 412, 915, 2.625, true },
	{ "Pixel 10", ANDROID("16; Pixel 10"), 360, 732, 360, 808, 3, true },
	{ "Galaxy S9+", ANDROID("8.0.0; SM-G965U Build/R16NW"), 320, 658, 320, 658, 4.5, true },
	{ "Galaxy S24", ANDROID("14; SM-S921U"), 360, 780, 360, 780, 3, true },
	{ "Galaxy Tab S9", DESKTOP("Linux; Android 14; SM-X710"), 640, 1024, 640, 1024, 2.5, true },
	{ "Desktop Chrome", DESKTOP("Windows NT 10.0; Win64; x64"), 1280, 720, 1920, 1080, 1, false },
	{},
};

const struct device *device_find(const char *name)
{
	for (const struct device *d = device_table; name && d->name; d++)
		if (strcmp(d->name, name) == 0)
			return d;
	return NULL;
}

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

const char *permission_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(permission_table); i++)
		if (strcmp(permission_table[i].name, name) == 0)
			return permission_table[i].cdp;
	return NULL;
}

void emulate_context(struct cdp_session *browser, const struct page_options *o, const char *context_id)
{
	_cleanup_(str_done) struct str list = {};

	for (const char *const *name = o->permissions; name && *name; name++)
		str_json(&list, "? ?", JSON_COMMA(list.len), permission_find(*name));
	if (list.len && *context_id)
		cdp_post(browser, "Browser.grantPermissions", "{permissions: [?], browserContextId: ?}", JSON_RAW(list.data),
			 context_id);
	else if (list.len)
		cdp_post(browser, "Browser.grantPermissions", "{permissions: [?]}", JSON_RAW(list.data));
}

void emulate_size(struct cdp_session *s, const struct page_options *o, int width, int height)
{
	const struct device *d = o->device;

	if (d)
		cdp_post(s, "Emulation.setDeviceMetricsOverride",
			 "{width: ?, height: ?, deviceScaleFactor: ?, mobile: ?, screenWidth: ?, screenHeight: ?}", width, height,
			 d->scale, d->mobile, MAX(d->screen_width, width), MAX(d->screen_height, height));
	else
		cdp_post(s, "Emulation.setDeviceMetricsOverride",
			 "{width: ?, height: ?, deviceScaleFactor: 0, mobile: false, screenWidth: ?, screenHeight: ?}", width,
			 height, width, height);
}

int page_resize(struct task *t, struct page *p, int width, int height)
{
	emulate_size(p->cdp, page_options(p), width, height);
	p->size.width = width;
	p->size.height = height;
	return page_settle_in(t, p);
}

void page_viewport(const struct page *p, int *ret_width, int *ret_height)
{
	const struct page_options *o = page_alive(p) ? page_options(p) : NULL;

	*ret_width = p->size.width ? p->size.width : o ? o->viewport.width : 0;
	*ret_height = p->size.width ? p->size.height : o ? o->viewport.height : 0;
}

int page_emulate_media(struct task *t, struct page *p, const char *type, const char *features)
{
	return cdp_call(t, page_cdp(p), NULL, "Emulation.setEmulatedMedia", "{media: ?, features: ?}", type, JSON_RAW(features));
}

void emulate_target(struct cdp_session *s, const struct page_options *o)
{
	intercept_enable(s, o);
	if (o->user_agent)
		cdp_post(s, "Emulation.setUserAgentOverride", "{userAgent: ?}", o->user_agent);
	if (o->block_service_workers)
		cdp_post(s, "Page.addScriptToEvaluateOnNewDocument", "{source: ?}", no_service_workers_script);
	for (const char *const *script = o->init_scripts; script && *script; script++)
		cdp_post(s, "Page.addScriptToEvaluateOnNewDocument", "{source: ?}", *script);
}

void emulate_page(struct cdp_session *s, const struct page_options *o)
{
	emulate_target(s, o);
	cdp_post(s, "Emulation.setFocusEmulationEnabled", "{enabled: true}");
	if (o->viewport.width > 0)
		emulate_size(s, o, o->viewport.width, o->viewport.height);
	if (o->device && o->device->mobile)
		cdp_post(s, "Emulation.setTouchEmulationEnabled", "{enabled: true}");
	if (o->ignore_https_errors)
		cdp_post(s, "Security.setIgnoreCertificateErrors", "{ignore: true}");
}
