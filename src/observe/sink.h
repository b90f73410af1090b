/*
 * Events into a file, as JSON lines that are appended as they come: a crash loses at most the last one. Above a size the
 * file becomes PATH.1, in the place of an older one, and a new one begins. Nobody but its owner can read it.
 * What cannot be written is lost, which is logged once.
 */
#pragma once

#include <stddef.h>

#include "base/macros.h"

struct sink;

/* Gets the events of all journals from now on. `path` must outlive it. A negative errno: the file cannot be opened. */
int sink_new(const char *path, size_t max_bytes, struct sink **ret);
struct sink *sink_free(struct sink *s);
DEFINE_FREEP(sink);
