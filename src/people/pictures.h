/*
 * The live pictures that one viewer looks at, and its input to the sessions that it controls, over its connection (people/viewer.h). A watch is
 * one picture on the viewer's page, by a number that the page has chosen: it follows the current tab of a session. Nothing suspends.
 *
 * From the page, JSON objects:
 *
 *	watch    {as, key, width, height, rate}  shows the session in picture `as`, of at most width x height pixels, `rate` times a second; sent
 *	                                         again, it changes the picture
 *	unwatch  {as}
 *	seen     {as, picture}                   that picture was drawn: one more may be sent. Two are on their way at a time, one of a thumbnail
 *	input    {as, picture, events}           what the person did on that picture, people/input.h
 *
 * To the page, JSON objects, and one binary message for each picture:
 *
 *	picture  {as, state}   "live"; "resting", "asleep", "crashed", "none" (no page), "ended": the last picture stays, or there is none
 *	copied   {as, text} · choice {as, number, box, options} · refused {about: "input", as, why}, people/input.h
 *
 *	binary: bytes 1, 16 · 2 bytes 0 · u32 as · u32 number of the picture in its watch · u16 width, u16 height of the page in CSS pixels, all
 *	big endian; then a JPEG file
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "loop/loop.h"
#include "session/session.h"

/* Functions that get `data`, of the viewer. */
struct pictures_host {
	void (*text)(const char *text, size_t len, void *data);
	void (*binary)(const char *head, size_t head_len, const char *bytes, size_t len, void *data);
	size_t (*unsent)(void *data); /* bytes that its connection has not taken yet */
	/* The session with this key, if the viewer may see it. `ret_owner` gets its owner. NULL: it may not, or there is none. Borrowed. */
	const struct session *(*find)(const char *key, uint64_t *ret_owner, void *data);
	/* Why its input may not reach the session now: "control" (it has none), "agent" (which has not stopped yet). NULL: it may. Counts as use. */
	const char *(*refuse)(uint64_t owner, const char *session, void *data);
};

struct pictures;
/* `host` outlives it. */
struct pictures *pictures_new(struct loop *l, const struct pictures_host *host, void *data);
/* The casts end, and what the person holds down is released. */
struct pictures *pictures_free(struct pictures *all);
/* False: the message is none of these. */
bool pictures_take(struct pictures *all, const struct json *message);
/* The connection has taken all that was sent. */
void pictures_drained(struct pictures *all);
