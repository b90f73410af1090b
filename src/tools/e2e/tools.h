/* The tools for sessions with a dev server, and the list of this capability, which replaces tools of the same name. */
#pragma once

#include "mcp/tool.h"

extern const struct tool tool_startSession, tool_endSession, tool_getSessionStatus, tool_restartServer;
extern const struct tool tool_readServerLogs, tool_e2e_evaluate, tool_waitForSelector, tool_getContent, tool_exists;

extern const struct tool *const e2e_tools[]; /* NULL-terminated */
