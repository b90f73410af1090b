#include "tools/e2e/tools.h"

const struct tool *const e2e_tools[] = { E2E_TOOLS(TOOL_ROW) NULL };
