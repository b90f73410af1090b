/*
 * Recordings of sessions, for people who watch afterwards what was done: videos of the pages, a trace for Playwright's trace viewer,
 * and always a timeline of the calls. They are made for all sessions or for one, as their plans ask for it, whichever
 * tools use it, and begin with its first context.
 *
 * A recording is a directory, ID, in the folder `recordings` of its owner's automatic files (reply/output.h):
 *
 *	manifest.json   what the recording is (manifest.h); written when it begins, and again when it ends
 *	timeline.jsonl  one JSON object a line, each written when it happens (timeline.h)
 *	video-N.webm    a video of one tab, from 1 on; the lines of the timeline name the one that shows the current tab
 *	trace.zip       the trace
 *
 * Its finished files are the owner's artifacts. The timeline is locked (flock(2)) while it is written: a recording whose manifest says
 * that it runs, and whose timeline nobody has locked, was cut off with the process that made it.
 *
 * While a person has control of a session (session/control.h), nothing is recorded but that they have it.
 *
 * What goes wrong with files (a full disk, the limits of the owner) ends what is being written, with a note in the manifest and the log,
 * and never the session.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "app/app.h"
#include "base/clock.h"
#include "base/str.h"
#include "loop/task.h"
#include "mcp/server.h"
#include "session/record.h"
#include "trace/trace.h"

struct recordings;

struct recording_settings {
	unsigned kinds;    /* of every session, bits of enum record_kind; 0: only sessions whose plan asks for it are recorded */
	usec_t keep;       /* for how long recordings that have ended are kept; 0: for any time */
	uint64_t max_size; /* bytes of all recordings, above which the oldest of the owner with most are removed; 0: any number */
};

/* `app`, whose registry it watches, and `settings` must outlive it; but it outlives the registry. */
struct recordings *recordings_new(struct loop *l, struct app *app, const struct recording_settings *settings);
/* From here on, what is too old or too much is removed: now, after the end of each recording, and once an hour. Once. */
void recordings_begin(struct recordings *all);
/* All sessions must have ended. */
struct recordings *recordings_free(struct recordings *all);
DEFINE_FREEP(recordings);
const struct session_recorder *recordings_recorder(struct recordings *all);

/* A call that has ended, or a step of one. */
struct recorded_end {
	const char *tool, *line; /* its name, and what it did in one line without secrets */
	const char *outcome;     /* "ok", "failed", "cancelled" */
	const char *error;       /* public name of the failure; NULL: none is known */
	int64_t began;           /* Unix ms */
	usec_t duration;
	bool is_step; /* of a call that ends later */
};
void recordings_called(struct recordings *all, uint64_t owner, const char *session, const struct recorded_end *call);

/*
 * Around each call of a tool: what is traced of those that do not trace themselves. Both suspend; the second keeps the failure of the task.
 * `r` and `res`: how the call has ended.
 */
struct recorded_call {
	struct trace_call call;
	bool failed;
};
void recordings_begin_call(struct task *t, struct recordings *all, struct mcp_call *call, struct recorded_call *ret);
void recordings_end_call(struct task *t, struct recordings *all, struct mcp_call *call, struct recorded_call *c, int r,
			 const struct result *res);

struct recordings_counts {
	unsigned now;                  /* that are being made */
	uint64_t finished, incomplete; /* since the start: that ended as they should, or without what could not be written */
	uint64_t bytes;                /* of those that are finished */
};
struct recordings_counts recordings_counts(const struct recordings *all);
