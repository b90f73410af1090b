/*
 * Files that tools have written, as resources artifact://{number}/{name}. Only the owner whose call wrote a file can list
 * and read it. An entry ends with its owner, at a maximum age, or when there are too many (base/limits.h); the file itself
 * stays. The entries also record which files this server has written and their state after the last write.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/macros.h"
#include "base/str.h"
#include "loop/task.h"
#include "reply/output.h"

#define ARTIFACT_URI "artifact://"

struct artifacts;

struct artifact {
	const char *uri, *name, *type; /* `type`: the media type for the name's extension */
	uint64_t size;                 /* bytes after the last write */
};

struct artifacts *artifacts_new(void);
struct artifacts *artifacts_free(struct artifacts *a);
DEFINE_FREEP(artifacts);

/* Records that `f` was written for `owner` and now has the status `st`. Returns its new or existing artifact, borrowed until the next call. */
const struct artifact *artifacts_add(struct artifacts *a, uint64_t owner, const struct output_file *f, const struct stat *st);
/* The artifact of `owner` for the file `f`, or NULL. Borrowed until the next artifacts_add(). */
const struct artifact *artifacts_find(struct artifacts *a, uint64_t owner, const struct output_file *f);
/* The artifact of `owner` with this URI, and its file, or NULL. Borrowed until the next call. */
const struct artifact *artifacts_by_uri(struct artifacts *a, uint64_t owner, const char *uri, struct output_file *ret);
/* Whether `f` was written for `owner` and its present status `st` shows that it has not been changed since. */
bool artifacts_is_unchanged(struct artifacts *a, uint64_t owner, const struct output_file *f, const struct stat *st);
/* Removes all entries of an owner that has ended. */
void artifacts_end(struct artifacts *a, uint64_t owner);
/* Calls `each` for each artifact of an owner, the oldest first. */
void artifacts_each(struct artifacts *a, uint64_t owner, void (*each)(const struct artifact *artifact, void *data), void *data);
