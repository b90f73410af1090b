/* The browser_* tools, with the names and answers of @playwright/mcp. */
#pragma once

#include "mcp/tool.h"

extern const struct tool tool_browser_navigate, tool_browser_navigate_back, tool_browser_click, tool_browser_hover;
extern const struct tool tool_browser_type, tool_browser_press_key, tool_browser_snapshot, tool_browser_find;
extern const struct tool tool_browser_evaluate, tool_browser_tabs, tool_browser_close, tool_browser_handle_dialog;
extern const struct tool tool_browser_scroll, tool_browser_select_text, tool_browser_file_upload;
extern const struct tool tool_browser_wait_for, tool_browser_resize, tool_browser_emulate_media;
extern const struct tool tool_browser_take_screenshot, tool_browser_console_messages, tool_browser_network_requests;
extern const struct tool tool_browser_network_request, tool_browser_select_option, tool_browser_fill_form;
extern const struct tool tool_browser_drag, tool_browser_drop;
