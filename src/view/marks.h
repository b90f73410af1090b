/*
 * The marks of rows: where names, refs, parts and the focus of a row are, as scripts/outline.js says it. It writes a control character, which
 * no text of a page has, in the place of one character of the row; here that becomes the character which is shown, and its place a mark. So
 * nothing reads the notation back, and texts stay as long as they are shown. Private to this folder.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mark_kind {
	MARK_QUOTE,     /* at the quote that begins a text in quotes, as JSON */
	MARK_QUOTE_END, /* at the quote that ends it, which has no character of its own: JSON says where it is */
	MARK_PART,      /* at the "|" before a part */
	MARK_CELL,      /* at the "," before a cell */
	MARK_CONTENTS,  /* at the ":" behind a label */
	MARK_REF,       /* at the blank before a ref */
	MARK_FOCUS,     /* at the blank before "active" */
	MARK_MATCH,     /* at what was searched for; there is no character for it, but a number before the row */
};

#define FOCUS_WORD " active"
#define MARKS_MAX 4096u /* in a row, of which scripts/outline.js writes less than a thousand; what follows them is text */

struct mark {
	uint32_t at : 29; /* in the text of its row */
	uint32_t kind : 3;
};

static inline bool mark_begins_part(const struct mark *m)
{
	return m->kind == MARK_PART || m->kind == MARK_CELL || m->kind == MARK_CONTENTS;
}

struct marks {
	struct mark *list; /* of all rows, one after the other, each with ascending places */
	size_t count, cap;
};

/* Takes the marks of a row out of its text and adds them to the list. */
void marks_take(struct marks *m, char *text, size_t len);
/* Adds a MARK_MATCH at byte `at` to those from number `first` on. */
void marks_add_match(struct marks *m, size_t first, size_t at);
/* Puts marks into a text that begins as that of their row does, for marks_take(), or what is shown in their place. */
void marks_put(const struct mark *list, size_t count, char *text, size_t len, bool shown);
/* Gives back the room that the list had to grow. */
void marks_trim(struct marks *m);
void marks_done(struct marks *m);
