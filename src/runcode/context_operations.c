/* Operations of run_code programs on their session: pages and cookies. */
#include <errno.h>
#include <string.h>

#include "browser/context.h"
#include "browser/context_settings.h"
#include "browser/cookies.h"
#include "browser/routes.h"
#include "browser/storage.h"
#include "base/limits.h"
#include "page/emulate.h"
#include "page/overrides.h"
#include "reply/output.h"
#include "runcode/operation.h"
#include "session/tabs.h"

static int run_new_page(struct operation_call *c)
{
	_cleanup_(page_unrefp) struct page *p = NULL;
	int number, r;

	r = context_open_page(c->call.t, session_context(c->session), &p);
	if (r < 0)
		return r;
	number = code_program_page_number(c->program, p);
	if (number < 0) {
		page_close(p);
		return task_fail(c->call.t, -EMFILE, "there are too many pages; close some of them");
	}
	str_json(&c->value, "?", number);
	return 0;
}

static _kept_ struct context *context_operations_context_of(struct operation_call *c)
{
	return session_context(c->session);
}

static int run_cookies(struct operation_call *c)
{
	_cleanup_(cookies_done) struct cookies cookies = {};
	_cleanup_(str_done) struct str urls = {};
	const struct json *wanted = json_get(c->message, "urls");
	int r;

	json_print(&urls, wanted);
	r = context_cookies(c->call.t, context_operations_context_of(c), json_count(wanted) ? urls.data : NULL, &cookies);
	if (r == 0)
		cookies_print(&c->value, &cookies);
	return r;
}

static int run_add_cookies(struct operation_call *c)
{
	_cleanup_(str_done) struct str cookies = {};

	json_print(&cookies, json_get(c->message, "cookies"));
	return context_add_cookies(c->call.t, context_operations_context_of(c), cookies.len ? cookies.data : "[]");
}

static int run_clear_cookies(struct operation_call *c)
{
	return context_clear_cookies(c->call.t, context_operations_context_of(c));
}

/* ---- settings ---- */

static int run_grant_permissions(struct operation_call *c)
{
	int r = context_grant_permissions(c->call.t, context_operations_context_of(c), json_get(c->message, "permissions"),
					  json_str(c->message, "origin"));

	return r == -EREMOTE ? browse_fail_call(&c->call, r, "the browser refuses these permissions") : r;
}

static int run_clear_permissions(struct operation_call *c)
{
	return context_clear_permissions(c->call.t, context_operations_context_of(c));
}

static int run_geolocation(struct operation_call *c)
{
	const struct json *given = json_get(c->message, "place");
	const struct geolocation place = geolocation_of(given);

	return context_set_geolocation(c->call.t, context_operations_context_of(c), given ? &place : NULL);
}

/* These are for a page if the message names one. */
static int run_headers(struct operation_call *c)
{
	const struct json *headers = json_get(c->message, "headers");

	return c->page ? page_set_headers(c->call.t, c->page, headers) :
			 context_set_headers(c->call.t, context_operations_context_of(c), headers);
}

static int run_init_script(struct operation_call *c)
{
	const char *source = operation_text(c, "source");

	return c->page ? page_add_init_script(c->call.t, c->page, source) :
			 context_add_init_script(c->call.t, context_operations_context_of(c), source);
}

static int run_offline(struct operation_call *c)
{
	return context_set_offline(c->call.t, context_operations_context_of(c), json_bool(c->message, "offline", false));
}

/* Secrets of the operator are masked in the file. */
static int save_state(struct operation_call *c, const char *path)
{
	_cleanup_(json_freep) struct json *state = NULL;
	_cleanup_(str_done) struct str text = {};
	struct output_file f;
	int r;

	r = output_find(c->call.t, &c->call.files, path, &f);
	if (r == 0)
		r = json_parse(c->value.data, c->value.len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &state);
	if (r < 0)
		return r;
	json_print_indented(&text, state);
	return response_write(&c->program->run->response, &f, text.data, text.len, false);
}

static int run_storage_state(struct operation_call *c)
{
	const char *path = json_str(c->message, "path");
	int r;

	task_set_deadline(c->call.t, clock_now() + c->call.timeouts.navigation);
	r = storage_collect(c->call.t, context_operations_context_of(c), &c->value);
	return r == 0 && path ? save_state(c, path) : r;
}

/* ---- tracing ---- */

/* The call that runs the code began before, and is no part of a recording that begins in it. */
static int run_start_tracing(struct operation_call *c)
{
	int r = json_bool(c->message, "chunk", false) ? traced_start_chunk(&c->call, c->session, c->page) :
							traced_start(&c->call, c->session, c->page);

	if (r == 0)
		*c->program->run->traced.call.id = '\0';
	return r;
}

static int run_stop_tracing(struct operation_call *c)
{
	const char *path = json_str(c->message, "path");

	return json_bool(c->message, "chunk", false) ? traced_stop_chunk(&c->call, c->session, path) :
						       traced_stop(&c->call, c->session, path);
}

const struct operation context_operations[] = {
	{ "startTracing", run_start_tracing, .no_page = true, .untraced = true },
	{ "stopTracing", run_stop_tracing, .no_page = true, .untraced = true },
	{ "offline", run_offline, .scheduling = OPERATION_CONCURRENT, .no_page = true },
	{ "storageState", run_storage_state, .no_page = true },
	{ "grantPermissions", run_grant_permissions, .no_page = true },
	{ "clearPermissions", run_clear_permissions, .no_page = true },
	{ "geolocation", run_geolocation, .no_page = true },
	{ "headers", run_headers, .no_page = true },
	{ "initScript", run_init_script, .no_page = true },
	{ "newPage", run_new_page, .no_page = true },
	{ "cookies", run_cookies, .no_page = true },
	{ "addCookies", run_add_cookies, .no_page = true },
	{ "clearCookies", run_clear_cookies, .no_page = true },
	{},
};
