/* The session tools: sessions by id, pages by selectors, answers in JSON. */
#pragma once

#include "mcp/tool.h"

extern const struct tool tool_create_session, tool_close_session, tool_list_sessions, tool_session_close;
extern const struct tool tool_session_list, tool_navigate, tool_click, tool_type, tool_evaluate, tool_screenshot;
