/*
 * Glob patterns for URLs, with the syntax of Playwright's: `*` is any text without a slash, `**` any text, `**` before a slash
 * whole directories (also none), {a,b} one of several patterns (without braces in them), `\` takes the next character literally. All other characters,
 * among them ? and [], stand for themselves.
 *
 * A pattern that does not begin with `*` is a URL: its scheme and host are compared in lower case, and its path is resolved, so
 * "HTTP://Host" is "http://host/". An empty pattern matches everything.
 *
 * Matching takes time proportional to the length of the pattern, at most LIMIT_GLOB, times that of the text, and ends without an
 * answer after LIMIT_GLOB_STEPS: a few milliseconds, reached by long texts with patterns that nearly match in hundreds of ways.
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"

struct glob;

/* NULL: the pattern is invalid; `ret_reason` is a static text that says why. */
struct glob *glob_new(const char *pattern, const char **ret_reason);
struct glob *glob_free(struct glob *g);
DEFINE_FREEP(glob);
enum glob_result { GLOB_DIFFERS, GLOB_MATCHES, GLOB_UNDECIDED };
/* Adds the number of steps that it took to `steps`. */
enum glob_result glob_compare(struct glob *g, const char *text, unsigned *steps);
bool glob_matches(struct glob *g, const char *text); /* false also if undecided */
