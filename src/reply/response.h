/*
 * What a browser_* tool answers: sections of Markdown. What the tool adds is kept until the end, when the state of
 * tabs, page and dialogs is asked for and the sections are put into their order.
 */
#pragma once

#include <stdbool.h>

#include "act/snapshot.h"
#include "act/target.h"
#include "base/str.h"
#include "mcp/result.h"
#include "reply/output.h"
#include "session/session.h"

enum response_snapshot {
	SNAPSHOT_NONE,
	SNAPSHOT_LINK,   /* in a file, with a link to it; left out when the server does not give snapshots */
	SNAPSHOT_INLINE, /* in the answer, or in the file that was asked for */
};

enum image_responses { IMAGES_ALLOW, IMAGES_OMIT, IMAGES_ONLY };

struct response_settings {
	bool links;        /* answers have resource links to the files that they name */
	bool snapshots;    /* answers of actions link one */
	bool boxes;        /* snapshots have them unless a call says otherwise */
	int images;        /* enum image_responses */
	int code;          /* enum code_language */
	int console_level; /* enum message_level: the least severe messages of the console that answers have */
};

struct timeouts {
	usec_t action, navigation;
	usec_t settle; /* for the effects of an action to show */
};

struct response {
	struct task *t;
	const struct response_settings *settings;
	const struct timeouts *timeouts;
	const struct file_access *files;
	struct str error;        /* what failed, where the rest of the answer is told all the same */
	struct str result, code; /* lines */
	struct result links;     /* to files, until the answer takes them */
	enum response_snapshot snapshot;
	struct snapshot_options options;
	struct snapshot_question asked; /* ahead, for the snapshot of the page */
	const struct target *root;      /* of the snapshot; NULL: the page */
	struct navigation shown;        /* by this page, as far as that is known already; else without a title */
	_kept_ struct page *shown_by;   /* a reference */
	bool header_told;               /* the tool itself has said where the pages are */
	const char *filename;           /* of the snapshot; NULL: automatic */
	const char *image, *image_type; /* base64; NULL: none */
};

void response_done(struct response *r);
#define RESPONSE_NO_TABS "No open tabs. Navigate to a URL to create one."
/* Will the answer have one of the whole page? */
bool response_has_snapshot(const struct response *r);
/* One line more. */
void response_add(struct str *lines, const char *fmt, ...) _printf_(2, 3);
/* Text of a page as a part of one line (base/display.h), in the task's arena. */
const char *response_line(struct task *t, const char *text);
/* The same for what may have several lines, such as the stack of an error. */
const char *response_row(struct task *t, const char *text);
/* output_write() and output_write_base64() for files of this answer, which become resources. */
int response_write(struct response *r, const struct output_file *f, const void *data, size_t len, bool append);
int response_write_base64(struct response *r, const struct output_file *f, const char *base64);
/* Lines for all tabs, as browser_tabs shows them. Suspends. */
int response_tabs(struct task *t, struct session *s, struct str *out);
/* Suspends: puts the answer together. `s` may have lost its tabs. */
int response_send(struct response *r, struct session *s, struct result *res);
/* The answer to a call that failed and has nothing else to tell. */
void response_fail(const char *message, struct result *res);
