/* list_logins, fill_login: credentials of the operator's vault, which the page gets and the agent does not. */
#include <string.h>

#include "act/settle.h"
#include "app/app.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mask.h"
#include "browser/routes.h"
#include "page/agent_code.h"
#include "page/options.h"
#include "page/origins.h"
#include "tools/session/begin.h"
#include "tools/session/tools.h"
#include "vault/logins.h"
#include "vault/origin.h"
#include "vault/private_file.h"

/* A one-time code is masked for some time after it was filled; then the digits may be a number again. */
#define CODE_MASKED (15 * 60 * USEC_PER_SEC)

/* ---- which logins a client may use ---- */

/* The subject of the client's access token; its owner is named by issuer and subject. NULL: it has none. */
static const char *logins_subject_of(struct mcp_call *call)
{
	const char *name = mcp_conn_owner_name(mcp_call_conn(call)), *end = name ? strchr(name, '\n') : NULL;

	return end ? end + 1 : name;
}

static bool logins_may_use(struct mcp_call *call, const struct login *l)
{
	return login_permits(l, logins_subject_of(call), call_app(call)->vault_admits);
}

/* The origins as elements of a JSON array. `only_local`: only those of this machine. */
static void append_origins(const struct login *l, bool only_local, struct str *out)
{
	size_t start = out->len;

	for (char *const *origin = l->origins; *origin; origin++)
		if (!only_local || login_origin_is_local(*origin))
			str_json(out, "? ?", JSON_COMMA(out->len > start), *origin);
}

/* ---- list_logins ---- */

static int list_logins_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct logins *vault = call_app(call)->vault;
	_cleanup_(str_done) struct str list = {};

	for (size_t i = 0; i < vault->count; i++) {
		_cleanup_(str_done) struct str origins = {};

		if (!logins_may_use(call, &vault->items[i]))
			continue;
		append_origins(&vault->items[i], false, &origins);
		str_json(&list, "? {name: ?, origins: [?]}", JSON_COMMA(list.len > 0), vault->items[i].name,
			 JSON_RAW(str_text(&origins)));
	}
	result_json(res, "{logins: [?]}", JSON_RAW(str_text(&list)));
	return 0;
}

const struct tool tool_list_logins = {
	.name = "list_logins",
	.terse = "List logins of the vault",
	.about = "List the logins that fill_login can fill in: their names and origins.",
	.read_only = true,
	.idempotent = true,
	.run = list_logins_run,
};

/* ---- fill_login ---- */

struct fill_login {
	const char *sessionId, *name;
	bool submit;
	double timeout;
};

static const struct param fill_login_params[] = {
	PARAM(fill_login, name, "From list_logins", .required = true),
	PARAM(fill_login, sessionId, "From create_session; default: this client's own session", .empty_is_none = true),
	PARAM(fill_login, submit, "Send the form as well"),
	PARAM(fill_login, timeout, TIMEOUT_ABOUT, .min = 0, .max = TIMEOUT_MAX_MSEC, .is_rare = true),
	{}
};

/* One filling: what of the login goes to which origins. */
struct login_filling {
	const struct login *login;
	struct str origins; /* elements of a JSON array */
	char code[TOTP_DIGITS_MAX + 1];
	struct str argument; /* of the page script, with the values */
	struct json *filled;
};

static void login_filling_done(struct login_filling *f)
{
	explicit_bzero(f->code, sizeof(f->code));
	private_wipe(&f->argument);
	str_done(&f->origins);
	json_free(f->filled);
}

/* A login of others is as unknown as one that is not there. */
static int find_login_of(struct task *t, struct mcp_call *call, const char *name, const struct login **ret)
{
	const struct login *l = logins_find(call_app(call)->vault, name);

	if (!l || !logins_may_use(call, l))
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "there is no login \"%.64s\" for you; list_logins names those that there are", name);
	*ret = l;
	return 0;
}

/* Where certificates are not checked, whoever is on the way can be any origin, but not this machine. */
static int choose_origins(struct task *t, const struct page *p, struct login_filling *f)
{
	bool only_local = page_options(p)->ignore_https_errors;

	append_origins(f->login, only_local, &f->origins);
	if (f->origins.len > 0)
		return 0;
	return task_fail(t, -ERR_SECURITY_BLOCKED,
			 "nothing was filled: this server does not check certificates, so nobody knows which server "
			 "the page is from");
}

/* Whether code has run in another page of the session that has the same origin, and so can reach the document of `p`. */
static bool has_code_beside(const struct session *s, const struct page *p)
{
	_cleanup_(str_done) struct str origin = {};
	struct page *other = NULL;

	url_origin(&origin, page_url(p));
	while ((other = session_next_page(s, other))) {
		_cleanup_(str_done) struct str others = {};

		if (page_has_code(other) && url_origin(&others, page_url(other)) && strcmp(str_text(&origin), others.data) == 0)
			return true;
	}
	return false;
}

/* Code of the agent that runs in the page could read what is filled, and show it in a form that is not masked. */
static int refuse_code(struct task *t, struct mcp_call *call, const struct visited *v)
{
	if (page_has_lasting_code(v->page) || context_next_rule(page_context(v->page), NULL))
		return task_fail(
			t, -ERR_SECURITY_BLOCKED,
			"nothing was filled: code of yours or a route of requests that may go on is in this session; log in with a new session");
	if (page_has_code(v->page) || has_code_beside(v->session, v->page))
		return task_fail(
			t, -ERR_SECURITY_BLOCKED,
			"nothing was filled: code of yours has run in a page of this origin, and could read it; load these pages again first");
	return 0;
}

/* Waits until the page has fields for some of it. No value leaves this process before that. */
static int await_fields(struct task *t, struct page *p, const struct login_filling *f, usec_t timeout)
{
	const struct login *l = f->login;
	_cleanup_(str_done) struct str dots = {};

	for (unsigned i = 0; l->has_totp && i < l->totp.digits; i++)
		str_append_char(&dots, '0');
	return frame_script(t, page_main_frame(p), NULL, "findLogin", "{origins: [?], user: ?, password: ?, code: ?, timeout: ?}",
			    JSON_RAW(str_text(&f->origins)), (bool)(*l->user != '\0'), (bool)(*l->password != '\0'),
			    str_text(&dots), timeout / USEC_PER_MSEC);
}

/* From here on, answers, logs, files and events have a mark in the place of the values. */
static void mask_login(const struct login_filling *f)
{
	const struct login *l = f->login;
	_cleanup_(str_done) struct str user = {}, password = {}, code = {};

	str_appendf(&user, "%s.user", l->name);
	str_appendf(&password, "%s.password", l->name);
	str_appendf(&code, "%s.code", l->name);
	mask_add(&(struct secret){ .name = user.data, .value = l->user }, USEC_NEVER);
	mask_add(&(struct secret){ .name = password.data, .value = l->password, .is_whole = true }, USEC_NEVER);
	mask_add(&(struct secret){ .name = code.data, .value = f->code, .is_whole = true }, clock_now() + CODE_MASKED);
}

static int fill_fields(struct task *t, struct page *p, struct login_filling *f, bool submit)
{
	const struct login *l = f->login;

	if (l->has_totp)
		totp_code(&l->totp, (uint64_t)clock_unix_msec() / 1000, f->code);
	mask_login(f);
	page_note_login(p);
	str_reserve(&f->argument,
		    f->origins.len + 6 * (strlen(l->user) + strlen(l->password)) + 256); /* growing leaves copies behind */
	str_json(&f->argument, "{origins: [?], user: ?, password: ?, code: ?, submit: ?}", JSON_RAW(f->origins.data), l->user,
		 l->password, f->code, submit);
	return frame_gesture(t, page_main_frame(p), &f->filled, "fillLogin", f->argument.data);
}

static int fill_and_settle(struct task *t, struct mcp_call *call, struct page *p, struct login_filling *f, bool submit)
{
	_cleanup_(settle_done) struct settle settle = {};
	int r = settle_begin(t, p, &settle);

	if (r == 0)
		r = fill_fields(t, p, f, submit);
	return r < 0 ? r : settle_wait(t, &settle, call_app(call)->timeouts->settle);
}

static void report_filled(struct page *p, const struct login_filling *f, bool submit, struct result *res)
{
	bool submitted = json_bool(f->filled, "submitted", false);

	result_json(res, "{success: true, filled: ?, submitted: ?, url: ?, message: ?}", json_get(f->filled, "filled"), submitted,
		    page_url(p),
		    submitted ? "Filled and sent" :
		    submit    ? "Filled, but not sent: the form wants more, or the fields are in none. Look at the page" :
				"Filled; send the form as a person would");
}

static int fill_login_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	_cleanup_(login_filling_done) struct login_filling f = {};
	_cleanup_(visit_done) struct visited v = {};
	const struct fill_login *a = args;
	const char *id = a->sessionId;
	int r;

	r = find_login_of(t, call, a->name, &f.login);
	if (r == 0)
		r = begin_name_session(t, call, &id);
	if (r == 0)
		r = visit_page(t, call, id, &v);
	if (r == 0)
		r = choose_origins(t, v.page, &f);
	if (r == 0)
		r = refuse_code(t, call, &v);
	if (r == 0)
		r = await_fields(t, v.page, &f, timeout_or(a->timeout, call_app(call)->timeouts->action));
	if (r == 0)
		r = fill_and_settle(t, call, v.page, &f, a->submit);
	if (r == 0)
		report_filled(v.page, &f, a->submit, res);
	return r;
}

const struct tool tool_fill_login = {
	.name = "fill_login",
	.terse = "Fill a login of the vault into the page",
	.about =
		"Fill the user name, password or one-time code of a login into the fields of the current page that ask for them. Only in a page "
		"whose origin is the login's; you do not get to see the values.",
	.params = fill_login_params,
	.size = sizeof(struct fill_login),
	.run = fill_login_run,
};
