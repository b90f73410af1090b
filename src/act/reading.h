/* The text of a page as Markdown (scripts/read.js), with the texts of its frames inserted. */
#pragma once

#include <stdbool.h>

#include "base/str.h"
#include "loop/task.h"
#include "page/frame.h"

struct reading_options {
	const char *ref;     /* of the element that is read; NULL: the main content of the document */
	const char *section; /* the heading of the part that is read; NULL: all of it */
	const char *words;   /* which the paragraphs, rows and items have that are read; NULL: all of them */
	bool urls;           /* with the addresses of links and pictures */
};

struct reading {
	struct str text;
	bool is_cut;             /* there is more than LIMIT_READ */
	bool is_found;           /* false: no document has the section, or one has several with that heading */
	bool is_ambiguous;       /* it is the latter */
	struct str headings;     /* then: those that may be meant, JSON strings with commas between */
	unsigned headings_count; /* of these */
};

void reading_done(struct reading *r);
/* Reads the document in `f`. Frames that are removed meanwhile are left out. Suspends. */
int frame_read(struct task *t, struct frame *f, const struct reading_options *o, struct reading *ret);
