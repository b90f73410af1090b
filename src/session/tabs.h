/*
 * The tabs of a session: the pages of its context in the order in which they opened, and the current one. A page that
 * opens another stays current. A page that crashed keeps its tab until the next call replaces the page.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/clock.h"
#include "base/str.h"
#include "browser/context.h"
#include "view/cursors.h"
#include "view/history.h"

#define TAB_MEDIA_COUNT 5

struct tab {
	TAILQ_ENTRY(tab) link;
	_kept_ struct page *page;       /* holds a reference; a page that is not alive has crashed */
	_kept_ struct context *context; /* of the page; its session keeps it */
	bool is_used;                   /* a call has worked on it or listed it */
	bool is_prepared;               /* the programs of app.init_pages have run on the page */
	/* State of the responses to calls. */
	bool was_reset;             /* its page crashed and was replaced, which no response has said */
	struct str reported;        /* the page's state in the last response that showed it */
	uint64_t console_reported;  /* number of the first journal event that no response has shown */
	uint64_t failures_reported; /* the same of the failed requests */
	int64_t console_log;        /* start of the current log file in Unix milliseconds, which is part of its name */
	unsigned console_lines;
	struct history views;  /* what answers in the compact form have shown of it */
	struct str shown_page; /* address and title of the page, as the last of them named it */
	struct str marks;      /* how actions are marked: members of a JSON object for page_mark_action(); empty: they are not */
	usec_t marks_duration; /* of each mark */
	const char *media[TAB_MEDIA_COUNT]; /* emulated media features, static strings; NULL: not emulated */
};

/* Must be initialised with tabs_init(). */
struct tabs {
	TAILQ_HEAD(tab_list, tab) list;
	void *by_page;                  /* tsearch() tree of the same */
	_nullable_ struct tab *current; /* NULL: no tab */
	_nullable_ struct tab *shown;   /* of which the last view or difference was; NULL: none, or it is gone */
	int64_t log_began;              /* of the log of calls, in Unix milliseconds; 0: it has not begun */
	struct cursors cursors;         /* to what had no room in answers */
	bool pointer;                   /* a video is recorded in which a mouse pointer shows where actions are */
};

void tabs_init(struct tabs *tabs);
void tabs_done(struct tabs *tabs);
/*
 * Adds pages that have opened in the context and removes those that have closed. To be called after a wait during which
 * pages may have changed, for each context of the session: session_update_tabs().
 */
void tabs_update(struct tabs *tabs, struct context *c);
/* Adds a tab for the page of a context, unless there is one. */
void tabs_add(struct tabs *tabs, struct page *p, struct context *c);
unsigned tabs_count(const struct tabs *tabs);
struct tab *tabs_nth(const struct tabs *tabs, unsigned index); /* NULL: no such tab */

struct tab *tabs_find(const struct tabs *tabs, const struct page *p); /* that of this page; NULL: none */

/* Opens a new tab at the end and makes it the current one. -ESTALE: it was closed meanwhile. Suspends. */
int tabs_open(struct task *t, struct tabs *tabs, struct context *c);
/* Ensures that there is a current tab whose page has not crashed; `c` is for a new one. `ret`: the tab, borrowed. Suspends. */
int tabs_ensure(struct task *t, struct tabs *tabs, struct context *c, struct tab **ret);
/* Closes the tab without a beforeunload dialog. The next tab, or else the last one, becomes the current one. */
void tabs_close(struct tabs *tabs, struct tab *tab);
