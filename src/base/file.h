/* Whole files, for what is read once at the start. Blocks. */
#pragma once

#include <stddef.h>

#include "base/str.h"

/* Appends the file's contents. Negative errno; -EFBIG when there are more than `limit` bytes. */
int file_read(const char *path, size_t limit, struct str *out);
