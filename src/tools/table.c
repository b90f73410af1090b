#include "tools/table.h"

#include <stdlib.h>
#include <string.h>

#include "tools/tools.h"

#define SESSION_TOOLS &tool_list_sessions, &tool_create_session, &tool_close_session
#define PAGE_TOOLS &tool_navigate, &tool_click, &tool_type, &tool_evaluate, &tool_screenshot
/* In the order in which @playwright/mcp lists them. */
#define BROWSER_TOOLS                                                                                       \
	&tool_browser_close, &tool_browser_resize, &tool_browser_console_messages,                          \
		&tool_browser_handle_dialog, &tool_browser_emulate_media, &tool_browser_evaluate,           \
		&tool_browser_file_upload, &tool_browser_drop, &tool_browser_find,                          \
		&tool_browser_fill_form, &tool_browser_press_key, &tool_browser_type,                       \
		&tool_browser_navigate, &tool_browser_navigate_back,                                        \
		&tool_browser_network_requests, &tool_browser_network_request,                              \
		&tool_browser_run_code_unsafe,                                                              \
		&tool_browser_take_screenshot, &tool_browser_snapshot, &tool_browser_click,                 \
		&tool_browser_drag, &tool_browser_hover, &tool_browser_select_option,                       \
		&tool_browser_tabs, &tool_browser_wait_for

/* Those that it does not have. */
#define MORE_BROWSER_TOOLS &tool_browser_scroll, &tool_browser_select_text

/* list_sessions comes first: a client that tries the first tool with no arguments does no harm. */
const struct tool *const tool_table[] = { SESSION_TOOLS, PAGE_TOOLS, BROWSER_TOOLS, MORE_BROWSER_TOOLS, NULL };
const struct tool *const tool_table_lazy[] = { SESSION_TOOLS, &tool_session_list, &tool_session_close, PAGE_TOOLS,
					     BROWSER_TOOLS, MORE_BROWSER_TOOLS, NULL };
const struct tool *const tool_table_browser[] = { BROWSER_TOOLS, NULL };
const struct tool *const tool_table_observe[] = {
	&tool_cdp_list_targets, &tool_cdp_observe, &tool_cdp_stop_observe, &tool_cdp_read_events, &tool_cdp_clear_events,
	&tool_cdp_get_response_body, &tool_cdp_set_filters, &tool_cdp_get_filters, &tool_wait_for_event, NULL,
};
/* Those of other tables with the same name give way to these. */
const struct tool *const tool_table_e2e[] = {
	&tool_startSession, &tool_endSession, &tool_getSessionStatus, &tool_restartServer, &tool_readServerLogs, &tool_navigate,
	&tool_click, &tool_type, &tool_screenshot, &tool_e2e_evaluate, &tool_waitForSelector, &tool_getContent, &tool_exists, NULL,
};

const struct tool *tool_find(const char *name)
{
	static const struct tool *const *const tables[] = { tool_table_lazy, tool_table_observe, tool_table_e2e };

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		for (const struct tool *const *tool = tables[i]; *tool; tool++)
			if (!strcmp((*tool)->name, name))
				return *tool;
	return NULL;
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

bool tool_is_in(const struct tool *const *table, const struct tool *tool)
{
	while (*table && *table != tool)
		table++;
	return *table;
}
