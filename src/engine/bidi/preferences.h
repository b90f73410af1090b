/* The preferences that Firefox is started with: the file user.js in its profile, which it reads before anything else. */
#pragma once

#include "engine/options.h"

struct str;

/* Appends the file. */
void preferences_print(const struct engine_options *o, struct str *out);
/*
 * Writes the file. Negative errno with a text in `error`; -EEXIST: the profile has such a file that this program has not written, which stays
 * as it is.
 */
int preferences_write(const char *profile, const struct engine_options *o, struct str *error);
