#include "reply/context_records.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/file.h"
#include "base/glob.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/random.h"
#include "browser/archive.h"
#include "browser/videos.h"

#define VIDEO_SIZE 800 /* CSS pixels, the longer side at most */
#define VIDEO_RATE 25

/* ---- the settings ---- */

static bool context_records_is_one_of(const struct json *object, const char *name, const char *const *words)
{
	const char *value = json_str(object, name);

	if (!json_member(object, name))
		return true;
	while (value && *words && strcmp(*words, value) != 0)
		words++;
	return value && *words;
}

static bool is_zip(const char *path)
{
	size_t len = strlen(path);

	return len >= 4 && strcasecmp(path + len - 4, ".zip") == 0;
}

static bool context_records_names_file(const char *path)
{
	return path && *path && path[strlen(path) - 1] != '/' && strlen(path) < PATH_MAX / 2;
}

bool record_har_is_valid(const struct json *har)
{
	static const char *const contents[] = { "omit", "embed", "attach", NULL }, *const modes[] = { "full", "minimal", NULL };
	const char *filter = json_str(har, "urlFilter"), *reason;
	_cleanup_(glob_freep) struct glob *glob = filter ? glob_new(filter, &reason) : NULL;

	return context_records_names_file(json_str(har, "path")) && !is_zip(json_str(har, "path")) &&
	       context_records_is_one_of(har, "content", contents) && context_records_is_one_of(har, "mode", modes) &&
	       (glob || !json_member(har, "urlFilter"));
}

static bool is_side(const struct json *size, const char *name)
{
	double side = json_num(size, name, 0);

	return side == floor(side) && side >= 1 && side <= LIMIT_VIEWPORT;
}

bool record_video_is_valid(const struct json *video)
{
	const struct json *size = json_member(video, "size");
	const char *dir = json_str(video, "dir");

	return dir && *dir && strlen(dir) < PATH_MAX / 2 && (!size || (is_side(size, "width") && is_side(size, "height")));
}

/* ---- files ---- */

/* A file of the operator: `root` is its directory. */
struct record_file {
	char *root, *name;
};

static void record_file_done(struct record_file *f)
{
	free(f->root);
	free(f->name);
}

/* The absolute form of `path`, which may have ".." and links as any path of the configuration. */
static struct record_file context_records_split(const char *path)
{
	_cleanup_(str_done) struct str whole = {};
	char here[PATH_MAX], *slash;

	if (*path != '/')
		str_appendf(&whole, "%s/", getcwd(here, sizeof(here)) ? here : "");
	str_append(&whole, path);
	slash = strrchr(whole.data, '/');
	return (struct record_file){ .root = slash == whole.data ? must(strdup("/")) :
								   must(strndup(whole.data, (size_t)(slash - whole.data))),
				     .name = must(strdup(slash + 1)) };
}

/* One that exists is overwritten, as the next run of the server expects it, unless another user has put it there. */
static int open_record(const struct record_file *f)
{
	unsigned made = 0;
	int fd = beneath_create(f->root, f->name, &made);
	struct stat st;

	if (fd != -EEXIST)
		return fd;
	fd = beneath_open(f->root, f->name, O_WRONLY);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && ftruncate(fd, 0) == 0)
		return fd;
	close(fd);
	return -EPERM;
}

/* `fd`: of the file, or negative errno of opening it. */
static bool write_to(const struct record_file *f, int fd, const void *data, size_t len)
{
	int r = fd < 0 ? fd : file_write_all(fd, data, len);

	if (r < 0)
		log_warning("cannot write \"%s/%s\": %s", f->root, f->name, strerror(-r));
	return r == 0;
}

static bool write_record(const struct record_file *f, const void *data, size_t len)
{
	int fd = open_record(f);
	bool written = write_to(f, fd, data, len);

	if (fd >= 0)
		close(fd);
	return written;
}

/* ---- the archive ---- */

struct archive_record {
	LIST_ENTRY(archive_record) link;
	const char *path; /* of the settings */
	unsigned number;  /* of this context among those that have this path now, from 0 */
	int fd;           /* -1: not open yet */
	unsigned bodies;
	struct str body_name;
};

/* Those under way, of all sessions. */
static LIST_HEAD(, archive_record) archive_records = LIST_HEAD_INITIALIZER(archive_records);

static bool context_records_is_taken(unsigned number)
{
	const struct archive_record *r;

	LIST_FOREACH(r, &archive_records, link)
		if (r->number == number)
			return true;
	return false;
}

static size_t stem_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && dot > name ? (size_t)(dot - name) : strlen(name);
}

/* NAME.har, or NAME-2.har for the number 2. */
static struct record_file file_of(const struct archive_record *r)
{
	struct record_file f = context_records_split(r->path);
	size_t stem = stem_of(f.name);
	_cleanup_(str_done) struct str name = {};

	if (r->number == 0)
		return f;
	str_append_len(&name, f.name, stem);
	str_appendf(&name, "-%u%s", r->number, f.name + stem);
	free(f.name);
	f.name = must(strdup(name.data));
	return f;
}

static bool context_records_write_archive(void *data, const char *text, size_t len)
{
	struct archive_record *r = data;
	_cleanup_(record_file_done) struct record_file f = file_of(r);

	if (r->fd < 0)
		r->fd = open_record(&f);
	return write_to(&f, r->fd, text, len);
}

static const char *context_records_extension_of(const char *mime_type)
{
	static const char *const table[][2] = {
		{ "text/html", "html" },        { "text/css", "css" },    { "text/javascript", "js" },
		{ "application/json", "json" }, { "image/png", "png" },   { "image/jpeg", "jpeg" },
		{ "image/svg+xml", "svg" },     { "text/plain", "txt" },  { "application/javascript", "js" },
		{ "image/gif", "gif" },         { "image/webp", "webp" }, { "font/woff2", "woff2" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (strcmp(table[i][0], mime_type) == 0)
			return table[i][1];
	return "dat";
}

/* NAME-body-1.png beside NAME.har. */
static const char *context_records_write_body(void *data, const char *mime_type, const void *bytes, size_t len)
{
	struct archive_record *r = data;
	_cleanup_(record_file_done) struct record_file f = file_of(r), body = {};

	str_reset(&r->body_name);
	str_append_len(&r->body_name, f.name, stem_of(f.name));
	str_appendf(&r->body_name, "-body-%u.%s", ++r->bodies, context_records_extension_of(mime_type));
	body = (struct record_file){ .root = must(strdup(f.root)), .name = must(strdup(r->body_name.data)) };
	return write_record(&body, bytes, len) ? r->body_name.data : NULL;
}

static void free_archive(void *data)
{
	struct archive_record *r = data;

	LIST_REMOVE(r, link);
	if (r->fd >= 0)
		close(r->fd);
	str_done(&r->body_name);
	free(r);
}

static void begin_archive(struct context *c, const struct json *har)
{
	const char *content = json_text(har, "content");
	struct archive_plan plan = {
		.content = json_bool(har, "omitContent", false) || strcmp(content, "omit") == 0 ? ARCHIVE_OMIT :
			   strcmp(content, "attach") == 0                                       ? ARCHIVE_ATTACH :
												  ARCHIVE_EMBED,
		.minimal = strcmp(json_text(har, "mode"), "minimal") == 0,
		.url_filter = json_str(har, "urlFilter"),
	};
	struct archive_record *r;
	unsigned number = 0;

	while (context_records_is_taken(number))
		number++;
	if (number == LIMIT_ARCHIVES_COUNT) {
		log_warning("the requests of a context are not recorded: there are %u archives under way", number);
		return;
	}
	r = NEW(struct archive_record);
	r->path = json_str(har, "path");
	r->number = number;
	r->fd = -1;
	LIST_INSERT_HEAD(&archive_records, r, link);
	context_start_archive(c, &plan,
			      &(const struct archive_files){ context_records_write_archive, context_records_write_body,
							     free_archive, r });
}

/* ---- the videos ---- */

struct video_record {
	const char *dir;
};

/* A name that cannot be guessed, as several contexts record to the same directory. */
static int open_video(void *data, unsigned *ret_number)
{
	const struct video_record *v = data;
	_cleanup_(record_file_done) struct record_file f = {};
	_cleanup_(str_done) struct str path = {};
	char name[RANDOM_NAME_SIZE];
	unsigned made = 0;

	random_name(name);
	str_appendf(&path, "%s/%s.webm", v->dir, name);
	f = context_records_split(path.data);
	*ret_number = 0;
	return beneath_create(f.root, f.name, &made);
}

static void close_video(void *data, unsigned number, int fd, int failure)
{
	close(fd);
	if (failure < 0)
		log_warning("the video of a page ended before the page: %s", strerror(-failure));
}

bool context_records_video(struct context *c)
{
	const struct video_files *files = context_video_files(c);

	return files && files->open == open_video;
}

static int begin_videos(struct task *t, struct context *c, const struct json *video)
{
	struct video_plan plan = {
		.size = { .width = (int)json_num(video, "size.width", VIDEO_SIZE),
			  .height = (int)json_num(video, "size.height", VIDEO_SIZE),
			  .rate = VIDEO_RATE },
	};
	struct video_record *v;

	if (context_video_files(c))
		return 0;
	v = NEW(struct video_record);
	v->dir = json_str(video, "dir");
	return context_start_videos(t, c, &plan, &(const struct video_files){ open_video, close_video, free, v });
}

int context_records_begin(struct task *t, struct context *c, const struct record_settings *settings)
{
	if (settings->har && !context_has_archive(c))
		begin_archive(c, settings->har);
	return settings->video ? begin_videos(t, c, settings->video) : 0;
}
