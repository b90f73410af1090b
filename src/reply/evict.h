/* Keeps the output folder small (--output-max-size). */
#pragma once

#include <stdint.h>

#include "browser/browser.h"
#include "reply/output.h"

/*
 * Removes the oldest files of the folder until the rest has at most `max` bytes. Only files that are named as
 * output_automatic() names them, and downloads of `b`, are counted and removed: the folder may hold others, which are
 * not ours.
 */
void evict_old_files(struct browser *b, const struct output_file *folder, uint64_t max);
