/*
 * What one reader sees of a journal: some of its events, chosen when they are read. The journal and its other readers stay as they are.
 * No function here suspends.
 */
#pragma once

#include "base/arena.h"
#include "observe/journal.h"

struct journal_filter {
	unsigned kinds; /* values of enum observed_kind combined with |; 0: all */
	/* Substrings of URLs, NULL-terminated; NULL: none. They apply to network events only, `block` before `allow`. */
	const char *const *block, *const *allow;
	size_t text_max; /* longest text in bytes, longer ones are cut; 0: LIMIT_OBSERVED_TEXT */
};

struct journal_excerpt {
	uint64_t begin, end;                 /* numbers of the first event and of the one after the last */
	const struct journal_filter *filter; /* NULL: all events */
};

/* A copy of `f` with its texts in `a`. */
struct journal_filter journal_filter_copy(struct arena *a, const struct journal_filter *f);
/* An event of the network without a URL does not pass a filter that has URLs. */
bool journal_filter_passes(const struct journal_filter *f, const struct journal *j, const struct observed *e);
size_t journal_filter_text_max(const struct journal_filter *f);

/* journal_next() within the excerpt; at its end `*offset` is `v->end`. */
const struct observed *journal_excerpt_next(const struct journal *j, const struct journal_excerpt *v, const struct journal_query *q,
					    uint64_t *offset);
