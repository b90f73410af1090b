/*
 * Files that pages save.
 *
 * Without a directory for them, downloads are refused. With one, the browser writes each download to a directory of its
 * own. A complete file is moved from there under the name that the page suggests, made safe and readable by its owner
 * only. It replaces no file: where the name is taken, a number is added to it. The total size of downloads that
 * were not reported yet is limited.
 *
 * A context remembers its downloads until their end is reported (downloads_next_news()).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/queue.h>

#include "base/failure.h"
#include "base/str.h"
#include "browser/context.h"

enum download_state { DOWNLOAD_RUNS, DOWNLOAD_MOVES, DOWNLOAD_SAVED, DOWNLOAD_FAILED };

struct copy;
struct downloads;

struct download {
	TAILQ_ENTRY(download) link;
	struct downloads *of;
	unsigned number; /* from 1 in its context */
	struct str guid, url;
	struct str page; /* target id of the page that it belongs to: the opener of one that was opened for it */
	struct str name; /* as the page suggests it, without folders */
	enum download_state state;
	struct str path;              /* where it is saved, or will be */
	struct failure failure;       /* why it is not */
	uint64_t bytes;               /* received so far */
	uint64_t began, ended;        /* sequence numbers of events; 0: not yet, or reported */
	_nullable_ struct copy *copy; /* to another file system; NULL: none */
	int from, to;                 /* of the copy; -1: none */
};

/*
 * Turns saving on, into the directory `rest` below `root` (base/beneath.h), which is made on first use; `path` is that as answers
 * show it. `max`: bytes that all downloads of the owner may have which no answer has reported; the one that exceeds it is cancelled.
 */
void context_keep_downloads(struct context *c, const char *root, const char *rest, const char *path, uint64_t max);
/* The number of the next one to begin; 0: they are refused. */
unsigned context_next_download(struct context *c);
/* Is one under way that has this number or a higher one? */
bool context_downloads_since(struct context *c, unsigned number);
/* The download with this number, or the next higher number; NULL if all have lower numbers. Borrowed until its end is reported. */
struct download *context_find_download(struct context *c, unsigned number);
static inline bool download_ended(const struct download *d)
{
	return d->state >= DOWNLOAD_SAVED;
}
/* The browser gives up one that is under way. */
void download_cancel(struct download *d);

struct download_news {
	const struct download *download; /* borrowed until the next question */
	bool ended;                      /* else it has begun */
};

/* The next event that was not yet returned, the oldest first. */
bool downloads_next_news(struct context *c, struct download_news *ret);

/* Whether the file at `path`, with the status `st`, was saved as a download by this browser and not changed since. */
bool browser_has_saved(struct browser *b, const char *path, const struct stat *st);
