/*
 * Code of agents and logins in the same pages. Code can read a field that a login has filled, and show what it reads in a form that nothing
 * masks (base/mask.h). So neither comes to the other: no login is filled into a document in which code has run, and no code runs
 * in the pages of a context while one of them shows a filled field. A document that was loaded anew knows nothing of earlier code.
 */
#pragma once

#include <stdbool.h>

#include "loop/task.h"
#include "page/page.h"

/* Code has run in the document that the page shows. */
void page_note_code(struct page *p);
bool page_has_code(const struct page *p);
/* Code has run that may go on with any page of the context: it handles requests, adds scripts to documents, listens to events. */
void page_note_lasting_code(struct page *p);
bool page_has_lasting_code(const struct page *p);
/* A login is being filled into the document that the page shows (exported.fillLogin in scripts/login.js). */
void page_note_login(struct page *p);
/*
 * Fails with -ERR_SECURITY_BLOCKED while a page of the same context shows a field that a login has filled. Suspends only if one may do so; also
 * fails if such a page does not answer.
 */
int page_check_logins(struct task *t, struct page *p);
