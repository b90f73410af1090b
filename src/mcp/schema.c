/* What tools/list says about a tool, from its table of parameters. */
#include "mcp/tool.h"
#include "mcp/version.h"

static const char *type_name(const struct param *p)
{
	static const char *const type_table[] = {
		[PARAM_STRING] = "string",   [PARAM_NUMBER] = "number", [PARAM_INT] = "integer",
		[PARAM_INT64] = "integer",   [PARAM_BOOL] = "boolean",  [PARAM_STRINGS] = "array",
		[PARAM_JSON] = NULL,
	};

	return p->choices ? "string" : type_table[p->type];
}

static void append_choices(const struct param *p, struct str *out)
{
	str_append(out, ",\"enum\":[");
	for (size_t i = 0; p->choices[i]; i++)
		str_json(out, "%p%s", i ? "," : "", p->choices[i]);
	str_append_char(out, ']');
}

static void append_choice_default(const struct param *p, int index, struct str *out)
{
	if (index >= 0 && !p->required)
		str_json(out, ", default: %s", p->choices[index]);
}

static void append_number_default(double n, struct str *out)
{
	if (n != 0)
		str_json(out, ", default: %f", n);
}

static void append_default(const struct param *p, const void *member, struct str *out)
{
	switch (p->type) {
	case PARAM_STRING:
		if (*(const char *const *)member)
			str_json(out, ", default: %s", *(const char *const *)member);
		break;
	case PARAM_NUMBER:
		append_number_default(*(const double *)member, out);
		break;
	case PARAM_INT:
		if (p->choices)
			append_choice_default(p, *(const int *)member, out);
		else
			append_number_default(*(const int *)member, out);
		break;
	case PARAM_INT64:
		append_number_default((double)*(const int64_t *)member, out);
		break;
	case PARAM_BOOL:
		if (*(const bool *)member)
			str_append(out, ",\"default\":true");
		break;
	case PARAM_STRINGS:
	case PARAM_JSON:
		break;
	}
}

static void append_param(const struct tool *tool, const struct param *p, struct str *out)
{
	static const int zero_choice = 0;

	str_json(out, "%s:", p->name);
	if (p->schema) {
		str_append(out, p->schema);
		return;
	}
	str_append_char(out, '{');
	if (type_name(p))
		str_json(out, "type: %s,", type_name(p));
	str_json(out, "description: %s", p->about);
	if (p->choices)
		append_choices(p, out);
	if (p->type == PARAM_STRINGS)
		str_json(out, ", items: {type: 'string'}");
	if (p->min < p->max)
		str_json(out, ", minimum: %f, maximum: %f", p->min, p->max);
	if (tool->defaults)
		append_default(p, (const char *)tool->defaults + p->offset, out);
	else if (p->choices)
		append_default(p, &zero_choice, out);
	str_append_char(out, '}');
}

static void append_required(const struct tool *tool, struct str *out)
{
	const char *before = ",\"required\":[";

	for (const struct param *p = tool->params; p && p->name; p++)
		if (p->required) {
			str_json(out, "%p%s", before, p->name);
			before = ",";
		}
	if (*before == ',' && !before[1])
		str_append_char(out, ']');
}

void tool_input_schema(const struct tool *tool, struct str *out)
{
	str_json(out, "{type: 'object', properties: {");
	for (const struct param *p = tool->params; p && p->name; p++) {
		if (p != tool->params)
			str_append_char(out, ',');
		append_param(tool, p, out);
	}
	str_append_char(out, '}');
	append_required(tool, out);
	str_append(out, ",\"additionalProperties\":false}");
}

static void append_annotations(const struct tool *tool, struct str *out)
{
	str_json(out, ", annotations: {");
	if (tool->title)
		str_json(out, "title: %s,", tool->title);
	str_json(out, "readOnlyHint: %i, destructiveHint: %i,", tool->read_only,
		 !tool->read_only && !tool->not_destructive);
	if (tool->idempotent)
		str_json(out, "idempotentHint: true,");
	str_json(out, "openWorldHint: %i}", !tool->closed_world);
}

void tool_entry(const struct tool *tool, const struct version *version, struct str *out)
{
	str_json(out, "{name: %s,", tool->name);
	if (version->titles && tool->title)
		str_json(out, "title: %s,", tool->title);
	str_json(out, "description: %s, inputSchema:", tool->about);
	tool_input_schema(tool, out);
	if (version->structured && tool->output_schema)
		str_json(out, ", outputSchema: %p", tool->output_schema);
	if (version->annotations)
		append_annotations(tool, out);
	str_append_char(out, '}');
}
