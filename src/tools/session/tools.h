/* The session tools: sessions by id, pages by selectors, answers in JSON. */
#pragma once

#include "mcp/tool.h"

/* list_sessions is first, because a client that tries the first tool without arguments then changes nothing. */
#define SESSION_TOOLS(TOOL) TOOL(list_sessions) TOOL(create_session) TOOL(close_session)
/* Additional names of two of these for sessions that are created by their first call. */
#define LAZY_SESSION_TOOLS(TOOL) TOOL(session_list) TOOL(session_close)
/* Of servers with a state store. */
#define STATE_TOOLS(TOOL) TOOL(save_state) TOOL(list_states) TOOL(delete_state)
/* Of servers with a vault. */
#define VAULT_TOOLS(TOOL) TOOL(list_logins) TOOL(fill_login)
/* Of servers that work in tabs of a person's browser. */
#define ATTACH_TOOLS(TOOL) TOOL(list_tabs)
#define PAGE_TOOLS(TOOL) TOOL(navigate) TOOL(click) TOOL(type) TOOL(evaluate) TOOL(screenshot)

SESSION_TOOLS(TOOL_DECLARE)
LAZY_SESSION_TOOLS(TOOL_DECLARE)
STATE_TOOLS(TOOL_DECLARE)
VAULT_TOOLS(TOOL_DECLARE)
ATTACH_TOOLS(TOOL_DECLARE)
PAGE_TOOLS(TOOL_DECLARE)

extern const struct tool *const state_tools[];
extern const struct tool *const vault_tools[];
extern const struct tool *const attach_tools[];
