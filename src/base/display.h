/*
 * Untrusted text (from pages, servers, file names) in answers, which consist of lines and Markdown sections. Such text must not be
 * mistaken for the answer's own structure (a heading, a fence, a row of a list), and must not act on a terminal that shows it.
 *
 * display_line(), display_row() and display_text() are for text of pages; all of it passes through one of them. display_block(),
 * display_message() and display_answer() are for what the server has assembled, and catch what has not.
 *
 * Harmless text stays unchanged. Control characters except tab, line terminators other than LF and CR LF, and characters that
 * embed or override the direction of text become escapes as in JSON: \r, \u001b, \u202e.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/* What the lines of an answer are, beside which a text stands: Markdown alone, or also the notation of pages (base/notation.h). */
enum display_beside { BESIDE_MARKDOWN, BESIDE_NOTATION };

/* Keeps the text on one line: escapes line breaks, too. For titles, URLs, messages in a row. */
void display_line(struct str *out, const char *text);
/* One row of a list: continuation lines are indented by four blanks, unless they already are. */
void display_row(struct str *out, const char *text);
/* display_row() for a row that begins with the text, which must not look like another line of the answer. */
void display_whole_row(struct str *out, const char *text, enum display_beside beside);
/*
 * Text of several lines at the beginning of lines, such as the body of a response. If one of them looks like a heading, a fence, a row
 * or a line of notation, all are indented by four blanks, so that the text keeps its form.
 */
void display_text(struct str *out, const char *text, enum display_beside beside);

/* The body of a section: lines that would be read as a heading or a fence are indented by four blanks. */
void display_block(struct str *out, const char *text);
/* display_block() for a section without rows of its own, such as an error: lines that look like a row are indented, too. */
void display_message(struct str *out, const char *text);
/* A whole answer: only unprintable characters are changed. As in the two above, the escape sequences of call logs stay. */
void display_answer(struct str *out, const char *text);
/* A fenced code block whose fence is longer than any in `text`. `language` may be "". */
void display_code(struct str *out, const char *language, const char *text);
