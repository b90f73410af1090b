/* Every tool of this folder. */
#pragma once

#include "mcp/tool.h"

extern const struct tool tool_create_session, tool_close_session, tool_list_sessions;
extern const struct tool tool_session_close, tool_session_list;
extern const struct tool tool_browser_navigate, tool_browser_navigate_back, tool_browser_click, tool_browser_hover;
extern const struct tool tool_browser_type, tool_browser_press_key, tool_browser_snapshot, tool_browser_find;
extern const struct tool tool_browser_evaluate, tool_browser_tabs, tool_browser_close, tool_browser_handle_dialog;
extern const struct tool tool_browser_scroll, tool_browser_select_text;
extern const struct tool tool_browser_file_upload, tool_browser_wait_for, tool_browser_resize, tool_browser_emulate_media;
extern const struct tool tool_browser_take_screenshot, tool_browser_console_messages, tool_browser_network_requests;
extern const struct tool tool_browser_network_request, tool_browser_run_code_unsafe;
extern const struct tool tool_browser_select_option, tool_browser_fill_form;
extern const struct tool tool_browser_drag, tool_browser_drop;
extern const struct tool tool_cdp_list_targets, tool_cdp_observe, tool_cdp_stop_observe, tool_cdp_read_events;
extern const struct tool tool_cdp_clear_events, tool_cdp_get_response_body, tool_cdp_set_filters, tool_cdp_get_filters;
extern const struct tool tool_wait_for_event;
extern const struct tool tool_navigate, tool_click, tool_type, tool_evaluate, tool_screenshot;
extern const struct tool tool_startSession, tool_endSession, tool_getSessionStatus, tool_restartServer, tool_readServerLogs;
extern const struct tool tool_e2e_evaluate, tool_waitForSelector, tool_getContent, tool_exists;
