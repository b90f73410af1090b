/* The lock by which browsers of this program share profiles that stay, and the locks of other programs on files in them. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/str.h"

/*
 * Makes the directory if it does not exist, and locks browserd.lock in it. Returns a descriptor; the lock holds while it, or a copy in a
 * child process, is open. -EBUSY: another server's browser has it, and `holder` gets who. Other negative errnos: the directory cannot be used.
 */
int profile_lock_folder(const char *path, struct str *holder);
/* Whether another process has a lock of fcntl(2) on that file of the profile; `holder` gets who. */
bool profile_lock_has_record(const char *profile, const char *file, struct str *holder);
/* Appends "process 12 (chrome)"; a process of another PID namespace has no number here. */
void profile_lock_describe(pid_t pid, struct str *out);
