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
#include "base/macros.h"
#include "engine/profile_lock.h"

/* The databases that every Chromium keeps open in its profile, and locks. */
static const char *const database_locks[] = { "Default/Local Storage/leveldb/LOCK", "Default/shared_proto_db/LOCK" };

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
		profile_lock_describe((pid_t)atoi(dash + 1), holder);
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
	for (size_t i = 0; i < ARRAY_SIZE(database_locks); i++)
		if (profile_lock_has_record(profile, database_locks[i], holder))
			return true;
	return false;
}

int profile_lock(const char *path, bool headless_shell, struct str *holder)
{
	int lock = profile_lock_folder(path, holder);

	if (lock < 0 || !(has_singleton(path, headless_shell, holder) || has_locked_database(path, holder)))
		return lock;
	close(lock);
	return -EBUSY;
}
