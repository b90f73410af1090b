/*
 * What a page waits for until somebody decides: a dialog (alert, confirm, prompt, beforeunload), a file chooser.
 *
 * By default nothing hangs on them: dialogs are answered at once and noted (page_take_dialog_note()), file choosers do
 * not open. A context that keeps them leaves both to its owner. Scripts of a page with an open dialog do not run, and
 * calls on the page wait until it is answered. The same holds for pages whose scripts can call those of that page: their
 * one thread waits. What is said here of a page's dialog means the one that keeps it waiting.
 */
#pragma once

#include <stdbool.h>

#include "loop/task.h"
#include "page/page.h"

/* Waits of `t` return -EINTR from the moment that a file chooser opens in `p`, or a dialog keeps it waiting. NULL: nobody is interrupted. */
void page_watch_modals(struct page *p, struct task *t);

/* CDP's type of the dialog that is open, NULL when there is none. Borrowed until the next wait, like its text. */
const char *page_dialog_type(const struct page *p);
const char *page_dialog_message(const struct page *p);
bool page_has_chooser(const struct page *p);
static inline bool page_blocked(const struct page *p)
{
	return page_dialog_type(p) || page_has_chooser(p);
}

/* Suspends until the dialog is closed. `text` answers a prompt; NULL: none. */
int page_answer_dialog(struct task *t, struct page *p, bool accept, const char *text);
/* What the open chooser takes: several files, a folder. Suspends. */
struct chooser {
	bool multiple, folder;
};
int page_chooser(struct task *t, struct page *p, struct chooser *ret);
/* Gives the open chooser `files`, a JSON array of absolute paths; NULL: cancels it. Suspends. */
int page_choose_files(struct task *t, struct page *p, const char *files);
/* The same for the element `ref` of `f` without a chooser; `files` is not NULL. */
int frame_choose_files(struct task *t, struct frame *f, const char *ref, const char *files);
