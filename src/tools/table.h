/* The tools, in the order of tools/list; NULL-terminated. A new tool is one file and one line in table.c or in the
 * list of its capability. */
#pragma once

#include "mcp/tool.h"

extern const struct tool *const tool_table[];
/* The same with the names that lazy sessions use besides: session_close, session_list. */
extern const struct tool *const tool_table_lazy[];
/* The browser_* tools alone. */
extern const struct tool *const tool_table_browser[];
/* The tool of that name in any of them or in a capability; NULL: there is none. */
const struct tool *tool_find(const char *name);
/* Both lists as one; a tool of `b` takes the place of the one with its name in `a`. The caller frees it. */
const struct tool **tool_join(const struct tool *const *a, const struct tool *const *b);
