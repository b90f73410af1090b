#include "engine/profile_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/display.h"
#include "base/file.h"
#include "base/macros.h"

/* A directory can be locked by every user who may read it, this file only by who may write to the profile. */
#define LOCK_FILE "browserd.lock"

void profile_lock_describe(pid_t pid, struct str *out)
{
	_cleanup_(str_done) struct str name = {};
	char path[64];

	if (pid <= 0) {
		str_append(out, "a process of another container");
		return;
	}
	str_appendf(out, "process %d", pid);
	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	if (file_read(path, NAME_MAX, &name) < 0 || !name.len)
		return;
	name.data[strcspn(name.data, "\n")] = '\0';
	str_append(out, " (");
	display_line(out, name.data);
	str_append(out, ")");
}

/* The process that took the lock of another server, as the kernel lists it; the server may have ended before its browser. */
static void describe_lock_holder(const char *lock, struct str *holder)
{
	unsigned dev_major, dev_minor;
	unsigned long long inode;
	char line[256];
	struct stat st;
	FILE *locks = fopen("/proc/locks", "re");
	int pid, found = 0;

	while (locks && !found && stat(lock, &st) == 0 && fgets(line, sizeof(line), locks))
		if (sscanf(line, "%*u: FLOCK %*s %*s %d %x:%x:%llu", &pid, &dev_major, &dev_minor, &inode) == 4 &&
		    inode == st.st_ino && makedev(dev_major, dev_minor) == st.st_dev)
			found = pid;
	if (locks)
		fclose(locks);
	if (!found || (kill(found, 0) < 0 && errno == ESRCH))
		str_append(holder, "a browser of another server");
	else
		profile_lock_describe(found, holder);
}

int profile_lock_folder(const char *path, struct str *holder)
{
	char file[PATH_MAX];
	int lock = file_make_directories(path, 0700); /* readable by this user only */

	if (lock == 0 && snprintf(file, sizeof(file), "%s/" LOCK_FILE, path) >= (int)sizeof(file))
		lock = -ENAMETOOLONG;
	if (lock == 0)
		lock = file_open_locked(file, O_RDWR | O_CREAT | O_NOCTTY);
	if (lock != -EWOULDBLOCK)
		return lock;
	describe_lock_holder(file, holder);
	return -EBUSY;
}

bool profile_lock_has_record(const char *profile, const char *file, struct str *holder)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char path[PATH_MAX];
	int fd, r;

	snprintf(path, sizeof(path), "%s/%s", profile, file);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return false;
	r = fcntl(fd, F_GETLK, &lock);
	close(fd);
	if (r < 0 || lock.l_type == F_UNLCK)
		return false;
	profile_lock_describe(lock.l_pid, holder);
	return true;
}
