/*
 * Copying a file without holding up the loop: a part of it at each edge. The copy grows under another name beside the
 * one that it shall have, and takes that, and the place of what has it, when it is whole.
 */
#pragma once

#include "base/macros.h"
#include "loop/loop.h"

struct copy;

/*
 * `done` is called once from the loop, with 0 or a negative errno, and may free the copy. Negative errno when it cannot
 * begin.
 */
int copy_start(struct loop *l, const char *from, const char *to, void (*done)(int r, void *data), void *data, struct copy **ret);
/* One that has not ended leaves nothing behind. */
struct copy *copy_free(struct copy *c);
DEFINE_FREEP(copy);
