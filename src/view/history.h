/* What answers have shown of a tab: the outlines of the last views and differences, by their revisions (r7). */
#pragma once

#include "view/outline.h"

#define HISTORY_COUNT 4 /* outlines */

struct history {
	/* The newest first; NULL: none. The first is a reference, because the next answer compares with it; the others are kept. */
	struct outline *outlines[HISTORY_COUNT];
	struct outline *landmarks; /* kept: the one to whose banner, navigation and footer answers refer; may be NULL */
};

/* Forgets all. */
void history_done(struct history *h);
/* Bytes of what it keeps. An outline that cursors or another tab keep as well counts for each. */
size_t history_size(const struct history *h);
/* The outline that the client has seen last; NULL: none, or it was too large to be kept. */
static inline struct outline *history_seen(const struct history *h)
{
	return h->outlines[0];
}
/* An outline with the revision of the one seen last takes its place. */
void history_add(struct history *h, struct outline *c);
/* A reference; NULL: not kept. */
struct outline *history_find(const struct history *h, unsigned revision);
/* Appends the revisions that are kept, the newest first: "r7, r5"; "none". */
void history_list(const struct history *h, struct str *out);

/* The revision of the newest of the outlines that have the ref; 0: none has. */
unsigned history_find_ref(const struct history *h, const char *ref);

/*
 * Returns an outline with a line (`banner e2 as in r3`) for each landmark but `main` that is as in `h->landmarks`; a reference. If there
 * is none, it is `c` itself, whose landmarks are those to compare with from now on. `cursor` returns the number of a cursor to rows.
 */
struct outline *history_shorten(struct history *h, struct outline *c,
				unsigned (*cursor)(void *data, struct outline *c, size_t first, size_t end), void *data);
