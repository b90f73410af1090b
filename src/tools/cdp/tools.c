#include "tools/cdp/tools.h"

const struct tool *const cdp_tools[] = { CDP_TOOLS(TOOL_ROW) NULL };
