/* The way of a call of a browser_* tool, from the session to the answer: browse_run(), and its parts for calls with several tools. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "browser/downloads.h"
#include "loop/gate.h"
#include "mcp/steps.h"
#include "reply/session_log.h"
#include "reply/writer.h"
#include "tools/browser/browse.h"

/* ---- the session ---- */

static int enter_session(struct browse *b, struct mcp_call *call)
{
	struct client *client = call_client(call);
	const char *id = mcp_call_session_id(call);

	if (id)
		return session_enter(b->call.t, b->call.app->registry, client->owner, id, &b->session);
	return session_enter_own(b->call.t, b->call.app->registry, client->owner, client_session(client), &b->session);
}

/* What a tool needs of its own, each step of a call anew. */
static void begin_tool(struct browse *b)
{
	b->call.timeouts = *b->call.app->timeouts;
	b->call.caller = REFERENCE_CALLER;
	b->response.options.boxes = b->call.app->answers->boxes;
	b->response.options.outline = b->call.app->answers->writer->shows_pages;
}

static void end_tool(struct browse *b)
{
	found_target_done(&b->root);
	settle_done(&b->settle);
	if (b->page)
		page_watch_modals(b->page, NULL);
	b->page = page_unref(b->page);
}

int browse_begin(struct browse *b, struct task *t, struct mcp_call *call)
{
	struct app *app = call_app(call);
	int r;

	*b = (struct browse){ .call = { .t = t, .app = app, .owner = call_owner(call) }, .mcp_call = call };
	b->response.t = t;
	b->response.settings = app->answers;
	b->response.timeouts = &b->call.timeouts;
	b->response.files = &b->call.files;
	begin_tool(b);
	r = call_files(t, call, &b->call.files);
	if (r == 0 && !app->output.owner_dirs)
		browser_use_folder(app->browser, b->call.files.workspace);
	return r == 0 ? enter_session(b, call) : r;
}

void browse_end(struct browse *b)
{
	response_done(&b->response);
	end_tool(b);
	if (b->session)
		session_leave(b->session);
}

void browse_next(struct browse *b)
{
	end_tool(b);
	b->tab = NULL;
	b->root = (struct found_target){};
	b->settle = (struct settle){};
	b->call.failure = BROWSE_FAILURE_PLAIN;
	b->failure_text = NULL;
	b->acted = false;
	b->traced = (struct traced){};
	response_next(&b->response);
	begin_tool(b);
}

/* Enables downloads once a client with permission to write has used the session. */
static void keep_downloads(struct tool_call *call, struct context *c)
{
	struct output_file folder;

	if (call->files.may_write && output_downloads(call->t, &call->files, &folder) == 0)
		context_keep_downloads(c, folder.root, folder.rest, folder.path, output_downloads_max(&call->files));
}

int browse_prepare_context(struct tool_call *call, struct context *c)
{
	context_keep_modals(c, true);
	keep_downloads(call, c);
	return context_records_begin(call->t, c, call->app->records);
}

static int take_tab(struct browse *b, const struct browse_tool *tool)
{
	struct tabs *tabs = session_tabs(b->session);
	struct context *c = NULL;
	struct tab *tab;
	int r = 0;

	while (r == 0 && (c = session_next_context(b->session, c)))
		r = browse_prepare_context(&b->call, c);
	if (r < 0)
		return r;
	session_update_tabs(b->session);
	tab = tabs->current;
	if (!tool->no_tab)
		r = tabs_ensure(b->call.t, tabs, session_context(b->session), &tab);
	if (r < 0 || !tab)
		return r;
	tab->is_used |= !tool->no_tab;
	b->tab = tab;
	b->page = page_ref(tab->page);
	return 0;
}

/* `p` is held by its tab, which does not change during the call's turn. */
static int run_init_pages(struct browse *b, struct page *p)
{
	int r = 0;

	for (const struct init_page *init = b->call.app->init_pages; init && init->path && r == 0; init++)
		r = b->call.app->run_init_page(b, p, init);
	return r;
}

int browse_prepare_tabs(struct browse *b)
{
	struct tabs *tabs = session_tabs(b->session);
	int r = 0;

	for (unsigned i = 0; b->call.app->init_pages && r == 0 && i < tabs_count(tabs); i++) {
		struct tab *tab = tabs_nth(tabs, i);

		if (tab->is_prepared || !page_alive(tab->page) || page_dialog_type(tab->page))
			continue;
		r = run_init_pages(b, tab->page);
		tab->is_prepared = r == 0;
	}
	return r;
}

/* ---- the call ---- */

/* Returns false, with the reason in the answer, if an open dialog or file chooser forbids the tool. */
static bool run_check_modals(struct browse *b, const struct tool *tool, enum modal_handling handling)
{
	bool dialog = b->page && page_dialog_type(b->page), chooser = b->page && page_has_chooser(b->page);

	if ((handling == MODAL_DIALOG && !dialog) || (handling == MODAL_CHOOSER && !chooser))
		browse_complain(b, "Error: The tool \"%s\" can only be used when there is related modal state present.",
				tool->name);
	else if (handling == MODAL_REFUSES && (dialog || chooser))
		browse_complain(b, "Error: Tool \"%s\" does not handle the modal state.", tool->name);
	return !b->response.error.len;
}

int browse_settle(struct browse *b, struct settle *s)
{
	int r;

	if (response_has_page_snapshot(&b->response) && !b->goes_on)
		s->snapshot = &b->response.options;
	r = settle_wait(b->call.t, s, b->call.timeouts.settle);
	b->response.shown = s->shown;
	if (r == 0)
		str_move(&b->response.shown_text, &s->text);
	page_unref(b->response.shown_by);
	b->response.shown_by = page_ref(s->page);
	return r;
}

static int run_tool(struct browse *b, const struct browse_tool *tool, const void *args)
{
	usec_t delay = browser_options(b->call.app->browser)->slow_motion;
	int r = delay ? task_sleep(b->call.t, delay) : 0;

	if (r < 0)
		return r;
	if (b->page && tool->watches)
		settle_open(b->call.t, b->page, &b->settle);
	else if (b->page && (tool->acts || tool->skip_first_wait))
		r = settle_begin(b->call.t, b->page, &b->settle);
	if (r == 0)
		r = tool->run(b, args);
	b->settle.skip_first_wait = tool->skip_first_wait && !b->acted;
	if (r == 0 && b->settle.page && !b->response.error.len)
		r = browse_settle(b, &b->settle);
	return r;
}

static int run_perform(struct browse *b, const struct browse_tool *tool, const void *args)
{
	int r;

	if (b->page)
		page_watch_modals(b->page, b->call.t);
	r = run_tool(b, tool, args);
	if (b->page)
		page_watch_modals(b->page, NULL);
	task_interrupt(b->call.t, 0);
	task_set_deadline(b->call.t, USEC_NEVER);
	/* The action closed or crashed the page, which the answer reports. A tool that needs no tab worked on others, if at all. */
	if (r == -ESTALE && !tool->no_tab && b->page && !page_alive(b->page))
		r = 0;
	return r == -EINTR ? 0 : r; /* a dialog or file chooser opened: the answer describes it */
}

/* The failure with the name of its class, in the words of the browser_* tools. In the compact form every error begins in the same way. */
static const char *named_text(struct task *t, int r, enum browse_failure failure, const char *caller)
{
	const char *text = browse_failure_text(t, r, failure, caller);

	if (failure == BROWSE_FAILURE_BARE || failure == BROWSE_FAILURE_BARE_OF_CALL)
		return text;
	return arena_printf(task_arena(t), "%s: %s", failure == BROWSE_FAILURE_TIMEOUT ? "TimeoutError" : "Error", text);
}

/* A cancelled call fails as a call, because no client reads its answer. */
static int answer_failure(struct browse *b, int r, struct result *res)
{
	if (task_cancelled(b->call.t))
		return r;
	b->failure_text = browse_failure_text(b->call.t, r, b->call.failure, b->call.caller);
	if (!b->call.app->answers->writer->quotes_reference)
		b->call.failure = BROWSE_FAILURE_PLAIN;
	response_fail(b->call.app->answers->writer, named_text(b->call.t, r, b->call.failure, b->call.caller), res);
	return 0;
}

/* The log stays that of the context in which the call began, which browser_close ends. */
static void begin_log(struct browse *b)
{
	struct tabs *tabs = session_tabs(b->session);

	if (!b->call.app->answers->recorded)
		return;
	if (!tabs->log_began)
		tabs->log_began = session_log_begin(b->call.t, &b->call.files);
	b->log_began = tabs->log_began;
	b->response.recorded = b->log_began;
}

static void append_to_log(struct browse *b)
{
	const struct tool *tool = mcp_call_tool(b->mcp_call);
	_cleanup_(str_done) struct str arguments = {}, answer = {};

	if (!b->log_began)
		return;
	tool_print_arguments(tool, &mcp_conn_server(mcp_call_conn(b->mcp_call))->style, mcp_call_arguments(b->mcp_call),
			     &arguments);
	str_json(&answer, "{?}", JSON_RAW(str_text(&b->response.record)));
	session_log_append(b->call.t, &b->call.files, b->log_began, tool->name, arguments.data, answer.data);
}

/* Runs the tool, and waits until the page is at rest. */
static int act(struct browse *b, const void *args)
{
	const struct tool *tool = mcp_call_tool(b->mcp_call);
	const struct browse_tool *how = tool->data;
	int r;

	b->response.omits_unused_tab = how->no_tab;
	b->response.acts |= how->acts;
	r = take_tab(b, how);
	if (r == 0)
		begin_log(b);
	if (r == 0)
		r = browse_prepare_tabs(b);
	if (r == 0 && !how->untraced)
		traced_begin(&b->traced, b->call.t, b->session, b->page);
	if (r == 0 && run_check_modals(b, tool, how->modals))
		r = run_perform(b, how, args);
	if (r == 0)
		session_update_tabs(b->session);
	return r;
}

/* While a person has control, no answer looks at the page; afterwards it shows what the person has made of it. */
static int run_pass_gate(struct browse *b)
{
	int r = gate_pass(b->call.t);

	if (r >= 0 && session_take_handed_back(b->session)) {
		session_update_tabs(b->session);
		response_look_again(&b->response);
	}
	if (r >= 0 || task_cancelled(b->call.t))
		return MIN(r, 0);
	b->response.is_pageless = true;
	return browse_complain(b, "The call was done, but the page is not shown: %s",
			       browse_failure_text(b->call.t, r, BROWSE_FAILURE_PLAIN, NULL));
}

int browse_answer(struct browse *b, struct result *res)
{
	int r = run_pass_gate(b);

	if (r == 0)
		r = response_send(&b->response, b->session, res);
	if (r == 0)
		append_to_log(b);
	return r;
}

/* `b` is that of the call, which answers when all steps have run. */
static int run_run_step(struct browse *b, const void *args, struct result *res)
{
	int r = act(b, args);

	if (r == 0) {
		response_send_own(&b->response, res);
		append_to_log(b);
	} else if (!task_cancelled(b->call.t)) {
		b->failure_text = browse_failure_text(b->call.t, r, b->call.failure, b->call.caller);
		result_text(res, named_text(b->call.t, r, b->call.failure, b->call.caller));
		res->is_error = true;
		r = 0;
	}
	traced_end(b, res);
	return r;
}

int browse_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	_cleanup_(browse_end) struct browse b = {};
	int r;

	if (mcp_call_step_data(call))
		return run_run_step(mcp_call_step_data(call), args, res);
	r = browse_begin(&b, t, call);
	if (r < 0)
		return r;
	r = act(&b, args);
	if (r == 0)
		r = browse_answer(&b, res);
	if (r < 0)
		r = answer_failure(&b, r, res);
	traced_end(&b, res);
	return r;
}

void browse_failure(struct task *t, int r, struct mcp_call *call, const struct tool *tool, struct result *res)
{
	const struct response_settings *settings = call_app(call)->answers;
	bool is_bare = task_error_reason(t) == REASON_INVALID_ARGUMENTS && settings->writer->quotes_reference;

	response_fail(settings->writer, named_text(t, r, is_bare ? BROWSE_FAILURE_BARE : BROWSE_FAILURE_PLAIN, NULL), res);
}

void browse_unknown_tool(const char *name, struct result *res)
{
	_cleanup_(str_done) struct str text = {};

	str_appendf(&text, "Tool \"%.128s\" not found", name);
	response_fail(&markdown_writer, text.data, res);
}
