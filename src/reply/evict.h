/* Limits the size of the output directory. */
#pragma once

#include <stdint.h>

#include "browser/browser.h"
#include "reply/output.h"

/*
 * Removes the oldest files of the directory until the rest has at most `max` bytes. It counts and removes only downloads
 * of `b` and files with names from output_automatic(), because the directory may contain files of others.
 */
void evict_old_files(struct browser *b, const struct output_file *folder, uint64_t max);
