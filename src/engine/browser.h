/* What a browser reports of itself, and how it is asked to end. */
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

/* Members may be NULL. Arguments are borrowed for the time of the call, and no handler suspends. */
struct engine_browser_events {
	/* The browser has attached to a target, as engine_attach_new() or engine_attach() asked it to. */
	void (*attached)(struct engine_target *root, const struct engine_attachment *a, void *data);
	void (*detached)(const char *attachment, void *data);
	void (*download_begun)(const struct download_begun *d, void *data);
	void (*download_progress)(const struct download_progress *d, void *data);
	/*
	 * What a context keeps in `store`, a name that the browser gives; between engine_begin_count() and engine_end_count(),
	 * engine/processes.h.
	 */
	void (*blobs)(const char *store, uint64_t bytes, void *data);
	void (*blobs_counted)(void *data);
	void *data;
};
/* Asks the browser to end by itself, so that it writes what its profile keeps. Sent only. */
void engine_close(struct engine_target *root);
/* From now on the browser reports to `e`, which outlives the connection. */
void engine_listen(struct engine_target *root, const struct engine_browser_events *e);
