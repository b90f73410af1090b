/*
 * Viewers: people who look at sessions, each over one WebSocket (loop/http_socket.h). The page of a viewer says what it shows; the server
 * sends what has changed of that, a few times a second at most. Without viewers, or while the pages of all of them are hidden, nothing runs.
 *
 * What a viewer may see and do is its scope (people/scope.h), which every message of it passes. One that does not read gets nothing new
 * until it has read (LIMIT_VIEWER_UNSENT), and what it has missed is not kept: the next message has the state of then.
 *
 * To the page, JSON objects with a `type`:
 *
 *	hello   {now, act, viewer, one} the server's time, whether the viewer may act, its number, the key of the only session of its scope
 *	cards   {now, total, from, keys?, cards}   the keys of the sessions shown, if they have changed, and the cards (people/cards.h) that have
 *	opened  {key}                   the session that is looked at closely from now on
 *	session {key, card?, ...}       what has changed of the session looked at closely (people/focus.h), or {key, ended: true}
 *	snapshot {key, text | why}      what its page says (people/glance.h); why "working": it follows when no call runs
 *	refused {about, why}            a message of the page that was not done
 *
 * and those of people/pictures.h.
 *
 * From the page: list {from, count} · open {key}, which may be the id alone · close · snapshot · visible {visible}, and those of people/taking.h
 * and people/pictures.h. Others are refused.
 *
 * Nothing here suspends.
 */
#pragma once

#include "app/app.h"
#include "loop/http_socket.h"
#include "people/calls.h"
#include "people/scope.h"

struct viewer;
struct viewers;

/* What all viewers share. `app` and `calls` outlive it. */
struct viewers *viewers_new(struct loop *l, struct app *app, const struct calls *calls);
/* No viewer may be left. Runs the loop until nothing is read for them any more. */
struct viewers *viewers_free(struct viewers *all);

/* The socket outlives the viewer, who is freed when it has gone. */
struct viewer *viewer_new(struct viewers *all, const struct scope *scope, struct http_socket *socket);
void viewer_text(struct viewer *v, char *text, size_t len);
void viewer_drained(struct viewer *v);
void viewer_free(struct viewer *v);
