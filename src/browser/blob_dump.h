/* The blobs of all browser contexts in two memory dumps of the browser, see browser/blob_limit.h. Takes n log n for n contexts. */
#pragma once

#include <stdint.h>

#define BLOB_STORE_NAME_SIZE 64

struct blob_store {
	char name[BLOB_STORE_NAME_SIZE];
	uint64_t size, grown; /* `grown`: since the dump before, blob_dump_compare() */
};

struct blob_dump {
	struct blob_store *stores;
	unsigned count, room;
};

void blob_dump_done(struct blob_dump *d);
/* Ignores stores above 10,000 and names that are too long: both come from the browser. */
void blob_dump_add(struct blob_dump *d, const char *name, uint64_t size);
/* Sets by how much the stores of `after` have grown. Reorders both. */
void blob_dump_compare(struct blob_dump *before, struct blob_dump *after);
/* A store that has grown by so many bytes, after blob_dump_compare(); NULL: none. Borrowed, like the next. */
const struct blob_store *blob_dump_grown_by(const struct blob_dump *after, uint64_t bytes);
const struct blob_store *blob_dump_largest(const struct blob_dump *d);
