/*
 * Appends events to a file as JSON lines, one write per event, so that a crash loses at most the last line. Above a
 * size limit the file is renamed to PATH.1 (replacing an older one) and a new file begins. Only its owner can read
 * it. Events that cannot be written are lost, which is logged once.
 */
#pragma once

#include <stddef.h>

#include "base/macros.h"

struct sink;

struct sink_settings {
	const char *path; /* NULL: no sink */
	size_t max_bytes; /* of the file */
};

/*
 * Receives the events of all journals from now on. `settings` must outlive the sink. Negative errno: the file cannot be
 * opened.
 */
int sink_new(const struct sink_settings *settings, struct sink **ret);
struct sink *sink_free(struct sink *s);
DEFINE_FREEP(sink);
