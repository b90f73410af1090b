#include "reply/evict.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/log.h"
#include "base/str.h"
#include "browser/downloads.h"

#define AUTOMATIC "*-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]-[0-9][0-9]-[0-9][0-9]-[0-9][0-9][0-9]Z.*"

struct directory_usage {
	uint64_t bytes;
	char oldest[NAME_MAX + 1]; /* empty: there is no file */
	struct timespec age;
};

static bool is_older(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

static bool is_own_output(struct browser *b, const struct output_file *folder, const char *name, const struct stat *st)
{
	_cleanup_(str_done) struct str path = {};

	if (fnmatch(AUTOMATIC, name, 0) == 0)
		return true;
	str_appendf(&path, "%s/%s", folder->path, name);
	return browser_has_saved(b, path.data, st);
}

static void count_file(struct directory_usage *s, const struct stat *st, const char *name)
{
	s->bytes += (uint64_t)st->st_size;
	if (s->oldest[0] && !is_older(&st->st_mtim, &s->age))
		return;
	snprintf(s->oldest, sizeof(s->oldest), "%s", name);
	s->age = st->st_mtim;
}

static DIR *open_folder(const struct output_file *folder)
{
	int handle = beneath_directory(folder->root, folder->rest, false);
	int fd = handle < 0 ? -1 : openat(handle, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (handle >= 0)
		close(handle);
	if (fd >= 0 && !dir)
		close(fd);
	return dir;
}

/* Scans all files for each removal; they are few, because the limit keeps their number small. */
void evict_old_files(struct browser *b, const struct output_file *folder, uint64_t max)
{
	DIR *dir = open_folder(folder);
	struct directory_usage s;
	struct dirent *e;
	struct stat st;
	bool again = dir;

	while (again) {
		s = (struct directory_usage){};
		rewinddir(dir);
		while ((e = readdir(dir)))
			if (fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
			    is_own_output(b, folder, e->d_name, &st))
				count_file(&s, &st, e->d_name);
		again = s.bytes > max && unlinkat(dirfd(dir), s.oldest, 0) == 0;
		if (again)
			log_info("removed %s/%s: the files exceed the limit of the output directory", folder->path, s.oldest);
	}
	if (dir)
		closedir(dir);
}
