/*
 * The answer of a browser_* tool: sections of Markdown. The response collects what the tool adds; at the end
 * response_send() requests the state of tabs, page and dialogs and writes the sections in their order.
 */
#pragma once

#include <stdbool.h>

#include "act/snapshot.h"
#include "act/target.h"
#include "base/str.h"
#include "mcp/result.h"
#include "observe/lines.h"
#include "reply/output.h"
#include "session/session.h"

enum response_snapshot {
	SNAPSHOT_NONE,
	SNAPSHOT_LINK,   /* in a file with a link to it; omitted if snapshots are disabled */
	SNAPSHOT_INLINE, /* in the answer, or in the file that the call names */
};

/* The versions of @playwright/mcp whose tools and answers can be followed. */
enum compat_version { COMPAT_0_0_83, COMPAT_0_0_84 };
/* Whose form answers have: that of @playwright/mcp, or the short one for agents (docs/answers.md). */
enum answer_form { ANSWERS_PLAYWRIGHT, ANSWERS_COMPACT };
enum image_responses { IMAGES_ALLOW, IMAGES_OMIT, IMAGES_ONLY };
enum response_links { LINKS_AUTO, LINKS_NONE, LINKS_ADD }; /* LINKS_AUTO is settled before the first answer */
enum action_snapshots { ACTION_SNAPSHOTS_FULL, ACTION_SNAPSHOTS_NONE, ACTION_SNAPSHOTS_INLINE };

struct response_settings {
	int form;                           /* enum answer_form, as the options say */
	const struct answer_writer *writer; /* of that form */
	int links;     /* enum response_links: whether answers contain resource links to the files that they name */
	int snapshots; /* enum action_snapshots: whether answers of actions contain or link a snapshot */
	bool boxes;    /* default for the boxes of elements in snapshots */
	int images;    /* enum image_responses */
	int code;      /* enum code_language */
	int compat;    /* enum compat_version */
	const char *const *redacted_params; /* of URLs (reply/url_params.h); NULL: none */
	bool exact_places;                  /* of console messages, observe/lines.h */
	bool recorded;                      /* calls are written to the log of their session, reply/session_log.h */
	bool bare_bodies;                   /* of requests: none is an empty answer, and one that is no text is written to a file */
	bool trace_archives;                /* a trace that ends is packed into one file, too */
	int console_level;                  /* enum message_level: the least severe console messages that answers contain */
};

struct view_request {
	size_t budget;     /* bytes; 0: LIMIT_VIEW */
	const char *since; /* the revision ("r5") with which the page is compared; NULL: none */
};

struct timeouts {
	usec_t action, navigation;
	usec_t expect; /* of tools that verify, and of expect() in code */
	usec_t settle; /* patience for the effects of an action */
	usec_t option; /* for options of a list that are not there; 0: as long as for anything else of an action */
};

struct response {
	struct task *t;
	const struct response_settings *settings;
	const struct timeouts *timeouts;
	const struct file_access *files;
	struct str error;        /* the failure's text, if the rest of the answer is sent as well */
	struct str result, code; /* lines */
	struct str block;        /* code in a fence below the result (display_code()) */
	struct result links;     /* links to files, until they are moved to the answer */
	enum response_snapshot snapshot;
	struct snapshot_options options;
	struct view_request view;                /* what the call asks of it, in the compact form */
	bool acts;                               /* the tool may have changed the page, which an answer in the compact form shows */
	_nullable_ const struct target *root;    /* root of the snapshot; NULL: the page */
	struct navigation shown;                 /* URL and title of shown_by, if already known; otherwise the title is missing */
	struct str shown_text;                   /* its snapshot, if already known; otherwise empty */
	_nullable_ _kept_ struct page *shown_by; /* a reference */
	bool is_pageless;                        /* the page must not be looked at: what the tool has added is all */
	bool omits_unused_tab;                   /* a tab that no call has used is not mentioned */
	bool tabs_printed;                       /* the tool has already printed the list of tabs */
	const char *filename;                    /* file of the snapshot; NULL: an automatic name */
	const char *image, *image_type;          /* base64; NULL: none */
	bool recorded;                           /* `record` is wanted */
	struct str record;                       /* the sections of the answer, members of a JSON object */
};

void response_done(struct response *r);
/* What is already known of the page is not shown any more: the answer has to look at it again, and shows what has changed. */
void response_look_again(struct response *r);
/* Forgets what one step of a call has added, but not links to its files, before the next one. */
void response_next(struct response *r);
/* The answer of a step: only what the tool itself has added. */
void response_send_own(struct response *r, struct result *res);
/*
 * Appends the lines of `text`, each on a new line and indented by `indent` blanks. What is beyond `max` bytes or `max_lines` is a count,
 * in the compact form with a cursor to it.
 */
void response_append_part(struct response *r, struct session *s, const char *text, unsigned indent, size_t max, unsigned max_lines,
			  struct str *out);
#define RESPONSE_NO_TABS "No open tabs. Navigate to a URL to create one."
/* Whether the answer will have a snapshot of the whole page. */
bool response_has_page_snapshot(const struct response *r);
/* How answers write console messages. */
struct message_form response_message_form(const struct response_settings *s);
/* Appends one line. */
void response_add(struct str *lines, const char *fmt, ...) _printf_(2, 3);
/*
 * Text of a page as answers may have it (base/display.h), in the task's arena: a part of a line; lines of a body, unchanged unless one
 * would look like a part of the answer; a row, which may have several lines, such as the stack of an error.
 */
const char *response_line(struct task *t, const char *text);
const char *response_text(const struct response *r, const char *text);
const char *response_row(struct task *t, const char *text);
/*
 * The title and the address of a page as they may stand in a link, [TITLE](ADDRESS), in the task's arena: as the page wrote them, unless
 * they would end the link and begin another one.
 */
const char *response_link_title(struct task *t, const char *title);
const char *response_link_address(struct task *t, const char *url);
/* Like output_write() and output_write_base64(), for files of this answer, which become resources. */
int response_write(struct response *r, const struct output_file *f, const void *data, size_t len, bool append);
int response_write_base64(struct response *r, const struct output_file *f, const char *base64);
/* Links to a file that was written for this owner before. */
void response_link_file(struct response *r, const struct output_file *f);
/*
 * What browser_find answers: the matches for `query`, the members of a JSON object ("text" or "regex"), in a new snapshot of the page.
 * `shown`: how answers name it; `max`: matches, 0 for any number. Suspends.
 */
int response_find(struct response *r, struct session *s, struct page *p, const char *query, const char *shown, size_t max,
		  struct str *out);
/*
 * The number of a cursor to a text that had no room in the answer, which is copied; 0 where answers have no cursors. The answer itself
 * has to say it.
 */
unsigned response_keep_rest(struct response *r, struct session *s, const char *text, size_t len);
/* Words the failure about a ref that the tab's page does not have: why, as far as answers have shown it. `gone`: its element was removed. */
int response_fail_ref(struct response *r, const struct tab *tab, const char *ref, bool gone);
/* Adds what the cursor leads to (view/cursors.h). Fails where it leads nowhere. */
int response_continue(struct response *r, struct cursors *all, const char *cursor);
/* Appends one line for each tab, as in the answer of browser_tabs. Suspends. */
int response_tabs(struct task *t, struct session *s, struct str *out);
/* Assembles the answer. `s` may have no tabs any more. Suspends. */
int response_send(struct response *r, struct session *s, struct result *res);
/* Writes the answer to a call that failed without any other content. */
void response_fail(const struct answer_writer *writer, const char *message, struct result *res);
