/* browser_start_recording, browser_stop_recording. */
#include "browser/recording.h"

#include <errno.h>
#include <string.h>

#include "act/keyboard.h"
#include "base/display.h"
#include "base/limits.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

struct browser_start_recording {
	const char *sessionId;
};

static const struct param browser_start_recording_params[] = {
	PARAM(browser_start_recording, sessionId, NULL, .schema = BROWSE_SESSION), {}
};

/* The context whose user's actions are recorded; NULL: none. */
static _kept_ struct context *recorded_context(const struct browse *b)
{
	struct context *c = NULL;

	while ((c = session_next_context(b->session, c)) && !context_is_recording(c))
		;
	return c;
}

static int recording_start_run(struct browse *b, const void *args)
{
	struct context *c = session_context(b->session);
	int r;

	if (recorded_context(b))
		return task_fail(b->call.t, -EALREADY, "Recording is already in progress.");
	r = frame_script(b->call.t, page_main_frame(b->page), NULL, "prepared", "{}"); /* its world exists from here on */
	if (r < 0)
		return r;
	context_start_recording(c);
	r = frame_script(b->call.t, page_main_frame(b->page), NULL, "startRecording", "{}");
	if (r == 0)
		response_add(&b->response.result,
			     "Recording started. Call browser_stop_recording to retrieve the recorded actions.");
	return r;
}

const struct tool tool_browser_start_recording =
	BROWSE_TOOL("browser_start_recording", "Start recording user actions", browser_start_recording,
		    "Record what the user does in the browser window as code, until browser_stop_recording.",
		    (&(const struct browse_tool){ .run = recording_start_run, .modals = MODAL_IGNORES }), .read_only = true,
		    .capability = "devtools");

static const struct {
	const char *name;
	enum code_verb verb;
} verbs[] = {
	{ "click", CODE_CLICK }, { "dblclick", CODE_DBLCLICK }, { "fill", CODE_FILL },           { "press", CODE_PRESS },
	{ "check", CODE_CHECK }, { "uncheck", CODE_UNCHECK },   { "selectOption", CODE_SELECT },
};

/* The operator's secret that `text` equals, so that the recorded code names it instead; NULL if `text` equals none. */
static const struct secret *typed_secret(const struct tool_call *call, const char *text)
{
	const struct secret *s = call->app->secrets;

	for (; s && s->name; s++)
		if (*s->value && strcmp(s->value, text) == 0)
			return s;
	return NULL;
}

/* Appends a statement, with the name of its page for those that were opened later. */
static void append_statement(struct tool_call *call, struct str *out, unsigned page, const struct code_call *statement)
{
	_cleanup_(str_done) struct str line = {};
	const char *at;

	code_statement(&line, call->app->answers->code == CODE_NONE ? CODE_TYPESCRIPT : call->app->answers->code, statement);
	at = strstr(line.data, "page.");
	if (out->len)
		str_append_char(out, '\n');
	if (page == 0 || !at) {
		str_append(out, line.data);
		return;
	}
	at += strlen("page");
	str_append_len(out, line.data, (size_t)(at - line.data));
	str_appendf(out, "%u%s", page, at);
}

static struct string_list recording_list_of(struct tool_call *call, const struct json *array)
{
	struct string_list list = {};

	list.items = arena_alloc(task_arena(call->t), sizeof(char *) * (json_count(array) + 1));
	json_foreach(item, array)
		list.items[list.count++] = arena_strdup(task_arena(call->t), json_str(item, NULL) ? json_str(item, NULL) : "");
	return list;
}

static void append_action(struct tool_call *call, struct str *out, const struct recorded *e, unsigned page, const char *locator)
{
	const char *verb = json_text(e->action, "verb"), *text = json_text(e->action, "text");
	const struct secret *secret = strcmp(verb, "fill") == 0 ? typed_secret(call, text) : NULL;
	struct string_list values = recording_list_of(call, json_get(e->action, "values"));
	struct code_call statement = { .locator = locator,
				       .text = json_str(e->action, "text"),
				       .variable = secret ? secret->name : NULL,
				       .button = mouse_button_of_name(json_text(e->action, "button")) };

	json_foreach(name, json_get(e->action, "modifiers"))
		statement.modifiers |= modifier_of_name(json_str(name, NULL));
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (strcmp(verbs[i].name, verb) == 0)
			statement.verb = verbs[i].verb;
	if (statement.verb == CODE_SELECT)
		statement.values = &values;
	append_statement(call, out, page, &statement);
}

/* Appends one action; where its frame has gone, what it was as a comment. */
static int print_action(struct browse *b, struct str *out, const struct recorded *e, unsigned page)
{
	enum code_language language = b->call.app->answers->code == CODE_NONE ? CODE_TYPESCRIPT : b->call.app->answers->code;
	_cleanup_(str_done) struct str steps = {};
	const char *locator = NULL;
	int r;

	json_print(&steps, json_get(e->action, "steps"));
	r = frame_locator(b->call.t, b->page, e->frame, steps.data, code_dialect(language), &locator);
	if (task_cancelled(b->call.t))
		return r;
	if (r < 0)
		str_appendf(out, "%s%s %s in a frame or page that has gone", out->len ? "\n" : "",
			    language == CODE_PYTHON ? "#" : "//", json_text(e->action, "verb"));
	else
		append_action(&b->call, out, e, page, locator);
	return 0;
}

/* The names of pages: "page" for the first one in which something was done, then "page1" and so on. */
struct page_names {
	unsigned pages[LIMIT_RECORDED_PAGES_COUNT + 1];
	unsigned count;
};

/* Returns the number in the name. `ret_first`: nothing was done in this page before. */
static unsigned name_of_page(struct page_names *names, unsigned page, bool *ret_first)
{
	unsigned i = 0;

	while (i < names->count && names->pages[i] != page)
		i++;
	*ret_first = i == names->count;
	if (*ret_first)
		names->pages[names->count++] = page;
	return i;
}

static int print_actions(struct browse *b, struct str *out, const struct recording *recording)
{
	struct page_names names = {};
	const struct recorded *e;
	int r = 0;

	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.navigation);
	TAILQ_FOREACH(e, &recording->list, link) {
		bool is_first;
		unsigned page = name_of_page(&names, e->page, &is_first);

		if (is_first && e->is_new)
			append_statement(&b->call, out, page,
					 &(const struct code_call){ .verb = CODE_GOTO, .text = json_text(e->action, "url") });
		if (r == 0)
			r = print_action(b, out, e, page);
	}
	return r;
}

struct browser_stop_recording {
	const char *sessionId;
};

static const struct param browser_stop_recording_params[] = {
	PARAM(browser_stop_recording, sessionId, NULL, .schema = BROWSE_SESSION), {}
};

static int recording_stop_run(struct browse *b, const void *args)
{
	_cleanup_(recording_freep) struct recording *recording = NULL;
	_cleanup_(str_done) struct str code = {};
	enum code_language language = b->call.app->answers->code == CODE_NONE ? CODE_TYPESCRIPT : b->call.app->answers->code;
	struct context *c = recorded_context(b);
	int r;

	if (!c)
		return task_fail(b->call.t, -EINVAL, "No recording in progress, use browser_start_recording to start one.");
	recording = context_stop_recording(c);
	r = print_actions(b, &code, recording);
	if (r < 0)
		return r;
	b->response.snapshot = SNAPSHOT_LINK;
	if (!code.len)
		response_add(&b->response.result, "Recording stopped. No actions were recorded.");
	else {
		response_add(&b->response.result, "Recording stopped. Recorded actions:");
		display_code(&b->response.block, code_fence(language), code.data);
	}
	return 0;
}

const struct tool tool_browser_stop_recording =
	BROWSE_TOOL("browser_stop_recording", "Stop recording user actions", browser_stop_recording,
		    "End browser_start_recording; answers the code.",
		    (&(const struct browse_tool){ .run = recording_stop_run, .modals = MODAL_IGNORES }), .read_only = true,
		    .capability = "devtools");
