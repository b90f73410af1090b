/* Names of files that pages suggest. */
#pragma once

#include "base/str.h"

/*
 * Appends a name that is one on every system, as the reference makes it: of ASCII only letters, digits, hyphens and the
 * dot before the extension are left, what was between them is one hyphen. At most `max` bytes: what is left out comes
 * from before the extension. `copy`: a number that distinguishes it from others (0: none), before the extension.
 */
void file_name_safe(struct str *out, const char *suggested, unsigned copy, size_t max);
