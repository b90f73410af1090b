#include "browser/downloads.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/limits.h"
#include "base/log.h"
#include "browser/filename.h"
#include "browser/internal.h"
#include "engine/context.h"
#include "loop/copy.h"
#include "observe/own_events.h"
#include "page/frame.h"

#define NAMESAKES_MAX 1000u /* files of one name, which are numbered */
#define BYTES_MAX 1e15      /* of one download, so that a browser's number fits into ours, and the sum of all into theirs */

struct downloads {
	struct context *context;
	struct str root, rest, path; /* of the directory that they are saved to */
	uint64_t max;                /* their total size, with that of the other downloads of the same owner */
	TAILQ_HEAD(, download) list; /* in the order of their beginnings */
	unsigned count, begun;
	uint64_t happened; /* counts beginnings and ends */
};

/* ---- files that were downloads ---- */

static int compare_paths(const void *a, const void *b)
{
	return strcmp(a, b);
}

static struct saved_file *find_saved(const struct saved_files *files, const char *path)
{
	char *const *found = tfind(path, &files->by_path, compare_paths);

	return found ? CONTAINER_OF(*found, struct saved_file, path) : NULL;
}

bool saved_files_have(const struct saved_files *files, const char *path, const struct stat *st)
{
	const struct saved_file *f = find_saved(files, path);
	struct file_identity now = file_identity(st);

	return f && file_identity_equals(&f->left, &now);
}

bool browser_has_saved(struct browser *b, const char *path, const struct stat *st)
{
	return saved_files_have(browser_saved_files(browser_first(b)), path, st);
}

static void downloads_forget_first(struct saved_files *files)
{
	struct saved_file *f = TAILQ_FIRST(&files->list);

	TAILQ_REMOVE(&files->list, f, link);
	tdelete(f->path, &files->by_path, compare_paths);
	files->count--;
	free(f);
}

void saved_files_add(struct saved_files *files, const char *path, const struct stat *st)
{
	struct saved_file *f = find_saved(files, path);

	if (!f) {
		f = must(malloc(sizeof(*f) + strlen(path) + 1));
		strcpy(f->path, path);
		TAILQ_INSERT_TAIL(&files->list, f, link);
		must(tsearch(f->path, &files->by_path, compare_paths));
		files->count++;
	}
	f->left = file_identity(st);
	if (files->count > LIMIT_SAVED_COUNT)
		downloads_forget_first(files);
}

void saved_files_done(struct saved_files *files)
{
	while (!TAILQ_EMPTY(&files->list))
		downloads_forget_first(files);
}

static void *saved_files_new(struct browser *b)
{
	struct saved_files *files = NEW(struct saved_files);

	TAILQ_INIT(&files->list);
	return files;
}

static void saved_files_free(void *part)
{
	saved_files_done(part);
	free(part);
}

/* The first browser has those of all. */
const struct browser_part saved_files_part = { .new = saved_files_new, .free = saved_files_free };

/* ---- one download ---- */

/* The browser names the file after the id of the download, which has hexadecimal digits and dashes. */
static bool is_guid(const char *guid)
{
	size_t len = strnlen(guid, ENGINE_ID_SIZE);

	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)guid[i]) && guid[i] != '-')
			return false;
	return len > 0 && len < ENGINE_ID_SIZE;
}

static const char *path_of_guid(struct browser *b, const char *guid, struct str *out)
{
	str_appendf(out, "%s/%s", browser_downloads(b), guid);
	return out->data;
}

/* Where the browser has put it. */
static const char *temporary_path(const struct download *d, struct str *out)
{
	return path_of_guid(context_browser(d->of->context), d->guid.data, out);
}

static void remove_temporary(const struct download *d)
{
	_cleanup_(str_done) struct str path = {};

	if (context_browser(d->of->context))
		unlink(temporary_path(d, &path));
}

static int open_directory(const struct download *d)
{
	return beneath_directory(d->of->root.data, str_text(&d->of->rest), true);
}

/* The name of the copy while it grows. */
static void growing_name(const struct download *d, struct str *out)
{
	str_appendf(out, ".browserd-%s", d->guid.data);
}

/* What has grown of a copy that is given up. */
static void remove_growing(const struct download *d)
{
	_cleanup_(str_done) struct str growing = {};
	int directory = open_directory(d);

	growing_name(d, &growing);
	if (directory < 0)
		return;
	unlinkat(directory, growing.data, 0);
	close(directory);
}

static void end_copy(struct download *d)
{
	d->copy = copy_free(d->copy);
	if (d->from >= 0)
		close(d->from);
	if (d->to >= 0)
		close(d->to);
	d->from = d->to = -1;
}

static struct download *download_free(struct download *d)
{
	TAILQ_REMOVE(&d->of->list, d, link);
	d->of->count--;
	if (!download_ended(d))
		remove_temporary(d);
	if (d->copy)
		remove_growing(d);
	end_copy(d);
	str_done(&d->guid);
	str_done(&d->url);
	str_done(&d->page);
	str_done(&d->name);
	str_done(&d->path);
	failure_done(&d->failure);
	free(d);
	return NULL;
}

/* Wakes the tasks that wait for pages of the context. */
static void downloads_wake_waiting(struct downloads *all)
{
	struct page *p = NULL;

	while ((p = context_next_page(all->context, p)))
		waitq_wake(page_changed(p));
	waitq_wake(context_changed(all->context));
}

/* Into the journal of its page. */
static void note(const struct download *d, enum download_event event, const char *detail)
{
	struct page *p = NULL;

	while ((p = context_next_page(d->of->context, p)) && strcmp(page_target_id(p), str_text(&d->page)) != 0)
		;
	if (p && page_alive(p))
		journal_add_download(page_journal(p), engine_target_id(page_target(p)), str_text(&d->url),
				     &(const struct observed_download){
					     .event = event,
					     .guid = str_text(&d->guid),
					     .name = str_text(&d->name),
					     .detail = detail,
					     .bytes = (double)d->bytes,
				     });
}

static void downloads_end(struct download *d, const char *failure)
{
	d->state = failure ? DOWNLOAD_FAILED : DOWNLOAD_SAVED;
	d->ended = ++d->of->happened;
	if (failure && !d->failure.code)
		failure_set(&d->failure, -ECONNABORTED, "%s", failure);
	if (failure)
		remove_temporary(d);
	note(d, failure ? DOWNLOAD_BROKE : DOWNLOAD_SAVED_AS, failure ? d->failure.text.data : d->path.data);
	log_debug("the download %s has ended: %s", d->guid.data, failure ? d->failure.text.data : d->path.data);
	downloads_wake_waiting(d->of);
}

/* ---- from the download directory to its place ---- */

/* Gives the file `from` this name, in the place of nothing. */
static int take_name(int from_directory, const char *from, int directory, const char *name)
{
	if (linkat(from_directory, from, directory, name, 0) == 0)
		return unlinkat(from_directory, from, 0) < 0 ? -errno : 0;
	if (errno == EPERM || errno == EOPNOTSUPP || errno == EMLINK) /* a file system without links */
		return renameat2(from_directory, from, directory, name, RENAME_NOREPLACE) < 0 ? -errno : 0;
	return -errno;
}

/* The first of the names that it may have, which nothing else has. */
static int move_to(struct download *d, int from_directory, const char *from, int directory)
{
	int r = -EEXIST;

	for (unsigned copy = 0; copy < NAMESAKES_MAX && r == -EEXIST; copy++) {
		str_reset(&d->path);
		str_appendf(&d->path, "%s/", d->of->path.data);
		file_name_safe(&d->path, str_text(&d->name), copy, NAME_MAX);
		r = take_name(from_directory, from, directory, strrchr(d->path.data, '/') + 1);
	}
	return r;
}

/* `fd` is the file that was moved. */
static void seal(const struct download *d, int fd)
{
	struct browser *b = context_browser(d->of->context);
	struct stat st;

	if (fchmod(fd, BENEATH_FILE_MODE) == 0 && fstat(fd, &st) == 0 && b)
		saved_files_add(browser_saved_files(browser_first(b)), d->path.data, &st);
}

static const char *why_not_moved(int r)
{
	return r == -EEXIST ? "there are too many files of its name; remove some" : strerror(-r);
}

static void on_copied(int r, void *data)
{
	struct download *d = data;
	_cleanup_(str_done) struct str growing = {};
	int directory = open_directory(d);

	growing_name(d, &growing);
	if (r == 0)
		r = directory < 0 ? directory : move_to(d, directory, growing.data, directory);
	if (directory >= 0)
		close(directory);
	if (r == 0)
		seal(d, d->to);
	else
		remove_growing(d);
	end_copy(d);
	remove_temporary(d);
	downloads_end(d, r < 0 ? why_not_moved(r) : NULL);
}

/* To another file system, under another name beside the one that it will have. */
static int begin_copy(struct download *d, int directory)
{
	_cleanup_(str_done) struct str growing = {};

	growing_name(d, &growing);
	d->to = openat(directory, growing.data, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, BENEATH_FILE_MODE);
	if (d->to < 0)
		return -errno;
	d->state = DOWNLOAD_MOVES;
	d->copy = copy_start(browser_loop(context_browser(d->of->context)), d->from, d->to, on_copied, d);
	return 0;
}

/* It is whole. */
static void move(struct download *d)
{
	_cleanup_(str_done) struct str temporary = {};
	int directory = open_directory(d), r;
	struct stat st;

	r = directory < 0 ? directory : 0;
	d->from = open(temporary_path(d, &temporary), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (r == 0 && d->from < 0)
		r = -errno;
	if (r == 0 && (fstat(d->from, &st) < 0 || !S_ISREG(st.st_mode))) /* what is read from a FIFO could never end */
		r = -EINVAL;
	if (r == 0)
		r = move_to(d, AT_FDCWD, temporary.data, directory);
	if (r == 0)
		seal(d, d->from);
	else if (r == -EXDEV)
		r = begin_copy(d, directory);
	if (directory >= 0)
		close(directory);
	if (d->copy)
		return;
	end_copy(d);
	downloads_end(d, r < 0 ? why_not_moved(r) : NULL);
}

static void cancel(struct context *c, const char *guid)
{
	engine_cancel_download(browser_root(context_browser(c)), context_id(c), guid);
}

void download_cancel(struct download *d)
{
	if (context_browser(d->of->context) && d->state == DOWNLOAD_RUNS)
		cancel(d->of->context, d->guid.data);
}

static void refuse(struct download *d, const char *why)
{
	if (!d->failure.code)
		failure_set(&d->failure, -ECONNABORTED, "%s", why);
	download_cancel(d);
}

/* ---- what the browser reports ---- */

static uint64_t downloads_bytes_of(struct context *c)
{
	const struct downloads *all = context_downloads(c);
	const struct download *d;
	uint64_t bytes = 0;

	if (all)
		TAILQ_FOREACH(d, &all->list, link)
			bytes += d->bytes;
	return bytes;
}

/* Those of all contexts of the owner. */
static uint64_t bytes_of_owner(const struct downloads *all)
{
	const struct context_holder *holder = context_holder(all->context);
	struct browser *b = context_browser(all->context);
	uint64_t bytes = 0;

	if (!holder->limits)
		return downloads_bytes_of(all->context);
	for (struct context *c = NULL; (c = browser_next_context(b, c));)
		if (context_holder(c)->limits && context_holder(c)->owner == holder->owner)
			bytes += downloads_bytes_of(c);
	return bytes;
}

/* A page that was opened for a file, and shows nothing, is not the one that somebody looks at. */
static const char *owner_of(const struct page *p)
{
	bool empty = !*page_url(p) || strcmp(page_url(p), "about:blank") == 0;

	return empty && *page_opener_id(p) ? page_opener_id(p) : page_target_id(p);
}

static void downloads_begin(struct downloads *all, const struct page *p, const struct download_begun *begun)
{
	struct download *d = NEW(struct download);

	d->of = all;
	d->from = d->to = -1;
	d->number = ++all->begun;
	d->began = ++all->happened;
	str_append(&d->guid, begun->guid);
	str_append(&d->page, owner_of(p));
	str_append_len(&d->url, begun->url, strnlen(begun->url, LIMIT_URL));
	str_append_len(&d->name, begun->name, strnlen(begun->name, LIMIT_TITLE));
	TAILQ_INSERT_TAIL(&all->list, d, link);
	all->count++;
	note(d, DOWNLOAD_BEGAN, NULL);
	for (struct page *q = NULL; (q = context_next_page(all->context, q));)
		page_note_effect(q);
	downloads_wake_waiting(all);
}

/* Only their number is kept of downloads beyond the limit: a page can start any number while its owner makes no call. */
static void begin_or_drop(struct downloads *all, const struct page *p, const struct download_begun *begun)
{
	if (all->count < LIMIT_DOWNLOADS_COUNT) {
		downloads_begin(all, p, begun);
		return;
	}
	context_notices(all->context)->downloads++;
	cancel(all->context, begun->guid);
}

void downloads_on_begun(const struct download_begun *begun, void *browser)
{
	if (!is_guid(begun->guid))
		return;
	for (struct context *c = NULL; (c = browser_next_context(browser, c));)
		for (struct page *p = NULL; context_downloads(c) && (p = context_next_page(c, p));)
			if (page_find_frame(p, begun->frame)) {
				begin_or_drop(context_downloads(c), p, begun);
				return;
			}
}

static struct download *find_running(struct browser *b, const char *guid)
{
	struct download *d;

	for (struct context *c = NULL; (c = browser_next_context(b, c));)
		for (d = context_find_download(c, 0); d; d = TAILQ_NEXT(d, link))
			if (d->state == DOWNLOAD_RUNS && strcmp(d->guid.data, guid) == 0)
				return d;
	return NULL;
}

/* A small file is complete before its download is cancelled. */
static void remove_dropped(struct browser *b, const char *guid)
{
	_cleanup_(str_done) struct str path = {};

	if (is_guid(guid) && browser_shares_files(b))
		unlink(path_of_guid(b, guid, &path));
}

void downloads_on_progress(const struct download_progress *progress, void *browser)
{
	struct download *d = find_running(browser, progress->guid);

	if (!d && progress->state == DOWNLOAD_COMPLETE)
		remove_dropped(browser, progress->guid);
	if (!d)
		return;
	d->bytes = (uint64_t)fmin(fmax(progress->received, 0), BYTES_MAX);
	if (progress->state == DOWNLOAD_COMPLETE && !d->failure.code)
		move(d);
	else if (progress->state != DOWNLOAD_GOES_ON)
		downloads_end(d, "canceled");
	else if (progress->total > (double)d->of->max || bytes_of_owner(d->of) > d->of->max)
		refuse(d, "it is too large");
}

/* ---- of a context ---- */

void context_keep_downloads(struct context *c, const char *root, const char *rest, const char *path, uint64_t max)
{
	struct downloads *all = context_downloads(c);

	if (!context_browser(c) || !browser_shares_files(context_browser(c)))
		return;
	if (!all) {
		all = NEW(struct downloads);
		all->context = c;
		TAILQ_INIT(&all->list);
		context_set_downloads(c, all);
		context_allow_downloads(c);
	}
	str_set(&all->root, root);
	str_set(&all->rest, rest);
	str_set(&all->path, path);
	all->max = max;
}

static void downloads_free(void *part)
{
	struct downloads *all = part;
	struct download *d;

	while ((d = TAILQ_FIRST(&all->list))) {
		download_cancel(d);
		download_free(d);
	}
	str_done(&all->root);
	str_done(&all->rest);
	str_done(&all->path);
	free(all);
}

const struct context_part downloads_part = { .free = downloads_free };

unsigned context_next_download(struct context *c)
{
	const struct downloads *all = context_downloads(c);

	return all ? all->begun + 1 : 0;
}

struct download *context_find_download(struct context *c, unsigned number)
{
	struct downloads *all = context_downloads(c);
	struct download *d;

	if (!all)
		return NULL;
	TAILQ_FOREACH(d, &all->list, link)
		if (d->number >= number)
			return d;
	return NULL;
}

bool context_downloads_since(struct context *c, unsigned number)
{
	struct download *d;

	for (d = context_find_download(c, number); d; d = TAILQ_NEXT(d, link))
		if (!download_ended(d))
			return true;
	return false;
}

static void forget_reported(struct downloads *all)
{
	struct download *d = TAILQ_FIRST(&all->list), *next;

	for (; d; d = next) {
		next = TAILQ_NEXT(d, link);
		if (download_ended(d) && !d->ended)
			download_free(d);
	}
}

static bool is_earlier(uint64_t event, uint64_t than)
{
	return event && (!than || event < than);
}

bool downloads_next_news(struct context *c, struct download_news *ret)
{
	struct downloads *all = context_downloads(c);
	struct download *d, *found = NULL;
	uint64_t first = 0;

	if (!all)
		return false;
	forget_reported(all);
	TAILQ_FOREACH(d, &all->list, link) {
		uint64_t event = d->began ? d->began : d->ended;

		if (!is_earlier(event, first))
			continue;
		first = event;
		found = d;
	}
	if (!found)
		return false;
	*ret = (struct download_news){ .download = found, .ended = !found->began };
	found->began = 0;
	if (ret->ended)
		found->ended = 0;
	return true;
}
