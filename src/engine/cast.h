/*
 * Live pictures of a page: while a cast runs, the browser sends a picture when the page has changed. A browser that does not report changes is
 * asked for pictures from time to time, the less often the longer the page stays as it is. Nothing suspends.
 */
#pragma once

#include "engine/engine.h"

struct engine_cast;

/* The largest size of pictures, in their pixels; they keep the shape of the page. */
struct cast_size {
	int width, height;
};

struct cast_frame {
	const char *base64; /* a JPEG file; `len` bytes without a zero at the end, borrowed for the time of the call */
	size_t len;
	double width, height; /* of the viewport of the page in CSS pixels; 0: not known */
};

struct engine_cast_events {
	/* May stop and start the cast, and must not free it. */
	void (*frame)(const struct cast_frame *f, void *data);
};

/*
 * A cast of the page `s`, whose target has the id `id`. It does not run yet, and is freed before the target. A page may be recorded meanwhile
 * (engine/capture.h). `events` outlives it. NULL: this browser has no pictures.
 */
struct engine_cast *engine_cast_new(struct engine_target *s, const char *id, const struct engine_cast_events *events, void *data);
struct engine_cast *engine_cast_free(struct engine_cast *c);
/* The first picture shows the page as it is now, also that of a page that rests (page/rest.h). No effect while it runs. */
void engine_cast_start(struct engine_cast *c, const struct cast_size *size);
void engine_cast_stop(struct engine_cast *c);
/* The page has got input: a browser that does not report changes is asked soon. */
void engine_cast_hurry(struct engine_cast *c);
