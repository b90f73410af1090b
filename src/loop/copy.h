/* Copies a file's content in parts, one in each round of the loop, so that the loop is not blocked. */
#pragma once

#include "base/macros.h"
#include "loop/loop.h"
#include "loop/task.h"

struct copy;

/*
 * Copies from `in`, a regular file, to `out`, starting at their current offsets. The caller keeps both descriptors and leaves
 * them open until the copy is freed. `done` is called once from the loop, with 0 or a negative errno, and may free the copy.
 */
struct copy *copy_start(struct loop *l, int in, int out, void (*done)(int r, void *data), void *data);
struct copy *copy_free(_nullable_ struct copy *c);
DEFINE_FREEP(copy);
/* copy_start() for a task; suspends until the copy is complete. */
int copy_file(struct task *t, int in, int out);
