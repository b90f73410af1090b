/*
 * The logs of a server: writing those that we keep (bounded, for their owner alone to read), and reading any that a
 * server has named. Reading never follows a path out of the allowed folders, and opens regular files alone.
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

/* Files that a server's output goes to: NAME.log, and NAME.log.1 with what came before. */
struct log_writer;

/* In this folder, which exists and has nothing of that name. Negative errno. */
int log_writer_new(const char *folder, const char *name, struct log_writer **ret);
struct log_writer *log_writer_free(struct log_writer *w);
DEFINE_FREEP(log_writer);
void log_writer_add(struct log_writer *w, const char *text, size_t len);
const char *log_writer_path(const struct log_writer *w);
/* Bytes that are in neither file any more. */
uint64_t log_writer_dropped(const struct log_writer *w);

struct log_query {
	const char *path;
	const char *const *folders; /* NULL-terminated: it must lie in one of these, links resolved */
	const char *before;         /* a file with what came before, read as one with it; NULL: none */
	uint64_t forgotten;         /* offsets begin with this */
	int64_t offset;             /* read from here on; -1: the last lines */
	unsigned lines;             /* at most so many; 0: any number */
};

struct log_part {
	struct str text;       /* without the escape sequences of a terminal */
	uint64_t offset, next; /* in the file: of its first byte; of the first one after it */
	bool earlier, later;   /* there is more on that side */
	bool restarted;        /* the file is shorter than the offset: it was begun again, and this is its beginning */
};

static inline void log_part_done(struct log_part *p)
{
	str_done(&p->text);
}

/*
 * Reads whole lines where it can, LIMIT_SERVER_LOG bytes at most. -EACCES: not to be read (`ret_why`: the reason,
 * static), -ENOENT: not there, other negative errno.
 */
int log_read(const struct log_query *q, struct log_part *ret, const char **ret_why);
/* Is it a path that log_read() would take? The file need not exist. */
int log_check(const char *path, const char *const *folders, const char **ret_why);
