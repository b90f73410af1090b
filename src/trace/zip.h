/*
 * Writes a ZIP archive (PKWARE's APPNOTE.TXT, 6.3). zlib compresses and computes the checksums; the container around is written here,
 * because libraries for it (minizip, libzip) would be further dependencies that compress a whole file in one call, during which
 * nothing else in the process runs. Archives and their files have less than 4 GiB, without ZIP64.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "loop/task.h"

struct zip;

/* `fd` is borrowed, and written from its start. `at`: the time of all files, in Unix seconds. */
struct zip *zip_new(int fd, int64_t at);
struct zip *zip_free(struct zip *z);
DEFINE_FREEP(zip);
/* Adds what `from` has from its current offset on. Suspends now and then, so that other tasks run. Negative errno. */
int zip_add(struct task *t, struct zip *z, const char *name, int from, bool compressed);
/* Writes the directory of the archive. Negative errno. */
int zip_finish(struct zip *z);
