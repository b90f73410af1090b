/* The cdp_* tools and wait_for_event, and their list. */
#pragma once

#include "mcp/tool.h"

extern const struct tool tool_cdp_list_targets, tool_cdp_observe, tool_cdp_stop_observe, tool_cdp_read_events;
extern const struct tool tool_cdp_clear_events, tool_cdp_get_response_body, tool_cdp_set_filters;
extern const struct tool tool_cdp_get_filters, tool_wait_for_event;

extern const struct tool *const cdp_tools[]; /* NULL-terminated */
