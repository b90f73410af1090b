/* Dialogs of a page and its file choosers, by its target, and the files of a field. */
#pragma once

#include "engine/frame.h"

/* Closes the dialog that is open. `text` answers a prompt; NULL: none. Suspends until it is closed; with `t` NULL it is only sent. */
int engine_answer_dialog(struct task *t, _borrowed_ struct engine_target *s, bool accept, const char *text);
/* Whether file choosers are reported, and wait for their files, instead of being opened by the browser. */
void engine_keep_choosers(struct engine_target *s, bool on);

/* What a file chooser accepts: several files, a directory. */
struct chooser {
	bool multiple, folder;
};
/* What the chooser of `field` accepts, which chooser_opened (engine/events.h) has reported. Suspends. */
int engine_chooser(struct task *t, _borrowed_ struct engine_target *s, int field, struct chooser *ret);
/*
 * Answers the chooser of `field`. `main`: the main frame of the page; `files`: a JSON array of absolute paths; an empty one clears the field.
 * Suspends.
 */
int engine_fill_chooser(struct task *t, const struct engine_frame *main, int field, const char *files);
/* Gives the files to the field with this handle, whose chooser is not open. Suspends. */
int engine_give_files(struct task *t, const struct engine_frame *at, const char *handle, const char *files);
