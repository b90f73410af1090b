/*
 * How long recordings are kept: a child process removes those that are too old, and then, while all together are too large, the oldest one of the
 * owner that has most. It runs at the start, after the end of recordings, and once an hour. Those that are being made, by this or another
 * server, are locked and stay. One that says that it runs and is not locked was cut off, which its manifest gets.
 */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/file.h"
#include "base/log.h"
#include "loop/remove.h"
#include "recordings/internal.h"
#include "recordings/shelf.h"
#include "reply/owner_dirs.h"

#define RETENTION_PAUSE (5 * USEC_PER_SEC) /* between the end of a recording and the process, which then serves several */
#define RETENTION_PERIOD (3600 * USEC_PER_SEC)

/* A recording that has ended. */
struct kept {
	char *path;
	size_t owner; /* index of its folder */
	uint64_t bytes;
	time_t changed;
};

struct kept_list {
	struct kept *items;
	size_t count, room;
	uint64_t bytes; /* of all recordings, also of those that are being made */
};

/* What the child process gets. */
struct retention {
	const char *pattern; /* of glob(3), for the folders of recordings */
	time_t keep;         /* seconds; 0: any */
	uint64_t max;        /* bytes; 0: any */
};

/* ---- what there is ---- */

static uint64_t retention_size_of(char *path)
{
	char *const paths[] = { path, NULL };
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	uint64_t bytes = 0;
	FTSENT *e;

	while (tree && (e = fts_read(tree)))
		if (e->fts_info == FTS_F)
			bytes += (uint64_t)e->fts_statp->st_size;
	if (tree)
		fts_close(tree);
	return bytes;
}

static int retention_open(const char *path, const char *name, int flags)
{
	_cleanup_(str_done) struct str file = {};

	str_appendf(&file, "%s/%s", path, name);
	return open(file.data, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, BENEATH_FILE_MODE);
}

/* When its files have changed last, and whether it is being made. */
static bool retention_has_ended(const char *path, time_t *ret_changed)
{
	int fd = retention_open(path, RECORDING_TIMELINE, O_RDONLY);
	bool ended = fd < 0 || flock(fd, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK;
	struct stat st;

	if (fstat(fd, &st) == 0 || lstat(path, &st) == 0)
		*ret_changed = st.st_mtime;
	file_close(&fd);
	return ended;
}

/* Replaces the manifest, with the time that it had, which is the age of the recording. */
static void retention_write(const char *path, const struct str *text, time_t changed)
{
	const struct timespec times[] = { { changed, 0 }, { changed, 0 } };
	_cleanup_(str_done) struct str from = {}, to = {};
	int fd = retention_open(path, RECORDING_MANIFEST ".new", O_WRONLY | O_CREAT | O_EXCL);
	int r = fd < 0 ? -errno : file_write_all(fd, text->data, text->len);

	str_appendf(&from, "%s/" RECORDING_MANIFEST ".new", path);
	str_appendf(&to, "%s/" RECORDING_MANIFEST, path);
	if (r == 0 && (futimens(fd, times) < 0 || rename(from.data, to.data) < 0))
		r = -errno;
	if (r < 0)
		unlink(from.data);
	file_close(&fd);
}

/* The state of a recording that was cut off; its other members stay. */
static void retention_mark_cut(const char *path, time_t changed)
{
	static const char running[] = "\"state\":\"running\"";
	_cleanup_(str_done) struct str text = {}, marked = {};
	int fd = retention_open(path, RECORDING_MANIFEST, O_RDONLY);
	const char *at =
		fd >= 0 && file_read_from(fd, LIMIT_RECORDING_MANIFEST, &text) == 0 ? strstr(str_text(&text), running) : NULL;

	file_close(&fd);
	if (!at)
		return;
	str_append_len(&marked, text.data, (size_t)(at - text.data));
	str_json(&marked, "state: 'cut', ended: ?, end: ?", (int64_t)changed * 1000,
		 "was cut off with the server, which was killed");
	str_append(&marked, at + strlen(running));
	retention_write(path, &marked, changed);
}

static void retention_add(struct kept_list *l, const char *path, size_t owner)
{
	struct kept k = { .path = must(strdup(path)), .owner = owner };

	k.bytes = retention_size_of(k.path);
	l->bytes += k.bytes;
	if (!retention_has_ended(path, &k.changed)) {
		free(k.path);
		return;
	}
	retention_mark_cut(path, k.changed);
	if (l->count == l->room) {
		l->room = l->room ? 2 * l->room : 64;
		l->items = must(realloc(l->items, l->room * sizeof(*l->items)));
	}
	l->items[l->count++] = k;
}

static void retention_list(struct kept_list *l, const char *folder, size_t owner)
{
	char *const paths[] = { (char *)folder, NULL };
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	FTSENT *e;

	while (tree && (e = fts_read(tree)))
		if (e->fts_info == FTS_D && e->fts_level == 1) {
			if (recording_id_is_valid(e->fts_name))
				retention_add(l, e->fts_path, owner);
			fts_set(tree, e, FTS_SKIP);
		}
	if (tree)
		fts_close(tree);
}

/* ---- what goes ---- */

static int retention_by_age(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	return (x->changed > y->changed) - (x->changed < y->changed);
}

static void retention_remove(struct kept_list *l, struct kept *k)
{
	remove_tree(k->path);
	l->bytes -= k->bytes;
	k->bytes = 0;
	free(TAKE_PTR(k->path));
}

/* The oldest recording of the owner that has most; NULL: none has any. */
static struct kept *retention_surplus(struct kept_list *l, uint64_t *owners, size_t count)
{
	size_t most = 0;

	memset(owners, 0, count * sizeof(*owners));
	for (size_t i = 0; i < l->count; i++)
		owners[l->items[i].owner] += l->items[i].path ? l->items[i].bytes : 0;
	for (size_t i = 1; i < count; i++)
		most = owners[i] > owners[most] ? i : most;
	for (size_t i = 0; i < l->count; i++)
		if (l->items[i].path && l->items[i].owner == most && l->items[i].bytes)
			return &l->items[i];
	return NULL;
}

static void retention_apply(const struct retention *r, struct kept_list *l, size_t owner_count)
{
	uint64_t *owners = must(calloc(owner_count + 1, sizeof(*owners)));
	time_t oldest = time(NULL) - r->keep;
	struct kept *k;

	qsort(l->items, l->count, sizeof(*l->items), retention_by_age);
	for (k = l->items; r->keep && k < l->items + l->count && k->changed < oldest; k++)
		retention_remove(l, k);
	while (r->max && l->bytes > r->max && (k = retention_surplus(l, owners, owner_count)))
		retention_remove(l, k);
	free(owners);
}

/* In a child process, which ends with it. */
static void retention_run(const void *data)
{
	const struct retention *r = data;
	struct kept_list l = {};
	glob_t folders = {};

	if (glob(r->pattern, GLOB_NOSORT, NULL, &folders) != 0)
		return;
	for (size_t i = 0; i < folders.gl_pathc; i++)
		retention_list(&l, folders.gl_pathv[i], i);
	if (l.count)
		retention_apply(r, &l, folders.gl_pathc);
}

/* ---- when ---- */

/* A path as a pattern of glob(3) that matches it alone. */
static void append_literal(struct str *out, const char *path)
{
	for (; *path; path++) {
		if (strchr("*?[]\\", *path))
			str_append_char(out, '\\');
		str_append_char(out, *path);
	}
}

static void retention_pattern(const struct recordings *all, struct str *out)
{
	const struct output *output = &all->app->output;
	bool automatic = output->owner_dirs || !output->settings->dir;

	append_literal(out, output->owner_dirs ? owner_dirs_parent(output->owner_dirs) : all->here);
	str_appendf(out, "/%s%s%s", output->owner_dirs ? OWNER_DIR_PREFIX "*/" : "", automatic ? OUTPUT_DIRECTORY "/" : "",
		    RECORDING_FOLDER);
}

static void retention_on_timer(void *data)
{
	struct recordings *all = data;
	_cleanup_(str_done) struct str pattern = {};
	struct retention r = { .keep = (time_t)(all->settings->keep / USEC_PER_SEC), .max = all->settings->max_size };
	int result;

	retention_pattern(all, &pattern);
	r.pattern = pattern.data;
	result = remove_in_child(retention_run, &r);
	if (result < 0)
		log_warning("cannot start a process that removes old recordings: %s", strerror(-result));
	timer_set(all->retention, clock_now() + RETENTION_PERIOD);
}

/* A server that records nothing starts no process for recordings that are not there. */
static bool retention_is_needed(const struct recordings *all)
{
	_cleanup_(str_done) struct str folder = {};

	if (all->settings->kinds)
		return true;
	if (all->app->output.owner_dirs)
		return all->app->output.settings->dir;
	str_appendf(&folder, "%s/%s" RECORDING_FOLDER, all->here, all->app->output.settings->dir ? "" : OUTPUT_DIRECTORY "/");
	return access(folder.data, F_OK) == 0;
}

void recordings_begin(struct recordings *all)
{
	all->retention = timer_new(all->loop, retention_on_timer, all);
	if (retention_is_needed(all))
		timer_set(all->retention, clock_now());
}

void retention_soon(struct recordings *all)
{
	if (all->retention)
		timer_set(all->retention, clock_now() + RETENTION_PAUSE);
}
