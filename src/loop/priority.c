#include "loop/priority.h"

#include <dirent.h>
#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/macros.h"
#include "loop/suspend.h"

#define LONG_SLICE_NSEC 100000000u /* the longest that the kernel allows; by it a thread that yields is recognized */
#define NICER 9                    /* threads of 10, as Chromium has them for work in the background, become 19, the last value */
#define NICE_MAX 19
#define NICE_LIMIT_NEEDED 20 /* of RLIMIT_NICE: values down to 0 may be set */

/* As in linux/sched/types.h, of which some versions cannot be included beside sched.h. */
struct scheduling {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

static int priority_get(pid_t thread, struct scheduling *ret)
{
	return syscall(SYS_sched_getattr, thread, ret, sizeof(*ret), 0) < 0 ? -errno : 0;
}

static int priority_set(pid_t thread, const struct scheduling *s)
{
	return syscall(SYS_sched_setattr, thread, s, 0) < 0 ? -errno : 0;
}

/* The slice of this thread is changed for the moment: kernels without slices accept that and report another. */
static bool has_slices(void)
{
	struct scheduling before, changed;
	bool has;

	if (priority_get(0, &before) < 0 || before.policy != SCHED_OTHER)
		return false;
	changed = before;
	changed.runtime = LONG_SLICE_NSEC;
	has = priority_set(0, &changed) == 0 && priority_get(0, &changed) == 0 && changed.runtime == LONG_SLICE_NSEC;
	before.runtime = 0; /* the kernel's own */
	return priority_set(0, &before) == 0 && has;
}

static bool may_lower_nice(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
	struct rlimit limit;

	if (syscall(SYS_capget, &header, data) == 0 && data[CAP_TO_INDEX(CAP_SYS_NICE)].effective & CAP_TO_MASK(CAP_SYS_NICE))
		return true;
	return getrlimit(RLIMIT_NICE, &limit) == 0 && limit.rlim_cur >= NICE_LIMIT_NEEDED;
}

enum priority_means priority_means(void)
{
	static enum priority_means means;
	static bool known;

	if (!known)
		means = !has_slices() ? PRIORITY_NONE : may_lower_nice() ? PRIORITY_SLICES_AND_NICE : PRIORITY_SLICES;
	known = true;
	return means;
}

/* A thread may have ended: that is no error. */
static void set_thread(pid_t thread, bool yields)
{
	struct scheduling s;
	int nicer = priority_means() == PRIORITY_SLICES_AND_NICE ? NICER : 0;

	if (priority_get(thread, &s) < 0 || s.policy != SCHED_OTHER || (s.runtime == LONG_SLICE_NSEC) == yields)
		return;
	s.runtime = yields ? LONG_SLICE_NSEC : 0;
	if (!yields)
		s.nice -= nicer;
	else if (s.nice + nicer <= NICE_MAX)
		s.nice += nicer;
	else
		return; /* what could not be subtracted again */
	priority_set(thread, &s);
}

void priority_set_yielding(const struct suspendable *process, bool yields)
{
	char path[sizeof("/proc//task") + 3 * sizeof(pid_t)];
	struct dirent *entry;
	DIR *threads;

	if (priority_means() == PRIORITY_NONE)
		return;
	snprintf(path, sizeof(path), "/proc/%d/task", suspend_pid(process));
	threads = opendir(path);
	/* An open folder stays that of its process; if the process exists now, it is the one that is meant. */
	if (threads && suspend_exists(process))
		while ((entry = readdir(threads)))
			if (*entry->d_name != '.')
				set_thread((pid_t)strtol(entry->d_name, NULL, 10), yields);
	if (threads)
		closedir(threads);
}
