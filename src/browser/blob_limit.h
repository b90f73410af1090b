/*
 * What pages keep in the main process of the browser, which all sessions share: blobs, of which Chromium allows 2 GiB in each browser
 * context. When that process has more than browser_options.max_memory, Chromium makes a memory dump. The dump has one entry for each
 * context, with the size of its blobs, but without the context's id. So a small blob of a random size is put into each context, and a
 * second dump is made: the entry that has grown by that size belongs to that context. The pages of the context with the most blobs are
 * ended, which frees the blobs; the next answer to the owner of the context says so.
 *
 * A context whose pages do not reply has no such blob; it is found if it is the only one. If there are several, nothing is ended and
 * a warning is logged.
 */
#pragma once

#include <stdint.h>

#include "base/macros.h"

struct blob_limit;

/* The main process has `memory` bytes, more than it may. Starts a task unless one runs or has ended a moment ago. */
void blob_limit_exceeded(struct blob_limit *l, uint64_t memory);
/* Of engine_browser_events; `browser` is the struct browser. */
void blob_limit_on_blobs(const char *store, uint64_t bytes, void *browser);
void blob_limit_on_counted(void *browser);
