/*
 * Regular expressions of clients. They are JavaScript's, and run in the browser: an expression can take exponential time and much
 * memory, and there it takes them from a process that can be ended.
 *
 * Each owner has a hidden page for this, the only one of a browser context without network access. Pages of different contexts
 * never share a process, so neither pages nor expressions of other owners can read the texts, delay the search or stop it. The page
 * is opened by the first search, serves all calls of the owner, one search at a time, and is closed half a minute after the last of
 * them (opening it takes longer than most searches), or earlier if LIMIT_REGEX_IDLE_COUNT owners have an unused one. A search that
 * takes longer than LIMIT_REGEX_TIME is stopped.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "base/str.h"
#include "browser/context.h"
#include "loop/task.h"

struct matcher;

/* The owner's matcher, a reference. Does not wait; the browser must live at least as long. */
struct matcher *matcher_ref(struct browser *b, uint64_t owner);
struct matcher *matcher_unref(struct matcher *m);
DEFINE_UNREFP(matcher);

/* Texts to be searched, each with a number that identifies it in the result. */
struct matcher_texts {
	struct str json; /* an array without its closing bracket; empty: no text was added */
};
static inline void matcher_texts_done(struct matcher_texts *texts)
{
	str_done(&texts->json);
}
void matcher_add(struct matcher_texts *texts, uint64_t number, const char *text, size_t len);
/* Whether no more texts should be added before a search: LIMIT_REGEX_TEXTS is reached. */
bool matcher_is_full(const struct matcher_texts *texts);

/* An expression, "source" or "/source/flags", and the parameter that it came in, for messages. */
struct matcher_regex {
	const char *parameter, *text;
};

/*
 * Suspends; starts the browser if it does not run. `ret` gets a JSON array of the numbers of the texts that match, in the order in
 * which they were added, to be freed by the caller. Without texts only the syntax is checked, and the array is empty.
 * -ERR_INVALID_REGEX: `regex` is not an expression. -ERR_INVALID_PARAMETERS: it takes too much time or memory.
 */
int matcher_search(struct task *t, struct matcher *m, const struct matcher_regex *regex, const struct matcher_texts *texts,
		   struct json **ret);

/* For pool.c: whether there are references. */
bool matchers_are_used(struct browser *b);
