/*
 * What the pages of one session are made to believe, and how they connect, in place of what the operator's options say for all: a JSON object
 * with the names and values that Playwright has for the options of a context,
 * {device, viewport: {width, height}, userAgent, locale, timezoneId, geolocation: {latitude, longitude, accuracy}, permissions: [names],
 * colorScheme, extraHTTPHeaders: {name: text}, proxy: {server, username, password}}.
 * No function suspends.
 */
#pragma once

#include "base/arena.h"
#include "base/json.h"
#include "browser/browser.h"
#include "loop/task.h"

/* Contexts of the session borrow from it, so it outlives them. */
struct session_settings {
	struct json *given;       /* a copy, from which the other members borrow */
	struct page_options page; /* those of the browser with what was given */
	const char *proxy;        /* SCHEME://HOST:PORT; NULL: that of the browser */
	struct arena arena;
};

bool session_has_setting(const char *name); /* is it the name of a member? */
/*
 * `of`: the options of the browser that the session will have. -ERR_INVALID_PARAMETERS: a member is unknown, has no valid value, or cannot be
 * had in that browser; the text names it.
 */
int session_settings_new(struct task *t, const struct json *given, const struct browser_options *of, struct session_settings **ret);
struct session_settings *session_settings_free(_nullable_ struct session_settings *s);
DEFINE_FREEP(session_settings);
