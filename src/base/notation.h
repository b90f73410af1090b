/*
 * The short notation in which compact answers show pages (docs/answers.md), and texts that must not be mistaken for it: those that stand
 * in a line of notation, and those whose lines stand beside such lines. The rows of a page are written by scripts/outline.js, by the
 * same rules.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* Length of the name at `text`, where a word begins: one of the `letters` and a number, of a ref also with a frame before it (f1e2). 0: none. */
size_t notation_name(const char *text, size_t len, const char *letters);
/* Whether the line could be read as one of an answer: it begins like one, or has a ref, a cursor or a revision. */
bool notation_is_line(const char *line, size_t len);

/* Length of the whole characters in the first `room` bytes of the text; 0 for an empty text only. */
size_t whole_characters(const char *text, size_t len, size_t room);

/* The text in quotes, as JSON, with all that could be taken for a mark of an answer or acts on a terminal as an escape. */
void notation_quote(struct str *out, const char *text, size_t len);
/* The text as it is, or in quotes if it could be read as notation. */
void notation_text(struct str *out, const char *text);
/* notation_text() for what is one word, such as an address. */
void notation_word(struct str *out, const char *text);
