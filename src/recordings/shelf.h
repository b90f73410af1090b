/*
 * The recordings of an owner as people see them: a list, the files of each, and their removal. Who may see an owner's recordings is the
 * caller's business; a name never leads out of the owner's folder. Recordings of earlier runs are there, too, where the folder is the same.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "recordings/recordings.h"

/* Whose recordings. */
struct shelf_owner {
	uint64_t owner;
	bool everyone; /* those of all owners, also of earlier runs: the person is the operator */
};

/*
 * A recording is named by its key: its id, or for who sees everyone's over HTTP the name of the owner's directory, a slash and the id.
 *
 * recordings_list() appends a JSON array of {key, id, ...} with what the manifests say (recordings.h), the latest first, at most
 * LIMIT_RECORDINGS_LISTED_COUNT. The state of one whose server was killed is "cut". Values are what the files hold, which the owner's agents may
 * have written.
 */
void recordings_list(struct recordings *all, const struct shelf_owner *who, struct str *out);
/* Whether this is the name of the directory of a recording. */
bool recording_id_is_valid(const char *id);
/*
 * Opens the file KEY/NAME to read it; `ret_type` gets its media type. -ENOENT: there is no such recording for this owner, or it has no such
 * file; other negative errnos are those of beneath_open().
 */
int recordings_open(struct recordings *all, const struct shelf_owner *who, const char *path, const char **ret_type);
/* Removes a recording that has ended. -ENOENT; -EBUSY: it is being made. */
int recordings_remove(struct recordings *all, const struct shelf_owner *who, const char *key);
