/*
 * Dialogs (alert, confirm, prompt, beforeunload) and file choosers, which block a page until they are answered.
 *
 * By default dialogs are answered at once and noted (page_take_dialog_note()), and file choosers do not open. A context
 * that keeps them leaves both to its owner. Scripts of a page with an open dialog do not run, and calls on the page wait
 * until it is answered. This also blocks the pages whose scripts can call those of that page, because they share its
 * thread. Functions about a page's dialog mean the dialog that blocks the page.
 */
#pragma once

#include <stdbool.h>

#include "engine/dialogs.h"
#include "loop/task.h"
#include "page/page.h"

/* What a page has asked for and was refused. The page takes a refusal for the choice of a user, so the session's owner is told of it. */
enum refused_request { REFUSED_FILES = 1, REFUSED_POINTER = 2 };
/* What was refused since the last call of this function, as a union of bits. */
unsigned page_take_refused(struct page *p);

/* Waits of `t` return -EINTR as soon as a file chooser opens in `p` or a dialog blocks it. NULL: no task is interrupted. */
void page_watch_modals(struct page *p, struct task *t);

/* The type and the text of the open dialog, borrowed until the next wait. The type is NULL when no dialog is open. */
const char *page_dialog_type(const struct page *p);
const char *page_dialog_message(const struct page *p);
bool page_has_chooser(const struct page *p);
static inline bool page_blocked(const struct page *p)
{
	return page_dialog_type(p) || page_has_chooser(p);
}

/* Suspends until the dialog is closed. `text` answers a prompt; NULL: none. */
int page_answer_dialog(struct task *t, struct page *p, bool accept, const char *text);
/* What the open chooser accepts: several files, a directory. Suspends. */
int page_chooser(struct task *t, struct page *p, struct chooser *ret);
/* Gives the open chooser `files`, a JSON array of absolute paths; NULL: cancels it. Suspends. */
int page_choose_files(struct task *t, struct page *p, const char *files);
