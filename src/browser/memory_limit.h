/*
 * How much memory the pages of a session may take. Once a second the processes that run them are looked at, about
 * LIMIT_MEMORY_PROCESSES_COUNT of them in one turn of the loop, and none while no session has a page. When the
 * processes of a session have more than its limit, the largest of them is ended as if it had crashed, with the pages that it runs. The
 * next answer to the owner says so.
 *
 * The browser's main process is looked at in each round, too. While it grows quickly, browser/load_limit.h finds out which pages are the
 * cause. When it has more than browser_options.max_memory, the pages of the session that was found to make it grow are ended, and what
 * the origins that they have visited have stored is cleared; if no session was, browser/blob_limit.h looks for one.
 *
 * Pages in the same process are counted once. Processes that are not known (page/renderer.h) are not counted. Nothing suspends.
 */
#pragma once

#include "base/macros.h"

struct browser;
struct memory_limit;

struct memory_limit *memory_limit_new(struct browser *b);
struct memory_limit *memory_limit_free(struct memory_limit *m);
/* A page was opened in the browser. */
void memory_limit_page_opened(struct memory_limit *m);
