/*
 * What pages are made to believe of the machine they run on, and what runs in them before their own scripts. All of it
 * is sent without waiting, while the target waits for the debugger.
 */
#pragma once

#include <stdbool.h>

#include "engine/emulate.h"
#include "loop/task.h"

struct json;
struct page_options;
struct engine_target;
struct page_group;
struct page;

/* Sizes in CSS pixels; the screen is larger than the page where the device's browser shows bars. */
struct device {
	const char *name, *user_agent;
	int width, height, screen_width, screen_height;
	double scale; /* device pixels to one of CSS */
	bool mobile;  /* with a touch screen, and pages laid out as for a phone */
};

/* Values of media features, indexed by the members of struct page_media; the first stands for the browser's own. */
extern const char *const color_scheme_table[], *const reduced_motion_table[], *const forced_colors_table[], *const contrast_table[];
/* What pages begin with for this CSS media feature ("prefers-contrast"); "": the browser's own. */
const char *emulated_media(const struct page_options *o, const char *feature);
/* Device pixels to one CSS pixel; 0: not emulated. */
double emulated_scale(const struct page_options *o);

/* Of {latitude, longitude, accuracy}, as configuration files and code write it. */
struct geolocation geolocation_of(const struct json *place);

/* The device of that name, in any case of its letters. NULL: no device has the name. */
const struct device *device_find(const char *name);

/* What a browser context needs before its first page; `context_id` is empty for the browser's own. */
void emulate_context(struct page_group *g, const struct page_options *o, const char *context_id);
