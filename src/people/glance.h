/*
 * What the document of a page says at the moment, as roles and names, for people who look: the current page of a session, without its
 * frames, with dots in place of passwords, and with secrets masked.
 *
 * No turn on the session is taken, so that no call waits for it, and refs are left as they are. Who asks should do so while no call runs.
 */
#pragma once

#include "people/session_key.h"

struct glance;
struct loop;

/* `text` (borrowed) NULL: why not, a word for the page ("gone", "dialog", "large", "unanswered"). Called once from the loop, unless glance_cancel() comes before. */
typedef void (*glance_done_fn)(const char *text, const char *why, void *data);

/* Begins; a page that rests goes on for it. NULL: too many calls run. */
struct glance *glance_begin(struct loop *l, struct registry *r, const struct session_key *key, glance_done_fn done, void *data);
/* `done` is not called any more. The glance frees itself. */
void glance_cancel(struct glance *g);
/* How many are under way. */
unsigned glance_count(void);
