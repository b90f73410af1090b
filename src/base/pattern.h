/*
 * Regular expressions that clients send: POSIX extended (regex(7)), compiled by the C library's <regex.h>. The library
 * recurses for each parenthesis and copies for each repetition, so thirty bytes can take minutes and exhaust memory. It also
 * starts a new attempt at each position: a+b took 6 s on 64000 times "a". This wrapper bounds the size of the expression and
 * anchors it, so that a text is read once.
 */
#pragma once

#include <regex.h>

/*
 * With the result, regexec() finds out whether a text matches, not where. `flags` is 0 or REG_NEWLINE, which matches line by line. The
 * caller calls regfree() on `ret`. -EINVAL: `text` is not a valid expression; or uses syntax of other dialects that POSIX would
 * read differently (\d, back-references); or repeats a subexpression that may match the empty string; or exceeds
 * LIMIT_PATTERN or LIMIT_PATTERN_DEPTH.
 */
int pattern_compile(const char *text, int flags, regex_t *ret);

/* The error message for -EINVAL, to be written after the parameter's name and value. */
#define PATTERN_ADVICE \
	"is not a supported POSIX extended regular expression: write [0-9] for \\d; no (?...), no " \
	"back-references, no repetition of what can be empty; at most 1000 characters with {repetitions} written out"
