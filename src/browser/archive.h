/*
 * The requests of all pages of a context as an HTTP archive (observe/har.h), from its start until the context is freed. The
 * file grows with each request that has ended. The pages' journals have the requests; bodies are fetched when a response has
 * ended, because the browser drops them with their document.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "browser/context.h"
#include "loop/task.h"

enum archive_content { ARCHIVE_OMIT, ARCHIVE_EMBED, ARCHIVE_ATTACH };

struct archive_plan {
	enum archive_content content; /* where the bodies of responses are: nowhere, in the archive, in files of their own */
	bool minimal;                 /* only what is needed to answer the requests from the archive */
	const char *url_filter;       /* glob of the URLs that are recorded (base/glob.h), valid; NULL: all. Copied */
};

/* Where the archive goes. The functions do not suspend. */
struct archive_files {
	/*
	 * Appends to the archive, whose file the first call creates; it is complete when `free` is called. False: it cannot be
	 * written, and there are no further calls. Not called if no page has requested anything.
	 */
	bool (*write)(void *data, const char *text, size_t len);
	/* Writes a body to a file of its own and returns its name, borrowed until the next call; NULL: it cannot be written. */
	const char *(*write_body)(void *data, const char *mime_type, const void *bytes, size_t len);
	void (*free)(void *data);
	void *data;
};

/* Begins to record, unless the context is being recorded already; the context frees `files->data`. Does not suspend. */
void context_start_archive(struct context *c, const struct archive_plan *plan, const struct archive_files *files);
bool context_has_archive(struct context *c);
/* Suspends until the bodies that were asked for have come, for at most a few seconds. Only a cancellation is a failure. */
int context_await_archive(struct task *t, struct context *c);
