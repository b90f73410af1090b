/* save_state, list_states, delete_state: login states by name, which outlive sessions and servers. */
#include "app/app.h"
#include "base/error.h"
#include "base/limits.h"
#include "store/states.h"
#include "tools/session/begin.h"
#include "tools/session/bound.h"
#include "tools/session/tools.h"

#define NAME_ABOUT "Name of the state: letters, digits, dots, - and _"

/* ---- save_state ---- */

struct save {
	const char *sessionId, *name;
	struct string_list origins;
	const struct json *verify;
};

static const struct param save_params[] = {
	PARAM(save, name, NAME_ABOUT, .required = true),
	PARAM(save, origins, "Those whose cookies and storage it has, such as https://shop.example; default: all", .is_rare = true),
	PARAM(save, verify, NULL,
	      .schema =
		      "{\"type\":\"object\",\"description\":\"A page with an element that is there while somebody is logged in: "
		      "create_session looks for it, and fails without it\",\"properties\":{\"url\":{\"type\":\"string\"},\"selector\":{"
		      "\"type\":\"string\"}},\"required\":[\"url\",\"selector\"]}",
	      .is_rare = true),
	PARAM(save, sessionId, "From create_session; default: this client's own session", .empty_is_none = true),
	{},
};

static int states_fail_too_large(struct task *t, size_t size)
{
	return task_fail(
		t, -ERR_INVALID_PARAMETERS,
		"cookies and storage of this session are too large for a state: they have %zu bytes, and %u bytes with %u values "
		"are the most",
		size, LIMIT_STORE_VALUE, JSON_VALUES_MAX);
}

static int states_parse(struct task *t, const struct str *text, struct json **ret)
{
	return text->len <= LIMIT_STORE_VALUE ? begin_parse(t, "the state", text, ret) : -ERR_INVALID_PARAMETERS;
}

/* `text`, which was collected, keeps what belongs to the origins. That it can be parsed shows that the state can be read again. */
static int states_bind(struct task *t, const struct save *a, struct state_facts *facts, struct str *text)
{
	_cleanup_(json_freep) struct json *state = NULL, *bound = NULL;
	_cleanup_(str_done) struct str printed = {};
	bool binds = a->origins.count || a->verify;
	int r = states_parse(t, text, &state);

	if (r == 0 && binds) {
		bound_print(t, state, &a->origins, a->verify, &printed);
		r = states_parse(t, &printed, &bound);
	}
	if (r == -ERR_INVALID_PARAMETERS)
		return states_fail_too_large(t, MAX(text->len, printed.len));
	if (r < 0)
		return r;
	facts->cookies = (unsigned)json_count(json_member(binds ? bound : state, "cookies"));
	facts->origins = (unsigned)json_count(json_member(binds ? bound : state, "origins"));
	if (binds)
		str_move(text, &printed);
	return 0;
}

static int states_check_name(struct task *t, const char *name)
{
	int r = begin_check_name(t, name);

	if (r == 0 && begin_names_file(name))
		r = task_fail(t, -ERR_INVALID_PARAMETERS, "create_session would take \"%s\" for a file; leave .json out", name);
	return r;
}

static int save_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	_cleanup_(str_done) struct str text = {}, left_out = {};
	const struct save *a = args;
	struct state_facts facts = { .name = a->name };
	int r;

	r = states_check_name(t, a->name);
	if (r == 0)
		r = bound_check(t, &a->origins, a->verify);
	if (r == 0)
		r = begin_collect(t, call, a->sessionId, &text, &left_out, &facts.site);
	if (r == 0)
		r = states_bind(t, a, &facts, &text);
	if (r == 0)
		r = states_save(t, call_app(call)->states, begin_owner(call), &facts, text.data, text.len);
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
	.terse = "Keep cookies and storage under a name, for create_session {state: name}",
	.about =
		"Keep the cookies, local storage and IndexedDB of a session under a name, replacing an earlier state of that name. "
		"create_session with state opens a session that is logged in as this one is.",
	.params = save_params,
	.size = sizeof(struct save),
	.not_destructive = true,
	.run = save_run,
};

/* ---- list_states ---- */

static void states_print(const struct state_facts *f, struct str *out)
{
	if (f->problem)
		str_json(out, "?{name: ?, problem: ?}", JSON_COMMA(out->len), f->name, f->problem);
	else
		str_json(out, "?{name: ?, site: ?, cookies: ?, origins: ?, size: ?, savedAt: ?, expiresAt: ?}",
			 JSON_COMMA(out->len), f->name, f->site, f->cookies, f->origins, f->size, f->saved_at, f->expires_at);
}

static int states_list_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	_cleanup_(str_done) struct str list = {};
	struct state_facts *states;
	int found = states_list(t, call_app(call)->states, begin_owner(call), &states);

	if (found < 0)
		return found;
	for (int i = 0; i < found; i++)
		states_print(&states[i], &list);
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

	r = begin_check_name(t, a->name);
	if (r < 0)
		return r;
	r = states_delete(t, call_app(call)->states, begin_owner(call), a->name);
	if (r == 0)
		return begin_fail_unknown(t, a->name);
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
