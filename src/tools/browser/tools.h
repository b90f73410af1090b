/* The browser_* tools. */
#pragma once

#include "mcp/tool.h"

/* The tools of @playwright/mcp, with its names, arguments and answers, in the order in which it lists them. */
#define BROWSER_TOOLS(TOOL) \
	TOOL(browser_close) \
	TOOL(browser_resize) \
	TOOL(browser_get_config) \
	TOOL(browser_console_messages) \
	TOOL(browser_cookie_list) \
	TOOL(browser_cookie_get) \
	TOOL(browser_cookie_set) \
	TOOL(browser_cookie_delete) \
	TOOL(browser_cookie_clear) \
	TOOL(browser_resume) \
	TOOL(browser_highlight) \
	TOOL(browser_hide_highlight) \
	TOOL(browser_annotate) \
	TOOL(browser_handle_dialog) \
	TOOL(browser_emulate_media) \
	TOOL(browser_evaluate) \
	TOOL(browser_file_upload) \
	TOOL(browser_drop) \
	TOOL(browser_find) \
	TOOL(browser_fill_form) \
	TOOL(browser_press_key) \
	TOOL(browser_type) \
	TOOL(browser_mouse_move_xy) \
	TOOL(browser_mouse_click_xy) \
	TOOL(browser_mouse_drag_xy) \
	TOOL(browser_mouse_down) \
	TOOL(browser_mouse_up) \
	TOOL(browser_mouse_wheel) \
	TOOL(browser_navigate) \
	TOOL(browser_navigate_back) \
	TOOL(browser_network_requests) \
	TOOL(browser_network_request) \
	TOOL(browser_network_state_set) \
	TOOL(browser_pdf_save) \
	TOOL(browser_start_recording) \
	TOOL(browser_stop_recording) \
	TOOL(browser_route) \
	TOOL(browser_route_list) \
	TOOL(browser_unroute) \
	TOOL(browser_run_code_unsafe) /* in runcode/ */ \
	TOOL(browser_take_screenshot) \
	TOOL(browser_snapshot) \
	TOOL(browser_click) \
	TOOL(browser_drag) \
	TOOL(browser_hover) \
	TOOL(browser_select_option) \
	TOOL(browser_generate_locator) \
	TOOL(browser_storage_state) \
	TOOL(browser_set_storage_state) \
	TOOL(browser_tabs) \
	TOOL(browser_start_tracing) \
	TOOL(browser_stop_tracing) \
	TOOL(browser_verify_element_visible) \
	TOOL(browser_verify_text_visible) \
	TOOL(browser_verify_list_visible) \
	TOOL(browser_verify_value) \
	TOOL(browser_start_video) \
	TOOL(browser_stop_video) \
	TOOL(browser_video_chapter) \
	TOOL(browser_video_show_actions) \
	TOOL(browser_video_hide_actions) \
	TOOL(browser_wait_for) \
	TOOL(browser_localstorage_list) \
	TOOL(browser_localstorage_get) \
	TOOL(browser_localstorage_set) \
	TOOL(browser_localstorage_delete) \
	TOOL(browser_localstorage_clear) \
	TOOL(browser_sessionstorage_list) \
	TOOL(browser_sessionstorage_get) \
	TOOL(browser_sessionstorage_set) \
	TOOL(browser_sessionstorage_delete) \
	TOOL(browser_sessionstorage_clear)
/* Tools that @playwright/mcp does not have. */
#define MORE_BROWSER_TOOLS(TOOL) TOOL(browser_batch) TOOL(browser_read) TOOL(browser_scroll) TOOL(browser_select_text)

BROWSER_TOOLS(TOOL_DECLARE)
MORE_BROWSER_TOOLS(TOOL_DECLARE)

/* Of servers whose sessions a person can see. */
#define PEOPLE_TOOLS(TOOL) TOOL(request_user) TOOL(view_link)
PEOPLE_TOOLS(TOOL_DECLARE)
extern const struct tool *const people_tools[]; /* NULL-terminated */
