/*
 * The end of a browser context in the browser. Chromium ends, with the pages of all sessions, when a context is disposed of while
 * a request to record one of its pages is under way. So such requests are answered first, or have taken too long.
 */
#pragma once

#include <sys/queue.h>

#include "base/macros.h"

struct browser;
struct engine_call;
struct disposal;
TAILQ_HEAD(disposal_list, disposal);

/* Begins to dispose of the context with that id. It happens when the object is freed, by its timer or with the browser. */
struct disposal *disposal_new(struct browser *b, const char *id);
/* Takes a request over that must be answered before. */
void disposal_await(struct disposal *d, struct engine_call *call);
/* Disposes of the context, once nothing is awaited any more. */
void disposal_begin(struct disposal *d);
struct disposal *disposal_free(struct disposal *d);
/* Takes over a call to create a context that was given up, and disposes of the context if it is made later. */
void disposal_of_late(struct browser *b, struct engine_call *call);
