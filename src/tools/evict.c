#include "tools/evict.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/str.h"
#include "browser/downloads.h"

#define AUTOMATIC "*-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]-[0-9][0-9]-[0-9][0-9]-[0-9][0-9][0-9]Z.*"

struct survey {
	uint64_t bytes;
	char oldest[NAME_MAX + 1]; /* empty: there is no file */
	struct timespec age;
};

static bool is_older(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

static bool is_ours(struct browser *b, const char *folder, const char *name)
{
	_cleanup_(str_done) struct str path = {};

	if (fnmatch(AUTOMATIC, name, 0) == 0)
		return true;
	str_appendf(&path, "%s/%s", folder, name);
	return browser_has_saved(b, path.data);
}

static void look_at(struct survey *s, DIR *dir, const char *name)
{
	struct stat st;

	if (fstatat(dirfd(dir), name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
		return;
	s->bytes += (uint64_t)st.st_size;
	if (s->oldest[0] && !is_older(&st.st_mtim, &s->age))
		return;
	snprintf(s->oldest, sizeof(s->oldest), "%s", name);
	s->age = st.st_mtim;
}

/* One look at all files tells which one goes: they are few, because there is a limit. */
void evict_old_files(struct browser *b, const char *folder, uint64_t max)
{
	DIR *dir = opendir(folder);
	struct survey s;
	struct dirent *e;
	bool again = dir;

	while (again) {
		s = (struct survey){};
		rewinddir(dir);
		while ((e = readdir(dir)))
			if (is_ours(b, folder, e->d_name))
				look_at(&s, dir, e->d_name);
		again = s.bytes > max && unlinkat(dirfd(dir), s.oldest, 0) == 0;
		if (again)
			log_info("removed %s/%s, --output-max-size is reached", folder, s.oldest);
	}
	if (dir)
		closedir(dir);
}
