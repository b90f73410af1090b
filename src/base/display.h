/*
 * Text that a page, a server or a file name decides, in an answer of lines and Markdown sections. Whatever it holds, it
 * must not look like the answer's own structure: a heading, the fence of a block, a row of a list.
 *
 * Benign text stays as it is. What ends a line somewhere but is not LF or CR LF (CR, VT, FF, NEL, U+2028, U+2029) becomes an
 * escape as in JSON: \r, \u2028. Colours of terminals stay in blocks and rows.
 */
#pragma once

#include "base/str.h"

/* On one line: line breaks and all control characters but the tab are escaped. For titles, URLs, messages within a row. */
void display_line(struct str *out, const char *text);
/* One row of a list of rows: its further lines are indented by four blanks, unless they begin with as many. */
void display_row(struct str *out, const char *text);
/* The body of a section: lines that would be a heading or a fence are indented by four blanks. */
void display_block(struct str *out, const char *text);
/* A block of code between fences that no line of `text` can close. `language` may be "". */
void display_code(struct str *out, const char *language, const char *text);
