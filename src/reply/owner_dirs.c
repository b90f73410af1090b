#include "reply/owner_dirs.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
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

struct directory {
	TAILQ_ENTRY(directory) link;
	uint64_t owner;
	struct str path;
	usec_t used;
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

static void forget(struct owner_dirs *o, struct directory *d)
{
	TAILQ_REMOVE(&o->list, d, link);
	str_done(&d->path);
	free(d);
}

struct owner_dirs *owner_dirs_free(struct owner_dirs *o)
{
	if (!o)
		return NULL;
	while (!TAILQ_EMPTY(&o->list)) {
		rmdir(TAILQ_FIRST(&o->list)->path.data); /* if it is empty */
		forget(o, TAILQ_FIRST(&o->list));
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
	uint64_t bytes;
};

static void add_file(struct file_list *s, const char *path, const struct stat *st)
{
	if (s->count == s->room) {
		s->room = s->room ? 2 * s->room : 64;
		s->files = must(realloc(s->files, s->room * sizeof(*s->files)));
	}
	s->files[s->count++] = (struct found){ must(strdup(path)), (uint64_t)st->st_size, st->st_mtime };
	s->bytes += (uint64_t)st->st_size;
}

static void list_files(struct file_list *s, char *path)
{
	char *const paths[] = { path, NULL };
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	FTSENT *e;

	while (tree && (e = fts_read(tree)))
		if (e->fts_info == FTS_F)
			add_file(s, e->fts_path, e->fts_statp);
	if (tree)
		fts_close(tree);
}

static int by_age(const void *a, const void *b)
{
	time_t one = ((const struct found *)a)->changed, other = ((const struct found *)b)->changed;

	return one < other ? -1 : one > other;
}

/* In a child process: a directory may have a million files. */
static void remove_old_files(const struct directory *d)
{
	time_t oldest = time(NULL) - LIMIT_OWNER_FILES_AGE;
	struct file_list s = {};

	list_files(&s, d->path.data);
	if (s.count > 0)
		qsort(s.files, s.count, sizeof(*s.files), by_age);
	for (size_t i = 0; i < s.count; i++) {
		const struct found *f = &s.files[i];

		if ((f->changed < oldest || s.bytes > LIMIT_OWNER_FILES_BYTES) && unlink(f->path) == 0) {
			s.bytes -= f->size;
			log_debug("removed %s, which was too old or too much", f->path);
		}
		free(f->path);
	}
	free(s.files);
}

static void remove_all_old_files(const void *data)
{
	const struct owner_dirs *o = data;
	const struct directory *d;

	TAILQ_FOREACH(d, &o->list, link)
		remove_old_files(d);
}

/* Removes expired files from time to time, when a directory is requested. */
static void clean(struct owner_dirs *o)
{
	struct directory *d, *next;
	usec_t now = clock_now();
	int r;

	if (!o->scratch || now - o->cleaned_at < CLEAN_INTERVAL)
		return;
	o->cleaned_at = now;
	for (d = TAILQ_FIRST(&o->list); d; d = next) {
		next = TAILQ_NEXT(d, link);
		if (now - d->used <= LIMIT_OWNER_FILES_AGE * USEC_PER_SEC)
			continue;
		remove_tree_aside(d->path.data);
		forget(o, d);
	}
	r = remove_in_child(remove_all_old_files, o);
	if (r < 0)
		log_warning("cannot start a process that removes old files of clients: %s", strerror(-r));
}

/* ---- one owner's ---- */

static struct directory *find(struct owner_dirs *o, uint64_t owner)
{
	struct directory *d;

	TAILQ_FOREACH(d, &o->list, link)
		if (d->owner == owner)
			return d;
	return NULL;
}

static int make(struct owner_dirs *o, uint64_t owner, struct directory **ret)
{
	struct str path = {};
	struct directory *d;

	str_appendf(&path, "%s/owner-XXXXXX", o->parent.data);
	if (!mkdtemp(path.data)) {
		str_done(&path);
		return -errno;
	}
	d = NEW(struct directory);
	d->owner = owner;
	d->path = path;
	TAILQ_INSERT_TAIL(&o->list, d, link);
	*ret = d;
	return 0;
}

int owner_dirs_path(struct owner_dirs *o, uint64_t owner, const char **ret)
{
	struct directory *d = find(o, owner);
	int r;

	r = d ? 0 : make(o, owner, &d);
	if (r < 0)
		return r;
	d->used = clock_now();
	clean(o);
	*ret = d->path.data;
	return 0;
}

void owner_dirs_end(struct owner_dirs *o, uint64_t owner)
{
	struct directory *d = o ? find(o, owner) : NULL;

	if (!d)
		return;
	if (o->scratch)
		remove_tree_aside(d->path.data);
	else
		rmdir(d->path.data); /* if it is empty */
	forget(o, d);
}
