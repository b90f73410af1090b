/* Options that need what not every engine can do. What is asked for and cannot be had stops the start. */
#include <errno.h>

#include "engine/features.h"
#include "main/option_parser.h"
#include "page/emulate.h"
#include "page/values.h"

static bool asks_for_phone(const struct options *o)
{
	return o->browser.page.device && o->browser.page.device->mobile;
}

static bool asks_for_mobile(const struct options *o)
{
	return o->browser.page.mobile == PAGE_ON;
}

static bool asks_for_touch(const struct options *o)
{
	return o->browser.page.touch == PAGE_ON;
}

static bool asks_for_media(const struct options *o)
{
	return page_options_need(&o->browser.page) & ENGINE_MEDIA;
}

static bool asks_for_no_scripts(const struct options *o)
{
	return o->browser.page.no_javascript;
}

static bool asks_for_no_csp(const struct options *o)
{
	return o->browser.page.bypass_csp;
}

static bool asks_for_rare_permission(const struct options *o)
{
	return page_options_need(&o->browser.page) & ENGINE_RARE_PERMISSIONS;
}

static bool asks_for_recordings(const struct options *o)
{
	unsigned kinds = 0;

	return o->record && record_kinds(o->record, &kinds) && (kinds & RECORD_VIDEO);
}

static bool asks_for_videos(const struct options *o)
{
	return o->records.video;
}

const struct option_feature option_feature_table[] = {
	{ ENGINE_VIDEOS, "recordVideo", "recordVideo", asks_for_videos },
	{ ENGINE_VIDEOS, "--record video", "--record video", asks_for_recordings },
	{ ENGINE_PHONES, "--device of a phone, and --mobile", "--device", asks_for_phone },
	{ ENGINE_PHONES, "isMobile", "isMobile", asks_for_mobile },
	{ ENGINE_PHONES, "hasTouch", "hasTouch", asks_for_touch },
	{ ENGINE_MEDIA, "colorScheme, reducedMotion, forcedColors, contrast",
	  "colorScheme, reducedMotion, forcedColors or contrast", asks_for_media },
	{ ENGINE_RARE_PERMISSIONS, "--grant-permissions", "--grant-permissions with another one than geolocation and notifications",
	  asks_for_rare_permission },
	{ ENGINE_SCRIPTS_OFF, "javaScriptEnabled", "javaScriptEnabled", asks_for_no_scripts },
	{ ENGINE_CSP_OFF, "bypassCSP", "bypassCSP", asks_for_no_csp },
	/* These have defaults, so a start with them is not refused: they do not hold. */
	{ ENGINE_ORIGIN_LIMITS, "--max-origin-storage (has no effect)", "--max-origin-storage", NULL },
	{ ENGINE_PROCESSES, "--max-session-memory (has no effect), --max-browser-memory (only a warning)", "--max-session-memory",
	  NULL },
	{},
};

static const char *feature_name(enum engine_feature feature)
{
	const struct engine_feature_name *f = engine_feature_table;

	while (f->what && f->feature != feature)
		f++;
	return f->what;
}

static int check_browser(struct parser *p, const struct engine_options *browser)
{
	unsigned features = engine_features(browser);

	for (const struct option_feature *f = option_feature_table; f->name; f++) {
		if (features & f->feature || !f->is_asked || !f->is_asked(p->options))
			continue;
		str_appendf(p->error, "%s cannot be used with %s, which does not have %s; leave one of them out",
			    f->feature == ENGINE_PHONES && p->options->mobile ? "--mobile" : f->name, engine_name(browser),
			    feature_name(f->feature));
		return -EINVAL;
	}
	return 0;
}

/* Sessions of the second browser have the same settings. */
int option_check_features(struct parser *p)
{
	const struct engine_options second = {
		.product = p->options->second_browser == SECOND_FIREFOX ? BROWSER_FIREFOX : BROWSER_CHROMIUM,
	};
	int r = check_browser(p, &p->options->browser.start);

	return r == 0 && p->options->second_browser ? check_browser(p, &second) : r;
}
