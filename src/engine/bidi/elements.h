/* Elements by the ids that all execution contexts of their documents share. */
#pragma once

#include "engine/frame.h"

struct task;

/*
 * The shared ids of the elements with these handles, NULL-terminated like the list of these, in the task's arena. Suspends. -ESTALE: one of them
 * is not there any more.
 */
int bidi_find_elements(struct task *t, const struct engine_frame *at, const char *const *handles, const char *const **ret);
