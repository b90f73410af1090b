/* Builds a tool's tools/list entry from its table of parameters. */
#include <math.h>
#include <string.h>

#include "mcp/tool.h"
#include "mcp/version.h"

static const char *type_name(const struct param *p)
{
	static const char *const type_table[] = {
		[PARAM_STRING] = "string", [PARAM_NUMBER] = "number", [PARAM_INT] = "integer", [PARAM_INT64] = "integer",
		[PARAM_BOOL] = "boolean",  [PARAM_STRINGS] = "array", [PARAM_JSON] = NULL,
	};

	if (p->is_flag)
		return type_table[PARAM_BOOL];
	return p->choices && p->type != PARAM_STRINGS ? "string" : type_table[p->type];
}

static void schema_append_choices(const struct param *p, struct str *out)
{
	str_append(out, ",\"enum\":[");
	for (size_t i = 0; p->choices[i]; i++)
		str_json(out, "? ?", JSON_COMMA(i), p->choices[i]);
	str_append_char(out, ']');
}

static void append_choice_default(const struct param *p, int index, struct str *out)
{
	if (index >= 0 && !p->required)
		str_json(out, ", default: ?", p->choices[index]);
}

static void append_number_default(const struct param *p, double n, struct str *out)
{
	if ((n != 0 || p->defaulted) && !isnan(n)) /* NAN: no value */
		str_json(out, ", default: ?", n);
}

static void schema_append_default(const struct param *p, const void *member, struct str *out)
{
	switch (p->type) {
	case PARAM_STRING:
		if (*(const char *const *)member)
			str_json(out, ", default: ?", *(const char *const *)member);
		break;
	case PARAM_NUMBER:
		append_number_default(p, *(const double *)member, out);
		break;
	case PARAM_INT:
		if (p->choices)
			append_choice_default(p, *(const int *)member, out);
		else
			append_number_default(p, *(const int *)member, out);
		break;
	case PARAM_INT64:
		append_number_default(p, (double)*(const int64_t *)member, out);
		break;
	case PARAM_BOOL:
		if (*(const bool *)member || p->defaulted)
			str_json(out, ", default: ?", *(const bool *)member);
		break;
	case PARAM_STRINGS:
	case PARAM_JSON:
		break;
	}
}

/* A choice of a tool without defaults defaults to its first value. */
static const void *default_of(const struct tool *tool, const struct param *p)
{
	static const int64_t zero = 0;

	if (tool->defaults)
		return (const char *)tool->defaults + p->offset;
	return p->choices || p->defaulted ? &zero : NULL;
}

static bool is_terse(const struct tool *tool, const struct tool_style *style)
{
	return style->terse && tool->terse;
}

static void schema_append_type(const struct param *p, const char *about, struct str *out)
{
	str_json(out, "type: ?", type_name(p));
	if (about)
		str_json(out, ", description: ?", about);
	if (p->type == PARAM_STRINGS)
		str_append(out, ",\"items\":{\"type\":\"string\"");
	if (p->choices)
		schema_append_choices(p, out);
	if (p->type == PARAM_STRINGS)
		str_append_char(out, '}');
}

static void append_range_and_default(const struct tool *tool, const struct param *p, struct str *out)
{
	const void *value = default_of(tool, p);

	if (p->min < p->max)
		str_json(out, ", minimum: ?, maximum: ?", p->min, p->max);
	if (value)
		schema_append_default(p, value, out);
}

static void append_schema(const struct tool *tool, const struct param *p, bool terse, struct str *out)
{
	const char *schema = terse && p->terse_schema ? p->terse_schema : p->schema;

	if (schema) {
		str_append(out, schema);
		return;
	}
	str_append_char(out, '{');
	schema_append_type(p, terse ? p->terse : p->about, out);
	if (!terse)
		append_range_and_default(tool, p, out);
	str_append_char(out, '}');
}

/* Proxies read the session from this header field, which clients send because the schema says so. */
static void append_param(const struct tool *tool, const struct tool_style *style, const struct param *p, struct str *out)
{
	str_json(out, "?:", p->name);
	append_schema(tool, p, is_terse(tool, style), out);
	if (!style->session_header || strcmp(p->name, style->session_argument) != 0)
		return;
	out->len--; /* the brace that ends the schema */
	str_appendf(out, ",\"x-mcp-header\":\"%s\"}", style->session_header);
}

static void print_argument(const struct tool *tool, const struct param *p, const struct json *given, const char *comma,
			   struct str *out)
{
	_cleanup_(str_done) struct str fallback = {};
	const void *value = p->schema || p->required ? NULL : default_of(tool, p);

	if (given) {
		str_json(out, "? ?: ?", JSON_RAW(comma), p->name, given);
		return;
	}
	if (value)
		schema_append_default(p, value, &fallback); /* ,"default":VALUE */
	if (fallback.len)
		str_json(out, "? ?: ?", JSON_RAW(comma), p->name, JSON_RAW(fallback.data + strlen(",\"default\":")));
}

void tool_print_arguments(const struct tool *tool, const struct tool_style *style, const struct json *arguments, struct str *out)
{
	size_t began = out->len + 1;

	if (!tool->params || tool->input_schema) {
		if (arguments)
			json_print(out, arguments);
		else
			str_append(out, "{}");
		return;
	}
	str_append_char(out, '{');
	for (const struct param *p = tool->params; p->name; p++)
		if (tool_shows(style, p))
			print_argument(tool, p, json_member(arguments, p->name), out->len > began ? "," : "", out);
	str_append_char(out, '}');
}

static void append_required(const struct tool *tool, const struct tool_style *style, struct str *out)
{
	const char *before = ",\"required\":[";

	for (const struct param *p = tool->params; p && p->name; p++)
		if (tool_shows(style, p) && (p->required || (p->defaulted && style->explicit))) {
			str_json(out, "? ?", JSON_RAW(before), p->name);
			before = ",";
		}
	if (*before == ',' && !before[1])
		str_append_char(out, ']');
}

bool tool_shows(const struct tool_style *style, const struct param *p)
{
	if (p->is_for_terse)
		return style->terse || style->whole;
	if ((p->is_later && !style->later) || p->needs & style->lacks)
		return false;
	return !style->sessions_hidden ||
	       (!p->is_addition && !(style->session_argument && !strcmp(p->name, style->session_argument)));
}

static bool schema_is_listed(const struct tool *tool, const struct tool_style *style, const struct param *p)
{
	return tool_shows(style, p) && !(is_terse(tool, style) && p->is_rare);
}

bool tool_lists_param(const struct tool *tool, const struct tool_style *style, const char *name)
{
	for (const struct param *p = tool->params; p && p->name; p++)
		if (!strcmp(p->name, name))
			return !tool->input_schema && schema_is_listed(tool, style, p);
	return false;
}

void tool_input_schema(const struct tool *tool, const struct tool_style *style, struct str *out)
{
	const char *before = "";

	if (tool->input_schema) {
		str_append(out, tool->input_schema);
		return;
	}
	str_append_char(out, '{');
	if (style->explicit)
		str_json(out, "$schema: 'https://json-schema.org/draft/2020-12/schema', ");
	str_json(out, "type: 'object', properties: {");
	for (const struct param *p = tool->params; p && p->name; p++) {
		if (!schema_is_listed(tool, style, p))
			continue;
		str_append(out, before);
		append_param(tool, style, p, out);
		before = ",";
	}
	str_append_char(out, '}');
	append_required(tool, style, out);
	if (style->explicit)
		str_append(out, ",\"additionalProperties\":false");
	str_append_char(out, '}');
}

/*
 * Appends the hints that differ from MCP's defaults, or all of them in explicit views. Terse ones say only that a tool changes nothing:
 * by the other hints a client decides how urgently it asks its user, and without them it asks once more.
 */
static void append_annotations(const struct tool *tool, const struct tool_style *style, struct str *out)
{
	bool destructive = !tool->read_only && !tool->not_destructive;
	_cleanup_(str_done) struct str list = {};

	if (tool->title && style->explicit)
		str_json(&list, ", title: ?", tool->title);
	if (tool->read_only || style->explicit)
		str_json(&list, ", readOnlyHint: ?", tool->read_only);
	if ((tool->not_destructive && !is_terse(tool, style)) || style->explicit)
		str_json(&list, ", destructiveHint: ?", destructive);
	if (tool->idempotent && !is_terse(tool, style))
		str_json(&list, ", idempotentHint: true");
	if (tool->closed_world || style->explicit)
		str_json(&list, ", openWorldHint: ?", (bool)!tool->closed_world);
	if (list.len)
		str_appendf(out, ",\"annotations\":{%s}", list.data + 1);
}

void tool_entry(const struct tool *tool, const struct tool_style *style, const struct version *version, struct str *out)
{
	str_json(out, "{name: ?, description: ?, inputSchema:", tool->name, is_terse(tool, style) ? tool->terse : tool->about);
	tool_input_schema(tool, style, out);
	if (version->structured && tool->output_schema)
		str_json(out, ", outputSchema: ?", JSON_RAW(tool->output_schema));
	if (version->annotations)
		append_annotations(tool, style, out);
	str_append_char(out, '}');
}
