/*
 * Glob patterns for URLs, with the syntax of Playwright's: `*` is any text without a slash, `**` any text, `**` before a slash
 * whole directories (also none), {a,b} one of several patterns (without braces in them), `\` takes the next character literally. All other characters,
 * among them ? and [], stand for themselves.
 *
 * A pattern that does not begin with `*` is a URL: its scheme and host are compared in lower case, and its path is resolved, so
 * "HTTP://Host" is "http://host/". An empty pattern matches everything.
 *
 * Matching takes time proportional to the length of the pattern times that of the text, whatever both contain.
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"

struct glob;

/* NULL: the pattern is invalid; `ret_reason` is a static text that says why. */
struct glob *glob_new(const char *pattern, const char **ret_reason);
struct glob *glob_free(struct glob *g);
DEFINE_FREEP(glob);
bool glob_matches(struct glob *g, const char *text);
