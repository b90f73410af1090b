#pragma once

#include "base/str.h"

/* Appends the path of the profile of the workspace `folder`: `prefix` and the first 7 hex digits of the folder's SHA-256. */
void profile_of_folder(const char *prefix, const char *folder, struct str *out);
