#include "tools/table.h"

#include <stdlib.h>
#include <string.h>

#include "tools/browser/tools.h"
#include "tools/capability.h"
#include "tools/session/tools.h"

#define TOOLS_ON_PAGES PAGE_TOOLS(TOOL_ROW) BROWSER_TOOLS(TOOL_ROW) MORE_BROWSER_TOOLS(TOOL_ROW)

const struct tool *const tool_table[] = { SESSION_TOOLS(TOOL_ROW) TOOLS_ON_PAGES NULL };
const struct tool *const tool_table_lazy[] = { SESSION_TOOLS(TOOL_ROW) LAZY_SESSION_TOOLS(TOOL_ROW) TOOLS_ON_PAGES NULL };
const struct tool *const tool_table_browser[] = { BROWSER_TOOLS(TOOL_ROW) NULL };

static const struct tool *table_find_in(const struct tool *const *tools, const char *name)
{
	while (*tools && strcmp((*tools)->name, name) != 0)
		tools++;
	return *tools;
}

const struct tool *tool_find(const char *name)
{
	const struct tool *found = table_find_in(tool_table_lazy, name);

	for (const struct capability *c = capability_table; !found && c->name; c++)
		found = c->tools ? table_find_in(c->tools, name) : NULL;
	return found;
}

static size_t table_count(const struct tool *const *tools)
{
	size_t n = 0;

	while (tools[n])
		n++;
	return n;
}

static const struct tool **find_place(const struct tool **tools, const char *name)
{
	while (*tools && strcmp((*tools)->name, name) != 0)
		tools++;
	return tools;
}

const struct tool **tool_join(const struct tool *const *a, const struct tool *const *b)
{
	const struct tool **joined = must(calloc(table_count(a) + table_count(b) + 1, sizeof(*joined)));

	memcpy(joined, a, table_count(a) * sizeof(*a));
	for (; *b; b++)
		*find_place(joined, (*b)->name) = *b;
	return joined;
}

const struct tool **tool_select(const struct tool *const *tools, bool (*has)(const void *data, const char *capability),
				const void *data)
{
	const struct tool **selected = must(calloc(table_count(tools) + 1, sizeof(*selected))), **end = selected;

	for (; *tools; tools++)
		if (!(*tools)->capability || has(data, (*tools)->capability))
			*end++ = *tools;
	return selected;
}
