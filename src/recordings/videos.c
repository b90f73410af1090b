/* The videos of a recording: one of each tab, in as many files as it takes. */
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "browser/videos.h"
#include "recordings/internal.h"

/* Text can be read in them, and they cost little: docs/recordings.md has what was measured. */
#define RECORDING_SIDE 1024 /* pixels, the longer side at most */
#define RECORDING_RATE 10   /* frames of a second */

/* ---- the files ---- */

static int recording_open_video(void *data, unsigned *ret_number)
{
	struct session_record *r = data;
	_cleanup_(str_done) struct str line = {};
	char name[RECORDING_NAME_SIZE];
	int fd;

	if (r->video_count == LIMIT_RECORDING_VIDEOS_COUNT) {
		timeline_note(r, "A further tab is not recorded: a recording has at most %u videos.", LIMIT_RECORDING_VIDEOS_COUNT);
		return -EMFILE;
	}
	recording_video_name(r->video_count, name);
	fd = recording_create(r, name);
	if (fd < 0) {
		r->failed = true;
		timeline_note(r, "A tab is not recorded: cannot make the file %s: %s.", name, strerror(-fd));
		return fd;
	}
	*ret_number = r->video_count++;
	r->videos[*ret_number] = (struct recording_video){ .from = recording_time(r), .to = -1 };
	str_json(&line, "{at: ?, kind: 'video', file: ?}", recording_time(r), name);
	timeline_write(r, &line);
	return fd;
}

static const char *video_end_words(int failure)
{
	return failure == -EFBIG ? "it has reached the limit of its length or size" : strerror(-failure);
}

static void recording_close_video(void *data, unsigned number, int fd, int failure)
{
	struct session_record *r = data;
	_cleanup_(str_done) struct str line = {};
	struct recording_video *v = &r->videos[number];
	char name[RECORDING_NAME_SIZE];

	recording_video_name(number, name);
	v->to = recording_time(r);
	v->bytes = recording_close(r, name, fd);
	v->failure = failure;
	str_json(&line, "{at: ?, kind: 'videoEnd', file: ?}", v->to, name);
	timeline_write(r, &line);
	if (failure == 0)
		return;
	r->failed = true;
	timeline_note(r, "The video %s ended before its tab: %s.", name, video_end_words(failure));
	log_warning("the video %s of the recording %s ended before its tab: %s", name, r->id, video_end_words(failure));
}

static void recording_release_videos(void *data)
{
	session_record_unref(data);
}

/* ---- the contexts ---- */

static bool is_ours(struct context *c)
{
	const struct video_files *files = context_video_files(c);

	return files && files->open == recording_open_video;
}

int recording_start_videos(struct task *t, struct session_record *r, struct context *c)
{
	static const struct video_plan plan = { .size = { RECORDING_SIDE, RECORDING_SIDE, RECORDING_RATE } };

	if (context_video_files(c))
		return 0;
	return context_start_videos(t, c, &plan,
				    &(const struct video_files){ recording_open_video, recording_close_video,
								 recording_release_videos, session_record_ref(r) });
}

void recording_stop_videos(struct task *t, struct session *s)
{
	struct context *c = NULL;

	while ((c = session_next_context(s, c))) {
		if (!is_ours(c))
			continue;
		context_stop_videos(t, c);
		context_end_videos(c);
	}
}

void recording_video_of(struct context *c, const struct page *p, struct str *out)
{
	_cleanup_(str_done) struct str path = {};
	const char *slash;

	if (is_ours(c))
		context_video_path(c, p, &path);
	slash = path.len ? strrchr(path.data, '/') : NULL;
	str_append(out, slash ? slash + 1 : "");
}
