/* Shared by cursors.c, which keeps cursors and cuts texts, and cursors_show.c, which shows what they lead to. */
#pragma once

#include "view/cursors.h"

#define CURSOR_NOTE_ROOM 60 /* bytes for the line that names the next cursor */

/* A text of which one or several cursors lead to a part. */
struct kept_text {
	unsigned refs, counted;
	size_t len;
	char data[];
};

struct cursor {
	TAILQ_ENTRY(cursor) link;
	unsigned number;
	struct outline *outline; /* that it keeps; NULL: a text */
	struct kept_text *text;
	size_t offset; /* in the text, or in that of the first row */
	struct span *spans;
	size_t span_count;
	unsigned revision; /* of the newest view when it was captured */
	bool goes_on;      /* the text begins within a line */
	bool is_search;    /* the rows are what was searched for */
};

/* A text, or what is left of it. */
struct text_source {
	const char *text;
	size_t len;
	struct kept_text *kept; /* that it is a part of; NULL: it is not kept yet */
	bool goes_on;
	bool has_lines; /* of which each says something of its own, so that a long one is shortened before others are left out */
	unsigned revision;
};

struct kept_text *kept_text_unref(struct kept_text *text);
DEFINE_UNREFP(kept_text);
/* cursors_cut_apart() of a source. */
void cursors_cut_source(struct cursors *all, const struct text_source *s, size_t budget, size_t lines, struct str *out,
			struct str *note);
/* Appends what stands behind a text that was cut, in a line of its own. */
void cursors_append_note(struct str *out, const struct str *note);
