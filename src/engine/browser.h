/* What a browser reports of itself, to whom it was told to. */
#pragma once

#include "engine/targets.h"

/* Texts are "" where the browser says nothing. */
struct download_begun {
	const char *guid;  /* the browser's name for it */
	const char *frame; /* id of the frame whose page has started it */
	const char *url, *name;
};

enum download_report { DOWNLOAD_GOES_ON, DOWNLOAD_COMPLETE, DOWNLOAD_CANCELLED };

struct download_progress {
	const char *guid;
	enum download_report state;
	double received, total; /* bytes; 0: not known */
};

/* Members may be NULL. What they get is borrowed for the time of the call. They do not suspend. */
struct engine_browser_events {
	/* To a target outside of those that are attached to already. */
	void (*attached)(struct engine_target *root, const struct engine_attachment *a, void *data);
	void (*detached)(const char *attachment, void *data);
	void (*download_begun)(const struct download_begun *d, void *data);
	void (*download_progress)(const struct download_progress *d, void *data);
	/* Between engine_begin_count() and engine_end_count() of engine/processes.h. */
	void (*blobs)(const char *store, uint64_t bytes, void *data);
	void (*blobs_counted)(void *data);
	void *data;
};
/* The browser ends by itself, and writes what its profile keeps. */
void engine_close(struct engine_target *root);
/* From now on the browser reports to `e`, which outlives the connection. */
void engine_listen(struct engine_target *root, const struct engine_browser_events *e);
