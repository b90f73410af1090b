/* Shared by the files of this folder only. */
#pragma once

#include <sys/queue.h>

#include "base/limits.h"
#include "recordings/recordings.h"
#include "session/control.h"

#define RECORDING_ID_LENGTH 32 /* "20261128-223505-0123456789abcdef" */
#define RECORDING_ID_SIZE (RECORDING_ID_LENGTH + 1)
#define RECORDING_NAME_SIZE 24 /* "video-64.webm" */
#define RECORDING_FOLDER "recordings"
#define RECORDING_MANIFEST "manifest.json"
#define RECORDING_TIMELINE "timeline.jsonl"

struct recording_video {
	int64_t from, to; /* ms after the recording began; to: -1 while it is written */
	uint64_t bytes;
	int failure; /* why it ended early, a negative errno; 0: it did not */
};

/* A recording that is being made. It belongs to its session, and to the contexts whose videos it has. */
struct session_record {
	LIST_ENTRY(session_record) link;
	struct recordings *all;
	unsigned refs;
	unsigned kinds; /* bits of enum record_kind */
	uint64_t owner;
	char id[RECORDING_ID_SIZE];
	char session_id[SESSION_ID_SIZE];
	char *root, *rest;      /* together the path of its directory, as in struct output_file */
	int directory;          /* O_PATH */
	int manifest, timeline; /* -1: could not be made, or nothing more is written to it */
	uint64_t timeline_bytes;
	int64_t began, ended; /* Unix ms; 0: not ended */
	const char *end;      /* why the session ended, "expired"; NULL: it has not */
	unsigned calls;
	bool paused, timeline_full;
	bool failed; /* something ended early */
	struct recording_video videos[LIMIT_RECORDING_VIDEOS_COUNT];
	unsigned video_count, trace_count;
	struct str url, title; /* of the page that was current last */
	struct str notes;      /* JSON objects with commas between */
	unsigned note_count;
	uint64_t bytes; /* of all files, once it has ended */
};

struct recordings {
	struct loop *loop;
	struct app *app;
	const struct recording_settings *settings;
	struct session_recorder recorder;
	struct control_watcher control;
	LIST_HEAD(, session_record) list; /* those that are being made */
	struct recordings_counts counts;
	struct timer *retention; /* when old recordings are looked for; NULL: never */
	struct artifacts *parts; /* files that traces write, which are no artifacts of owners until they are packed */
	char *here;              /* over stdio: an absolute path, of the output directory or the working directory */
};

/* ---- files.c ---- */

/* Where the recordings of a server on stdio are: an absolute path, to be freed. `dir`: the output directory, NULL: none. */
char *recordings_here(const char *dir);
/* The folder of the owner's recordings: an absolute path, and where it is below that. Negative errno. */
int recording_folder(const struct recordings *all, uint64_t owner, const char **ret_root, const char **ret_rest);
/* Makes the directory of a new recording, whose id is set. Negative errno. */
int recording_make_directory(struct session_record *r);
/* The name of the file of r->videos[number]. */
void recording_video_name(unsigned number, char ret[RECORDING_NAME_SIZE]);
/* A new file there, open for writing. Negative errno; -EDQUOT: the owner may write no more. */
int recording_create(struct session_record *r, const char *name);
/* Closes a complete file, which becomes an artifact of the owner. Returns its size. */
uint64_t recording_close(struct session_record *r, const char *name, int fd);

/* ---- timeline.c ---- */

/* Milliseconds after the beginning of the recording. */
int64_t recording_time(const struct session_record *r);
/* Appends one JSON object to the timeline. Secrets are masked. */
void timeline_write(struct session_record *r, struct str *line);
/* Writes a note for people to the timeline, and to the manifest. */
void timeline_note(struct session_record *r, const char *fmt, ...) _printf_(2, 3);

/* A call has ended. `video` and `url` show the current tab then; "": none is known. */
void timeline_call(struct session_record *r, const struct recorded_end *call, const char *video, const char *url);

/* ---- manifest.c ---- */

/* Negative errno. The first call makes the file. */
int manifest_write(struct session_record *r);

/* ---- videos.c ---- */

/* Records the pages of the context from now on. Suspends. Negative, for the task's failure: the browser cannot. */
int recording_start_videos(struct task *t, struct session_record *r, struct context *c);
/* Ends the videos of all contexts of the session, with all that was recorded. Suspends; ends what it can when the task must end. */
void recording_stop_videos(struct task *t, struct session *s);
/* Appends the name of the video of the page; nothing if there is none. */
void recording_video_of(struct context *c, const struct page *p, struct str *out);

/* ---- retention.c ---- */

/* A recording has ended: what is too old or too much is removed soon. */
void retention_soon(struct recordings *all);

/* ---- traces.c ---- */

/* Begins a trace of the session, unless there is one. The caller has the turn. Suspends. */
void recording_start_trace(struct task *t, struct session_record *r, struct session *s);
/* Packs the traces of the session, which ends. Suspends. */
void recording_finish_traces(struct task *t, struct session_record *r, struct session *s);
/* Frees those that could not be packed; their files stay. */
void recording_drop_traces(const struct session_record *r);

/* ---- record.c ---- */

/* The recording of that session; NULL: none, or the tool works on no session. */
_nullable_ _kept_ struct session_record *recording_of_call(const struct recordings *all, struct mcp_call *call);

/* A new recording with its files, with one reference, that of the session. NULL: they cannot be made. */
struct session_record *record_new(struct recordings *all, const struct session *s, uint64_t owner, unsigned kinds);
struct session_record *session_record_ref(struct session_record *r);
void session_record_unref(struct session_record *r);
