/*
 * Where the statements of a caller's JavaScript begin, as well as one pass over the text can tell: it follows strings, templates, comments
 * and brackets, and guesses regular expressions. What it finds is a proposal, which the browser's parser has to confirm.
 */
#pragma once

#include <stddef.h>

#define STATEMENTS_MAX 6u /* of the last ones, which are parsed again from the last one on */

struct statements {
	size_t end;                    /* behind the last token that is no semicolon */
	size_t starts[STATEMENTS_MAX]; /* of the last statements, the last one first */
	unsigned count;
};
struct statements statements_of(const char *text);
