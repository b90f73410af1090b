#include "reply/evict.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/log.h"
#include "base/str.h"
#include "browser/downloads.h"

#define AUTOMATIC "*-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]-[0-9][0-9]-[0-9][0-9]-[0-9][0-9][0-9]Z.*"

struct file {
	struct timespec changed;
	uint64_t size;
	char *name;
};

struct file_list {
	struct file *items;
	size_t count, room;
	uint64_t bytes;
};

static void list_done(struct file_list *l)
{
	while (l->count > 0)
		free(l->items[--l->count].name);
	free(l->items);
}

static int evict_by_age(const void *a, const void *b)
{
	const struct timespec *x = &((const struct file *)a)->changed, *y = &((const struct file *)b)->changed;

	if (x->tv_sec != y->tv_sec)
		return x->tv_sec < y->tv_sec ? -1 : 1;
	return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

static bool is_own_output(struct browser *b, const struct output_file *folder, const char *name, const struct stat *st)
{
	_cleanup_(str_done) struct str path = {};

	if (fnmatch(AUTOMATIC, name, 0) == 0)
		return true;
	str_appendf(&path, "%s/%s", folder->path, name);
	return browser_has_saved(b, path.data, st);
}

static void evict_add_file(struct file_list *l, const char *name, const struct stat *st)
{
	if (l->count == l->room) {
		l->room = 2 * l->room + 64;
		l->items = must(realloc(l->items, l->room * sizeof(*l->items)));
	}
	l->items[l->count++] = (struct file){ st->st_mtim, (uint64_t)st->st_size, must(strdup(name)) };
	l->bytes += (uint64_t)st->st_size;
}

static void evict_list_files(struct browser *b, const struct output_file *folder, DIR *dir, struct file_list *l)
{
	struct dirent *e;
	struct stat st;

	while ((e = readdir(dir)))
		if (fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
		    is_own_output(b, folder, e->d_name, &st))
			evict_add_file(l, e->d_name, &st);
}

static void remove_oldest(const struct output_file *folder, int dir, struct file_list *l, uint64_t max)
{
	qsort(l->items, l->count, sizeof(*l->items), evict_by_age);
	for (const struct file *f = l->items; l->bytes > max; f++) {
		if (unlinkat(dir, f->name, 0) < 0)
			return;
		l->bytes -= f->size;
		log_info("removed %s/%s: the files exceed the limit of the output directory", folder->path, f->name);
	}
}

void evict_old_files(struct browser *b, const struct output_file *folder, uint64_t max)
{
	_cleanup_(list_done) struct file_list all = {};
	DIR *dir = beneath_list(folder->root, folder->rest);

	if (!dir)
		return;
	evict_list_files(b, folder, dir, &all);
	if (all.bytes > max)
		remove_oldest(folder, dirfd(dir), &all, max);
	closedir(dir);
}
