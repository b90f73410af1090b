/*
 * Titles of pages, as the browsers list them, for people who look: no page is asked. While somebody looks they are read anew every
 * TITLES_EVERY; a title that a page changes in between is shown late.
 */
#pragma once

#include "app/app.h"

#define TITLES_EVERY (2 * USEC_PER_SEC)

struct titles;

/* `changed` is called from the loop when they have been read. */
struct titles *titles_new(struct loop *l, struct app *app, void (*changed)(void *data), void *data);
/* Runs the loop until nothing is being read any more. */
struct titles *titles_free(struct titles *t);
/* Begins to read them in a task, unless they are fresh or are being read. Does not suspend. */
void titles_refresh(struct titles *t);
/* The title of the page with that target id, as people may see it (people/shown.h); "" where none is known. Borrowed until the next turn. */
const char *titles_find(const struct titles *t, const char *target_id);
