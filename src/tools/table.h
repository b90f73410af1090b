/* The tools, in the order of tools/list; NULL-terminated. Each surface lists its tools in its tools.h. */
#pragma once

#include <stdbool.h>

#include "mcp/tool.h"

extern const struct tool *const tool_table[];
/* tool_table with the additional names of lazy sessions: session_close, session_list. */
extern const struct tool *const tool_table_lazy[];
/* The browser_* tools alone. */
extern const struct tool *const tool_table_browser[];
/*
 * The tools of the list without a capability, and those whose capability is one for which `has(data, capability)` is true. The
 * caller frees the result.
 */
const struct tool **tool_select(const struct tool *const *tools, bool (*has)(const void *data, const char *capability),
				const void *data);
/* The tool of that name in any of these tables or in a capability, or NULL. */
const struct tool *tool_find(const char *name);
/* Joins two lists; a tool of `b` replaces the tool of the same name in `a`. The caller frees the result. */
const struct tool **tool_join(const struct tool *const *a, const struct tool *const *b);
