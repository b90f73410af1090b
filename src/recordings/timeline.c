/*
 * The timeline of a recording: one JSON object a line. `at` is in milliseconds after its beginning.
 *
 *	{at, kind: 'call', call, tool, line, video?, url?, step?}   a call, or a step of a later one, has begun at `at`; `line` says what it did
 *	{at, kind: 'end', call, outcome, error?}                    it has ended: "ok", "failed", "cancelled"
 *	{at, kind: 'video', file}                                   a video of a tab begins
 *	{at, kind: 'videoEnd', file}                                and ends
 *	{at, kind: 'note', text}                                    for people
 *
 * Both lines of a call are written when it has ended, so lines are not in the order of `at`.
 */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/mask.h"
#include "recordings/internal.h"

int64_t recording_time(const struct session_record *r)
{
	return clock_unix_msec() - r->began;
}

/* The last line of a timeline that cannot go on would be incomplete: it is removed. */
static void timeline_stop(struct session_record *r, int failure)
{
	log_warning("the timeline of the recording %s ends early: %s", r->id, strerror(-failure));
	if (ftruncate(r->timeline, (off_t)r->timeline_bytes) < 0)
		log_warning("the last line of the timeline of the recording %s is incomplete: %s", r->id, strerror(errno));
	r->failed = r->timeline_full = true;
}

void timeline_write(struct session_record *r, struct str *line)
{
	int failure;

	if (r->timeline < 0 || r->timeline_full)
		return;
	mask_json(line, NULL, NULL);
	str_append_char(line, '\n');
	failure = r->timeline_bytes + line->len > LIMIT_RECORDING_TIMELINE ? -EFBIG :
									     file_write_all(r->timeline, line->data, line->len);
	if (failure < 0)
		timeline_stop(r, failure);
	else
		r->timeline_bytes += line->len;
}

void timeline_note(struct session_record *r, const char *fmt, ...)
{
	_cleanup_(str_done) struct str text = {}, line = {};
	va_list ap;

	va_start(ap, fmt);
	str_vappendf(&text, fmt, ap);
	va_end(ap);
	str_json(&line, "{at: ?, kind: 'note', text: ?}", recording_time(r), text.data);
	if (r->note_count < LIMIT_RECORDING_NOTES_COUNT)
		str_json(&r->notes, "? {at: ?, text: ?}", JSON_COMMA(r->note_count), recording_time(r), text.data);
	r->note_count++;
	timeline_write(r, &line);
}

/* ---- calls ---- */

static void timeline_begin_call(struct session_record *r, const struct recorded_end *c, const char *video, const char *url)
{
	_cleanup_(str_done) struct str line = {};

	str_json(&line, "{at: ?, kind: 'call', call: ?, tool: ?, line: ?", MAX(c->began - r->began, (int64_t)0), r->calls, c->tool,
		 c->line);
	if (*video)
		str_json(&line, ", video: ?", video);
	if (*url)
		str_json(&line, ", url: ?", url);
	if (c->is_step)
		str_append(&line, ",\"step\":true");
	str_append_char(&line, '}');
	timeline_write(r, &line);
}

void timeline_call(struct session_record *r, const struct recorded_end *c, const char *video, const char *url)
{
	_cleanup_(str_done) struct str line = {};

	r->calls++;
	timeline_begin_call(r, c, video, url);
	str_json(&line, "{at: ?, kind: 'end', call: ?, outcome: ?", recording_time(r), r->calls, c->outcome);
	if (c->error)
		str_json(&line, ", error: ?", c->error);
	str_append_char(&line, '}');
	timeline_write(r, &line);
}
