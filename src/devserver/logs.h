/*
 * Logs of dev servers: writing the ones that browserd keeps (bounded, mode 0600) and reading any log that a server has named.
 * Reading never follows a path out of the allowed directories and opens regular files only.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/macros.h"
#include "base/str.h"

enum log_kind { LOG_STDOUT, LOG_STDERR, LOG_COMBINED, LOG_KINDS };
extern const char *const log_kind_names[]; /* "stdout", "stderr", "combined", NULL */

/* Absolute paths. Owned. */
struct log_paths {
	char *of[LOG_KINDS];
};

void log_paths_done(struct log_paths *p);

/* Writes a server's output to NAME.log, with the previous part in NAME.log.1. */
struct log_writer;

/* Creates the log in `folder`, which must exist and not contain that name. Negative errno. */
int log_writer_new(const char *folder, const char *name, struct log_writer **ret);
struct log_writer *log_writer_free(struct log_writer *w);
DEFINE_FREEP(log_writer);
void log_writer_add(struct log_writer *w, const char *text, size_t len);
const char *log_writer_path(const struct log_writer *w);
/* Bytes of the log that rotation has removed from both files. */
uint64_t log_writer_dropped(const struct log_writer *w);

struct log_query {
	const char *path;
	const char *const *folders; /* NULL-terminated: `path` must be in one of these, links resolved */
	const char *before;         /* a file with the part before `path`, read as one log with it; NULL: none */
	uint64_t dropped;           /* the offset of the first byte */
	int64_t offset;             /* where to start; -1: read the last lines */
	unsigned lines;             /* maximum number of lines; 0: no limit */
};

struct log_part {
	struct str text;       /* without terminal escape sequences */
	uint64_t offset, next; /* offsets in the log of the first byte and of the byte after the last */
	bool earlier, later;   /* the log has more text before or after this part */
	bool restarted;        /* the file is shorter than the requested offset, so this part is from its beginning */
};

static inline void log_part_done(struct log_part *p)
{
	str_done(&p->text);
}

/*
 * Reads whole lines where possible, at most LIMIT_SERVER_LOG bytes. -EACCES when reading is not allowed (`ret_why` is the
 * reason, static), -ENOENT when the file does not exist, or another negative errno.
 */
int log_read(const struct log_query *q, struct log_part *ret, const char **ret_why);
/* Whether log_read() would accept the path: 0 or a negative errno. The file need not exist. */
int log_check(const char *path, const char *const *folders, const char **ret_why);
