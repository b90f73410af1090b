/* create_session: a session of its own, with what its pages are made to believe, and the state that it begins with. */
#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "base/error.h"
#include "base/limits.h"
#include "browser/pool.h"
#include "egress/egress.h"
#include "session/record.h"
#include "session/settings.h"
#include "tools/session/begin.h"
#include "tools/session/tools.h"

struct create {
	const char *egress, *record, *from, *attach;
	const struct json *state;
	int engine; /* index in `engines`; -1: not said */
	/* Settings (session/settings.h), which are taken from the call as they are. */
	const struct json *viewport, *geolocation, *proxy, *extraHTTPHeaders;
	const char *device, *userAgent, *locale, *timezoneId;
	struct string_list permissions;
	int colorScheme;
};

static const char *const engines[] = { "chromium", "firefox", NULL };

/* Members of the objects are those of Playwright, and are checked by session/settings.h: a list of tools that has them is long. */
#define OBJECT "{\"type\":\"object\"}"

static const char *const color_schemes[] = { "light", "dark", "no-preference", NULL };

/* The settings have names and values of Playwright's options of contexts, which models know. */
static const struct param create_params[] = {
	PARAM(create, state, NULL,
	      .schema =
		      "{\"type\":[\"string\",\"object\"],\"description\":\"Storage state of Playwright, its file, or the name of a saved one\"}",
	      .terse_schema = "{\"type\":[\"string\",\"object\"]}", .is_rare = true),
	PARAM(create, from, "Session to copy cookies and storage from", .empty_is_none = true, .is_rare = true),
	PARAM(create, engine, "The engine of its browser. Default: that of the server's first browser", .choices = engines,
	      .needs = SERVER_SECOND_BROWSER),
	PARAM(create, attach, "The tab that it works in, of list_tabs", .empty_is_none = true, .max_length = LIMIT_ID,
	      .needs = SERVER_LENT_TABS),
	PARAM(create, egress,
	      "Where its pages may connect: public, loopback, private, none, NAME, *.DOMAIN, ADDRESS[/BITS], each [:PORT], comma-separated",
	      .max_length = LIMIT_URL, .empty_is_none = true, .is_rare = true),
	PARAM(create, record, "For people: video, trace or video,trace", .max_length = 16, .empty_is_none = true, .is_rare = true),
	PARAM(create, viewport, NULL, .schema = OBJECT, .is_rare = true,
	      .documented = "Size of its pages in CSS pixels: {width, height}"),
	PARAM(create, device, NULL, .is_rare = true, .documented = "A device of Playwright, such as iPhone 15"),
	PARAM(create, userAgent, NULL, .is_rare = true, .documented = "What its pages and their requests say that the browser is"),
	PARAM(create, locale, NULL, .is_rare = true, .documented = "Language of its pages, such as de-DE"),
	PARAM(create, timezoneId, NULL, .is_rare = true, .documented = "Time zone of its pages, such as Europe/Paris"),
	PARAM(create, geolocation, NULL, .schema = OBJECT, .is_rare = true,
	      .documented = "Where its pages are, {latitude, longitude, accuracy}, if they have the permission geolocation"),
	PARAM(create, permissions, NULL, .is_rare = true,
	      .documented = "What its pages may do without asking, such as geolocation or clipboard-read"),
	PARAM(create, colorScheme, NULL, .choices = color_schemes, .is_rare = true,
	      .documented = "The CSS media feature prefers-color-scheme"),
	PARAM(create, extraHTTPHeaders, NULL, .schema = OBJECT, .is_rare = true,
	      .documented = "Header fields of all requests of its pages"),
	PARAM(create, proxy, NULL, .schema = OBJECT, .is_rare = true,
	      .documented =
		      "What its requests go through, {server, username, password}, where the operator sets neither a proxy nor limits"),
	{},
};

static bool wants_second(const struct app *app, int engine)
{
	struct browser *second = pool_second(app->pool);

	return engine >= 0 && second && strcmp(engines[engine], engine_name(&browser_options(second)->start)) == 0;
}

/* NULL: none was given. The caller owns it. */
static struct json *settings_of(struct mcp_call *call)
{
	_cleanup_(str_done) struct str text = {};
	struct json *settings = NULL;

	json_foreach(argument, mcp_call_arguments(call))
		if (session_has_setting(json_name(argument)))
			str_json(&text, "??: ?", JSON_COMMA(text.len), json_name(argument), argument);
	if (!text.len)
		return NULL;
	str_prepend(&text, "{", 1);
	str_append_char(&text, '}');
	json_parse(text.data, text.len, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE, &settings);
	return settings;
}

/* A tab that a person lends is as the person's browser has it. */
static int check_attached(struct task *t, const struct create *a, const struct json *settings)
{
	if (!a->attach || !(a->egress || a->state || a->from || a->engine >= 0 || settings))
		return 0;
	return task_fail(t, -ERR_INVALID_PARAMETERS,
			 "with attach there are no further arguments: the tab is as its browser has it");
}

static int take_record(struct task *t, const struct create *a, unsigned *ret)
{
	if (!a->record || record_kinds(a->record, ret))
		return 0;
	return task_fail(t, -ERR_INVALID_PARAMETERS, "record is \"%.32s\"; it must be video, trace or video,trace", a->record);
}

static int create_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct create *a = args;
	_cleanup_(egress_unrefp) struct egress *egress = NULL;
	_cleanup_(beginning_done) struct beginning beginning = {};
	_cleanup_(json_freep) struct json *settings = settings_of(call);
	unsigned record = 0;
	char id[SESSION_ID_SIZE];
	const struct session *s;
	int64_t expires_at;
	int r = check_attached(t, a, settings);

	if (r == 0)
		r = take_record(t, a, &record);
	if (r == 0 && a->egress)
		r = registry_make_egress(t, call_app(call)->registry, a->egress, &egress);
	if (r == 0)
		r = begin_find(t, call, a->state, a->from, &beginning);
	if (r == 0)
		r = registry_create(t, call_app(call)->registry, call_owner(call),
				    &(const struct session_plan){ .egress = egress,
								  .settings = settings,
								  .lent = a->attach,
								  .record = record,
								  .second = wants_second(call_app(call), a->engine) },
				    &s);
	if (r < 0)
		return r;
	snprintf(id, sizeof(id), "%s", session_id(s));
	expires_at = session_expires_at(s);
	r = begin_session(t, call, id, &beginning, &expires_at);
	if (r < 0)
		return r;
	if (beginning.left_out.len)
		result_json(res, "{sessionId: ?, expiresAt: ?, leftOut: [?], message: ?}", id, expires_at,
			    JSON_RAW(beginning.left_out.data),
			    "Session created without the databases in leftOut, whose values cannot be copied or are too large");
	else
		result_json(res, "{sessionId: ?, expiresAt: ?, message: ?}", id, expires_at, "Session created");
	return 0;
}

const struct tool tool_create_session = {
	.name = "create_session",
	.terse = "Open an isolated session; answers a sessionId for all tools",
	.about =
		"Open an isolated session with its own cookies, storage and pages. Pass its sessionId to other tools; end with close_session.",
	.params = create_params,
	.size = sizeof(struct create),
	.defaults = &(const struct create){ .engine = -1, .colorScheme = -1 },
	.not_destructive = true,
	.run = create_run,
};
