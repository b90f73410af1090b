#include "browser/videos.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "browser/internal.h"
#include "browser/webm.h"
#include "engine/capture.h"
#include "page/page.h"
#include "page/rest.h"

#define READ_PERIOD (500 * USEC_PER_MSEC) /* between two requests for what has been recorded */
#define STOP_TIMEOUT (5 * USEC_PER_SEC)

/* The recording of one page. */
struct video {
	TAILQ_ENTRY(video) link;
	struct videos *of;
	_nullable_ _kept_ struct page *page; /* a reference; NULL once it has ended */
	unsigned number;                     /* of its file */
	struct engine_call call;             /* the request that is under way */
	struct timer *timer;                 /* of the next one */
	struct str stream;                   /* the browser's handle; empty until it records */
	bool stopping;                       /* a task takes over: no further request is sent */
	bool ending;                         /* the browser records no more: what is left is read */
	int fd;
	_nullable_ struct webm *webm; /* NULL: the file gets what the browser records */
	uint64_t bytes;
	int got; /* bytes, by the last request */
	usec_t began;
};

struct videos {
	struct context *context;
	struct video_plan plan;
	struct video_files files;
	TAILQ_HEAD(video_list, video) list; /* in the order in which they began */
	unsigned count;
	struct failure failure; /* of the first page whose recording could not begin */
	struct waitq changed;
};

static int open_file(const struct video_files *files, unsigned *ret_number)
{
	return files->open(files->data, ret_number);
}

static void close_file(const struct video_files *files, unsigned number, int fd, int failure)
{
	files->close(files->data, number, fd, failure);
}

static void end_video(struct video *v, int failure)
{
	if (!v->page)
		return;
	engine_call_done(&v->call);
	timer_set(v->timer, USEC_NEVER);
	if (v->webm && failure == 0)
		failure = webm_end(v->webm);
	v->webm = webm_free(v->webm);
	if (v->fd >= 0)
		close_file(&v->of->files, v->number, v->fd, failure);
	v->fd = -1;
	page_let_rest(v->page);
	v->page = page_unref(v->page);
	waitq_wake(&v->of->changed);
}

/* ---- requests ---- */

/* Writes what the browser has returned. Returns how many bytes that was. */
static int take_data(struct video *v)
{
	_cleanup_(freep) uint8_t *bytes = NULL;
	ptrdiff_t count = engine_video_bytes(&v->call, &bytes);
	int r;

	if (count <= 0)
		return (int)count;
	v->bytes += (uint64_t)count;
	if (v->bytes > LIMIT_VIDEO_BYTES)
		return -EFBIG;
	r = v->webm ? webm_feed(v->webm, bytes, (size_t)count) : file_write_all(v->fd, bytes, (size_t)count);
	return r < 0 ? r : (int)count;
}

static void request_data(struct video *v);

/* All that was recorded until finish_video() has come. */
static void end_finished(struct video *v)
{
	if (v->page && page_alive(v->page))
		engine_video_close(page_target(v->page), v->stream.data);
	end_video(v, 0);
}

static void on_data(struct engine_call *call, void *data)
{
	struct video *v = data;

	if (call->result == -ESTALE || call->result == -ENOTCONN) {
		end_video(v, 0);
		return;
	}
	v->got = call->result == 0 ? take_data(v) : v->stopping ? call->result : 0;
	engine_call_done(call);
	if (v->got < 0)
		end_video(v, v->got);
	else if (v->stopping)
		waitq_wake(&v->of->changed);
	else if (v->got > 0)
		request_data(v);
	else if (v->ending)
		end_finished(v);
	else
		timer_set(v->timer, clock_now() + READ_PERIOD);
}

static void request_data(struct video *v)
{
	if (!v->page || engine_video_read(page_target(v->page), v->stream.data, &v->call, on_data, v) < 0)
		end_video(v, 0);
}

static void videos_on_timer(void *data)
{
	struct video *v = data;

	if (!v->page || v->stopping || v->call.target)
		return;
	if (clock_now() < v->began + LIMIT_VIDEO_TIME * USEC_PER_SEC) {
		request_data(v);
		return;
	}
	if (page_alive(v->page))
		engine_video_stop(NULL, page_target(v->page));
	end_video(v, -EFBIG);
}

static void videos_note_failure(struct videos *all, int failure, const char *reason)
{
	if (all->failure.code == 0)
		failure_set(&all->failure, failure, "%s", reason);
	log_warning("a page is not recorded: %s", reason);
}

/* The file ends with what has been shown so far. */
static void finish_video(struct video *v)
{
	if (!v->page || !v->stream.len || v->stopping || v->ending)
		return;
	v->ending = true;
	engine_video_stop(NULL, page_target(v->page));
	if (!v->call.target)
		request_data(v);
}

static void videos_on_started(struct engine_call *call, void *data)
{
	_cleanup_(str_done) struct str reason = {};
	struct video *v = data;
	int r = engine_video_begun(call, &v->stream, &reason);

	if (r == -ENOTSUP)
		videos_note_failure(v->of, r, reason.data);
	if (r < 0) {
		end_video(v, r);
		return;
	}
	engine_call_done(call);
	timer_set(v->timer, clock_now() + READ_PERIOD);
	if (v->page && page_is_private(v->page))
		finish_video(v);
	waitq_wake(&v->of->changed);
}

/* ---- */

static void begin_video(struct videos *all, struct page *p)
{
	struct video *v = NEW(struct video);
	int r;

	v->of = all;
	all->count++;
	v->page = page_ref(p);
	page_hold_awake(p);
	v->began = clock_now();
	v->timer = timer_new(browser_loop(context_browser(all->context)), videos_on_timer, v);
	TAILQ_INSERT_TAIL(&all->list, v, link);
	v->fd = open_file(&all->files, &v->number);
	if (v->fd < 0) {
		videos_note_failure(all, v->fd, "its file cannot be made");
		end_video(v, v->fd);
		return;
	}
	v->webm = all->plan.as_recorded ? NULL : webm_new(v->fd);
	r = engine_video_begin(page_target(p), &all->plan.size, &v->call, videos_on_started, v);
	if (r < 0)
		end_video(v, r);
}

static void videos_add_page(void *part, struct page *p)
{
	struct videos *all = part;

	if (all->count < LIMIT_VIDEO_FILES_COUNT && !page_is_private(p))
		begin_video(all, p);
}

static bool videos_has_page(const struct videos *all, const struct page *p)
{
	const struct video *v;

	TAILQ_FOREACH(v, &all->list, link)
		if (v->page == p && !v->ending)
			return true;
	return false;
}

/* The pages of a context are private together. */
static void videos_privacy_changed(void *part)
{
	struct videos *all = part;
	struct page *p = NULL;
	struct video *v;

	while ((p = context_next_page(all->context, p)))
		if (!page_is_private(p) && !videos_has_page(all, p))
			videos_add_page(all, p);
	TAILQ_FOREACH(v, &all->list, link)
		if (v->page && page_is_private(v->page))
			finish_video(v);
}

/* The requests of recordings that begin. */
static void delay(void *part, struct disposal *d)
{
	struct videos *all = part;
	struct video *v;

	TAILQ_FOREACH(v, &all->list, link)
		if (v->call.target && !v->stream.len)
			disposal_await(d, &v->call);
}

/* Ends all recordings; what has arrived of them is kept. */
static void videos_free(void *part)
{
	struct videos *all = part;
	struct video *v;

	while ((v = TAILQ_FIRST(&all->list))) {
		TAILQ_REMOVE(&all->list, v, link);
		end_video(v, 0);
		timer_free(v->timer);
		str_done(&v->stream);
		free(v);
	}
	all->files.release(all->files.data);
	failure_done(&all->failure);
	free(all);
}

const struct context_part videos_part = {
	.page_shown = videos_add_page, .privacy_changed = videos_privacy_changed, .delay = delay, .free = videos_free
};

void context_end_videos(struct context *c)
{
	struct videos *all = context_videos(c);

	context_set_videos(c, NULL);
	if (all)
		videos_free(all);
}

const struct video_files *context_video_files(struct context *c)
{
	struct videos *all = context_videos(c);

	return all ? &all->files : NULL;
}

void context_video_path(struct context *c, const struct page *p, struct str *out)
{
	const struct videos *all = context_videos(c);
	const struct video *v = all ? TAILQ_LAST(&all->list, video_list) : NULL; /* one that is ended may be open still */
	char link[32], path[PATH_MAX];
	ssize_t len;

	while (v && (v->page != p || v->fd < 0))
		v = TAILQ_PREV(v, video_list, link);
	if (!v)
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", v->fd);
	len = readlink(link, path, sizeof(path));
	str_append_len(out, path, (size_t)MAX(len, 0));
}

/* Waits until no request is under way, of one video (NULL: of any). */
static int await_requests(struct task *t, struct videos *all, const struct video *only)
{
	const struct video *v;
	bool open = true;
	int r = 0;

	while (open && r == 0) {
		open = false;
		TAILQ_FOREACH(v, &all->list, link)
			open |= v->call.target && (!only || v == only);
		if (open)
			r = waitq_wait(t, &all->changed, "the browser to record a page");
	}
	return r;
}

int context_start_videos(struct task *t, struct context *c, const struct video_plan *plan, const struct video_files *files)
{
	struct videos *all;
	struct page *p = NULL;
	bool masked;
	int r;

	if (context_videos(c)) {
		files->release(files->data);
		return -EALREADY;
	}
	all = NEW(struct videos);
	*all = (struct videos){ .context = c, .plan = *plan, .files = *files };
	TAILQ_INIT(&all->list);
	waitq_init(&all->changed);
	context_set_videos(c, all);
	while ((p = context_next_page(c, p)))
		videos_add_page(all, p);
	/* Chromium ends, with the pages of all sessions, when a context is disposed of while a recording of one of its pages begins. */
	masked = task_mask_cancel(t, true);
	r = await_requests(t, all, NULL);
	task_mask_cancel(t, masked);
	if (r == 0 && all->failure.code == -ENOTSUP)
		r = task_wrap(t, task_fail_of(t, &all->failure), -ERR_BROWSER_ERROR, "this browser cannot record videos (",
			      "); use a Chromium that can, such as chromium-headless-shell 156");
	else if (r == 0 && all->failure.code < 0)
		r = task_fail(t, -ERR_INVALID_PARAMETERS, "cannot make the file of the video: %s", strerror(-all->failure.code));
	if (r < 0)
		context_end_videos(c);
	return r;
}

/* Fetches the rest of a recording. */
static int drain(struct task *t, struct video *v)
{
	int r;

	do {
		request_data(v);
		r = await_requests(t, v->of, v);
	} while (r == 0 && v->got > 0 && v->page);
	return r;
}

/* Ends the recording of one page with all of it. Only a cancellation of the task is a failure. */
static int stop_video(struct task *t, struct videos *all, struct video *v)
{
	int r;

	v->stopping = true;
	timer_set(v->timer, USEC_NEVER);
	r = await_requests(t, all, v);
	if (r == 0 && v->page && v->stream.len && !v->ending)
		r = engine_video_stop(t, page_target(v->page));
	if (r == 0 && v->page && v->stream.len)
		r = drain(t, v);
	if (v->page && page_alive(v->page) && v->stream.len)
		engine_video_close(page_target(v->page), v->stream.data);
	end_video(v, r == -ESTALE ? 0 : MIN(r, 0));
	return task_cancelled(t) ? -ECANCELED : 0;
}

int context_stop_videos(struct task *t, struct context *c)
{
	struct videos *all = context_videos(c);
	usec_t outer = task_set_deadline(t, clock_now() + STOP_TIMEOUT);
	struct video *v = all ? TAILQ_FIRST(&all->list) : NULL;
	int r = 0;

	for (; v; v = TAILQ_NEXT(v, link))
		if (v->page && r == 0)
			r = stop_video(t, all, v);
	task_set_deadline(t, outer);
	return r;
}

int context_stop_video(struct task *t, struct context *c, struct page *p)
{
	struct videos *all = context_videos(c);
	usec_t outer = task_set_deadline(t, clock_now() + STOP_TIMEOUT);
	struct video *v;
	int r = 0;

	if (all)
		TAILQ_FOREACH(v, &all->list, link)
			if (v->page == p)
				r = stop_video(t, all, v);
	task_set_deadline(t, outer);
	return r;
}
