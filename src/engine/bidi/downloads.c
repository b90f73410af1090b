/*
 * Files that pages have Firefox save. It names a file as its server does, made unique among those of the folder, and says neither how much has
 * come nor how much there is, nor takes a command to stop. The size is that of the response which became a download. Each user context has a
 * folder below that of the downloads, from which a file goes to the name of its download at its end, and while one is under way its part is
 * looked at now and then. One that is cancelled keeps running, but what it writes is thrown away.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/log.h"
#include "engine/bidi/internal.h"
#include "engine/browser.h"
#include "engine/context.h"
#include "loop/loop.h"
#include "loop/remove.h"

#define LOOK_PAUSE (250 * USEC_PER_MSEC)
#define IDLE_MAX 40 /* looks at a file that does not grow any more, before it is let go */
#define FOLDERS_MAX 10000u
#define RUNNING_MAX (10 * LIMIT_DOWNLOADS_COUNT)

/* Where the files of a user context go. */
struct bidi_folder {
	TAILQ_ENTRY(bidi_folder) link;
	char user_context[ENGINE_ID_SIZE];
	struct str parent, path;
};

struct bidi_download {
	TAILQ_ENTRY(bidi_download) link;
	char guid[ENGINE_ID_SIZE], context[ENGINE_ID_SIZE], navigation[ENGINE_ID_SIZE];
	struct str url, saved_as; /* its name in the folder */
	struct bidi_folder *folder;
	double received, total; /* bytes; total 0: not known */
	int part;               /* the descriptor of the file of one that was cancelled; -1: none */
	bool is_cancelled;
	int idle; /* of one whose user context has gone, which nothing is reported of: how many looks have found nothing */
};

/* ---- folders ---- */

static struct bidi_folder *find_folder(struct bidi *c, const char *user_context)
{
	struct bidi_folder *f;

	TAILQ_FOREACH(f, &c->folders, link)
		if (strcmp(f->user_context, user_context) == 0)
			return f;
	return NULL;
}

static const char *saver(const char *context)
{
	return *context ? context : "default";
}

/* Its name is of this program: that of the user context is the browser's. */
static struct bidi_folder *make_context_folder(struct bidi *c, const char *user_context, const char *directory)
{
	struct bidi_folder *f;

	if (c->folder_count >= FOLDERS_MAX)
		return NULL;
	f = NEW(struct bidi_folder);
	*f = (struct bidi_folder){};
	engine_id_set(f->user_context, user_context);
	str_append(&f->parent, directory);
	str_appendf(&f->path, "%s/context-%u", directory, ++c->last_folder);
	if (mkdir(f->path.data, 0700) < 0)
		log_warning("cannot make the folder %s for downloads: %s", f->path.data, strerror(errno));
	TAILQ_INSERT_TAIL(&c->folders, f, link);
	c->folder_count++;
	return f;
}

static int open_downloads(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

void engine_save_downloads(struct engine_target *root, const char *context, const char *directory)
{
	struct bidi *c = root ? root->connection : NULL;
	struct bidi_folder *f;

	if (!c)
		return;
	f = directory ? find_folder(c, saver(context)) : NULL;
	if (directory && !f)
		f = make_context_folder(c, saver(context), directory);
	if (f)
		bidi_post(root, "browser.setDownloadBehavior",
			  "{userContexts: [?], downloadBehavior: {type: 'allowed', destinationFolder: ?}}", saver(context),
			  f->path.data);
	else
		bidi_post(root, "browser.setDownloadBehavior", "{userContexts: [?], downloadBehavior: {type: 'denied'}}",
			  saver(context));
}

/* ---- files ---- */

/* `name` is one in a folder, and leads nowhere else. */
static bool is_file_name(const char *name)
{
	return *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/*
 * While Firefox saves "a.txt", it writes to "a.XXXXXXXX.txt.part" and keeps an empty "a.txt". A dot within the random part means another file:
 * "a.b.XXXXXXXX.part" belongs to "a.b", not to "a".
 */
static bool is_part_of(const char *part, const char *saved_as)
{
	static const char end[] = ".part";
	const char *suffix = strrchr(saved_as, '.');
	size_t len = strlen(part), stem, rest;

	suffix = suffix && suffix != saved_as ? suffix : saved_as + strlen(saved_as);
	stem = (size_t)(suffix - saved_as);
	rest = strlen(suffix) + strlen(end);
	return len > stem + rest && strncmp(part, saved_as, stem) == 0 && part[stem] == '.' &&
	       !memchr(part + stem + 1, '.', len - rest - stem - 1) && strncmp(part + len - rest, suffix, strlen(suffix)) == 0 &&
	       strcmp(part + len - strlen(end), end) == 0;
}

/* A descriptor of the file that grows, or a negative errno. */
static int open_part(const struct bidi_download *d, int flags)
{
	int folder = d->folder ? open_downloads(d->folder->path.data) : -1, fd = -ENOENT;
	DIR *all = folder < 0 ? NULL : fdopendir(folder);
	const struct dirent *entry;

	if (!all) {
		if (folder >= 0)
			close(folder);
		return -ENOENT;
	}
	while (fd < 0 && (entry = readdir(all)))
		if (is_part_of(entry->d_name, str_text(&d->saved_as)))
			fd = openat(folder, entry->d_name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	closedir(all);
	return fd < 0 ? -ENOENT : fd;
}

/* The empty file and the one that grows, which Firefox leaves when a download breaks off. */
static void remove_files(const struct bidi_download *d)
{
	int folder = d->folder && is_file_name(str_text(&d->saved_as)) ? open_downloads(d->folder->path.data) : -1;
	DIR *all = folder < 0 ? NULL : fdopendir(folder);
	const struct dirent *entry;

	if (!all) {
		if (folder >= 0)
			close(folder);
		return;
	}
	while ((entry = readdir(all)))
		if (is_part_of(entry->d_name, d->saved_as.data))
			unlinkat(folder, entry->d_name, 0);
	unlinkat(folder, d->saved_as.data, 0);
	closedir(all);
}

/* From its name in the folder to the one that the contract says. */
static int put_in_place(struct bidi_download *d)
{
	int from = d->folder && is_file_name(str_text(&d->saved_as)) ? open_downloads(d->folder->path.data) : -1, to = -1,
	    r = -ENOENT;
	struct stat st;

	if (from >= 0)
		to = open_downloads(d->folder->parent.data);
	if (to >= 0 && fstatat(from, d->saved_as.data, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
		r = renameat(from, d->saved_as.data, to, d->guid) < 0 ? -errno : 0;
	if (r == 0)
		d->received = (double)st.st_size;
	if (from >= 0)
		close(from);
	if (to >= 0)
		close(to);
	return r;
}

/* Opens the file that Firefox writes to and removes its name, so that only this descriptor and Firefox can reach it. */
static void seize_part(struct bidi_download *d)
{
	d->part = open_part(d, O_WRONLY);
	remove_files(d);
}

/* ---- downloads ---- */

static void end_download(struct bidi *c, struct bidi_download *d)
{
	TAILQ_REMOVE(&c->downloads, d, link);
	c->download_count--;
	if (d->part >= 0)
		close(d->part);
	str_done(&d->url);
	str_done(&d->saved_as);
	free(d);
}

static void report_progress(struct bidi *c, const struct bidi_download *d, enum download_report state)
{
	const struct engine_browser_events *e = c->root->browser_events;

	if (e && e->download_progress)
		e->download_progress(&(const struct download_progress){ .guid = d->guid,
									.state = state,
									.received = d->received,
									.total = d->total },
				     e->data);
}

/* Whether another one has the name in the folder by now. */
static bool has_lost_name(struct bidi *c, const struct bidi_download *d)
{
	const struct bidi_download *other;

	TAILQ_FOREACH(other, &c->downloads, link)
		if (!other->is_cancelled && other->folder == d->folder &&
		    strcmp(str_text(&other->saved_as), str_text(&d->saved_as)) == 0)
			return true;
	return false;
}

/*
 * Firefox writes on behind where it was, so that the file has a size again. The file of one that was cancelled as soon as it was reported comes
 * later.
 */
static void throw_away(struct bidi *c, struct bidi_download *d)
{
	struct stat st;
	bool grows;

	if (d->part < 0 && d->folder && d->idle < IDLE_MAX && !has_lost_name(c, d))
		seize_part(d);
	grows = d->part >= 0 && fstat(d->part, &st) == 0 && st.st_size > 0;

	if (grows && ftruncate(d->part, 0) < 0)
		log_warning("a download that was cancelled cannot be emptied: %s", strerror(errno));
	d->idle = grows ? 0 : d->idle + 1;
	if (!d->folder && d->idle > IDLE_MAX)
		end_download(c, d);
}

/* The report may cancel it. */
static void look_at_download(struct bidi *c, struct bidi_download *d)
{
	struct stat st = {};
	int fd;

	if (d->is_cancelled) {
		throw_away(c, d);
		return;
	}
	fd = open_part(d, O_RDONLY);
	if (fd < 0)
		return;
	fstat(fd, &st);
	close(fd);
	if ((double)st.st_size == d->received)
		return;
	d->received = (double)st.st_size;
	report_progress(c, d, DOWNLOAD_GOES_ON);
}

static void look_again(struct bidi *c)
{
	if (!c->download_timer)
		return;
	timer_set(c->download_timer, TAILQ_EMPTY(&c->downloads) ? USEC_NEVER : clock_now() + LOOK_PAUSE);
}

static void downloads_on_timer(void *connection)
{
	struct bidi *c = connection;
	struct bidi_download *d, *next;

	for (d = TAILQ_FIRST(&c->downloads); d; d = next) {
		next = TAILQ_NEXT(d, link);
		look_at_download(c, d);
	}
	look_again(c);
}

/* A name that Firefox has made unique, "a(1).txt", when another download of the folder has "a.txt". */
static const char *name_given(struct bidi *c, const struct bidi_download *d, struct str *buffer)
{
	const char *name = str_text(&d->saved_as), *open = strrchr(name, '('), *close;
	const struct bidi_download *other;

	close = open ? strchr(open, ')') : NULL;
	if (!close || close == open + 1 || strspn(open + 1, "0123456789") != (size_t)(close - open - 1))
		return name;
	str_append_len(buffer, name, (size_t)(open - name));
	str_append(buffer, close + 1);
	TAILQ_FOREACH(other, &c->downloads, link)
		if (other != d && other->folder == d->folder && strcmp(str_text(&other->saved_as), buffer->data) == 0)
			return buffer->data;
	return name;
}

static struct bidi_download *add_download(struct bidi *c, struct bidi_context *x, const struct json *params)
{
	struct bidi_download *d = NEW(struct bidi_download);
	const char *navigation = json_str(params, "navigation");

	*d = (struct bidi_download){ .folder = find_folder(c, saver(x->user_context)), .part = -1 };
	snprintf(d->guid, sizeof(d->guid), "download-%u", ++c->last_download);
	engine_id_set(d->context, x->id);
	engine_id_set(d->navigation, engine_id_is_valid(navigation) ? navigation : "");
	d->total = *d->navigation && strcmp(bidi_navigation_of(x, params), x->announcing) == 0 ? x->announced : 0;
	x->announcing[0] = '\0';
	str_set(&d->url, json_text(params, "url"));
	str_set(&d->saved_as, json_text(params, "suggestedFilename"));
	TAILQ_INSERT_TAIL(&c->downloads, d, link);
	c->download_count++;
	return d;
}

/* There is no document in the place of the one that the navigation was to lead to. */
static void end_its_navigation(struct bidi_context *x, const char *navigation)
{
	_cleanup_(str_done) struct str became = {};

	if (strcmp(navigation, x->arriving) == 0)
		x->arriving[0] = '\0';
	if (!x->page || !*navigation || strcmp(navigation, x->starting) != 0)
		return;
	x->navigates = false;
	str_json(&became, "{result: {navigation: ?, isDownload: true}}", navigation);
	if (!x->parent)
		bidi_end_navigation(x->page, became.data);
	REPORT(x->page, navigations, stopped, x->page, x->id);
}

/* Ends it for all but this file, which throws away what Firefox still writes. */
static void stop_download(struct bidi_download *d)
{
	d->is_cancelled = true;
	seize_part(d);
}

static void downloads_on_will_begin(struct bidi *c, struct bidi_context *x, const struct json *params)
{
	const struct engine_browser_events *e = c->root->browser_events;
	const char *navigation = bidi_navigation_of(x, params);
	_cleanup_(str_done) struct str name = {};
	struct bidi_download *d;

	if (c->download_count >= RUNNING_MAX) {
		log_warning("%u downloads are under way: no further one is reported", c->download_count);
		return;
	}
	d = add_download(c, x, params);
	if (!c->download_timer)
		c->download_timer = timer_new(c->loop, downloads_on_timer, c);
	if (c->download_count == 1)
		look_again(c);
	if (*navigation && strcmp(navigation, x->top->read) == 0)
		stop_download(d);
	else if (e && e->download_begun)
		e->download_begun(
			&(const struct download_begun){
				.guid = d->guid,
				.frame = x->id,
				.url = str_text(&d->url),
				.name = name_given(c, d, &name),
			},
			e->data);
	if (d->total > 0 && !d->is_cancelled)
		report_progress(c, d, DOWNLOAD_GOES_ON);
	end_its_navigation(x, navigation);
}

/* Several may have the same navigation and address: they are taken in the order of their beginnings. */
static struct bidi_download *find_running_download(struct bidi *c, const struct json *params)
{
	struct bidi_download *d;

	TAILQ_FOREACH(d, &c->downloads, link)
		if (strcmp(d->context, json_text(params, "context")) == 0 &&
		    strcmp(d->navigation, json_text(params, "navigation")) == 0 &&
		    strcmp(str_text(&d->url), json_text(params, "url")) == 0)
			return d;
	return NULL;
}

static void downloads_on_end(struct bidi *c, const struct json *params)
{
	struct bidi_download *d = find_running_download(c, params);
	const char *path = json_text(params, "filepath"), *name = strrchr(path, '/');
	bool is_whole = strcmp(json_text(params, "status"), "complete") == 0;
	int r = -ECANCELED;

	if (!d)
		return;
	if (is_whole && name)
		str_set(&d->saved_as, name + 1);
	if (is_whole && !d->is_cancelled)
		r = put_in_place(d);
	if (r < 0)
		remove_files(d);
	if (!d->is_cancelled)
		report_progress(c, d, r < 0 ? DOWNLOAD_CANCELLED : DOWNLOAD_COMPLETE);
	end_download(c, d);
	look_again(c);
}

void bidi_on_download_event(struct bidi *c, const char *name, const struct json *params)
{
	struct bidi_context *x = bidi_find_context(c, json_str(params, "context"));

	if (x && strcmp(name, "downloadWillBegin") == 0)
		downloads_on_will_begin(c, x, params);
	else if (strcmp(name, "downloadEnd") == 0)
		downloads_on_end(c, params);
}

void engine_cancel_download(struct engine_target *root, const char *context, const char *guid)
{
	struct bidi *c = root ? root->connection : NULL;
	struct bidi_download *d = c ? TAILQ_FIRST(&c->downloads) : NULL;

	while (d && strcmp(d->guid, guid) != 0)
		d = TAILQ_NEXT(d, link);
	if (!d || d->is_cancelled)
		return;
	stop_download(d);
	report_progress(c, d, DOWNLOAD_CANCELLED);
}

static void forget_folder(struct bidi *c, struct bidi_folder *f)
{
	struct bidi_download *d;

	TAILQ_FOREACH(d, &c->downloads, link) {
		if (d->folder != f)
			continue;
		if (!d->is_cancelled)
			stop_download(d);
		d->folder = NULL;
	}
	TAILQ_REMOVE(&c->folders, f, link);
	c->folder_count--;
	str_done(&f->parent);
	str_done(&f->path);
	free(f);
}

/* Firefox goes on with the downloads of a user context that was removed, and does not say when they have ended. */
void bidi_forget_downloads(struct bidi *c, const char *user_context)
{
	struct bidi_folder *f = find_folder(c, user_context);
	_cleanup_(str_done) struct str path = {};

	if (!f)
		return;
	str_move(&path, &f->path);
	str_append(&f->path, path.data);
	forget_folder(c, f);
	remove_tree_aside(path.data);
}

void bidi_end_downloads(struct bidi *c)
{
	struct bidi_folder *f;
	struct bidi_download *d;

	while ((f = TAILQ_FIRST(&c->folders)))
		forget_folder(c, f);
	while ((d = TAILQ_FIRST(&c->downloads)))
		end_download(c, d);
	c->download_timer = timer_free(c->download_timer);
}
