/*
 * Records the calls of one session as a trace that Playwright's trace viewer opens: actions, snapshots of documents, pictures,
 * console messages, and requests with the bodies of their responses.
 *
 * The files lie in the folder `traces` of automatic files, with the names that @playwright/mcp gives them: NAME.trace and
 * NAME.network hold one JSON object a line, NAME.stacks the places of calls in code, `resources` the bodies under their SHA-1,
 * `screencast` the pictures. They are written while the session is used, so that memory holds no more than one document. Secrets
 * are masked in all text.
 *
 * Nothing is observed between calls: the journals of the pages keep what happens then until the next call. A trace belongs to its
 * session, whose turn the caller has; it ends with the session's context.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop/task.h"
#include "page/frames.h"
#include "page/page.h"
#include "reply/output.h"

struct tabs;
struct trace;

struct trace_options {
	const char *language;               /* of generated code, as the viewer names it: "javascript", "python"... */
	const char *test_id_attribute;      /* NULL: data-testid */
	const char *const *redacted_params; /* of URLs (reply/url_params.h), borrowed for as long as the trace lives; NULL: none */
};

/* Creates the files, which the client must be allowed to write. Events of the tabs count from here on. */
int trace_new(struct task *t, const struct file_access *files, const struct trace_options *o, struct tabs *tabs,
	      struct trace **ret);
/* Closes the files as they are. */
struct trace *trace_free(struct trace *tr);
DEFINE_FREEP(trace);
/* Why the recording ended early, in the task's arena; NULL: it did not. */
const char *trace_failure(struct task *t, const struct trace *tr);
/* False after trace_finish(). */
bool trace_is_recording(const struct trace *tr);
/* Writes the requests that have not ended, and makes the two logs resources of the client. Suspends. */
void trace_finish(struct task *t, struct trace *tr, const struct file_access *files, struct tabs *tabs);

/*
 * Packs a trace that was finished into one .zip, which the viewer opens as well, with the same files in it. Suspends. Fails as
 * output_open_new(), or when the archive cannot be written.
 */
int trace_pack(struct task *t, struct trace *tr, const struct file_access *files, const struct output_file *archive);

enum trace_file { TRACE_ACTIONS, TRACE_NETWORK, TRACE_RESOURCES, TRACE_ARCHIVE };
/* Its absolute path, in the task's arena. */
const char *trace_path(struct task *t, const struct trace *tr, enum trace_file which);

/* One call, for the viewer's list of actions. */
struct trace_action {
	const char *parent;             /* id of the call of which this one is a part; NULL or "": none */
	const char *class, *method;     /* of Playwright's API; the viewer has titles for those that it knows */
	const char *title;              /* NULL: the viewer's own */
	const char *params;             /* JSON object text */
	const char *log;                /* lines; NULL: none */
	const char *result;             /* JSON text; NULL: none */
	const char *error, *error_name; /* NULL: the call has succeeded */
};

/* A call under way, private to the recording. */
struct trace_call {
	char id[24]; /* "": not recorded */
	double start;
	bool pressed;
	struct point press;
};

/*
 * What precedes a call, and what follows it. Both suspend, for no longer than LIMIT_TRACE_TIME, and leave the task's deadline and
 * failure as they were. `p`: the page of the call, NULL: none.
 */
void trace_begin_call(struct task *t, struct trace *tr, struct trace_call *call, _nullable_ struct page *p);
void trace_end_call(struct task *t, struct trace *tr, const struct trace_call *call, _nullable_ struct page *p, struct tabs *tabs,
		    const struct trace_action *a);
/* The mouse is about to be pressed at a point of the page, on the element of `target` (of a struct target) in `f`. Suspends likewise. */
void trace_press(struct task *t, struct trace *tr, struct trace_call *call, struct frame *f, const char *target, struct point at);
