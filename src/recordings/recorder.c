/* What begins, pauses and ends recordings, and what they are told of calls. */
#include <string.h>

#include "base/error.h"
#include "browser/pool.h"
#include "engine/features.h"
#include "engine/targets.h"
#include "observe/clip.h"
#include "observe/redact.h"
#include "recordings/internal.h"
#include "reply/artifacts.h"
#include "reply/response.h"
#include "reply/url_params.h"

#define TITLE_SIZE 200 /* bytes of a title or an address in the manifest */

static const char *const no_files =
	"This session is not recorded, as it should be: the files of a recording cannot be made (the log of the server says why).";

/* What an engine cannot record is refused where it was asked for, and left out where all sessions are recorded. */
static int choose_kinds(struct task *t, const struct recordings *all, const struct session *s, unsigned *ret)
{
	unsigned asked = session_asked_records(s);
	const struct engine_options *engine = &browser_options(session_browser(s))->start;

	*ret = asked ? asked : all->settings->kinds;
	if (!(*ret & RECORD_VIDEO) || (engine_features(engine) & ENGINE_VIDEOS))
		return 0;
	*ret &= ~(unsigned)RECORD_VIDEO;
	if (!asked)
		return 0;
	return task_fail(t, -ERR_INVALID_PARAMETERS,
			 "%s cannot record videos, because it has no screencast; record \"trace\" instead, or use Chromium",
			 engine_name(engine));
}

/* A browser that cannot record at all is an error, as it stays so; what is wrong with files is noted. */
static int recorder_start(struct task *t, struct session_record *r, _kept_ struct session *s, _kept_ struct context *c)
{
	int result = r->kinds & RECORD_VIDEO ? recording_start_videos(t, r, c) : 0;

	if (r->kinds & RECORD_TRACE)
		recording_start_trace(t, r, s);
	if (result == 0 || result == -ERR_BROWSER_ERROR || task_cancelled(t))
		return result;
	task_forget_failure(t);
	return 0;
}

static int recorder_begin(struct task *t, _kept_ struct session *s, _kept_ struct context *c, void *data)
{
	struct recordings *all = data;
	struct session_record *r = session_record(s);
	unsigned kinds = 0;
	int result = 0;

	if (!r) {
		result = choose_kinds(t, all, s, &kinds);
		if (result < 0 || !kinds)
			return result;
		r = record_new(all, s, session_owner(s), kinds);
		session_set_record(s, r);
	}
	if (!r)
		context_announce(c, no_files);
	else if (!r->paused)
		result = recorder_start(t, r, s, c);
	return result;
}

/* ---- the end of the session ---- */

/* Secrets are masked before the text is cut: the beginning of one that the cut had parted would not be found. */
static void set_clipped(const struct session_record *r, struct str *to, const char *text)
{
	str_reset(to);
	str_append_len(to, text, clip_fit(text, strnlen(text, LIMIT_SHOWN_MASKED + 4), LIMIT_SHOWN_MASKED));
	redact(to);
	url_params_redact(r->all->app->answers->redacted_params, to);
	str_truncate(to, clip_fit(str_text(to), to->len, TITLE_SIZE));
}

static void recorder_take_page(struct task *t, const struct session *s, struct session_record *r)
{
	const struct page *p = session_current_page(s);
	struct browser *b = session_browser(s);
	const char *title;

	if (!p || !b || !page_alive(p))
		return;
	set_clipped(r, &r->url, page_url(p));
	if (engine_title(t, browser_root(b), page_target_id(p), &title) == 0)
		set_clipped(r, &r->title, title);
}

static void recorder_finish(struct task *t, _kept_ struct session *s, void *record)
{
	struct session_record *r = session_record_ref(record);

	recording_stop_videos(t, s);
	if (!r->paused) /* or the page is the one that a person is on */
		recorder_take_page(t, s, r);
	recording_finish_traces(t, r, s);
	session_record_unref(r);
}

static void recorder_end(void *record, const char *why)
{
	struct session_record *r = record;

	r->ended = clock_unix_msec();
	r->end = why;
	timeline_note(r, "The session %s.", why);
	recording_drop_traces(r);
	session_record_unref(r);
}

/* ---- calls ---- */

/* What shows the current tab. */
static void name_shown(const struct session_record *r, const char *session, struct str *video, struct str *url)
{
	struct page *p = registry_page(r->all->app->registry, r->owner, session);

	if (!p || !page_context(p))
		return;
	recording_video_of(page_context(p), p, video);
	set_clipped(r, url, page_url(p));
}

void recordings_called(struct recordings *all, uint64_t owner, const char *session, const struct recorded_end *call)
{
	struct session_record *r = registry_record(all->app->registry, owner, session);
	_cleanup_(str_done) struct str video = {}, url = {};

	if (!r || r->paused)
		return;
	name_shown(r, session, &video, &url);
	if (url.len)
		str_set(&r->url, url.data);
	timeline_call(r, call, str_text(&video), str_text(&url));
}

/* ---- while a person has control ---- */

/* Videos have a gap by themselves (browser/videos.c), because pages know that they are private. */
static void recorder_control_changed(struct control_watcher *w, uint64_t owner, const char *session)
{
	const struct recordings *all = CONTAINER_OF(w, struct recordings, control);
	struct session_record *r = registry_record(all->app->registry, owner, session);
	struct control_state state;

	if (!r || !session_control(all->app->registry, owner, session, &state) || state.taken == r->paused)
		return;
	r->paused = state.taken;
	if (state.taken)
		timeline_note(r, "A person has control: nothing is recorded.");
	else
		timeline_note(r, "The person has handed back, and the recording goes on.");
}

/* ---- all of them ---- */

struct recordings *recordings_new(struct loop *l, struct app *app, const struct recording_settings *settings)
{
	struct recordings *all = NEW(struct recordings);

	all->loop = l;
	all->app = app;
	all->settings = settings;
	all->parts = artifacts_new();
	all->here = recordings_here(app->output.settings->dir);
	all->recorder = (struct session_recorder){ recorder_begin, recorder_finish, recorder_end, all };
	all->control.changed = recorder_control_changed;
	registry_watch_control(app->registry, &all->control);
	return all;
}

struct recordings *recordings_free(struct recordings *all)
{
	if (!all)
		return NULL;
	timer_free(all->retention);
	artifacts_free(all->parts);
	free(all->here);
	free(all);
	return NULL;
}

const struct session_recorder *recordings_recorder(struct recordings *all)
{
	return &all->recorder;
}

struct recordings_counts recordings_counts(const struct recordings *all)
{
	return all->counts;
}
