/* The cdp_* tools and wait_for_event. */
#pragma once

#include "mcp/tool.h"

#define CDP_TOOLS(TOOL) \
	TOOL(cdp_list_targets) \
	TOOL(cdp_observe) \
	TOOL(cdp_stop_observe) \
	TOOL(cdp_read_events) \
	TOOL(cdp_clear_events) \
	TOOL(cdp_get_response_body) \
	TOOL(cdp_set_filters) \
	TOOL(cdp_get_filters) \
	TOOL(wait_for_event)

CDP_TOOLS(TOOL_DECLARE)
extern const struct tool *const cdp_tools[]; /* NULL-terminated */
