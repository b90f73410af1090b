/* The tools for sessions with a dev server. They replace tools of the same name. */
#pragma once

#include "mcp/tool.h"
#include "tools/session/tools.h"

/* navigate, click, type and screenshot are those of tools/session. */
#define E2E_TOOLS(TOOL) \
	TOOL(startSession) \
	TOOL(endSession) \
	TOOL(getSessionStatus) \
	TOOL(restartServer) \
	TOOL(readServerLogs) \
	TOOL(navigate) \
	TOOL(click) \
	TOOL(type) \
	TOOL(screenshot) \
	TOOL(e2e_evaluate) \
	TOOL(waitForSelector) \
	TOOL(getContent) \
	TOOL(exists)

E2E_TOOLS(TOOL_DECLARE)
extern const struct tool *const e2e_tools[]; /* NULL-terminated */
