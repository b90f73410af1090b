#include "engine/cdp/profile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/display.h"
#include "base/file.h"
#include "base/macros.h"

/* The databases that every Chromium keeps open in its profile, and locks. */
static const char *const database_locks[] = { "Default/Local Storage/leveldb/LOCK", "Default/shared_proto_db/LOCK" };

/* A directory can be locked by every user who may read it, this file only by who may write to the profile. */
#define LOCK_FILE "browserd.lock"

/* "process 12 (chrome)"; a process of another PID namespace has no number here. */
static void describe_process(pid_t pid, struct str *out)
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
		describe_process(found, holder);
}

/* Whether a browser listens on the socket by which Chromium passes addresses to the one that runs. */
static bool singleton_answers(const char *profile)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char link[PATH_MAX], target[sizeof(address.sun_path)];
	ssize_t len;
	bool connected;
	int fd;

	snprintf(link, sizeof(link), "%s/SingletonSocket", profile);
	len = readlink(link, target, sizeof(target));
	if (len <= 0 || (size_t)len >= sizeof(target)) /* Chromium always links to a short absolute name in /tmp */
		return false;
	memcpy(address.sun_path, target, (size_t)len);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	connected = fd >= 0 && (connect(fd, (const struct sockaddr *)&address, sizeof(address)) == 0 || errno == EAGAIN);
	close(fd);
	return connected;
}

/* Chromium's own lock is a symbolic link to HOST-PID, which stays behind when the browser is killed. */
static bool has_singleton(const char *profile, bool headless_shell, struct str *holder)
{
	char path[PATH_MAX], link[PATH_MAX], host[HOST_NAME_MAX + 1] = "", *dash;
	ssize_t len;

	snprintf(path, sizeof(path), "%s/SingletonLock", profile);
	len = readlink(path, link, sizeof(link) - 1);
	if (len <= 0)
		return false;
	link[len] = '\0';
	dash = strrchr(link, '-');
	if (!dash || gethostname(host, sizeof(host)) < 0)
		return false;
	*dash = '\0';
	if (strcmp(link, host) == 0) {
		if (!singleton_answers(profile))
			return false;
		describe_process((pid_t)atoi(dash + 1), holder);
		return true;
	}
	if (headless_shell)
		return false;
	str_append(holder, "a browser of the machine ");
	display_line(holder, link);
	str_append(holder, " (if it has ended, remove the file SingletonLock in this folder)");
	return true;
}

static bool has_locked_database(const char *profile, struct str *holder)
{
	for (size_t i = 0; i < ARRAY_SIZE(database_locks); i++) {
		struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
		char path[PATH_MAX];
		int fd, r;

		snprintf(path, sizeof(path), "%s/%s", profile, database_locks[i]);
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
		if (fd < 0)
			continue;
		r = fcntl(fd, F_GETLK, &lock);
		close(fd);
		if (r < 0 || lock.l_type == F_UNLCK)
			continue;
		describe_process(lock.l_pid, holder);
		return true;
	}
	return false;
}

int profile_lock(const char *path, bool headless_shell, struct str *holder)
{
	char file[PATH_MAX];
	int lock = file_make_directories(path, 0700); /* readable by this user only */

	if (lock == 0 && snprintf(file, sizeof(file), "%s/" LOCK_FILE, path) >= (int)sizeof(file))
		lock = -ENAMETOOLONG;
	if (lock == 0)
		lock = file_open_locked(file, O_RDWR | O_CREAT | O_NOCTTY);
	if (lock == -EWOULDBLOCK) {
		describe_lock_holder(file, holder);
		return -EBUSY;
	}
	if (lock < 0 || !(has_singleton(path, headless_shell, holder) || has_locked_database(path, holder)))
		return lock;
	close(lock);
	return -EBUSY;
}
