/*
 * What a page takes itself for. Language, place and user agent are set for the user context, all of whose pages have the same ones, so that
 * pages which others open have them from their first document on.
 */
#include "engine/emulate.h"

#include <errno.h>
#include <string.h>

#include "engine/bidi/internal.h"

static const char *context_of(const struct engine_target *s)
{
	return s && s->context && s->context->user_context[0] ? s->context->user_context : "default";
}

/* Firefox has no layout of phones (is_mobile): who wants one is refused before (ENGINE_PHONES). */
void engine_set_screen(struct engine_target *s, const struct screen *screen)
{
	_cleanup_(str_done) struct str ratio = {};

	if (!s)
		return;
	if (screen->scale > 0)
		str_json(&ratio, ", devicePixelRatio: ?", screen->scale);
	bidi_post(s, "browsingContext.setViewport", "{context: ?, viewport: {width: ?, height: ?} ?}", s->id, screen->width,
		  screen->height, JSON_RAW(str_text(&ratio)));
	bidi_post(s, "emulation.setScreenSettingsOverride", "{contexts: [?], screenArea: {width: ?, height: ?}}", s->id,
		  screen->screen_width, screen->screen_height);
}

/* A preference makes all documents focused (focusmanager.testmode). */
void engine_set_focused(struct engine_target *s, bool on)
{
}

/* No command of BiDi stops a page, so none rests: what its timers do between calls goes on. */
bool engine_can_freeze(const struct engine_target *s)
{
	return false;
}

void engine_freeze(struct engine_target *s, bool on)
{
}

void engine_set_language(struct engine_target *s, const char *user_agent, const char *locale, const char *timezone)
{
	if (!s)
		return;
	if (user_agent)
		bidi_post(s, "emulation.setUserAgentOverride", "{userContexts: [?], userAgent: ?}", context_of(s), user_agent);
	if (locale)
		bidi_post(s, "emulation.setLocaleOverride", "{userContexts: [?], locale: ?}", context_of(s), locale);
	if (timezone)
		bidi_post(s, "emulation.setTimezoneOverride", "{userContexts: [?], timezone: ?}", context_of(s), timezone);
}

int engine_set_media(struct task *t, struct engine_target *s, const char *type, const char *features)
{
	return t ? task_fail(t, -ENOTSUP, "this browser cannot emulate CSS media; use Chromium for that") : -ENOTSUP;
}

void engine_set_geolocation(struct engine_target *s, const struct geolocation *place)
{
	if (!s)
		return;
	if (place)
		bidi_post(s, "emulation.setGeolocationOverride",
			  "{userContexts: [?], coordinates: {latitude: ?, longitude: ?, accuracy: ?}}", context_of(s),
			  place->latitude, place->longitude, place->accuracy);
	else
		bidi_post(s, "emulation.setGeolocationOverride", "{userContexts: [?], coordinates: null}", context_of(s));
}

/* Makes the list that BiDi has of an object. */
static void append_headers(struct str *list, const char *object)
{
	_cleanup_(json_freep) struct json *all = NULL;

	if (json_parse(object, strlen(object), 8, JSON_REPLACE_UNREPRESENTABLE, &all) < 0)
		return;
	json_foreach(header, all)
		str_json(list, "?{name: ?, value: {type: 'string', value: ?}}", JSON_COMMA(list->len), json_name(header),
			 json_text(header, NULL));
}

void engine_set_headers(struct engine_target *s, const char *shared, const char *own)
{
	_cleanup_(str_done) struct str of_context = {}, of_page = {};

	if (!s)
		return;
	append_headers(&of_context, shared);
	append_headers(&of_page, own);
	bidi_post(s, "network.setExtraHeaders", "{userContexts: [?], headers: [?]}", context_of(s),
		  JSON_RAW(str_text(&of_context)));
	bidi_post(s, "network.setExtraHeaders", "{contexts: [?], headers: [?]}", s->id, JSON_RAW(str_text(&of_page)));
}
