/* What the forms of answers share: response.c collects, markdown.c and compact.c write. Private to this folder. */
#pragma once

#include "base/limits.h"
#include "reply/response.h"
#include "reply/writer.h"

#define CLOSED_MEANWHILE "The page was closed meanwhile. " RESPONSE_NO_TABS

#define VIEW_BUDGET_MAX (LIMIT_ANSWER - 600u) /* bytes of a view, with room for the rest of the answer */

/* The parts of an answer besides what the tool has added. */
struct sections {
	struct str heading; /* compact: the line that names the page which is shown whole */
	struct str tabs, page, modal, snapshot, plain_snapshot, events;
};

/* Whether the answer has a snapshot of the page or of a part of it. */
bool response_has_snapshot(const struct response *r);
/* A page with an open dialog may not respond, so its title is not requested. */
int response_describe(struct task *t, struct page *p, struct navigation *ret);
/* Takes the snapshot in the form of r->options, unless settling has. Suspends. */
int response_take_snapshot(struct response *r, struct page *p, struct str *text);
/* What stands for the snapshot of a page that is too busy to give one after an action that was done; any other `res` is returned. */
int response_explain_busy(struct response *r, int res, struct str *out);
/* What stands for a snapshot whose file could not be written. */
int response_explain_unsaved(struct response *r, int res, struct str *out);
/* Whether a tab was opened or has changed since the last answer. `header` describes the current tab. */
bool response_tabs_changed(struct session *s, const struct str *header);
/* Appends a line for an open dialog, whose `message` is in quotes, and one for a file chooser. */
void response_append_modal_state(const struct page *p, const char *message, struct str *out);
void response_append_status(struct task *t, struct page *p, struct str *out);

/* record.c: appends the sections of the answer to r->record, in the order of the reference. A picture alone has none there. */
void record_answer(struct response *r, const struct sections *parts);

/* capture.c: secrets in the text are masked, and values of hidden URL parameters. */
void response_hide_secrets(const struct response *r, struct str *text);
/* Takes the rows of a page. Fails with -EMSGSIZE for one that is too large. Suspends if the page is large. */
int capture_outline(struct response *r, const struct tabs *tabs, struct str *rows, struct outline **ret);
/* Lets other tasks run before the next step with a large page. Suspends then. */
void capture_pause(struct response *r, const struct outline *c);
