/* browser_route, browser_route_list, browser_unroute, browser_network_state_set. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "browser/routes.h"
#include "tools/browser/browse.h"
#include "tools/browser/header_lines.h"
#include "tools/browser/tools.h"

#define NO_STATUS (-1.)
#define SHOWN_BODY 50 /* UTF-16 units of a body in the list */

/* ---- a new route ---- */

struct browser_route {
	const char *sessionId, *pattern, *body, *contentType, *removeHeaders;
	double status;
	struct string_list headers;
};

static const struct browser_route browser_route_defaults = { .status = NO_STATUS };

static const struct param browser_route_params[] = {
	PARAM(browser_route, pattern, "Glob of URLs: **/api/users, **/*.{png,jpg}", .required = true, .max_length = LIMIT_SELECTOR),
	PARAM(browser_route, status, NULL,
	      .schema = "{\"type\":\"number\",\"description\":\"HTTP status of the answer (default: 200)\"}"),
	PARAM(browser_route, body, "Body of the answer", .max_length = LIMIT_ROUTE_BODY),
	PARAM(browser_route, contentType, "Content type of the answer", .max_length = LIMIT_SELECTOR),
	PARAM(browser_route, headers, "Headers to add to the request, \"Name: Value\" each"),
	PARAM(browser_route, removeHeaders, "Headers to remove from the request, separated by commas",
	      .max_length = LIMIT_SELECTOR),
	PARAM(browser_route, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

/* `list` gets them as JSON, `shown` separated by commas. */
static void parse_removed(struct tool_call *call, const char *names, struct str *list, struct str *shown)
{
	for (;;) {
		size_t len = strcspn(names, ",");
		const char *name = text_trimmed(task_arena(call->t), names, len);

		str_append(shown, name);
		if (*name)
			str_json(list, "? ?", JSON_RAW(list->len ? "," : "["), name);
		if (!names[len])
			break;
		str_append(shown, ",");
		names += len + 1;
	}
	str_append(list, list->len ? "]" : "[]");
}

static void append_detail(struct str *out, const char *name, const char *value)
{
	str_appendf(out, "%s%s=%s", out->len ? ", " : "", name, value);
}

static void route_append_body(struct str *out, const char *body)
{
	size_t len = 0, units = 0, left = strlen(body);

	while (len < left) {
		size_t n = utf8_sequence(body + len, left - len);

		units += n == 4 ? 2 : 1;
		if (units > SHOWN_BODY)
			break;
		len += n ? n : 1;
	}
	str_appendf(out, "%sbody=%.*s%s", out->len ? ", " : "", (int)len, body, len < left ? "..." : "");
}

static int check_status(struct tool_call *call, double status)
{
	if (status == NO_STATUS || (status >= 0 && status <= 999 && status == trunc(status)))
		return 0;
	return browse_fail(call, "Invalid status %.15g: expected an integer from 100 to 999", status);
}

/* Routes are those of the session: all its contexts have them. */
static int add_rule(struct browse *b, const struct request_rule *rule)
{
	struct context *c = NULL;
	int r = 0;

	while (r == 0 && (c = session_next_context(b->session, c)))
		r = context_add_rule(b->call.t, c, rule);
	return r;
}

static int route_run(struct browse *b, const void *args)
{
	const struct browser_route *a = args;
	_cleanup_(str_done) struct str set = {}, removed = {}, shown_removed = {}, shown = {};
	const char *wrong;
	struct request_rule rule = { .pattern = a->pattern, .body = a->body, .content_type = a->contentType };
	int r;

	r = check_status(&b->call, a->status);
	if (r == 0 && a->headers.items && !header_lines_parse(task_arena(b->call.t), &a->headers, &set, &wrong))
		r = browse_fail(&b->call, "Invalid header \"%s\": expected \"Name: Value\"", wrong);
	if (r < 0)
		return r;
	if (a->removeHeaders && *a->removeHeaders)
		parse_removed(&b->call, a->removeHeaders, &removed, &shown_removed);
	if (a->status != NO_STATUS)
		str_appendf(&shown, "status=%d", (int)a->status);
	if (a->body)
		route_append_body(&shown, a->body);
	if (a->contentType)
		append_detail(&shown, "contentType", a->contentType);
	if (set.len)
		append_detail(&shown, "addHeaders", set.data);
	if (removed.len)
		append_detail(&shown, "removeHeaders", str_text(&shown_removed));
	rule.sets_in_response = b->call.app->answers->compat >= COMPAT_0_0_84;
	rule.fulfills = a->body || a->status != NO_STATUS;
	rule.status = a->status == NO_STATUS ? 0 : (int)a->status;
	rule.set = set.data;
	rule.removed = removed.data;
	rule.shown = str_text(&shown);
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	r = add_rule(b, &rule);
	if (r < 0)
		return r;
	response_add(&b->response.result, "Route added for pattern: %s", a->pattern);
	browse_code(b, "context().route(%s, async route => { /* route handler */ });", browse_quote(&b->call, a->pattern));
	return 0;
}

const struct tool tool_browser_route =
	BROWSE_TOOL("browser_route", "Mock network requests", browser_route,
		    "Answer requests to matching URLs with a status and body, or change the headers of these requests.",
		    (&(const struct browse_tool){ .run = route_run, .modals = MODAL_IGNORES, .no_tab = true }),
		    .capability = "network", .defaults = &browser_route_defaults);

/* ---- the routes that there are ---- */

struct browser_route_list {
	const char *sessionId;
};

static const struct param browser_route_list_params[] = {
	PARAM(browser_route_list, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

static int route_list_run(struct browse *b, const void *args)
{
	const struct request_rule *rule = NULL;
	unsigned number = 0;

	while ((rule = context_next_rule(session_find_context(b->session, NULL), rule)))
		response_add(&b->response.result, *rule->shown ? "%u. %s (%s)" : "%u. %s", ++number, rule->pattern, rule->shown);
	if (!number)
		response_add(&b->response.result, "No active routes");
	return 0;
}

const struct tool tool_browser_route_list =
	BROWSE_TOOL("browser_route_list", "List network routes", browser_route_list, "List the routes of browser_route.",
		    (&(const struct browse_tool){ .run = route_list_run, .modals = MODAL_IGNORES, .no_tab = true }),
		    .capability = "network", .read_only = true);

struct browser_unroute {
	const char *sessionId, *pattern;
};

static const struct param browser_unroute_params[] = {
	PARAM(browser_unroute, pattern, "As given to browser_route; omit to remove all routes", .empty_is_none = true),
	PARAM(browser_unroute, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

static int unroute_run(struct browse *b, const void *args)
{
	const struct browser_unroute *a = args;
	struct context *c = session_find_context(b->session, NULL);
	unsigned count = context_remove_rules(c, a->pattern);

	while ((c = session_next_context(b->session, c)))
		context_remove_rules(c, a->pattern);
	if (a->pattern)
		response_add(&b->response.result, "Removed %u route(s) for pattern: %s", count, a->pattern);
	else
		response_add(&b->response.result, "Removed all %u route(s)", count);
	return 0;
}

const struct tool tool_browser_unroute =
	BROWSE_TOOL("browser_unroute", "Remove network routes", browser_unroute, "Remove routes of browser_route.",
		    (&(const struct browse_tool){ .run = unroute_run, .modals = MODAL_IGNORES, .no_tab = true }),
		    .capability = "network");

/* ---- online and offline ---- */

struct browser_network_state_set {
	const char *sessionId;
	int state;
};

enum network_state { STATE_ONLINE, STATE_OFFLINE };
static const char *const state_names[] = { "online", "offline", NULL };

static const struct param browser_network_state_set_params[] = {
	PARAM(browser_network_state_set, state, "offline: all requests fail", .choices = state_names, .required = true),
	PARAM(browser_network_state_set, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

static int route_state_run(struct browse *b, const void *args)
{
	const struct browser_network_state_set *a = args;
	bool offline = a->state == STATE_OFFLINE;
	int r;

	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	r = context_set_offline(b->call.t, session_context(b->session), offline);
	if (r < 0)
		return r;
	response_add(&b->response.result, "Network is now %s", state_names[a->state]);
	browse_code(b, "context().setOffline(%s);", offline ? "true" : "false");
	return 0;
}

const struct tool tool_browser_network_state_set =
	BROWSE_TOOL("browser_network_state_set", "Set network state", browser_network_state_set,
		    "Take the pages of the session offline, or online again.",
		    (&(const struct browse_tool){ .run = route_state_run, .modals = MODAL_IGNORES, .no_tab = true }),
		    .capability = "network");
