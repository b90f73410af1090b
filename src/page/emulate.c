#include "page/emulate.h"

#include <stdlib.h>
#include <string.h>

#include "engine/context.h"
#include "engine/emulate.h"
#include "engine/network.h"
#include "engine/script.h"
#include "page/internal.h"
#include "page/options.h"
#include "scripts/scripts.h"

const char *const color_scheme_table[] = { "no-override", "light", "dark", "no-preference", NULL };
const char *const reduced_motion_table[] = { "no-override", "reduce", "no-preference", NULL };
const char *const forced_colors_table[] = { "no-override", "active", "none", NULL };
const char *const contrast_table[] = { "no-override", "more", "no-preference", NULL };

static const struct {
	const char *feature;
	const char *const *values;
	size_t offset; /* of the index in struct page_media */
} media_table[] = {
	{ "prefers-color-scheme", color_scheme_table, offsetof(struct page_media, color_scheme) },
	{ "prefers-reduced-motion", reduced_motion_table, offsetof(struct page_media, reduced_motion) },
	{ "forced-colors", forced_colors_table, offsetof(struct page_media, forced_colors) },
	{ "prefers-contrast", contrast_table, offsetof(struct page_media, contrast) },
};

const char *emulated_media(const struct page_options *o, const char *feature)
{
	for (size_t i = 0; i < ARRAY_SIZE(media_table); i++) {
		int value = *(const int *)((const char *)&o->media + media_table[i].offset);

		if (value && strcmp(media_table[i].feature, feature) == 0)
			return media_table[i].values[value];
	}
	return "";
}

void emulate_context(struct page_group *g, const struct page_options *o, const char *context_id)
{
	_cleanup_(freep) const char **list = NULL;
	struct clipboard_grants clipboard = {};
	size_t count = 0;

	for (const char *const *name = o->permissions; name && *name; name++) {
		list = must(realloc(list, (count + 2) * sizeof(*list)));
		if (!clipboard_takes_grant(g, *name, &clipboard))
			list[count++] = *name;
		list[count] = NULL;
	}
	page_group_grant_clipboard(g, &clipboard, "");
	if (count)
		engine_grant(NULL, g->browser, NULL, context_id, list, NULL);
}

double emulated_scale(const struct page_options *o)
{
	return o->scale > 0 ? o->scale : o->device ? o->device->scale : 0;
}

static bool is_on(int choice, const struct page_options *o)
{
	return choice == PAGE_AS_DEVICE ? o->device && o->device->mobile : choice == PAGE_ON;
}

/* Gives the page another size, on the same device. */
static void emulate_size(struct engine_target *s, const struct page_options *o, int width, int height)
{
	const struct device *d = o->device;
	bool resized = width != o->viewport.width || height != o->viewport.height;
	struct viewport screen = o->screen;

	if (!screen.width && d)
		screen = (struct viewport){ d->screen_width, d->screen_height };
	if (!screen.width || resized) /* one that is given is as it is: phones report theirs upright when they are turned */
		screen = (struct viewport){ MAX(screen.width, width), MAX(screen.height, height) };
	engine_set_screen(s, &(const struct screen){
				     .width = width,
				     .height = height,
				     .scale = emulated_scale(o),
				     .is_mobile = is_on(o->mobile, o),
				     .screen_width = screen.width,
				     .screen_height = screen.height,
			     });
}

int page_resize(struct task *t, struct page *p, int width, int height)
{
	emulate_size(p->target, page_options(p), width, height);
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

static void emulate_target(struct engine_target *s, const struct page_options *o)
{
	engine_set_language(s, o->user_agent, o->locale, o->timezone);
	if (o->bypass_csp)
		engine_bypass_csp(s);
	if (o->no_javascript)
		engine_disable_scripts(s);
	if (o->block_service_workers)
		engine_share_init_script(s, no_service_workers_script);
	for (const char *const *script = o->init_scripts; script && *script; script++)
		engine_share_init_script(s, *script);
}

struct geolocation geolocation_of(const struct json *place)
{
	return (struct geolocation){ json_num(place, "latitude", 0), json_num(place, "longitude", 0),
				     json_num(place, "accuracy", 0) };
}

static void emulate_geolocation(struct engine_target *s, const struct json *place)
{
	const struct geolocation here = geolocation_of(place);

	if (place)
		engine_set_geolocation(s, &here);
}

static void emulate_media(struct engine_target *s, const struct page_options *o)
{
	_cleanup_(str_done) struct str features = {};

	for (size_t i = 0; i < ARRAY_SIZE(media_table); i++) {
		const char *value = emulated_media(o, media_table[i].feature);

		if (*value)
			str_json(&features, "? {name: ?, value: ?}", JSON_RAW(features.len ? "," : "["), media_table[i].feature,
				 value);
	}
	if (!features.len)
		return;
	str_append_char(&features, ']');
	engine_set_media(NULL, s, NULL, features.data);
}

static void emulate_page(struct engine_target *s, const struct page_options *o)
{
	engine_set_focused(s, true);
	if (o->viewport.width > 0)
		emulate_size(s, o, o->viewport.width, o->viewport.height);
	if (is_on(o->touch, o))
		engine_enable_touch(s);
	if (o->ignore_https_errors)
		engine_ignore_certificates(s, true);
	emulate_geolocation(s, o->geolocation);
	emulate_media(s, o);
}

static void emulation_prepare(struct page *p, struct engine_target *s, enum target_kind kind)
{
	if (kind != TARGET_OTHER)
		emulate_target(s, page_options(p));
	if (kind == TARGET_PAGE)
		emulate_page(s, page_options(p));
}

const struct page_part emulation_part = {
	.prepare = emulation_prepare,
};
