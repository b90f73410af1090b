/* What a target takes itself for: its screen, language, media and place. Everything is sent only, unless it takes a task. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"

struct screen {
	int width, height; /* of the viewport, CSS pixels */
	double scale;      /* device pixels for each of these; 0: the browser's */
	bool is_mobile;
	int screen_width, screen_height;
};
void engine_set_screen(struct engine_target *s, const struct screen *screen);
void engine_enable_touch(struct engine_target *s);
/* Whether the page takes itself for focused, and its animations run, whatever the browser shows. */
void engine_set_focused(struct engine_target *s, bool on);
/* Whether the tasks of the page wait. Where pages cannot be frozen, it has no effect. */
bool engine_can_freeze(const struct engine_target *s);
void engine_freeze(struct engine_target *s, bool on);
/*
 * After a page was frozen, the browser counts it as hidden even when it runs again, although its documents see `visible`, and reads no
 * directories for it. To minimize and restore its window makes it visible again.
 */
int engine_find_window(struct task *t, _borrowed_ struct engine_target *root, const char *target, int *ret); /* suspends */
void engine_restore_window(struct engine_target *root, int window);

/* Each is NULL where it is to stay. The last two hold for a process, and the browser refuses them to its further targets. */
void engine_set_language(struct engine_target *s, const char *user_agent, const char *locale, const char *timezone);
/*
 * The CSS media: `type` is "screen", "print", "" (the page's own) or NULL (as it is), `features` a JSON list of {name, value}, whose value ""
 * resets one. Suspends; with `t` NULL it is sent only.
 */
int engine_set_media(struct task *t, _borrowed_ struct engine_target *s, const char *type, const char *features);
struct geolocation {
	double latitude, longitude, accuracy;
};
/* NULL: that of this machine. */
void engine_set_geolocation(struct engine_target *s, const struct geolocation *place);

void engine_bypass_csp(struct engine_target *s);
void engine_disable_scripts(struct engine_target *s);
/*
 * The headers that each request gets besides its own: JSON objects. `shared` are those of all pages of the browser context, which pages that
 * others open have from their first request on where the browser can do that; `own` win over them.
 */
void engine_set_headers(struct engine_target *s, const char *shared, const char *own);
/* How many bytes documents of an origin may store. */
void engine_limit_storage(struct engine_target *s, const char *origin, uint64_t bytes);
