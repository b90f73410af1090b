/* Header fields that a client gives as lines. */
#pragma once

#include "base/arena.h"
#include "base/str.h"
#include "mcp/tool.h"

/* `text` without the blanks and line ends around it. */
const char *text_trimmed(struct arena *a, const char *text, size_t len);
/*
 * Appends lines such as "Name: Value" as a JSON object; of the same name the last one counts. False: the line in `ret_wrong` is none.
 */
bool header_lines_parse(struct arena *a, const struct string_list *lines, struct str *object, const char **ret_wrong);
