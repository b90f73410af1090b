/* The tools, and with what arguments they are called. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "torture/harness.h"

static const char *no_arguments(struct str *s)
{
	str_append(s, "{}");
	return s->data;
}

static const char *session_only(struct str *s)
{
	str_json(s, "{sessionId: ?}", session);
	return s->data;
}

static const char *navigate_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, url: ?, waitUntil: 'networkidle'}", session, url);
	return s->data;
}

static const char *click_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, selector: '#b', clickCount: 2}", session);
	return s->data;
}

static const char *type_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, selector: '#i', text: 'ab', delay: 1, clear: true}", session);
	return s->data;
}

static const char *evaluate_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, expression: 'Promise.resolve(1)'}", session);
	return s->data;
}

static const char *goto_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, url: ?}", session, url);
	return s->data;
}

static const char *browser_click_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, target: '#b', doubleClick: true}", session);
	return s->data;
}

static const char *browser_type_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, target: '#i', text: 'ab', submit: true}", session);
	return s->data;
}

static const char *browser_evaluate_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, target: '#b', function: 'e => e.id'}", session);
	return s->data;
}

static const char *browser_code_arguments(struct str *s)
{
	str_json(s,
		 "{sessionId: ?, code: 'async page => { await page.locator(\"#b\").click({timeout: 500}).catch(() => 0); await "
		 "Promise.all([page.evaluate(e => e, [1]), page.waitForTimeout(1)]); return page.title() }'}",
		 session);
	return s->data;
}

static const char *browser_target_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, target: '#b'}", session);
	return s->data;
}

static const char *chapter_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, title: 'A', duration: 1}", session);
	return s->data;
}

static const char *browser_scroll_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, target: '#b', y: 5}", session);
	return s->data;
}

/* The client of this test accepts whatever it is asked. */
static const char *request_user_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, message: 'Log in'}", session);
	return str_text(s);
}

/* This test has no live view, so it fails when it has found the session. */
static const char *view_link_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?}", session);
	return s->data;
}

static const char *browser_batch_arguments(struct str *s)
{
	str_json(
		s,
		"{sessionId: ?, steps: [{tool: 'browser_type', target: '#i', text: 'ab'}, {tool: 'browser_click', target: '#b'}, "
		"{tool: 'evaluate', expression: '1'}, {tool: 'browser_evaluate', function: '() => document.title', expect: 'drag'}]}",
		session);
	return s->data;
}

static const char *scroll_to_end_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, to: 'bottom'}", session);
	return s->data;
}

static const char *browser_drag_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, startTarget: '#d', endTarget: '#i'}", session);
	return s->data;
}

static const char *mouse_arguments(struct str *s)
{
	str_json(s,
		 "{sessionId: ?, x: 20, y: 20, clickCount: 2, deltaX: 0, deltaY: 10, startX: 10, startY: 10, endX: 60, endY: 60}",
		 session);
	return s->data;
}

static const char *visible_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, role: 'button', accessibleName: 'nothing', text: 'nothing like this'}", session);
	return s->data;
}

static const char *list_items_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, element: 'page', target: 'body', items: ['nothing like this']}", session);
	return s->data;
}

static const char *field_value_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, type: 'textbox', element: 'field', target: '#i', value: 'other'}", session);
	return s->data;
}

static const char *browser_drop_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, target: '#d', data: {a: 'b'}}", session);
	return s->data;
}

static const char *list_tabs_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, action: 'list'}", session);
	return s->data;
}

static const char *close_tab_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, action: 'close'}", session);
	return s->data;
}

static const char *browser_find_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, text: 'b'}", session);
	return s->data;
}

static const char *browser_read_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, target: '#b', filter: 'b', urls: true}", session);
	return s->data;
}

static const char *browser_wait_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, time: 0.001, textGone: 'nowhere'}", session);
	return s->data;
}

/* ---- tools that need a page of their own; what it takes to get there is not tortured ---- */

/* The function gets the body of the page. */
static void do_in_page(const char *function)
{
	json_free(call("browser_evaluate", "{sessionId: ?, target: 'body', function: ?}", session, function));
}

static void show(const char *path)
{
	_cleanup_(str_done) struct str address = {};

	str_appendf(&address, "%s%s", url, path);
	json_free(call("browser_navigate", "{sessionId: ?, url: ?}", session, address.data));
}

static const char *press_key_arguments(struct str *s)
{
	json_free(call("browser_click", "{sessionId: ?, target: '#i'}", session));
	str_json(s, "{sessionId: ?, key: 'Control+a'}", session);
	return s->data;
}

static const char *select_option_arguments(struct str *s)
{
	show("form");
	str_json(s, "{sessionId: ?, target: '#s', values: ['large']}", session);
	return s->data;
}

static const char *fill_form_arguments(struct str *s)
{
	show("form");
	str_json(
		s,
		"{sessionId: ?, fields: [{name: 'a', type: 'textbox', target: '#f0', value: 'x'}, "
		"{name: 'b', type: 'checkbox', target: '#c', value: 'true'}, {name: 'c', type: 'combobox', target: '#s', value: 'large'}]}",
		session);
	return s->data;
}

/* In a session in which no code has run. */
static const char *fill_login_arguments(struct str *s)
{
	renew_sessions();
	show("login");
	str_json(s, "{sessionId: ?, name: 'shop', submit: true}", session);
	return s->data;
}

static const char *resize_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, width: 800, height: 600}", session);
	return s->data;
}

static const char *emulate_media_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, colorScheme: 'dark', media: 'print'}", session);
	return s->data;
}

static const char *handle_dialog_arguments(struct str *s)
{
	do_in_page("() => prompt('why')");
	str_json(s, "{sessionId: ?, accept: true, promptText: 'because'}", session);
	return s->data;
}

/* Of a popup that the page waits for; the same one each time. */
static const char *handle_popup_arguments(struct str *s)
{
	do_in_page("() => open('', 'popup').confirm('why')");
	str_json(s, "{sessionId: ?, accept: true}", session);
	return s->data;
}

static const char *upload_arguments(struct str *s)
{
	_cleanup_(str_done) struct str path = {};
	FILE *f;

	str_appendf(&path, "%s/upload.txt", output);
	f = fopen(path.data, "we");
	assert_non_null(f);
	fclose(f);
	do_in_page("body => { body.innerHTML = '<input id=f type=file>'; }");
	json_free(call("browser_click", "{sessionId: ?, target: '#f'}", session));
	str_json(s, "{sessionId: ?, paths: [?]}", session, path.data);
	return s->data;
}

static const char *console_arguments(struct str *s)
{
	do_in_page("() => console.log({ a: 1 })");
	str_json(s, "{sessionId: ?, level: 'debug', all: true}", session);
	return s->data;
}

static const char *network_requests_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, static: true}", session);
	return s->data;
}

static const char *network_request_arguments(struct str *s)
{
	show("form");
	str_json(s, "{sessionId: ?, index: 1, part: 'response-body'}", session);
	return s->data;
}

/* ---- downloads ---- */

static const char *download_arguments(struct str *s)
{
	do_in_page("body => { body.innerHTML = '<a id=x download=x.txt href=\"data:text/plain,x\">x</a>'; }");
	str_json(s, "{sessionId: ?, target: '#x'}", session);
	return s->data;
}

static const char *navigate_to_download_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, url: 'data:application/zip,x'}", session);
	return s->data;
}

static const char *save_download_arguments(struct str *s)
{
	_cleanup_(str_done) struct str path = {}, code = {};

	download_arguments(&path);
	str_appendf(
		&code,
		"async page => { const [d] = await Promise.all([page.waitForEvent('download', { timeout: 500 }), page.click('#x')]); "
		"await d.saveAs('%s/copy.txt'); return d.path(); }",
		output);
	str_json(s, "{sessionId: ?, code: ?}", session, code.data);
	return s->data;
}

static const char *list_targets_arguments(struct str *s)
{
	str_json(s, "{types: ['page']}");
	return s->data;
}

static const char *observe_arguments(struct str *s)
{
	str_json(s, "{urlIncludes: ?}", url);
	return s->data;
}

/* An event that comes only once the call waits for it does not come here: it ends by its time-out. */
static const char *wait_arguments(struct str *s)
{
	_cleanup_(json_freep) struct json *observed = call("cdp_observe", "{urlIncludes: ?}", url);

	str_json(s, "{targetId: ?, text: 'no such text', timeout: 5}", json_str(observed, "result.structuredContent.targetId"));
	return s->data;
}

static const char *other_list_arguments(struct str *s)
{
	str_json(s, "{port: ?}", other_browser());
	return s->data;
}

/* What the call before has begun is ended, so that each attaches anew. */
static const char *other_observe_arguments(struct str *s)
{
	_cleanup_(json_freep) struct json *listed = call("cdp_list_targets", "{port: ?, types: ['page']}", other_browser());
	const char *id = json_str(json_first(json_get(listed, "result.structuredContent.targets")), "id");

	assert_non_null(id);
	json_free(call("cdp_stop_observe", "{targetId: ?, dropBuffer: true}", id));
	str_json(s, "{port: ?, targetId: ?}", other_browser(), id);
	return s->data;
}

/* ---- what is observed ---- */

static const char *observed_arguments(struct str *s)
{
	_cleanup_(json_freep) struct json *observed = call("cdp_observe", "{urlIncludes: ?}", url);

	str_json(s, "{targetId: ?}", json_str(observed, "result.structuredContent.targetId"));
	return s->data;
}

static const char *observed_body_arguments(struct str *s)
{
	_cleanup_(json_freep) struct json *observed = call("cdp_observe", "{urlIncludes: ?}", url), *events = NULL;
	const char *id = json_str(observed, "result.structuredContent.targetId");

	events = call("cdp_read_events", "{targetId: ?, offset: 0, kinds: ['response'], limit: 1}", id);
	str_json(s, "{targetId: ?, requestId: ?}", id,
		 json_text(json_first(json_get(events, "result.structuredContent.events")), "requestId"));
	return s->data;
}

/* ---- frames ---- */

#define IN_FRAMES "iframe >> internal:control=enter-frame >> iframe >> internal:control=enter-frame >> "

static const char *snapshot_arguments(struct str *s)
{
	show("frames");
	return session_only(s);
}

static const char *find_in_frames_arguments(struct str *s)
{
	show("frames");
	return browser_find_arguments(s);
}

static const char *in_frames_arguments(struct str *s)
{
	show("frames");
	str_json(s, "{sessionId: ?, target: ?}", session, IN_FRAMES "#b");
	return s->data;
}

/* The last ref of a snapshot is that of the button in the innermost frame. */
static const char *ref_in_frames_arguments(struct str *s)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	const char *text, *at, *last = NULL;

	show("frames");
	reply = call("browser_snapshot", "{sessionId: ?}", session);
	text = json_str(json_first(json_get(reply, "result.content")), "text");
	for (at = text; (at = strstr(at, "button \"press\"")); at++)
		last = strstr(at, "[ref=") + strlen("[ref=");
	assert_non_null(last);
	str_json(s, "{sessionId: ?, target: ?}", session, arena_strndup(&scratch, last, strcspn(last, "]")));
	return s->data;
}

static const char *evaluate_in_frames_arguments(struct str *s)
{
	ref_in_frames_arguments(s);
	s->data[--s->len] = '\0';
	str_json(s, ", function: 'e => e.textContent'}");
	return s->data;
}

static const char *drag_in_frames_arguments(struct str *s)
{
	show("frames");
	str_json(s, "{sessionId: ?, startTarget: ?, endTarget: ?}", session, IN_FRAMES "#d", IN_FRAMES "#i");
	return s->data;
}

static const char *fill_in_frames_arguments(struct str *s)
{
	show("frames");
	str_json(s, "{sessionId: ?, fields: [{name: 'a', type: 'textbox', target: ?, value: 'x'}]}", session, IN_FRAMES "#i");
	return s->data;
}

static const char *handles_in_frames_arguments(struct str *s)
{
	show("frames");
	str_json(s, "{sessionId: ?, code: ?}", session,
		 "async page => { const f = page.frameLocator('iframe').frameLocator('iframe'), o = { timeout: 300 };"
		 "const b = await f.locator('#b').elementHandle(o); const i = await f.locator('#i').elementHandle(o);"
		 "await f.locator('#b').boundingBox(o); await f.locator('#i').fill('x', o);"
		 "return page.evaluate(list => list.map(e => e.id).join(), [b, i]) }");
	return s->data;
}

/* ---- sessions with a server ---- */

static const char *start_session_arguments(struct str *s)
{
	str_json(s, "{command: ?, args: ['--serve'], readyLog: 'http://'}", program);
	return s->data;
}

static const char *server_arguments(struct str *s)
{
	_cleanup_(str_done) struct str start = {};
	_cleanup_(json_freep) struct json *started = call("startSession", "?", JSON_RAW(start_session_arguments(&start)));

	str_json(s, "{sessionId: ?}", json_text(started, "result.structuredContent.sessionId"));
	return s->data;
}

static const char *selector_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, selector: '#b'}", session);
	return s->data;
}

static const char *new_tab_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, action: 'new', url: ?}", session, url);
	return s->data;
}

static const char *select_tab_arguments(struct str *s)
{
	json_free(call("browser_tabs", "{sessionId: ?, action: 'new'}", session));
	str_json(s, "{sessionId: ?, action: 'select', index: 0}", session);
	return s->data;
}

/* Of a session that is recorded, which every call of it takes part in. */
static const char *start_tracing_arguments(struct str *s)
{
	json_free(call("browser_stop_tracing", "{sessionId: ?}", session));
	return session_only(s);
}

static const char *stop_tracing_arguments(struct str *s)
{
	json_free(call("browser_start_tracing", "{sessionId: ?}", session));
	json_free(call("browser_navigate", "{sessionId: ?, url: ?}", session, url));
	return session_only(s);
}

static const char *traced_click_arguments(struct str *s)
{
	json_free(call("browser_start_tracing", "{sessionId: ?}", session));
	return browser_click_arguments(s);
}

/* ---- storage and routes ---- */

static const char *cookie_set_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, name: 'a', value: 'b', domain: 'a.example'}", session);
	return s->data;
}

static const char *cookie_name_arguments(struct str *s)
{
	json_free(call("browser_cookie_set", "{sessionId: ?, name: 'a', value: 'b', domain: 'a.example'}", session));
	str_json(s, "{sessionId: ?, name: 'a'}", session);
	return s->data;
}

static const char *item_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, key: 'a', value: 'b'}", session);
	return s->data;
}

static const char *item_key_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, key: 'a'}", session);
	return s->data;
}

/* Also of an origin that no page shows, which takes a page of its own. */
static const char *set_state_arguments(struct str *s)
{
	static const char state[] = "{\"cookies\": [], \"origins\": [{\"origin\": \"http://a.example\", \"localStorage\": "
				    "[{\"name\": \"a\", \"value\": \"b\"}]}]}";
	_cleanup_(str_done) struct str path = {};
	FILE *f;

	str_appendf(&path, "%s/state.json", output);
	f = fopen(path.data, "we");
	assert_non_null(f);
	assert_int_equal(fwrite(state, 1, strlen(state), f), strlen(state));
	fclose(f);
	str_json(s, "{sessionId: ?, filename: ?}", session, path.data);
	return s->data;
}

static const char *storage_state_arguments(struct str *s)
{
	_cleanup_(str_done) struct str first = {};

	set_state_arguments(&first);
	json_free(call("browser_set_storage_state", "?", JSON_RAW(first.data)));
	str_json(s, "{sessionId: ?}", session);
	return s->data;
}

static const char *route_arguments(struct str *s)
{
	json_free(call("browser_unroute", "{sessionId: ?}", session));
	str_json(s, "{sessionId: ?, pattern: '**/*.png', status: 404, headers: ['A: b']}", session);
	return s->data;
}

static const char *offline_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, state: 'online'}", session);
	return s->data;
}

/* With a check, in a page of its own, and settings of the pages. */
static const char *create_arguments(struct str *s)
{
	str_json(
		s,
		"{viewport: {width: 500, height: 400}, extraHTTPHeaders: {'X-A': 'b'}, "
		"state: {cookies: [{name: 'a', value: 'b', url: ?}], origins: [{origin: ?, localStorage: [{name: 'c', value: 'd'}]}], "
		"browserd: {verify: {url: ?, selector: '#b'}}}}",
		url, url, url);
	return s->data;
}

static const char *save_state_arguments(struct str *s)
{
	str_json(s, "{sessionId: ?, name: 'kept', verify: {url: ?, selector: '#b'}}", session, url);
	return s->data;
}

static const char *delete_state_arguments(struct str *s)
{
	json_free(call("save_state", "{sessionId: ?, name: 'gone'}", session));
	str_append(s, "{\"name\":\"gone\"}");
	return s->data;
}

const struct row rows[] = {
	{ "navigate", navigate_arguments },
	{ "click", click_arguments },
	{ "type", type_arguments },
	{ "evaluate", evaluate_arguments },
	{ "screenshot", session_only },
	{ "list_sessions", no_arguments },
	{ "browser_navigate", goto_arguments, ROW_ALL_LOSSES },
	{ "browser_navigate_back", session_only },
	{ "browser_click", browser_click_arguments, ROW_ALL_LOSSES },
	{ "browser_hover", browser_target_arguments },
	{ "browser_type", browser_type_arguments },
	{ "browser_evaluate", browser_evaluate_arguments },
	{ "browser_run_code_unsafe", browser_code_arguments, ROW_ALL_LOSSES | ROW_CODE },
	{ "browser_snapshot", browser_target_arguments },
	{ "browser_find", browser_find_arguments },
	{ "browser_read", browser_read_arguments },
	{ "browser_take_screenshot", browser_target_arguments },
	{ "browser_wait_for", browser_wait_arguments },
	{ "browser_close", session_only },
	{ "browser_tabs", list_tabs_arguments, ROW_TABS },
	{ "browser_tabs", close_tab_arguments, ROW_TABS },
	{ "browser_tabs", new_tab_arguments, ROW_TABS },
	{ "browser_tabs", select_tab_arguments, ROW_TABS },
	{ "browser_start_tracing", start_tracing_arguments },
	{ "browser_stop_tracing", stop_tracing_arguments, ROW_ALL_LOSSES },
	{ "browser_click", traced_click_arguments, ROW_ALL_LOSSES },
	{ "browser_batch", browser_batch_arguments },
	{ "request_user", request_user_arguments },
	{ "view_link", view_link_arguments },
	{ "browser_scroll", browser_scroll_arguments },
	{ "browser_scroll", scroll_to_end_arguments },
	{ "browser_select_text", browser_target_arguments },
	{ "browser_highlight", browser_target_arguments },
	{ "browser_hide_highlight", browser_target_arguments },
	{ "browser_start_video", session_only },
	{ "browser_stop_video", session_only },
	{ "browser_video_chapter", chapter_arguments },
	{ "browser_video_show_actions", session_only },
	{ "browser_video_hide_actions", session_only },
	{ "browser_start_recording", session_only },
	{ "browser_stop_recording", session_only },
	{ "browser_resume", no_arguments },
	{ "browser_annotate", no_arguments },
	{ "browser_drag", browser_drag_arguments },
	{ "browser_drop", browser_drop_arguments },
	{ "browser_snapshot", no_arguments }, /* of the client's own session */
	{ "browser_press_key", press_key_arguments },
	{ "browser_mouse_move_xy", mouse_arguments },
	{ "browser_mouse_click_xy", mouse_arguments, ROW_ALL_LOSSES },
	{ "browser_mouse_drag_xy", mouse_arguments },
	{ "browser_mouse_down", session_only },
	{ "browser_mouse_up", session_only },
	{ "browser_mouse_wheel", mouse_arguments },
	{ "browser_pdf_save", session_only },
	{ "browser_generate_locator", browser_target_arguments },
	{ "browser_verify_element_visible", visible_arguments },
	{ "browser_verify_text_visible", visible_arguments },
	{ "browser_verify_list_visible", list_items_arguments },
	{ "browser_verify_value", field_value_arguments },
	{ "browser_select_option", select_option_arguments },
	{ "browser_fill_form", fill_form_arguments },
	{ "browser_resize", resize_arguments },
	{ "browser_get_config", session_only },
	{ "browser_emulate_media", emulate_media_arguments },
	{ "browser_handle_dialog", handle_dialog_arguments },
	{ "browser_handle_dialog", handle_popup_arguments },
	{ "browser_file_upload", upload_arguments },
	{ "browser_console_messages", console_arguments },
	{ "browser_network_requests", network_requests_arguments },
	{ "browser_network_request", network_request_arguments },
	{ "browser_cookie_list", session_only },
	{ "browser_cookie_get", cookie_name_arguments },
	{ "browser_cookie_set", cookie_set_arguments },
	{ "browser_cookie_delete", cookie_name_arguments },
	{ "browser_cookie_clear", session_only },
	{ "browser_localstorage_list", session_only },
	{ "browser_localstorage_get", item_key_arguments },
	{ "browser_localstorage_set", item_arguments },
	{ "browser_localstorage_delete", item_key_arguments },
	{ "browser_localstorage_clear", session_only },
	{ "browser_sessionstorage_list", session_only },
	{ "browser_sessionstorage_get", item_key_arguments },
	{ "browser_sessionstorage_set", item_arguments },
	{ "browser_sessionstorage_delete", item_key_arguments },
	{ "browser_sessionstorage_clear", session_only },
	{ "browser_storage_state", storage_state_arguments },
	{ "browser_set_storage_state", set_state_arguments },
	{ "browser_route", route_arguments },
	{ "browser_route_list", session_only },
	{ "browser_unroute", session_only },
	{ "browser_network_state_set", offline_arguments },
	{ "browser_click", download_arguments, ROW_DOWNLOADS },
	{ "browser_navigate", navigate_to_download_arguments, ROW_DOWNLOADS },
	{ "browser_run_code_unsafe", save_download_arguments, ROW_DOWNLOADS },
	{ "browser_snapshot", snapshot_arguments, ROW_FRAMES | ROW_ALL_LOSSES },
	{ "browser_snapshot", in_frames_arguments, ROW_FRAMES },
	{ "browser_highlight", in_frames_arguments, ROW_FRAMES },
	{ "browser_hide_highlight", in_frames_arguments, ROW_FRAMES },
	{ "browser_find", find_in_frames_arguments, ROW_FRAMES },
	{ "browser_read", snapshot_arguments, ROW_FRAMES | ROW_ALL_LOSSES },
	{ "browser_read", in_frames_arguments, ROW_FRAMES },
	{ "browser_click", ref_in_frames_arguments, ROW_FRAMES },
	{ "browser_mouse_click_xy", mouse_arguments, ROW_FRAMES },
	{ "browser_mouse_drag_xy", mouse_arguments, ROW_FRAMES },
	{ "browser_verify_text_visible", visible_arguments, ROW_FRAMES },
	{ "browser_hover", in_frames_arguments, ROW_FRAMES },
	{ "browser_select_text", in_frames_arguments, ROW_FRAMES },
	{ "browser_take_screenshot", in_frames_arguments, ROW_FRAMES },
	{ "browser_evaluate", evaluate_in_frames_arguments, ROW_FRAMES },
	{ "browser_drag", drag_in_frames_arguments, ROW_FRAMES },
	{ "browser_fill_form", fill_in_frames_arguments, ROW_FRAMES },
	{ "browser_run_code_unsafe", handles_in_frames_arguments, ROW_FRAMES },
	{ "cdp_list_targets", list_targets_arguments, ROW_OBSERVES },
	{ "cdp_observe", observe_arguments, ROW_OBSERVES },
	{ "wait_for_event", wait_arguments, ROW_OBSERVES },
	{ "cdp_read_events", observed_arguments, ROW_OBSERVES },
	{ "cdp_get_response_body", observed_body_arguments, ROW_OBSERVES },
	{ "cdp_set_filters", observed_arguments, ROW_OBSERVES },
	{ "cdp_get_filters", observed_arguments, ROW_OBSERVES },
	{ "cdp_clear_events", observed_arguments, ROW_OBSERVES },
	{ "cdp_stop_observe", observed_arguments, ROW_OBSERVES },
	{ "cdp_list_targets", other_list_arguments, ROW_OBSERVES },
	{ "cdp_observe", other_observe_arguments, ROW_OBSERVES },
	{ "list_logins", no_arguments },
	{ "fill_login", fill_login_arguments },
	{ "waitForSelector", selector_arguments },
	{ "exists", selector_arguments },
	{ "getContent", session_only },
	{ "startSession", start_session_arguments },
	{ "getSessionStatus", server_arguments },
	{ "readServerLogs", server_arguments },
	{ "restartServer", server_arguments },
	{ "endSession", server_arguments },
	{ "create_session", create_arguments },
	{ "save_state", save_state_arguments },
	{ "list_states", no_arguments },
	{ "delete_state", delete_state_arguments },
	{ "close_session", session_only },
	{},
};
