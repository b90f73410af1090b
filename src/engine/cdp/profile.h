/*
 * The directory of a kept browser profile: one browser at a time may use it. Browsers of browserd hold a lock on the file
 * browserd.lock in it; of other Chromiums, the lock of their windows (SingletonLock) and the locks on their databases are read.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/*
 * Makes the directory if it does not exist, and locks it. Returns a descriptor; the lock holds while it, or a copy in a child
 * process, is open. -EBUSY: another browser uses the profile, and `holder` gets who, "process 12 (chrome)", which may be on
 * its way out. `headless_shell`: the browser to be started is one, which heeds no SingletonLock that another machine has left
 * behind. Other negative errnos: the directory cannot be used. Does not wait.
 */
int profile_lock(const char *path, bool headless_shell, struct str *holder);
