#include "tools/session/begin.h"

#include <errno.h>
#include <string.h>

#include "act/target.h"
#include "app/app.h"
#include "base/error.h"
#include "base/limits.h"
#include "browser/storage.h"
#include "page/navigate.h"
#include "page/origins.h"
#include "reply/output.h"
#include "store/states.h"
#include "tools/session/bound.h"

#define FILE_EXTENSION ".json"
#define VERIFY_TIME (5 * USEC_PER_SEC) /* for the element, after the document */
#define VERIFY_EVERY (100 * USEC_PER_MSEC)

void beginning_done(struct beginning *b)
{
	json_free(b->state);
	str_done(&b->left_out);
}

const char *begin_owner(struct mcp_call *call)
{
	return mcp_conn_owner_name(mcp_call_conn(call));
}

bool begin_names_file(const char *text)
{
	size_t len = strlen(text), extension = strlen(FILE_EXTENSION);

	return strchr(text, '/') || (len > extension && strcmp(text + len - extension, FILE_EXTENSION) == 0);
}

int begin_check_name(struct task *t, const char *name)
{
	if (state_name_is_valid(name))
		return 0;
	return task_fail(t, -ERR_INVALID_PARAMETERS, "\"%.100s\" is not the name of a state, which has " STATE_NAME_ALLOWED, name);
}

int begin_fail_unknown(struct task *t, const char *name)
{
	return task_fail(t, -ERR_STATE_NOT_FOUND, "there is no state %s; list_states names those that there are", name);
}

/* ---- texts of states ---- */

static int fail_to_parse(struct task *t, int r, const char *what, const struct str *text)
{
	struct json_place at;

	if (r == -EMSGSIZE)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "%s has more than %u values, which is the most", what,
				 JSON_VALUES_MAX);
	at = json_refused_at(str_text(text), text->len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE);
	return task_fail(t, -ERR_INVALID_PARAMETERS, "%s is not valid JSON (line %u, column %u)", what, at.line, at.column);
}

int begin_parse(struct task *t, const char *what, const struct str *text, struct json **ret)
{
	_cleanup_(json_freep) struct json *state = NULL;
	int r;

	r = task_sleep(t, USEC_PER_MSEC);
	if (r < 0)
		return r;
	r = json_parse(str_text(text), text->len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &state);
	if (r < 0)
		return fail_to_parse(t, r, what, text);
	r = task_sleep(t, USEC_PER_MSEC);
	if (r == 0)
		*ret = TAKE_PTR(state);
	return r;
}

static int begin_check(struct task *t, const struct json *state)
{
	size_t origins = json_count(json_member(state, "origins"));
	int r = json_type(state) == JSON_OBJECT ?
			storage_check_all(t, state) :
			task_fail(t, -ERR_INVALID_PARAMETERS, "a state is an object {cookies: [...], origins: [...]}");

	if (r == 0 && origins > LIMIT_ORIGINS_COUNT)
		r = task_fail(t, -ERR_INVALID_PARAMETERS, "the state has %zu origins; %u are the most", origins,
			      LIMIT_ORIGINS_COUNT);
	return r;
}

/* ---- where it comes from ---- */

static int begin_with_saved(struct task *t, struct mcp_call *call, const char *name, const char *called, struct json **ret)
{
	_cleanup_(str_done) struct str text = {};
	struct app *app = call_app(call);
	int r;

	if (!app->states)
		return task_fail(
			t, -ERR_INVALID_PARAMETERS,
			"\"%.100s\" would be the name of a saved state, and this server keeps none; give the state itself, or "
			"a file with / in its name or " FILE_EXTENSION " at its end",
			name);
	r = begin_check_name(t, name);
	if (r == 0)
		r = states_load(t, app->states, begin_owner(call), name, &text);
	if (r == 0)
		return begin_fail_unknown(t, name);
	return r < 0 ? r : begin_parse(t, called, &text, ret);
}

static int find_in_file(struct task *t, struct mcp_call *call, const char *name, struct json **ret)
{
	_cleanup_(str_done) struct str text = {};
	struct file_access files;
	struct output_file f;
	int r;

	r = call_files(t, call, &files);
	if (r == 0)
		r = output_find(t, &files, name, &f);
	if (r == 0)
		r = output_read(t, &f, LIMIT_STORAGE_STATE, &text);
	return r < 0 ? r : begin_parse(t, f.path, &text, ret);
}

static int copy_given(struct task *t, const struct json *state, struct json **ret)
{
	*ret = json_copy(state);
	return task_sleep(t, USEC_PER_MSEC);
}

int begin_name_session(struct task *t, struct mcp_call *call, const char **id)
{
	if (!*id)
		*id = client_session(call_client(call));
	return **id ? 0 : task_fail(t, -ERR_SESSION_NOT_FOUND, "this client has no session of its own yet; give a sessionId");
}

int begin_collect(struct task *t, struct mcp_call *call, const char *id, struct str *out, struct str *left_out,
		  const char **ret_site)
{
	_cleanup_(session_leavep) struct session *s = NULL;
	_cleanup_(str_done) struct str site = {};
	const struct page *p;
	int r;

	r = begin_name_session(t, call, &id);
	if (r == 0)
		r = session_enter(t, call_app(call)->registry, call_owner(call), id, &s);
	if (r < 0)
		return r;
	p = session_current_page(s);
	if (p && url_is_web(page_url(p)))
		url_origin(&site, page_url(p));
	*ret_site = arena_strdup(task_arena(t), str_text(&site));
	task_set_deadline(t, MIN(task_deadline(t), clock_now() + call_app(call)->timeouts->navigation));
	return storage_collect_all(t, session_context(s), out, left_out);
}

static int copy_of_session(struct task *t, struct mcp_call *call, const char *id, struct beginning *ret)
{
	_cleanup_(str_done) struct str text = {};
	usec_t deadline = task_deadline(t);
	const char *site;
	int r;

	r = begin_collect(t, call, id, &text, &ret->left_out, &site);
	task_set_deadline(t, deadline);
	return r < 0 ? r : begin_parse(t, "what the session has", &text, &ret->state);
}

/* Leaves out what is of other origins than those to which the state is bound. */
static int begin_bind(struct task *t, struct beginning *b)
{
	const struct json *verify = bound_verify(b->state);
	_cleanup_(json_freep) struct json *whole = NULL;
	_cleanup_(str_done) struct str text = {};
	struct string_list origins = {};
	int r = bound_origins(t, b->state, &origins);

	if (r < 0)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "%s: browserd.origins is no list of origins", b->called);
	r = bound_check(t, &origins, verify);
	if (r < 0 || !origins.count)
		return r;
	bound_print(t, b->state, &origins, verify, &text);
	whole = TAKE_PTR(b->state);
	return begin_parse(t, b->called, &text, &b->state);
}

int begin_find(struct task *t, struct mcp_call *call, const struct json *state, const char *from, struct beginning *ret)
{
	const char *name = json_str(state, NULL);
	int r;

	if (name && !*name)
		state = NULL;
	if (state && from)
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "a session begins with a state or with what another one has: leave state "
				 "or from out");
	if (!state && !from)
		return 0;
	ret->called = name ? arena_printf(task_arena(t), "the state %.200s", name) : "the state";
	if (from)
		r = copy_of_session(t, call, from, ret);
	else if (!name)
		r = copy_given(t, state, &ret->state);
	else if (begin_names_file(name))
		r = find_in_file(t, call, name, &ret->state);
	else
		r = begin_with_saved(t, call, name, ret->called, &ret->state);
	if (r == 0)
		r = begin_check(t, ret->state);
	return r < 0 ? r : begin_bind(t, ret);
}

/* ---- giving it to a session ---- */

/* Resolves the selector once an element matches. */
static int await_element(struct task *t, struct page *p, const char *selector, usec_t until)
{
	int r;

	do {
		_cleanup_(target_done) struct target found = {};

		r = target_resolve_any(t, p, selector, &found);
		if (r != -ERR_ELEMENT_NOT_FOUND || clock_now() >= until)
			return r;
		r = task_sleep(t, VERIFY_EVERY);
	} while (r == 0);
	return r;
}

/* In a page of its own, which nobody sees before or after. */
static int begin_verify(struct task *t, struct mcp_call *call, struct session *s, const struct beginning *b)
{
	const struct timeouts *timeouts = call_app(call)->timeouts;
	const struct json *verify = bound_verify(b->state);
	const char *url = json_text(verify, "url"), *selector = json_text(verify, "selector");
	const char *before = arena_printf(task_arena(t), "whether %s is still logged in could not be seen: ", b->called);
	_cleanup_(page_unrefp) struct page *p = NULL;
	int r;

	r = context_open_page(t, session_context(s), &p);
	if (r == 0)
		r = page_navigate(t, p, url, WAIT_DOMCONTENTLOADED, timeouts->navigation, NULL);
	if (r < 0)
		return r == -ECANCELED ? r : task_wrap(t, r, r, before, "; the session was closed again");
	r = await_element(t, p, selector, clock_now() + VERIFY_TIME);
	if (r == -ERR_ELEMENT_NOT_FOUND)
		r = task_fail(
			t, -ERR_STATE_LOGGED_OUT,
			"%s is not logged in any more: %.200s leads to %.200s, where no element matches %.200s. The session was closed "
			"again: create one without the state, log in, and save the state anew",
			b->called, url, page_url(p), selector);
	else if (r < 0 && r != -ECANCELED)
		r = task_wrap(t, r, r, before, "; the session was closed again");
	page_close(p);
	return r;
}

static int begin_restore(struct task *t, struct mcp_call *call, const char *id, const struct beginning *b, int64_t *ret_expires_at)
{
	_cleanup_(session_leavep) struct session *s = NULL;
	int r;

	r = session_enter(t, call_app(call)->registry, call_owner(call), id, &s);
	if (r < 0)
		return r;
	task_set_deadline(t, MIN(task_deadline(t), clock_now() + call_app(call)->timeouts->navigation));
	r = storage_replace(t, session_context(s), b->state);
	if (r == 0 && bound_verify(b->state))
		r = begin_verify(t, call, s, b);
	if (r == 0)
		*ret_expires_at = session_expires_at(s);
	return r;
}

int begin_session(struct task *t, struct mcp_call *call, const char *id, const struct beginning *b, int64_t *ret_expires_at)
{
	int r = b->state ? begin_restore(t, call, id, b, ret_expires_at) : 0;

	if (r < 0)
		registry_end(call_app(call)->registry, call_owner(call), id);
	return r;
}
