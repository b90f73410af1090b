/*
 * What the operator wants to be recorded of each browser context of browser_* tools, from its first call until it ends: the requests
 * of its pages as an HTTP archive (recordHar of Playwright's context options) and a video of each page (recordVideo). The files
 * are the operator's: their names come from the configuration, relative to the working directory, and not from clients, for
 * which reply/output.h decides.
 */
#pragma once

#include "base/json.h"
#include "browser/context.h"
#include "loop/task.h"

struct record_settings {
	const struct json *har;   /* {path, content, omitContent, mode, urlFilter}; NULL: none */
	const struct json *video; /* {dir, size: {width, height}}; NULL: none */
};

/* Whether the objects have what is needed, with valid values. */
bool record_har_is_valid(const struct json *har);
bool record_video_is_valid(const struct json *video);

/*
 * Begins to record the context, unless that was done before. An archive whose name another context is recording to gets a number
 * before its extension (x-1.har). Suspends. Fails if the browser cannot record videos.
 */
int context_records_begin(struct task *t, struct context *c, const struct record_settings *settings);
/* Whether the videos of the context are those of these settings. */
bool context_records_video(struct context *c);
