/* Waits until another process has written a file, by inotify(7). */
#pragma once

#include "base/macros.h"
#include "loop/loop.h"

struct file_wait;

/*
 * `written` is called from the loop whenever the file `name` in the directory `dir` has been written and closed, or was moved there; also
 * if it exists already. The file may have been removed again by then. Negative errno: the kernel has no (more) inotify instances.
 */
int file_wait_new(struct loop *l, void (*written)(void *data), void *data, struct file_wait **ret);
/* Once, when the directory exists. `name` must outlive `w`. */
int file_wait_begin(struct file_wait *w, const char *dir, const char *name);
/* May be called any time, also inside of `written`. */
struct file_wait *file_wait_free(struct file_wait *w);
DEFINE_FREEP(file_wait);
