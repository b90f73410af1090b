/*
 * Videos of the pages of a context, recorded by the browser itself. Each page, also one that is
 * opened later, has a file of its own, into which the recording is written as it arrives: while it runs, when the page closes, and
 * when the context is freed, there is a file that can be played. The browser gives out a recording up to its last key frame, so
 * that the last seconds of a page are missing unless context_stop_videos() ended the recording.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"
#include "browser/context.h"
#include "engine/capture.h"
#include "loop/task.h"

struct video_plan {
	struct video_size size;
	bool as_recorded; /* the file gets what the browser records; otherwise it is converted to WebM (browser/webm.h) */
};

/* Where the files are. Several contexts may share `data`. The functions do not suspend. */
struct video_files {
	/* A descriptor to write the file of one more page, and its number for close(); negative errno: it cannot be made. */
	int (*open)(void *data, unsigned *ret_number);
	/* The file is complete. `failure`: 0, or why it ended before the recording, a negative errno. */
	void (*close)(void *data, unsigned number, int fd, int failure);
	void (*release)(void *data); /* called once for each context that records */
	void *data;
};

/*
 * Begins to record all pages of the context; `files->data` is released when the recording has ended, also on failure.
 * -EALREADY: they are being recorded; -ERR_BROWSER_ERROR: this browser cannot. Suspends.
 */
int context_start_videos(struct task *t, struct context *c, const struct video_plan *plan, const struct video_files *files);
/* The files of the recording; NULL: no video is recorded. Borrowed until it ends. */
const struct video_files *context_video_files(struct context *c);
/* Appends the path of the file into which the page is being recorded; nothing if it is not. */
void context_video_path(struct context *c, const struct page *p, struct str *out);
/* Ends the recordings of all pages with all that was recorded; context_end_videos() follows. 0 if there are none. Suspends. */
int context_stop_videos(struct task *t, struct context *c);
/* Releases `data`. Does not suspend. */
void context_end_videos(struct context *c);
/* Stops the recording of one page, which is about to be closed. Suspends. */
int context_stop_video(struct task *t, struct context *c, struct page *p);
