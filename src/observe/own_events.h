/*
 * Adds events to the journal whose facts browserd has collected itself: its own notes to the reader of the console, dialogs, downloads.
 * `session` is the session of the page. Texts are copied, and masked where a page or a server wrote them. No function suspends or fails.
 */
#pragma once

#include "observe/journal.h"

/* A message among those of the browser, as OBSERVED_LOG. */
void journal_add_note(struct journal *j, const char *session, enum message_level level, const char *text);
/* `url`: of the page that opened the dialog; NULL for a dialog that is closed. */
void journal_add_dialog(struct journal *j, const char *session, const char *url, const struct observed_dialog *d);
void journal_add_download(struct journal *j, const char *session, const char *url, const struct observed_download *d);
