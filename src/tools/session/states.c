/* save_state, list_states, delete_state: login states by name, which outlive sessions and servers. */
#include "tools/session/states.h"

#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "base/error.h"
#include "base/limits.h"
#include "browser/storage.h"
#include "page/origins.h"
#include "store/states.h"
#include "tools/session/tools.h"

#define NAME_ABOUT "Name of the state: letters, digits, dots, - and _"

static const char *states_owner_of(struct mcp_call *call)
{
	return mcp_conn_owner_name(mcp_call_conn(call));
}

static int check_name(struct task *t, const char *name)
{
	if (state_name_is_valid(name))
		return 0;
	return task_fail(t, -ERR_INVALID_PARAMETERS, "\"%.100s\" is not the name of a state, which has " STATE_NAME_ALLOWED, name);
}

static int fail_unknown(struct task *t, const char *name)
{
	return task_fail(t, -ERR_STATE_NOT_FOUND, "there is no state %s; list_states names those that there are", name);
}

/* ---- for create_session ---- */

int state_find(struct task *t, struct mcp_call *call, const char *name, struct json **ret)
{
	_cleanup_(json_freep) struct json *state = NULL;
	_cleanup_(str_done) struct str text = {};
	int r;

	r = check_name(t, name);
	if (r == 0)
		r = states_load(t, call_app(call)->states, states_owner_of(call), name, &text);
	if (r == 0)
		return fail_unknown(t, name);
	if (r < 0)
		return r;
	if (json_parse(text.data, text.len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &state) < 0)
		return task_fail(t, -ERR_BROWSER_ERROR, "the state %s cannot be read: it was not written by save_state", name);
	r = storage_check_all(t, state);
	if (r == 0)
		*ret = TAKE_PTR(state);
	return r;
}

static int states_restore(struct task *t, struct mcp_call *call, const char *id, const struct json *state, int64_t *ret_expires_at)
{
	_cleanup_(session_leavep) struct session *s = NULL;
	int r;

	r = session_enter(t, call_app(call)->registry, call_owner(call), id, &s);
	if (r < 0)
		return r;
	task_set_deadline(t, MIN(task_deadline(t), clock_now() + call_app(call)->timeouts->navigation));
	r = storage_replace(t, session_context(s), state);
	if (r == 0)
		*ret_expires_at = session_expires_at(s);
	return r;
}

int state_restore(struct task *t, struct mcp_call *call, const char *id, const struct json *state, int64_t *ret_expires_at)
{
	int r = states_restore(t, call, id, state, ret_expires_at);

	if (r < 0)
		registry_end(call_app(call)->registry, call_owner(call), id);
	return r;
}

/* ---- save_state ---- */

struct save {
	const char *sessionId, *name;
};

static const struct param save_params[] = {
	PARAM(save, name, NAME_ABOUT, .required = true),
	PARAM(save, sessionId, "From create_session; default: this client's own session", .empty_is_none = true),
	{},
};

/* The session that is named, or the client's own, which has to be there. */
static int states_enter(struct task *t, struct mcp_call *call, const char *id, struct session **ret)
{
	const struct client *c = call_client(call);

	if (!id)
		id = client_session(c);
	if (!*id)
		return task_fail(t, -ERR_SESSION_NOT_FOUND, "this client has no session of its own yet; give a sessionId");
	return session_enter(t, c->app->registry, c->owner, id, ret);
}

static int states_collect(struct task *t, struct mcp_call *call, const char *id, struct state_facts *facts, struct str *out,
			  struct str *left_out)
{
	_cleanup_(session_leavep) struct session *s = NULL;
	_cleanup_(str_done) struct str site = {};
	const struct page *p;
	int r;

	r = states_enter(t, call, id, &s);
	if (r < 0)
		return r;
	p = session_current_page(s);
	if (p && url_is_web(page_url(p)))
		url_origin(&site, page_url(p));
	facts->site = arena_strdup(task_arena(t), str_text(&site));
	task_set_deadline(t, MIN(task_deadline(t), clock_now() + call_app(call)->timeouts->navigation));
	return storage_collect_all(t, session_context(s), out, left_out);
}

/* What cannot be read again is not saved. */
static int states_count(struct task *t, const struct str *text, struct state_facts *facts)
{
	_cleanup_(json_freep) struct json *state = NULL;

	if (text->len > LIMIT_STORE_VALUE ||
	    json_parse(text->data, text->len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &state) < 0)
		return task_fail(
			t, -ERR_INVALID_PARAMETERS,
			"cookies and storage of this session are too large for a state: they have %zu bytes, and %u bytes with %u values "
			"are the most",
			text->len, LIMIT_STORE_VALUE, JSON_VALUES_MAX);
	facts->cookies = (unsigned)json_count(json_member(state, "cookies"));
	facts->origins = (unsigned)json_count(json_member(state, "origins"));
	return 0;
}

static int save_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	_cleanup_(str_done) struct str text = {}, left_out = {};
	const struct save *a = args;
	struct state_facts facts = { .name = a->name };
	int r;

	r = check_name(t, a->name);
	if (r == 0)
		r = states_collect(t, call, a->sessionId, &facts, &text, &left_out);
	if (r == 0)
		r = task_sleep(t, USEC_PER_MSEC); /* a state of 16 MiB is work for more than one turn of the loop */
	if (r == 0)
		r = states_count(t, &text, &facts);
	if (r == 0)
		r = task_sleep(t, USEC_PER_MSEC);
	if (r == 0)
		r = states_save(t, call_app(call)->states, states_owner_of(call), &facts, text.data, text.len);
	if (r < 0)
		return r;
	result_json(res, "{success: true, name: ?, cookies: ?, origins: ?, expiresAt: ?, leftOut: [?], message: ?}", facts.name,
		    facts.cookies, facts.origins, facts.expires_at, JSON_RAW(str_text(&left_out)),
		    left_out.len ? "State saved without the databases in leftOut, whose values cannot be kept or are too large" :
				   "State saved: create_session with this state opens a session that has it");
	return 0;
}

const struct tool tool_save_state = {
	.name = "save_state",
	.terse = "Keep cookies and storage under a name",
	.about =
		"Keep the cookies, local storage and IndexedDB of a session under a name, replacing an earlier state of that name. "
		"create_session with state opens a session that is logged in as this one is.",
	.params = save_params,
	.size = sizeof(struct save),
	.not_destructive = true,
	.run = save_run,
};

/* ---- list_states ---- */

static int states_list_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	_cleanup_(str_done) struct str list = {};
	struct state_facts *states;
	int found = states_list(t, call_app(call)->states, states_owner_of(call), &states);

	if (found < 0)
		return found;
	for (int i = 0; i < found; i++)
		str_json(&list, "?{name: ?, site: ?, cookies: ?, origins: ?, size: ?, savedAt: ?, expiresAt: ?}", JSON_COMMA(i > 0),
			 states[i].name, states[i].site, states[i].cookies, states[i].origins, states[i].size, states[i].saved_at,
			 states[i].expires_at);
	result_json(res, "{states: [?], count: ?, maxStates: ?}", JSON_RAW(str_text(&list)), found, LIMIT_STATES_COUNT);
	return 0;
}

const struct tool tool_list_states = {
	.name = "list_states",
	.terse = "List saved states",
	.about = "List the saved states: what page they were saved on, and when they end.",
	.read_only = true,
	.idempotent = true,
	.run = states_list_run,
};

/* ---- delete_state ---- */

struct delete
{
	const char *name;
};

static const struct param delete_params[] = { PARAM(delete, name, NAME_ABOUT, .required = true), {} };

static int states_delete_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct delete *a = args;
	int r;

	r = check_name(t, a->name);
	if (r < 0)
		return r;
	r = states_delete(t, call_app(call)->states, states_owner_of(call), a->name);
	if (r == 0)
		return fail_unknown(t, a->name);
	if (r < 0)
		return r;
	result_json(res, "{success: true, message: ?}", "State deleted");
	return 0;
}

const struct tool tool_delete_state = {
	.name = "delete_state",
	.terse = "Delete a saved state",
	.about = "Delete a saved state. Sessions that were created with it stay.",
	.params = delete_params,
	.size = sizeof(struct delete),
	.run = states_delete_run,
};
