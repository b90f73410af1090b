/*
 * Files that tools have written, as resources of the client whose call it was: artifact://{number}/{name}. Nobody else
 * can list or read them. What is known of a file ends with its client, with its age, or when there are too many
 * (base/limits.h); the file stays. It is also the record of which files this server has written, and how it left them.
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
	const char *uri, *name, *type; /* `type`: by the name's ending */
	uint64_t size;                 /* bytes, when it was written last */
};

struct artifacts *artifacts_new(void);
struct artifacts *artifacts_free(struct artifacts *a);
DEFINE_FREEP(artifacts);

/* `f` has been written for `owner` and is `st` now: a new artifact, or the one that it was. Borrowed until the next call. */
const struct artifact *artifacts_add(struct artifacts *a, uint64_t owner, const struct output_file *f, const struct stat *st);
/* The artifact that `f` is for `owner`; NULL: none. Borrowed until the next artifacts_add(). */
const struct artifact *artifacts_find(struct artifacts *a, uint64_t owner, const struct output_file *f);
/* Has `f` been written for `owner`, and is what is there now, `st`, still what was left there? */
bool artifacts_know(struct artifacts *a, uint64_t owner, const struct output_file *f, const struct stat *st);
/* The owner has gone. */
void artifacts_end(struct artifacts *a, uint64_t owner);
/* Calls `each` for those of an owner, the oldest first. */
void artifacts_each(struct artifacts *a, uint64_t owner, void (*each)(const struct artifact *artifact, void *data), void *data);
/*
 * Appends the contents of a resource as JSON. -ENOENT: the owner has no such artifact. A file that is gone, or too large,
 * fails with a text.
 */
int artifacts_read(struct task *t, struct artifacts *a, uint64_t owner, const char *uri, struct str *out);
