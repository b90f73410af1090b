#include "tools/table.h"

#include <stdlib.h>
#include <string.h>

#include "runcode/run_code.h"
#include "tools/browser/tools.h"
#include "tools/capability.h"
#include "tools/session/tools.h"

#define SESSION_TOOLS &tool_list_sessions, &tool_create_session, &tool_close_session
#define PAGE_TOOLS &tool_navigate, &tool_click, &tool_type, &tool_evaluate, &tool_screenshot
/* In the order in which @playwright/mcp lists them. */
#define BROWSER_TOOLS \
	&tool_browser_close, &tool_browser_resize, &tool_browser_console_messages, &tool_browser_handle_dialog, \
		&tool_browser_emulate_media, &tool_browser_evaluate, &tool_browser_file_upload, &tool_browser_drop, \
		&tool_browser_find, &tool_browser_fill_form, &tool_browser_press_key, &tool_browser_type, &tool_browser_navigate, \
		&tool_browser_navigate_back, &tool_browser_network_requests, &tool_browser_network_request, \
		&tool_browser_run_code_unsafe, &tool_browser_take_screenshot, &tool_browser_snapshot, &tool_browser_click, \
		&tool_browser_drag, &tool_browser_hover, &tool_browser_select_option, &tool_browser_tabs, &tool_browser_wait_for

/* Tools that @playwright/mcp does not have. */
#define MORE_BROWSER_TOOLS &tool_browser_scroll, &tool_browser_select_text

/* list_sessions is first, because a client that tries the first tool without arguments then changes nothing. */
const struct tool *const tool_table[] = { SESSION_TOOLS, PAGE_TOOLS, BROWSER_TOOLS, MORE_BROWSER_TOOLS, NULL };
const struct tool *const tool_table_lazy[] = { SESSION_TOOLS, &tool_session_list, &tool_session_close,
					       PAGE_TOOLS,    BROWSER_TOOLS,      MORE_BROWSER_TOOLS,
					       NULL };
const struct tool *const tool_table_browser[] = { BROWSER_TOOLS, NULL };

static const struct tool *find_in(const struct tool *const *tools, const char *name)
{
	while (*tools && strcmp((*tools)->name, name) != 0)
		tools++;
	return *tools;
}

const struct tool *tool_find(const char *name)
{
	const struct tool *found = find_in(tool_table_lazy, name);

	for (const struct capability *c = capability_table; !found && c->name; c++)
		found = c->tools ? find_in(c->tools, name) : NULL;
	return found;
}

static size_t count(const struct tool *const *tools)
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
	const struct tool **joined = must(calloc(count(a) + count(b) + 1, sizeof(*joined)));

	memcpy(joined, a, count(a) * sizeof(*a));
	for (; *b; b++)
		*find_place(joined, (*b)->name) = *b;
	return joined;
}
