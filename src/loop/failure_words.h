/*
 * The words of a task's failure, for surfaces: code that writes answers, complaints and logs. What is below them returns the failure, and
 * adds to it by task_wrap(). tests/unit/failure_law.py refuses other users.
 */
#pragma once

#include "loop/task.h"

/* What the tools of this server are called in the words of reasons. Set once, before the first call; borrowed. */
void failure_words_use(const struct hint *hints);
/* Whether more was recorded about the failure `r` than its code. Everything here takes `r` of a task that was cancelled for the reason for that. */
bool failure_has_words(struct task *t, int r);
/* In the task's arena; those of the code if there are no others. */
const char *failure_words(struct task *t, int r);
/* Of a failure that was kept. */
const char *failure_words_of(struct task *t, const struct failure *f);
/* The details for clients, a JSON object in the task's arena; NULL: none. */
const char *failure_details(struct task *t, int r);
