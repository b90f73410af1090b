/* browser_run_code_unsafe. */
#pragma once

#include "mcp/tool.h"

extern const struct tool tool_browser_run_code_unsafe;
