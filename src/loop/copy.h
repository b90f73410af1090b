/* Copying what a file holds without holding up the loop: a part of it at each edge. */
#pragma once

#include "base/macros.h"
#include "loop/loop.h"
#include "loop/task.h"

struct copy;

/*
 * From `in`, a regular file, to `out`, both from where they stand; they stay the caller's and must be open until the copy is
 * freed. `done` is called once from the loop, with 0 or a negative errno, and may free the copy.
 */
struct copy *copy_start(struct loop *l, int in, int out, void (*done)(int r, void *data), void *data);
struct copy *copy_free(struct copy *c);
DEFINE_FREEP(copy);
/* The same for a task, which suspends until it is over. */
int copy_file(struct task *t, int in, int out);
