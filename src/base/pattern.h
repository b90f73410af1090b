/*
 * Regular expressions that clients send: POSIX extended ones (regex(7)), by the C library's <regex.h>. That compiles
 * whatever it is given, with a recursion for each parenthesis and a copy for each repetition: thirty bytes can take
 * minutes and all the memory. And it tries each place of a text in turn: a+b took 6 s for 64000 times "a". Here what is
 * compiled is bounded, and a text is read once.
 */
#pragma once

#include <regex.h>

/*
 * For regexec(), which then says whether it matches, not where. `flags`: REG_NEWLINE or 0; with it, text is read once
 * for each of its lines. `ret` is the caller's to regfree(). -EINVAL: it is none; or has what other kinds of regular
 * expressions know and this one would take for something else (\d, back-references); or repeats what matches an
 * empty text; or exceeds LIMIT_PATTERN or LIMIT_PATTERN_DEPTH.
 */
int pattern_compile(const char *text, int flags, regex_t *ret);

/* What to tell the client of -EINVAL, behind the name and the text. */
#define PATTERN_ADVICE "is no POSIX extended regular expression that can be used here: write [0-9] for \\d; no (?...), no " \
	"back-references, nothing repeated that may be empty; at most 1000 characters with {repetitions} written out"
