/* Files that pages and calls make: downloads, the directory of automatic files, and what is served as resources. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "browser/internal.h"
#include "devserver/logs.h"
#include "ratios/ratios.h"
#include "reply/artifacts.h"
#include "reply/evict.h"

static struct stat some_file;

static void look(void)
{
	NEEDED(stat("/", &some_file) == 0);
}

/* A file for each byte, which is looked up afterwards. */
static void saved(const struct str *in)
{
	struct saved_files all = { .list = TAILQ_HEAD_INITIALIZER(all.list) };
	char path[64];

	for (size_t i = 0; i < in->len; i++) {
		snprintf(path, sizeof(path), "/home/user/project/downloads/file-%zu", i);
		saved_files_add(&all, path, &some_file);
	}
	for (size_t i = 0; i < in->len; i++) {
		snprintf(path, sizeof(path), "/home/user/project/downloads/file-%zu", i);
		saved_files_have(&all, path, &some_file);
	}
	saved_files_done(&all);
}

/* A file for each byte, all of which are too much. */
static void evicted(const struct str *in)
{
	char folder[] = "/dev/shm/browserd-ratios-XXXXXX", path[128];

	NEEDED(mkdtemp(folder));
	for (size_t i = 0; i < in->len; i++) {
		int fd;

		snprintf(path, sizeof(path), "%s/page-%zu-2026-11-20T18-14-26-717Z.yml", folder, i);
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		NEEDED(fd >= 0 && write(fd, "x", 1) == 1);
		close(fd);
	}
	evict_old_files(NULL, &(const struct output_file){ .path = folder, .root = folder, .rest = "" }, 0);
	NEEDED(rmdir(folder) == 0);
}

static void list_one(const struct artifact *artifact, void *out)
{
	str_json(out, "{uri: ?, name: ?, mimeType: ?, size: ?}", artifact->uri, artifact->name, artifact->type, artifact->size);
}

/* A file for each byte: of one owner, or of owners of their own. The first make room for the last. */
static void artifacts(const struct str *in)
{
	_cleanup_(str_done) struct str out = {};
	struct artifacts *a = artifacts_new();

	for (size_t i = 0; i < in->len; i++) {
		char name[64];
		const struct output_file f = { .path = name, .root = "/home/user/project", .rest = name };

		snprintf(name, sizeof(name), "downloads/file-%zu", i);
		artifacts_add(a, in->data[i] == 'm' ? i : 1, &f, &some_file);
		NEEDED(artifacts_is_unchanged(a, in->data[i] == 'm' ? i : 1, &f, &some_file));
	}
	artifacts_each(a, 1, list_one, &out);
	artifacts_free(a);
}

/* As each call does with the files of its owner when there are resources. */
static void listed(const struct str *in)
{
	struct artifacts *a = artifacts_new();

	for (size_t i = 0; i < in->len; i++) {
		char name[64];

		snprintf(name, sizeof(name), "downloads/file-%zu", i);
		artifacts_add(a, 1, &(const struct output_file){ .path = name, .root = "/home/user/project", .rest = name },
			      &some_file);
	}
	for (unsigned i = 0; i < 20; i++) {
		_cleanup_(str_done) struct str out = {};

		artifacts_each(a, 1, list_one, &out);
		NEEDED(str_hash(&out));
	}
	artifacts_free(a);
}

/* A log file, whose end is read: all lines, and some. */
static void logged(const struct str *in)
{
	static const char *const folders[] = { "/dev/shm", NULL };
	char path[] = "/dev/shm/browserd-ratios-XXXXXX";
	int fd = mkstemp(path);

	NEEDED(fd >= 0 && write(fd, in->data, in->len) == (ssize_t)in->len);
	close(fd);
	for (unsigned lines = 0; lines <= 100000; lines += 50000) {
		struct log_part part = {};
		const char *why;

		NEEDED(log_read(&(const struct log_query){ .path = path, .folders = folders, .offset = -1, .lines = lines }, &part,
				&why) == 0);
		log_part_done(&part);
	}
	unlink(path);
}

const struct ratio_row ratio_file_rows[] = {
	{ "saved_files_add: files", LIMIT_SAVED_COUNT / 4, saved, .unit = "x", .prepare = look },
	{ "evict_old_files: files", 1500, evicted, .unit = "x" },
	{ "artifacts_add: files of one owner", LIMIT_ARTIFACTS_COUNT * 8, artifacts, .unit = "o" },
	{ "artifacts_add: files of many owners", LIMIT_ARTIFACTS_COUNT * 8, artifacts, .unit = "m" },
	{ "artifacts_each: files of one owner", LIMIT_ARTIFACTS_COUNT / 4, listed, .unit = "x" },
	{ "log_read: lines", LIMIT_SERVER_LOG / 8, logged, .unit = "\x1b[\n" },
	{ "log_read: one line", LIMIT_SERVER_LOG / 8, logged, .unit = "x\r" },
	{},
};
