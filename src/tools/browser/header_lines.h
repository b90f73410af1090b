/* Header fields that a client gives as lines. */
#pragma once

#include "base/arena.h"
#include "base/str.h"
#include "mcp/tool.h"

/* `text` without the blanks and line ends around it. */
const char *text_trimmed(struct arena *a, const char *text, size_t len);
/*
 * Appends header lines ("Name: Value") as a JSON object. If a name is repeated, its last value is used. Returns false when a line is not of this
 * form, and sets `ret_wrong` to that line.
 */
bool header_lines_parse(struct arena *a, const struct string_list *lines, struct str *object, const char **ret_wrong);
