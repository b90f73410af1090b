/*
 * The tabs of a session: the pages of its context in the order in which they came, and the current one. Pages that
 * open others keep their place as the current one; a page that crashed stays until the next call replaces it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/str.h"
#include "browser/browser.h"

#define TAB_MEDIA_COUNT 5

struct tab {
	TAILQ_ENTRY(tab) link;
	_kept_ struct page *page; /* with a reference; not alive: it crashed */
	/* For who answers calls. */
	struct str told;       /* what was said of the page last */
	uint64_t console_told; /* first event of the page's journal that no answer has told of */
	int64_t console_log;   /* name of the log file under way: when it began, Unix milliseconds */
	unsigned console_lines;
	const char *media[TAB_MEDIA_COUNT]; /* emulated media features, static texts; NULL: none */
};

/* Zero-initialised is not valid: tabs_init(). */
struct tabs {
	TAILQ_HEAD(tab_list, tab) list;
	struct tab *current; /* NULL: there is none */
};

void tabs_init(struct tabs *tabs);
void tabs_done(struct tabs *tabs);
/* Takes in pages that were opened, lets go of those that were closed. To be called after every wait that may matter. */
void tabs_update(struct tabs *tabs, struct context *c);
unsigned tabs_count(const struct tabs *tabs);
struct tab *tabs_nth(const struct tabs *tabs, unsigned index); /* NULL when there is none */

/* Suspends: a new tab at the end, which becomes the current one. */
int tabs_open(struct task *t, struct tabs *tabs, struct context *c);
/* Suspends: a current tab is there afterwards, and it has not crashed. */
int tabs_ensure(struct task *t, struct tabs *tabs, struct context *c);
/* Without asking the page. The tab at its place, or the last one, becomes the current one. */
void tabs_close(struct tabs *tabs, struct tab *tab);
