#include "tools/session/tools.h"

const struct tool *const state_tools[] = { STATE_TOOLS(TOOL_ROW) NULL };
const struct tool *const vault_tools[] = { VAULT_TOOLS(TOOL_ROW) NULL };
