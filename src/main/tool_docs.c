/* docs/tools.md, made from the tables of tools. */
#include <string.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/macros.h"
#include "main/options.h"
#include "mcp/tool.h"
#include "tools/capability.h"
#include "tools/table.h"

static void tool_docs_append_type(struct str *out, const struct json *schema)
{
	const struct json *values = json_get(schema, "enum"), *kinds = json_get(schema, "anyOf");
	const char *before = "";

	json_foreach(kind, kinds) {
		str_append(out, before);
		tool_docs_append_type(out, kind);
		before = ", ";
	}
	json_foreach(value, values) {
		str_appendf(out, "%s`%s`", before, json_text(value, NULL));
		before = ", ";
	}
	if (json_get(schema, "items")) {
		str_append(out, "array of ");
		tool_docs_append_type(out, json_get(schema, "items"));
	} else if (!values && !kinds) {
		str_append(out, json_str(schema, "type") ? json_str(schema, "type") : "any");
	}
	if (json_get(schema, "minimum") && json_num(schema, "maximum", 0) < (double)JSON_INTEGER_MAX)
		str_appendf(out, " %.15g to %.15g", json_num(schema, "minimum", 0), json_num(schema, "maximum", 0));
}

static bool is_required(const struct json *schema, const char *name)
{
	json_foreach(required, json_get(schema, "required"))
		if (!strcmp(json_text(required, NULL), name))
			return true;
	return false;
}

/* What the parameter of a tool means where its schema does not say so, for append_meaning(). */
static const char *documented(const struct tool *tool, const char *name)
{
	for (const struct param *p = tool->params; p && p->name; p++)
		if (p->documented && !strcmp(p->name, name))
			return p->documented;
	return strcmp(name, "sessionId") != 0 ? "" : "The session to work in; default: the client's own";
}

/* `lines`: of struct param. `member`: a member of the parameter's items; NULL: the parameter itself. */
static void append_meaning(struct str *out, const char *lines, const char *member)
{
	_cleanup_(str_done) struct str start = {};

	if (member) {
		str_appendf(&start, "\n%s: ", member);
		lines = strstr(lines, start.data);
		lines = lines ? lines + start.len : "";
	}
	str_append_len(out, lines, strcspn(lines, "\n"));
}

/* `parent`: the parameter in whose items this one is; NULL: it is one of the tool's own. */
static void append_parameter(struct str *out, const struct json *schema, const struct json *parameter, const char *parent,
			     const char *lines)
{
	const struct json *value = json_get(parameter, "default"), *nested = json_get(parameter, "items.properties");

	str_appendf(out, "| `%s%s%s` | ", parent ? parent : "", parent ? "[]." : "", json_name(parameter));
	tool_docs_append_type(out, parameter);
	str_append(out, is_required(schema, json_name(parameter)) ? " | required | " : " | ");
	if (value) {
		str_append_char(out, '`');
		json_print(out, value);
		str_append(out, "` | ");
	} else if (!is_required(schema, json_name(parameter))) {
		str_append(out, "| ");
	}
	if (json_str(parameter, "description"))
		markdown_cell(out, json_str(parameter, "description"));
	else
		append_meaning(out, lines, parent ? json_name(parameter) : NULL);
	str_append(out, " |\n");
	json_foreach(member, nested)
		append_parameter(out, json_get(parameter, "items"), member, json_name(parameter), lines);
}

static void append_parameters(struct str *out, const struct tool *tool)
{
	static const struct tool_style style = { .whole = true };
	_cleanup_(json_freep) struct json *schema = NULL;
	_cleanup_(str_done) struct str text = {};

	tool_input_schema(tool, &style, &text);
	must(json_parse(text.data, text.len, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE, &schema) == 0 ? schema : NULL);
	if (!json_count(json_get(schema, "properties"))) {
		str_append(out, "It has no parameters.\n");
		return;
	}
	str_append(out, "| parameter | type | default | meaning |\n|---|---|---|---|\n");
	json_foreach(parameter, json_get(schema, "properties"))
		append_parameter(out, schema, parameter, NULL, documented(tool, json_name(parameter)));
}

static void append_tool(struct str *out, const struct tool *tool)
{
	str_appendf(out, "\n### `%s`\n\n%s%s\n\n", tool->name, tool->about, tool->read_only ? " Read-only." : "");
	append_parameters(out, tool);
}

static bool is_browser_tool(const struct tool *tool)
{
	return !strncmp(tool->name, "browser_", strlen("browser_"));
}

/* Those of the table that are always listed and browser_* tools, or not. */
static void append_section(struct str *out, const char *title, const struct tool *const *tools, bool browser_tools)
{
	str_appendf(out, "\n## %s\n", title);
	for (; *tools; tools++)
		if (!(*tools)->capability && is_browser_tool(*tools) == browser_tools)
			append_tool(out, *tools);
}

static bool tool_docs_has(const void *name, const char *capability)
{
	return !strcmp(name, capability);
}

/* The capability's own list, and its tools of the common list. */
static void append_capability(struct str *out, const struct capability *c)
{
	_cleanup_(freep) const struct tool **selected = tool_select(tool_table, tool_docs_has, c->name);

	str_appendf(out, "\n## %s: ", c->title);
	capability_append_ways(c, "`", out);
	str_append_char(out, '\n');
	for (const struct tool *const *tool = selected; *tool; tool++)
		if ((*tool)->capability)
			append_tool(out, *tool);
	for (const struct tool *const *tool = c->tools; tool && *tool; tool++)
		append_tool(out, *tool);
}

static const char introduction[] =
	"# Tools\n\n"
	"Generated by `browserd --markdown tools` from the tables that `tools/list` is made of.\n\n"
	"- `target` and `startTarget`, `endTarget` of the `browser_*` tools take a ref of a snapshot "
	"(`e12`), a CSS or XPath selector, or a\n"
	"  locator such as `getByRole('button', { name: 'Send' })`. `element` is a label for the person who "
	"may be asked to allow the call.\n"
	"- `sessionId` is optional in the `browser_*` tools: without it they use the client's own session.\n"
	"- With `--answers compact` the list is short: it has one line for each tool, and of its parameters the names, types and choices; "
	"parameters\n"
	"  that are rarely needed, such as `element` and `timeout`, are accepted but not listed.\n"
	"- With `--answers compact` a picture in an answer has at most 1568 pixels on its longer side, as models see no more, and is a "
	"JPEG, a PNG\n"
	"  if it is as small as an icon or a button; `type: png` keeps all colours as they are. The answer names the scale (`1280x9060 page, "
	"shown at\n"
	"  0.173`), by which pixels are divided to get coordinates. `part: 2` shows the second part of a tall page at full width, `scale` "
	"all pixels; a\n"
	"  named file has all of them.\n"
	"- Time limits that a default of 5000 or 60000 ms is given for follow `--timeout-action` and "
	"`--timeout-navigation`.\n"
	"- The session tools answer JSON, as text and as structured content; the `browser_*` tools answer "
	"Markdown as @playwright/mcp does.\n"
	"  [sessions.md](sessions.md) has examples and the error codes.\n";

void tools_markdown(struct str *out)
{
	str_append(out, introduction);
	append_section(out, "Session tools", tool_table, false);
	append_section(out, "browser_* tools", tool_table, true);
	for (const struct capability *c = capability_table; c->name; c++)
		if (c->title)
			append_capability(out, c);
	str_append(out, "\n[engines.md](engines.md) says which of them need what not every browser can do.\n");
}
