/*
 * Cursors: where an answer had no room. Each leads to rows of an outline, or to the rest of a text, which it keeps, so that what follows
 * is of the same moment while the page moves on. They are numbered within a session; the oldest are forgotten.
 */
#pragma once

#include <sys/queue.h>

#include "view/outline.h"

struct span {
	uint32_t first, end; /* rows */
};

struct cursors {
	TAILQ_HEAD(cursor_list, cursor) list;
	unsigned count, last; /* cursors, and the number of the newest */
	char letter;          /* that their names begin with: c3 */
	unsigned revision;    /* of the newest view (r7), which new cursors to texts have; 0: there was none */
	size_t limit;         /* bytes that they keep */
	unsigned dropped;     /* the newest that cursors_done() has forgotten */
};

void cursors_init(struct cursors *all);
/* Forgets all; their numbers are not given again. */
void cursors_done(struct cursors *all);
/* Bytes that they keep now. */
size_t cursors_size(const struct cursors *all);
/*
 * Each returns the number of the new cursor: c3 for 3. To rows from `first` until `end`, beginning with byte `offset` of the first; to
 * several spans of rows, which may be what was searched for; to a text, which is copied.
 */
unsigned cursors_add_rows(struct cursors *all, struct outline *c, size_t first, size_t end, size_t offset);
unsigned cursors_add_spans(struct cursors *all, struct outline *c, const struct span *spans, size_t count, bool is_search);
unsigned cursors_add_text(struct cursors *all, const char *text, size_t len);

enum cursor_outcome {
	CURSOR_SHOWN,
	CURSOR_UNKNOWN,
	CURSOR_FORGOTTEN,   /* LIMIT_CURSORS_COUNT others came after it, */
	CURSOR_CROWDED_OUT, /* or what these keep left no room for it, */
	CURSOR_DROPPED,     /* or cursors_done() was called */
	CURSOR_MALFORMED,
	CURSOR_BEYOND,
};
/*
 * Appends what the cursor `name` ("c3", or "c3+500" to leave out the first 500 rows, matches or lines) leads to, in about `budget` bytes,
 * with a new cursor for what is left. CURSOR_BEYOND: there are not so many.
 */
enum cursor_outcome cursors_show(struct cursors *all, const char *name, size_t budget, struct str *out);
/* What a cursor leads to. The caller releases the texts. */
struct continued {
	struct str text;
	bool is_text;      /* of a text: its lines must not be taken for that of the new cursor, */
	struct str note;   /* which is here then */
	unsigned revision; /* of the newest view when it was captured */
};
enum cursor_outcome cursors_continue(struct cursors *all, const char *name, size_t budget, struct continued *ret);

/*
 * Appends the text, or as many whole lines of it as `budget` bytes and `lines` lines hold, and "… 5,200 more bytes, cursor c3". A line
 * that is longer than that is cut; what follows begins with "…". `has_lines`: each line says something of its own. Long ones end with "…"
 * then, before others are left out, and "… 19,000 bytes of long lines, cursor c2 to all of them" is before that.
 */
void cursors_cut_apart(struct cursors *all, const char *text, size_t len, size_t budget, size_t lines, bool has_lines,
		       struct str *out, struct str *note);
/* The same with these behind the text. */
void cursors_cut_text(struct cursors *all, const char *text, size_t len, size_t budget, size_t lines, bool has_lines,
		      struct str *out);
