/*
 * The manifest of a recording. The last one replaces the first, which has blocks from the beginning: where the disk is full meanwhile, the
 * last one is written into these, so that a recording always says how it ended.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/mask.h"
#include "recordings/internal.h"

/* How a recording ended, or that it has not. */
static const char *manifest_state(const struct session_record *r)
{
	return !r->ended ? "running" : r->failed ? "incomplete" : "finished";
}

static void manifest_append_video(const struct recording_video *v, unsigned number, struct str *out)
{
	char file[RECORDING_NAME_SIZE];

	recording_video_name(number, file);
	str_json(out, "? {file: ?, from: ?", JSON_COMMA(number), file, v->from);
	if (v->to >= 0)
		str_json(out, ", to: ?, bytes: ?", v->to, v->bytes);
	if (v->failure)
		str_json(out, ", why: ?", strerror(-v->failure));
	str_append_char(out, '}');
}

static void manifest_append_end(const struct session_record *r, struct str *out)
{
	if (r->ended)
		str_json(out, ", ended: ?, end: ?, bytes: ?", r->ended, r->end, r->bytes);
}

static void manifest_append_kinds(const struct session_record *r, struct str *out)
{
	str_json(out, ", kinds: [?? ?]", JSON_RAW(r->kinds & RECORD_VIDEO ? "\"video\"" : ""),
		 JSON_COMMA((r->kinds & RECORD_VIDEO) && (r->kinds & RECORD_TRACE)),
		 JSON_RAW(r->kinds & RECORD_TRACE ? "\"trace\"" : ""));
}

static void manifest_print(const struct session_record *r, struct str *out)
{
	str_json(out, "{version: 1, id: ?, session: ?, state: ?, began: ?", r->id, r->session_id, manifest_state(r), r->began);
	manifest_append_end(r, out);
	manifest_append_kinds(r, out);
	str_json(out, ", title: ?, url: ?, calls: ?, videos: [", str_text(&r->title), str_text(&r->url), r->calls);
	for (unsigned i = 0; i < r->video_count; i++)
		manifest_append_video(&r->videos[i], i, out);
	str_json(out, "], notes: [?]}", JSON_RAW(str_text(&r->notes)));
	mask_json(out, NULL, NULL);
	str_append_char(out, '\n');
}

/* Blocks for the longest manifest, where the file system can reserve them. */
static int manifest_open(struct session_record *r)
{
	int fd = recording_create(r, RECORDING_MANIFEST);

	if (fd >= 0 && fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, LIMIT_RECORDING_MANIFEST) < 0)
		log_debug("no blocks are reserved for the manifest of the recording %s: %s", r->id, strerror(errno));
	return fd;
}

/* Who reads it meanwhile sees the old one or the new one. Negative errno. */
static int manifest_replace(struct session_record *r, const struct str *text)
{
	int fd = openat(r->directory, RECORDING_MANIFEST ".new", O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600), result;

	if (fd < 0)
		return -errno;
	result = file_write_all(fd, text->data, text->len);
	if (result == 0 && renameat(r->directory, RECORDING_MANIFEST ".new", r->directory, RECORDING_MANIFEST) < 0)
		result = -errno;
	if (result < 0) {
		close(fd);
		unlinkat(r->directory, RECORDING_MANIFEST ".new", 0);
		return result;
	}
	close(r->manifest);
	r->manifest = fd;
	return 0;
}

static int manifest_overwrite(const struct session_record *r, const struct str *text)
{
	ssize_t len = pwrite(r->manifest, text->data, text->len, 0);

	if (len == (ssize_t)text->len && ftruncate(r->manifest, len) == 0)
		return 0;
	return len < 0 ? -errno : -ENOSPC;
}

int manifest_write(struct session_record *r)
{
	_cleanup_(str_done) struct str text = {};
	bool is_new = r->manifest < 0;

	if (is_new)
		r->manifest = manifest_open(r);
	if (r->manifest < 0)
		return r->manifest;
	manifest_print(r, &text);
	return !is_new && manifest_replace(r, &text) == 0 ? 0 : manifest_overwrite(r, &text);
}
