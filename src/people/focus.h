/*
 * One session that a person looks at closely: what has changed since the last message, as members of a JSON object.
 *
 *	tabs: [{id, title, url, current, crashed, dialog: {type, message}, chooser}]   all, if any has changed
 *	running: [CALL...]            likewise (people/cards.h)
 *	calls: [CALL...]              those that have ended since then
 *	page: number                  another page, or another document of it, is shown: console and requests begin anew
 *	console: [{n, level, text, at}]   new ones of the current page
 *	requests: [{n, method, url, type, status, error, ms}]   new ones, and those that have changed, by `n`
 *	missed: number                events of the page that were dropped before they could be sent
 *
 * The journal masks secrets before it keeps anything (observe/journal.h). LIMIT_FOCUS_EVENTS_COUNT events are in one message; the next one
 * goes on. Nothing here suspends.
 */
#pragma once

#include "people/calls.h"
#include "people/session_key.h"
#include "session/session.h"

struct titles;

struct focus {
	struct session_key key;
	uint64_t calls;           /* number of the last one that was sent */
	struct str tabs, running; /* as sent last */
	struct str target;        /* id of the page whose events are sent */
	unsigned pages;           /* how many there were so far */
	uint64_t event;           /* of its journal, up to which they were sent */
};

void focus_begin(struct focus *f, const struct session_key *key);
void focus_done(struct focus *f);
/* Appends the members, each preceded by a comma, of what has changed. Returns whether anything has. `s` is the session of the key. */
bool focus_append(struct focus *f, const struct calls *calls, const struct titles *titles, const struct session *s,
		  struct str *out);
