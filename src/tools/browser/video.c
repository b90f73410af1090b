/* browser_start_video, browser_stop_video. */
#include "tools/browser/video.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "act/overlay.h"
#include "base/error.h"
#include "base/limits.h"
#include "browser/videos.h"
#include "engine/features.h"
#include "reply/context_records.h"
#include "reply/output.h"
#include "tools/browser/tools.h"

#define DEFAULT_RATE 25
#define DEFAULT_SIZE 800 /* CSS pixels, each side */
#define NO_NUMBER (-DBL_MAX)

struct browser_start_video {
	const char *sessionId, *filename;
	const struct json *size;
	double fps;
	bool cursor;
};

#define SIZE_SCHEMA \
	"{\"type\":\"object\",\"description\":\"Pixels; pages keep their shape. Default: at most 800x800\",\"properties\":{" \
	"\"width\":{\"type\":\"number\"},\"height\":{\"type\":\"number\"}},\"required\":[\"width\",\"height\"]," \
	"\"additionalProperties\":false}"

static const struct param browser_start_video_params[] = {
	PARAM(browser_start_video, filename, "Default: video-TIME.webm; further tabs get -1, -2...", .empty_is_none = true),
	PARAM(browser_start_video, size, NULL, .schema = SIZE_SCHEMA),
	PARAM(browser_start_video, fps, NULL, .schema = "{\"type\":\"number\",\"description\":\"Frames per second, default 25\"}"),
	PARAM(browser_start_video, cursor, "Draw a mouse pointer that moves to each action, which takes 0.8 s"),
	PARAM(browser_start_video, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

/* ---- the files of a recording ---- */

#define FILES_COUNT (LIMIT_VIDEO_FILES_COUNT * (1 + LIMIT_ISOLATED_CONTEXTS_COUNT))

enum video_end { VIDEO_RUNS, VIDEO_COMPLETE, VIDEO_CUT, VIDEO_FAILED };

struct video_output {
	unsigned uses; /* by contexts, and by calls while they suspend */
	struct video_plan plan;
	struct file_access files;
	char *workspace, *path, *root, *rest; /* of the file of the first page */
	enum video_end ends[FILES_COUNT];
	unsigned count;
};

/* FOLDER/NAME-2.webm for FOLDER/NAME.webm and 2. */
static void numbered(struct str *out, const char *path, unsigned number)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');

	if (!dot || (slash && dot < slash))
		dot = path + strlen(path);
	str_append_len(out, path, (size_t)(dot - path));
	if (number > 0)
		str_appendf(out, "-%u", number);
	str_append(out, dot);
}

struct video_file {
	struct str path, rest;
	struct output_file f;
};

static void video_file_done(struct video_file *file)
{
	str_done(&file->path);
	str_done(&file->rest);
}

static void name_file(const struct video_output *v, unsigned number, struct video_file *ret)
{
	*ret = (struct video_file){};
	numbered(&ret->path, v->path, number);
	numbered(&ret->rest, v->rest, number);
	ret->f = (struct output_file){ .path = ret->path.data, .root = v->root, .rest = ret->rest.data };
}

static int video_open_file(void *data, unsigned *ret_number)
{
	struct video_output *v = data;
	_cleanup_(video_file_done) struct video_file file;
	int fd;

	if (v->count == FILES_COUNT)
		return -EMFILE;
	*ret_number = v->count++;
	name_file(v, *ret_number, &file);
	fd = output_try_open(&v->files, &file.f, false);
	v->ends[*ret_number] = fd < 0 ? VIDEO_FAILED : VIDEO_RUNS;
	return fd;
}

static void video_close_file(void *data, unsigned number, int fd, int failure)
{
	struct video_output *v = data;
	_cleanup_(video_file_done) struct video_file file;

	name_file(v, number, &file);
	output_close(&v->files, &file.f, fd);
	v->ends[number] = failure == 0 ? VIDEO_COMPLETE : VIDEO_CUT;
}

static void release_output(void *data)
{
	struct video_output *v = data;

	if (--v->uses > 0)
		return;
	free(v->workspace);
	free(v->path);
	free(v->root);
	free(v->rest);
	free(v);
}

/* Finds the file of the first page and makes sure that it can be written. */
static int prepare_file(struct tool_call *call, const char *filename, struct output_file *ret)
{
	int r;

	r = output_choose(call->t, &call->files, filename, "video", "webm", ret);
	if (r == 0)
		r = output_open_new(call->t, &call->files, ret, false);
	if (r < 0)
		return r;
	output_close(&call->files, ret, r);
	return 0;
}

/* With one use, that of the caller. */
static struct video_output *output_of(const struct tool_call *call, const struct video_plan *plan, const struct output_file *f)
{
	struct video_output *v = NEW(struct video_output);

	v->uses = 1;
	v->plan = *plan;
	v->files = call->files;
	v->workspace = call->files.workspace ? must(strdup(call->files.workspace)) : NULL;
	v->files.workspace = v->workspace;
	v->path = must(strdup(f->path));
	v->root = must(strdup(f->root));
	v->rest = must(strdup(f->rest));
	return v;
}

/* ---- the arguments ---- */

static int invalid(struct browse *b, const char *complaint, const char *received, const char *at)
{
	return browse_fail(
		&b->call,
		"Invalid arguments for tool \"browser_start_video\":\n✖ Invalid input: expected %s, received %s\n  → at %s",
		complaint, received, at);
}

static int check_side(struct browse *b, const struct json *size, const char *name, int *ret)
{
	const struct json *v = json_get(size, name);
	double side = json_num(size, name, 0);

	if (json_type(v) != JSON_NUMBER)
		return invalid(b, "number", tool_type_word(v), arena_printf(task_arena(b->call.t), "size.%s", name));
	if (side != floor(side))
		return browse_fail_call(&b->call, -EINVAL, "size.%s: expected integer, got float %.15g", name, side);
	if (side < 1 || side > LIMIT_VIEWPORT)
		return browse_fail_call(&b->call, -EINVAL, "size.%s: expected 1 to %u, got %.15g", name, LIMIT_VIEWPORT, side);
	*ret = (int)side;
	return 0;
}

/* All sessions share what draws and compresses the pictures. */
static int check_pixels(struct browse *b, const struct video_size *s)
{
	double pixels = (double)s->width * s->height * s->rate;

	if (pixels <= LIMIT_VIDEO_PIXELS)
		return 0;
	return browse_fail_call(
		&b->call, -EINVAL,
		"%d x %d pixels in %d frames a second are %.0f pixels a second, of which there may be %.0f: choose a "
		"smaller size or fps",
		s->width, s->height, s->rate, pixels, LIMIT_VIDEO_PIXELS);
}

static int take_plan(struct browse *b, const struct browser_start_video *a, struct video_plan *plan)
{
	const char *dot = a->filename ? strrchr(a->filename, '.') : NULL;
	int r = 0;

	*plan = (struct video_plan){ .size = { DEFAULT_SIZE, DEFAULT_SIZE, DEFAULT_RATE } };
	plan->as_recorded = dot && strcasecmp(dot, ".mp4") == 0;
	if (a->size && json_type(a->size) != JSON_OBJECT)
		return invalid(b, "object", tool_type_word(a->size), "size");
	if (a->size)
		r = check_side(b, a->size, "width", &plan->size.width);
	if (a->size && r == 0)
		r = check_side(b, a->size, "height", &plan->size.height);
	if (r < 0)
		return r;
	if (!(a->fps > 0 || a->fps == NO_NUMBER))
		return browse_fail_call(&b->call, -EINVAL, "\"fps\" must be a positive number, got %.15g", a->fps);
	if (a->fps != NO_NUMBER)
		plan->size.rate = (int)ceil(MIN(a->fps, LIMIT_VIDEO_RATE));
	return check_pixels(b, &plan->size);
}

/* ---- the contexts ---- */

static bool video_is_recorded(struct context *c)
{
	return context_video_files(c) && context_video_files(c)->open == video_open_file;
}

/* The files into which browser_start_video records the session; NULL: it does not. */
static struct video_output *find_output(const struct browse *b)
{
	struct context *c = NULL;

	while ((c = session_next_context(b->session, c)) && !video_is_recorded(c))
		;
	return c ? context_video_files(c)->data : NULL;
}

static int record_context(struct tool_call *call, struct context *c, struct video_output *v)
{
	v->uses++;
	return context_start_videos(call->t, c, &v->plan,
				    &(const struct video_files){ video_open_file, video_close_file, release_output, v });
}

int video_add_context(struct browse *b, struct context *c)
{
	struct video_output *v = find_output(b);

	return v && !video_is_recorded(c) ? record_context(&b->call, c, v) : 0;
}

static int record_contexts(struct browse *b, struct video_output *v)
{
	struct context *c = NULL;
	int r = 0;

	while (r == 0 && (c = session_next_context(b->session, c)))
		r = record_context(&b->call, c, v);
	return r;
}

static int stop_contexts(struct browse *b)
{
	struct context *c = NULL;
	int r = 0;

	while (r == 0 && (c = session_next_context(b->session, c)))
		if (video_is_recorded(c))
			r = context_stop_videos(b->call.t, c);
	return r;
}

static void end_contexts(struct browse *b)
{
	struct context *c = NULL;

	while ((c = session_next_context(b->session, c)))
		if (video_is_recorded(c))
			context_end_videos(c);
}

/* ---- the tools ---- */

static int video_start_run(struct browse *b, const void *args)
{
	const struct browser_start_video *a = args;
	struct video_output *v;
	struct video_plan plan;
	struct output_file f;
	int r;

	if (find_output(b))
		return task_fail(b->call.t, -EALREADY, "Video recording has already been started.");
	if (context_records_video(session_context(b->session)))
		return task_fail(b->call.t, -EALREADY,
				 "the pages are being recorded already: recordVideo of the config file asks for it");
	if (context_video_files(session_context(b->session)))
		return task_fail(
			b->call.t, -EALREADY,
			"the pages are being recorded already, as the server or create_session asks for it: their videos are ready when the session has ended");
	r = take_plan(b, a, &plan);
	if (r == 0)
		r = prepare_file(&b->call, a->filename, &f);
	if (r < 0)
		return r;
	v = output_of(&b->call, &plan, &f);
	r = record_contexts(b, v);
	release_output(v);
	if (r == 0)
		response_add(&b->response.result, "Video recording started.");
	else
		end_contexts(b);
	session_tabs(b->session)->pointer = r == 0 && a->cursor;
	return r;
}

const struct tool tool_browser_start_video =
	BROWSE_TOOL("browser_start_video", "Start video", browser_start_video,
		    "Record all tabs of the session as video, a file each, until browser_stop_video.",
		    (&(const struct browse_tool){ .run = video_start_run, .modals = MODAL_IGNORES, .no_tab = true }),
		    .defaults = &(const struct browser_start_video){ .fps = NO_NUMBER }, .read_only = true,
		    .capability = "devtools", .needs = ENGINE_VIDEOS);

struct browser_stop_video {
	const char *sessionId;
};

static const struct param browser_stop_video_params[] = { PARAM(browser_stop_video, sessionId, NULL, .schema = BROWSE_SESSION),
							  {} };

static void answer_files(struct browse *b, const struct video_output *v)
{
	for (unsigned i = 0; i < v->count; i++) {
		_cleanup_(video_file_done) struct video_file file;
		const char *shown;

		name_file(v, i, &file);
		shown = response_line(b->call.t, output_shown(b->call.t, &v->files, file.f.path));
		if (v->ends[i] == VIDEO_FAILED) {
			response_add(&b->response.result, "- %s could not be written", shown);
			continue;
		}
		response_add(&b->response.result, "- [Video](%s)%s", shown,
			     v->ends[i] == VIDEO_CUT ? " (ended early: it became too large or too long, or could not be written)" :
						       "");
		response_link_file(&b->response, &file.f);
	}
}

/* The mouse pointer stays while actions are marked for another reason. */
static void end_pointer(struct browse *b)
{
	struct tab *tab;

	if (session_tabs(b->session)->pointer)
		TAILQ_FOREACH(tab, &session_tabs(b->session)->list, link)
			if (!tab->marks.len)
				page_end_marks(tab->page);
	session_tabs(b->session)->pointer = false;
}

static int video_finish(struct browse *b, const struct video_output *v)
{
	int r = stop_contexts(b);

	if (r < 0)
		return r;
	answer_files(b, v);
	end_contexts(b);
	end_pointer(b);
	return 0;
}

static int video_stop_run(struct browse *b, const void *args)
{
	struct video_output *v = find_output(b);
	int r = 0;

	if (v) {
		v->uses++;
		r = video_finish(b, v);
		release_output(v);
	}
	if (r == 0 && !b->response.result.len)
		response_add(&b->response.result, "No videos were recorded.");
	return r;
}

const struct tool tool_browser_stop_video =
	BROWSE_TOOL("browser_stop_video", "Stop video", browser_stop_video,
		    "Finish the videos of browser_start_video; answers their files.",
		    (&(const struct browse_tool){ .run = video_stop_run, .modals = MODAL_IGNORES, .no_tab = true }),
		    .read_only = true, .capability = "devtools", .needs = ENGINE_VIDEOS);
