/*
 * The manifest of a recording. It is written in place into a file whose blocks are there from the beginning, so that a disk that is full
 * meanwhile does not keep a recording from saying how it ended.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

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
	if (mask_active())
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

int manifest_write(struct session_record *r)
{
	_cleanup_(str_done) struct str text = {};
	ssize_t len;

	if (r->manifest < 0)
		r->manifest = manifest_open(r);
	if (r->manifest < 0)
		return r->manifest;
	manifest_print(r, &text);
	len = pwrite(r->manifest, text.data, text.len, 0);
	if (len == (ssize_t)text.len && ftruncate(r->manifest, len) == 0)
		return 0;
	return len < 0 ? -errno : -ENOSPC;
}
