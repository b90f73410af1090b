/*
 * Escapes untrusted text (from pages, servers, file names) for a response that consists of lines and Markdown sections. Such
 * text must not be mistaken for the response's own structure: a heading, a code fence, a list item.
 *
 * Harmless text stays unchanged. Line terminators other than LF and CR LF (CR, VT, FF, NEL, U+2028, U+2029) become escapes as
 * in JSON: \r, \u2028. ANSI colour sequences are kept in blocks and rows.
 */
#pragma once

#include "base/str.h"

/* Keeps the text on one line: escapes line breaks and control characters except tab. For titles, URLs, messages in a row. */
void display_line(struct str *out, const char *text);
/* One row of a list: continuation lines are indented by four blanks, unless they already are. */
void display_row(struct str *out, const char *text);
/* The body of a section: lines that would be read as a heading or a fence are indented by four blanks. */
void display_block(struct str *out, const char *text);
/* A fenced code block whose fence is longer than any in `text`. `language` may be "". */
void display_code(struct str *out, const char *language, const char *text);
