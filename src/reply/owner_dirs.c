#include "reply/owner_dirs.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/queue.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/str.h"
#include "loop/remove.h"
#include "loop/scratch.h"

#define CLEAN_INTERVAL (60 * USEC_PER_SEC)
#define CLEAN_INTERVAL_NEAR_LIMIT (5 * USEC_PER_SEC)
#define EMPTY_AGE 60                        /* seconds that an empty directory is kept */
#define NEAR_LIMIT(limit) ((limit) / 4 * 3) /* from here on the oldest files are removed */

struct usage {
	int64_t bytes, files;
};

/* What a directory has is what was added to it, and this, which a child process corrects when it has counted. */
struct correction {
	_Atomic int64_t bytes, files;
};

struct directory {
	TAILQ_ENTRY(directory) link;
	uint64_t owner;
	struct str path;
	usec_t used;
	struct usage added;
	struct correction *correction; /* memory that is shared with child processes */
};

struct owner_dirs {
	TAILQ_HEAD(, directory) list;
	struct scratch *scratch; /* NULL: the operator has set the parent directory */
	struct str parent;
	usec_t cleaned_at;
};

int owner_dirs_new(const char *parent, struct owner_dirs **ret)
{
	_cleanup_(owner_dirs_freep) struct owner_dirs *o = NEW(struct owner_dirs);
	char real[PATH_MAX];
	int r;

	TAILQ_INIT(&o->list);
	o->cleaned_at = clock_now();
	r = parent ? file_make_directories(parent, BENEATH_DIRECTORY_MODE) : scratch_new(SCRATCH_FILES, &o->scratch);
	if (r < 0)
		return r;
	if (!realpath(parent ? parent : scratch_path(o->scratch), real))
		return -errno;
	str_append(&o->parent, real);
	*ret = TAKE_PTR(o);
	return 0;
}

static void owner_dirs_forget(struct owner_dirs *o, struct directory *d)
{
	TAILQ_REMOVE(&o->list, d, link);
	munmap(d->correction, sizeof(*d->correction));
	str_done(&d->path);
	free(d);
}

static struct usage usage_of(const struct directory *d)
{
	return (struct usage){ d->added.bytes + d->correction->bytes, d->added.files + d->correction->files };
}

static bool is_near_limit(struct usage u)
{
	return u.bytes > (int64_t)NEAR_LIMIT(LIMIT_OWNER_FILES_BYTES) || u.files > NEAR_LIMIT(LIMIT_OWNER_FILES_COUNT);
}

struct owner_dirs *owner_dirs_free(struct owner_dirs *o)
{
	if (!o)
		return NULL;
	while (!TAILQ_EMPTY(&o->list)) {
		rmdir(TAILQ_FIRST(&o->list)->path.data); /* if it is empty */
		owner_dirs_forget(o, TAILQ_FIRST(&o->list));
	}
	scratch_remove(o->scratch);
	str_done(&o->parent);
	free(o);
	return NULL;
}

const char *owner_dirs_parent(const struct owner_dirs *o)
{
	return o->parent.data;
}

/* ---- what is kept of owners that outlive their clients ---- */

struct found {
	char *path;
	uint64_t size;
	time_t changed;
};

struct file_list {
	struct found *files;
	size_t count, room;
	struct usage usage;
};

static void owner_dirs_add_file(struct file_list *s, const char *path, const struct stat *st)
{
	if (s->count == s->room) {
		s->room = s->room ? 2 * s->room : 64;
		s->files = must(realloc(s->files, s->room * sizeof(*s->files)));
	}
	s->files[s->count++] = (struct found){ must(strdup(path)), (uint64_t)st->st_size, st->st_mtime };
	s->usage.bytes += st->st_size;
	s->usage.files++;
}

static void owner_dirs_list_files(struct file_list *s, char *path)
{
	char *const paths[] = { path, NULL };
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	FTSENT *e;

	while (tree && (e = fts_read(tree))) {
		if (e->fts_info == FTS_F)
			owner_dirs_add_file(s, e->fts_path, e->fts_statp);
		else if (e->fts_info == FTS_D && e->fts_level > 0)
			s->usage.files++;
	}
	if (tree)
		fts_close(tree);
}

static int owner_dirs_by_age(const void *a, const void *b)
{
	time_t one = ((const struct found *)a)->changed, other = ((const struct found *)b)->changed;

	return one < other ? -1 : one > other;
}

static void remove_old_files(struct file_list *s)
{
	time_t oldest = time(NULL) - LIMIT_OWNER_FILES_AGE;

	if (s->count > 0)
		qsort(s->files, s->count, sizeof(*s->files), owner_dirs_by_age);
	for (const struct found *f = s->files; f < s->files + s->count && (f->changed < oldest || is_near_limit(s->usage)); f++) {
		if (unlink(f->path) < 0)
			continue;
		s->usage.bytes -= (int64_t)f->size;
		s->usage.files--;
		log_debug("removed %s, which was too old or too much", f->path);
	}
}

/* A directory that is empty, also after this has emptied it, goes when it has not changed for a while: a call may be about to fill it. */
static void remove_empty_directories(struct file_list *s, char *path)
{
	char *const paths[] = { path, NULL };
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	time_t latest = time(NULL) - EMPTY_AGE;
	FTSENT *e;

	while (tree && (e = fts_read(tree)))
		if (e->fts_info == FTS_DP && e->fts_level > 0 && e->fts_statp->st_mtime < latest && rmdir(e->fts_path) == 0)
			s->usage.files--;
	if (tree)
		fts_close(tree);
}

/* In a child process: a directory may have a million files. */
static void clean_directory(const struct directory *d, bool remove)
{
	struct file_list s = {};

	owner_dirs_list_files(&s, d->path.data);
	if (remove) {
		remove_old_files(&s);
		remove_empty_directories(&s, d->path.data);
	}
	d->correction->bytes = s.usage.bytes - d->added.bytes;
	d->correction->files = s.usage.files - d->added.files;
	for (size_t i = 0; i < s.count; i++)
		free(s.files[i].path);
	free(s.files);
}

static void clean_directories(const void *data)
{
	const struct owner_dirs *o = data;
	const struct directory *d;

	TAILQ_FOREACH(d, &o->list, link)
		clean_directory(d, o->scratch);
}

static void forget_absent_owners(struct owner_dirs *o)
{
	struct directory *d, *next;

	for (d = TAILQ_FIRST(&o->list); d; d = next) {
		next = TAILQ_NEXT(d, link);
		if (o->cleaned_at - d->used <= LIMIT_OWNER_FILES_AGE * USEC_PER_SEC)
			continue;
		remove_tree_aside(d->path.data);
		owner_dirs_forget(o, d);
	}
}

/* Counts files and removes expired ones from time to time, when the directory `for_d` is requested. */
static void clean(struct owner_dirs *o, const struct directory *for_d)
{
	usec_t now = clock_now();
	int r;

	if (now - o->cleaned_at < (is_near_limit(usage_of(for_d)) ? CLEAN_INTERVAL_NEAR_LIMIT : CLEAN_INTERVAL))
		return;
	o->cleaned_at = now;
	if (o->scratch)
		forget_absent_owners(o);
	r = remove_in_child(clean_directories, o);
	if (r < 0)
		log_warning("cannot start a process that counts the files of clients: %s", strerror(-r));
}

/* ---- one owner's ---- */

static struct directory *owner_dirs_find(const struct owner_dirs *o, uint64_t owner)
{
	struct directory *d;

	TAILQ_FOREACH(d, &o->list, link)
		if (d->owner == owner)
			return d;
	return NULL;
}

static int owner_dirs_make(struct owner_dirs *o, uint64_t owner, struct directory **ret)
{
	_cleanup_(str_done) struct str path = {};
	struct correction *correction;
	struct directory *d;

	str_appendf(&path, "%s/" OWNER_DIR_TEMPLATE, o->parent.data);
	if (!mkdtemp(path.data))
		return -errno;
	correction = mmap(NULL, sizeof(*correction), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (correction == MAP_FAILED) {
		rmdir(path.data);
		return -ENOMEM;
	}
	d = NEW(struct directory);
	d->owner = owner;
	str_append(&d->path, path.data);
	d->correction = correction;
	TAILQ_INSERT_TAIL(&o->list, d, link);
	*ret = d;
	return 0;
}

int owner_dirs_path(struct owner_dirs *o, uint64_t owner, const char **ret)
{
	struct directory *d = owner_dirs_find(o, owner);
	int r;

	r = d ? 0 : owner_dirs_make(o, owner, &d);
	if (r < 0)
		return r;
	d->used = clock_now();
	clean(o, d);
	*ret = d->path.data;
	return 0;
}

uint64_t owner_dirs_room(const struct owner_dirs *o, uint64_t owner)
{
	const struct directory *d = o ? owner_dirs_find(o, owner) : NULL;
	struct usage u;

	if (!d)
		return UINT64_MAX;
	u = usage_of(d);
	if (u.files >= LIMIT_OWNER_FILES_COUNT || u.bytes >= (int64_t)LIMIT_OWNER_FILES_BYTES)
		return 0;
	return LIMIT_OWNER_FILES_BYTES - (uint64_t)MAX(u.bytes, (int64_t)0);
}

void owner_dirs_add(struct owner_dirs *o, uint64_t owner, int64_t bytes, int64_t files)
{
	struct directory *d = o ? owner_dirs_find(o, owner) : NULL;

	if (!d)
		return;
	d->added.bytes += bytes;
	d->added.files += files;
}

void owner_dirs_end(struct owner_dirs *o, uint64_t owner)
{
	struct directory *d = o ? owner_dirs_find(o, owner) : NULL;

	if (!d)
		return;
	if (o->scratch)
		remove_tree_aside(d->path.data);
	else
		rmdir(d->path.data); /* if it is empty */
	owner_dirs_forget(o, d);
}
