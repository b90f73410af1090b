#include "main/tool_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "engine/features.h"
#include "main/option_parser.h"
#include "tools/browser/tools.h"
#include "tools/browser/webmcp.h"
#include "tools/capability.h"
#include "tools/table.h"

#define NEAR_NAMES 3 /* that a message about an unknown tool suggests */

/* --profile minimal: enough to read pages and act on them, in sessions. */
static const char *const minimal_tools[] = {
	"create_session",
	"close_session",
	"browser_navigate",
	"browser_snapshot",
	"browser_find",
	"browser_click",
	"browser_type",
	"browser_fill_form",
	"browser_file_upload",
	"browser_batch",
	"browser_read",
	"browser_take_screenshot",
	NULL,
};

static bool is_named(const char *const *names, const char *name)
{
	while (names && *names && strcmp(*names, name) != 0)
		names++;
	return names && *names;
}

static bool contains(const struct tool *const *tools, const struct tool *tool)
{
	while (tools && *tools && *tools != tool)
		tools++;
	return tools && *tools;
}

/* Is it a tool of --caps? Sets of tools may contain tools that are always there. */
static bool is_asked_for(const struct options *o, const struct tool *tool)
{
	for (const struct capability *c = capability_table; !tool->capability && c->name; c++)
		if (options_capability(o, c->name) && contains(c->tools, tool))
			return true;
	return tool->capability;
}

/* What at least one of the browsers of a server can do; a session of the other one fails with what it lacks. */
static unsigned features_of_server(const struct options *o)
{
	const struct engine_options second = { .product =
						       o->second_browser == SECOND_FIREFOX ? BROWSER_FIREFOX : BROWSER_CHROMIUM };

	return engine_features(&o->browser.start) | (o->second_browser ? engine_features(&second) : 0);
}

/* What the engines cannot do of what the tool needs; NULL: nothing. */
static const char *missing_for(const struct options *o, const struct tool *tool)
{
	unsigned features = features_of_server(o);
	const struct engine_feature_name *f = engine_feature_table;

	while (f->what && !(tool->needs & ~features & f->feature))
		f++;
	return f->what;
}

const char *tool_list_missing(const char *name, const void *options)
{
	const struct tool *tool = tool_find(name);

	return tool ? missing_for(options, tool) : NULL;
}

/* The one decision about a tool that the program has under this name with these sets of tools. */
static bool offers(const struct options *o, const struct tool *tool)
{
	if (missing_for(o, tool) || (o->no_run_code && tool == &tool_browser_run_code_unsafe))
		return false;
	if (is_named(o->tools, tool->name))
		return true;
	if (o->tool_profile == TOOLS_MINIMAL)
		return is_named(minimal_tools, tool->name) || is_asked_for(o, tool);
	return !o->tools;
}

bool tool_list_has_page_tools(const struct options *o)
{
	return features_of_server(o) & ENGINE_PAGE_TOOLS && !o->browser.start.no_webmcp &&
	       (is_named(o->tools, tool_webmcp.name) || (!o->tools && o->tool_profile == TOOLS_FULL));
}

static bool has_capability(const void *options, const char *name)
{
	return options_capability(options, name);
}

static const struct tool *const *table_of(const struct options *o, const struct option_profile *profile)
{
	return o->sessions.lazy ? profile->tools_lazy : profile->server.tools;
}

/* The tools of a capability that are not in the lists of tools/table.h. States are of sessions that clients make themselves. */
static const struct tool *const *own_tools(const struct options *o, const struct option_profile *profile,
					   const struct capability *c)
{
	static const struct tool *const none[] = { NULL };
	bool has = c->tools && options_capability(o, c->name) && !(c->options && profile->server.style.sessions_hidden);

	return has ? c->tools : none;
}

/* What there is to choose from. The caller frees the result. */
static const struct tool **available(const struct options *o, const struct option_profile *profile)
{
	const struct tool **tools = tool_select(table_of(o, profile), has_capability, o);

	for (const struct capability *c = capability_table; c->name; c++) {
		_cleanup_(freep) const struct tool **fewer = tools;

		tools = tool_join(fewer, own_tools(o, profile, c));
	}
	return tools;
}

const struct tool **tool_list_new(const struct options *o, const struct option_profile *profile)
{
	const struct tool **tools = available(o, profile), **end = tools;

	for (const struct tool **tool = tools; *tool; tool++)
		if (offers(o, *tool))
			*end++ = *tool;
	*end = NULL;
	return tools;
}

/* ---- names that --tools cannot have ---- */

static const struct tool *tool_list_find(const struct tool *const *tools, const char *name)
{
	while (*tools && strcmp((*tools)->name, name) != 0)
		tools++;
	return *tools;
}

static const char *capability_of(const struct tool *tool)
{
	for (const struct capability *c = capability_table; c->name; c++)
		if (contains(c->tools, tool))
			return c->name;
	return tool->capability;
}

/* Why a tool that exists is not available. */
static void tool_list_explain(const struct option_profile *profile, const struct tool *tool, struct str *error)
{
	const char *capability = capability_of(tool);

	if (capability) {
		str_appendf(error, "%s is a tool of ", tool->name);
		capability_append_ways(capability_find(capability), "", error);
		str_append(error, ", which is not given");
	} else if (tool_list_find(profile->tools_lazy, tool->name)) {
		str_appendf(error, "%s is a tool of --lazy-sessions, which is not given", tool->name);
	} else {
		str_appendf(error, "%s is not a tool of %s", tool->name, profile->program);
	}
}

/* Adds the names of `tools` that contain `word`, up to NEAR_NAMES in all. */
static void add_containing(const struct tool *const *tools, const char *word, const char *but, unsigned *count, struct str *out)
{
	for (; *tools && *count < NEAR_NAMES; tools++)
		if (strstr((*tools)->name, word) && (!but || strcmp((*tools)->name, but) != 0))
			str_appendf(out, "%s%s", (*count)++ ? ", " : "", (*tools)->name);
}

static void tool_list_suggest(const struct tool *const *tools, const char *word, struct str *error)
{
	_cleanup_(str_done) struct str names = {};
	struct suggestion s = { .word = word };
	unsigned count = 0;

	for (const struct tool *const *tool = tools; *tool; tool++)
		suggestion_consider(&s, (*tool)->name);
	if (s.best)
		str_appendf(&names, "%s", s.best);
	count = s.best ? 1 : 0;
	add_containing(tools, word, s.best, &count, &names);
	if (count)
		str_appendf(error, "; did you mean %s?", names.data);
	else
		str_append(error, "; tools/list without --tools names them all");
}

static int tool_list_refuse(const struct options *o, const struct option_profile *profile, const char *name, struct str *error)
{
	_cleanup_(freep) const struct tool **tools = available(o, profile);
	const struct tool *tool = tool_list_find(tools, name);

	if (tool && offers(o, tool))
		return 0;
	str_append(error, "--tools: ");
	if (tool_list_missing(name, o))
		str_appendf(error, "%s needs %s, which the browser does not have", name, tool_list_missing(name, o));
	else if (tool)
		str_appendf(error, "%s is removed by --no-run-code", name);
	else if (tool_find(name))
		tool_list_explain(profile, tool_find(name), error);
	else
		str_appendf(error, "there is no tool \"%.100s\"", name);
	if (!tool && !tool_find(name))
		tool_list_suggest(tools, name, error);
	return -EINVAL;
}

int tool_list_check(const struct options *o, const struct option_profile *profile, struct str *error)
{
	int r = 0;

	for (const char *const *name = o->tools; name && *name && r == 0; name++)
		if (strcmp(*name, tool_webmcp.name) != 0)
			r = tool_list_refuse(o, profile, *name, error);
	return r;
}

/* ---- how they are presented ---- */

/* Of what parameters need. States are of sessions that clients make themselves. */
static unsigned lacked(const struct options *o, const struct tool_style *style)
{
	bool has_states = options_capability(o, "states") && !style->sessions_hidden;

	bool lends_tabs = options_capability(o, "attach");

	return ~(features_of_server(o) | (o->second_browser ? SERVER_SECOND_BROWSER : 0) | (has_states ? SERVER_STATES : 0) |
		 (lends_tabs ? SERVER_LENT_TABS : 0));
}

struct tool_style tool_list_style(const struct options *o, const struct option_profile *profile)
{
	struct tool_style style = profile->server.style;

	style.lacks = lacked(o, &style);
	style.later = o->answers.compat >= COMPAT_0_0_84;
	if (o->http.node && !style.sessions_hidden)
		style.session_header = "SessionId";
	if (o->answers.form == ANSWERS_COMPACT) {
		style.terse = true;
		style.explicit = false;
	}
	return style;
}

/* Sentences for the compact form, each with the tool that it is about: without it, clients are not told. */
static const struct {
	const char *tool, *text;
} instruction_table[] = {
	{ "create_session", "Each session is an isolated browser. Without sessionId, browser_* tools work in this client's own; "
			    "create_session opens another." },
	{ "browser_snapshot",
	  "Pages are indented lines: role \"name\" ref states: text, with | between parts; quoted lines are text. A target is a "
	  "ref (e12), CSS or XPath. Actions answer what changed since you last saw the page: ~ changed, + added, - removed, "
	  "below its container. browser_snapshot shows the page again; since: \"r5\" what changed after that; cursor: \"c3\" the "
	  "rest of what ended with that cursor." },
	{ "browser_find", "browser_find is the cheapest search." },
	{ "browser_batch", "browser_batch does several steps in one call." },
	{ "browser_file_upload", "After a click on a control marked file, browser_file_upload follows." },
	{ "navigate", "navigate, click, type, evaluate and screenshot are for scripts: selectors in, JSON out." },
};

void tool_list_instructions(const struct options *o, const struct option_profile *profile, const struct tool *const *tools,
			    struct str *out)
{
	if (o->answers.form == ANSWERS_PLAYWRIGHT) {
		str_append(out, profile->server.instructions ? profile->server.instructions : "");
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(instruction_table); i++)
		if (tool_list_find(tools, instruction_table[i].tool))
			str_appendf(out, "%s%s", out->len ? " " : "", instruction_table[i].text);
}
