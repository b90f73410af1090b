/* Shared by the files of this folder only. */
#pragma once

#include <stdbool.h>
#include <sys/queue.h>

#include "base/limits.h"
#include "base/str.h"
#include "observe/journal.h"
#include "trace/trace.h"

struct serialized;

#define TRACE_DIGEST_SIZE 20 /* of SHA-1, FIPS 180-4 */
#define TRACE_PART_SIZE 160  /* a name in the folder: "resources/DIGEST.html", "screencast/page@ID-TIME.jpeg" */

/* A page of which events are written. */
struct trace_page {
	TAILQ_ENTRY(trace_page) link;
	_kept_ struct page *page; /* a reference: the page may have ended */
	uint64_t from;            /* number of its first event that was not looked at */
	uint64_t *pending;        /* numbers of requests that have not ended, at most LIMIT_OBSERVED_COUNT */
	size_t pending_count;
};

/* The last snapshot of a frame that was written in full: later ones with the same content refer to it. */
struct trace_frame {
	char id[64]; /* the frame's */
	unsigned char digest[TRACE_DIGEST_SIZE];
	unsigned nodes, age; /* snapshots of the frame since then */
};

struct trace {
	const char *const *redacted_params;
	char *root, *rest, *path; /* of the folder, as in struct output_file */
	char *name;               /* "trace-1795198520359" */
	int actions, network;     /* descriptors of the two logs */
	double wall_start;        /* Unix milliseconds */
	double start;             /* the same moment on the clock of the trace */
	size_t part_bytes, line_bytes;
	unsigned calls, part_count;
	bool parts_full, lines_full;
	int failure;         /* negative errno of the first write that has failed, after which nothing is written; 0: none */
	int width, height;   /* of the last snapshot of a main frame */
	char **parts;        /* names of the files that were written, in that order */
	void *parts_by_name; /* tsearch() tree of the same */
	TAILQ_HEAD(, trace_page) pages;
	void *frames; /* tsearch() tree of struct trace_frame by id */
	unsigned frame_count;
};

/* writer.c */
double trace_now(void);                                    /* on the clock of the trace, in milliseconds */
double trace_at(const struct trace *tr, double unix_msec); /* that moment on the clock of the trace */
void trace_page_name(const struct page *p, char ret[80]);
/* Appends a line to a log, with its newline; secrets are masked. `line` is one JSON object. */
void trace_write_line(struct trace *tr, int log, struct str *line);
/* A line that counts with the snapshots, pictures and bodies. */
void trace_write_big_line(struct trace *tr, struct str *line);
/* Writes a file of the folder. False: there is no room for more, or it cannot be written. */
bool trace_write_part(struct task *t, struct trace *tr, const char *name, const void *data, size_t len);
/* Replaces in text of a page what must not leave the process. */
void trace_redact(const struct trace *tr, struct str *text);
/* Writes a body to the folder `resources`; `ret_name` is its name in the folder of the trace. False: it was left out. */
bool trace_write_resource(struct task *t, struct trace *tr, const void *data, size_t len, const char *mime_type,
			  char ret_name[TRACE_PART_SIZE]);
/* Says in the trace what is missing in it. */
void trace_note(struct trace *tr, const char *fmt, ...) _printf_(2, 3);
void trace_digest(const void *data, size_t len, unsigned char ret[TRACE_DIGEST_SIZE]);
/* A file of the folder, in the task's arena. */
struct output_file trace_file(struct task *t, const struct trace *tr, const char *name);
void trace_free_parts(struct trace *tr);

/* snapshots.c: of all documents of the page, if they can be read at the moment. */
void trace_snapshot(struct task *t, struct trace *tr, struct page *p, const char *call, const char *phase, struct frame *marked,
		    const char *target);
/* Appends the document of a frame, or where it stands: [[snapshots ago, number of the node]]. */
void trace_append_html(struct trace *tr, const char *frame, const struct serialized *s, struct str *out);
void trace_picture(struct task *t, struct trace *tr, struct page *p);

/* events.c: writes what the journals of the pages have, and looks for new pages. `last`: also requests that have not ended. */
void trace_collect(struct task *t, struct trace *tr, struct tabs *tabs, bool last);
struct trace_page *trace_page_free(struct trace_page *tp);
/* Events of its past are not written. */
void trace_add_page(struct trace *tr, struct page *p, bool from_now);
