/* Parses the `arguments` of a tools/call into the tool's struct and reports all errors at once. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "mcp/tool.h"

#define VALUE_SHOWN 60 /* bytes of a wrong name or value quoted in an error */

struct parser {
	struct task *task;
	const struct tool *tool;
	struct str complaints; /* separated by "; " */
	unsigned count;
};

static void parser_done(struct parser *ps)
{
	str_done(&ps->complaints);
}

/* Adds an error in the format COMPLAINTS_LISTED, two lines; false if the tool uses another format. */
static bool list_complaint(struct parser *ps, const char *name, const char *fmt, ...) _printf_(3, 4);
static bool list_complaint(struct parser *ps, const char *name, const char *fmt, ...)
{
	va_list ap;

	if (ps->tool->complaints != COMPLAINTS_LISTED)
		return false;
	if (ps->count++ >= LIMIT_COMPLAINTS_COUNT)
		return true;
	str_append(&ps->complaints, "\n✖ ");
	va_start(ap, fmt);
	str_vappendf(&ps->complaints, fmt, ap);
	va_end(ap);
	str_appendf(&ps->complaints, "\n  → at %s", name);
	return true;
}

const char *tool_type_word(const struct json *v)
{
	static const char *const word_table[] = {
		[JSON_NONE] = "undefined", [JSON_NULL] = "null",   [JSON_BOOL] = "boolean",  [JSON_NUMBER] = "number",
		[JSON_STRING] = "string",  [JSON_ARRAY] = "array", [JSON_OBJECT] = "object",
	};

	return word_table[json_type(v)];
}

static bool list_wrong_type(struct parser *ps, const char *name, const char *expected, const struct json *v)
{
	return list_complaint(ps, name, "Invalid input: expected %s, received %s", expected, tool_type_word(v));
}

static void arguments_complain(struct parser *ps, const char *name, const char *fmt, ...) _printf_(3, 4);
static void arguments_complain(struct parser *ps, const char *name, const char *fmt, ...)
{
	va_list ap;

	if (ps->count++ >= LIMIT_COMPLAINTS_COUNT)
		return;
	str_append(&ps->complaints, ps->tool->complaints == COMPLAINTS_LISTED ? "\n✖ " : ps->complaints.len ? "; " : "");
	str_appendf(&ps->complaints, "'%s' ", name);
	va_start(ap, fmt);
	str_vappendf(&ps->complaints, fmt, ap);
	va_end(ap);
}

/* At most VALUE_SHOWN bytes of `text`, cut between characters, in the task's arena. */
static const char *shorten(struct parser *ps, const char *text, size_t len)
{
	size_t shown = MIN(len, (size_t)VALUE_SHOWN);

	while (shown < len && ((unsigned char)text[shown] & 0xc0) == 0x80)
		shown--;
	return arena_printf(task_arena(ps->task), "%.*s%s", (int)shown, text, shown < len ? "..." : "");
}

/* Describes a received value, such as: the string "abc". In the task's arena. */
static const char *describe_received(struct parser *ps, const struct json *v)
{
	static const char *const kind_table[] = {
		[JSON_STRING] = "the string ",
		[JSON_ARRAY] = "the array ",
		[JSON_OBJECT] = "the object ",
	};
	const char *kind = json_type(v) >= JSON_STRING ? kind_table[json_type(v)] : "";
	_cleanup_(str_done) struct str text = {};

	json_print(&text, v);
	return arena_printf(task_arena(ps->task), "%s%s", kind, shorten(ps, text.data, text.len));
}

static bool list_out_of_range(struct parser *ps, const struct param *p, double n)
{
	_cleanup_(str_done) struct str bound = {};

	str_append_double(&bound, n < p->min ? p->min : p->max);
	return list_complaint(ps, p->name,
			      n < p->min ? "Too small: expected number to be >=%s" : "Too big: expected number to be <=%s",
			      bound.data);
}

static bool in_range(struct parser *ps, const struct param *p, const struct json *v)
{
	double n = json_num(v, NULL, NAN);
	_cleanup_(str_done) struct str bounds = {};

	if (p->min >= p->max || (n >= p->min && n <= p->max))
		return true;
	if (list_out_of_range(ps, p, n))
		return false;
	str_append_double(&bounds, p->min);
	str_append(&bounds, " to ");
	str_append_double(&bounds, p->max);
	arguments_complain(ps, p->name, "must be a number from %s, not %s", bounds.data, describe_received(ps, v));
	return false;
}

static void arguments_parse_string(struct parser *ps, const struct param *p, const struct json *v, const char **ret)
{
	size_t max = p->max_length ? p->max_length : LIMIT_ARGUMENT;
	const char *text = json_str(v, NULL);

	if (!text && list_wrong_type(ps, p->name, "string", v))
		return;
	if (!text)
		arguments_complain(ps, p->name, "must be a string, not %s", describe_received(ps, v));
	else if (strlen(text) > max)
		arguments_complain(ps, p->name, "must be at most %zu bytes long, not %zu", max, strlen(text));
	else if (*text || !p->empty_is_none)
		*ret = text;
}

static void arguments_parse_number(struct parser *ps, const struct param *p, const struct json *v, double *ret)
{
	double n = json_num(v, NULL, NAN);

	if (!isfinite(n) && list_wrong_type(ps, p->name, "number", v))
		return;
	if (!isfinite(n))
		arguments_complain(ps, p->name, "must be a number, not %s", describe_received(ps, v));
	else if (in_range(ps, p, v))
		*ret = n;
}

/* Reports integers that a double cannot hold exactly, in the format COMPLAINTS_LISTED; true if it did. */
static bool list_inexact(struct parser *ps, const struct param *p, const struct json *v)
{
	double n = json_num(v, NULL, NAN);

	if (!isfinite(n) || n != trunc(n))
		return false;
	return list_complaint(ps, p->name, n < 0 ? "Too small: expected int to be >=-%lld" : "Too big: expected int to be <=%lld",
			      (long long)JSON_INTEGER_MAX);
}

static void parse_integer(struct parser *ps, const struct param *p, const struct json *v, int64_t low, int64_t high, int64_t *ret)
{
	double n = json_num(v, NULL, NAN);
	int64_t i = json_int(v, NULL, INT64_MIN);
	bool is_wrong = i == INT64_MIN || i < low || i > high;

	if (i == INT64_MIN && list_inexact(ps, p, v))
		return;
	if (is_wrong && list_wrong_type(ps, p->name, json_type(v) == JSON_NUMBER ? "int" : "number", v))
		return;
	if (is_wrong && n == trunc(n) && !in_range(ps, p, v)) /* also values too large for the member */
		return;
	if (is_wrong)
		arguments_complain(ps, p->name, "must be an integer, not %s", describe_received(ps, v));
	else if (in_range(ps, p, v))
		*ret = i;
}

/* Index of the choice that `v` names; -1 if there is none, which is reported. */
static int find_choice(struct parser *ps, const struct param *p, const struct json *v)
{
	_cleanup_(str_done) struct str list = {};
	const char *text = json_str(v, NULL);

	for (int i = 0; p->choices[i]; i++) {
		if (text && !strcmp(text, p->choices[i]))
			return i;
		str_appendf(&list, "%s\"%s\"", !i ? "" : ps->tool->complaints == COMPLAINTS_LISTED ? "|" : ", ", p->choices[i]);
	}
	if (!list_complaint(ps, p->name, "Invalid option: expected one of %s", str_text(&list)))
		arguments_complain(ps, p->name, "must be one of %s, not %s", str_text(&list), describe_received(ps, v));
	return -1;
}

static void parse_choice(struct parser *ps, const struct param *p, const struct json *v, int *ret)
{
	int i = find_choice(ps, p, v);

	if (i >= 0)
		*ret = i;
}

static void arguments_parse_bool(struct parser *ps, const struct param *p, const struct json *v, bool *ret)
{
	if (json_type(v) == JSON_BOOL)
		*ret = json_bool(v, NULL, false);
	else if (!list_wrong_type(ps, p->name, "boolean", v))
		arguments_complain(ps, p->name, "must be true or false, not %s", describe_received(ps, v));
}

/* Keeps what was given, as nothing else can say that nothing was. */
static void parse_flag(struct parser *ps, const struct param *p, const struct json *v, const struct json **ret)
{
	bool unused;

	arguments_parse_bool(ps, p, v, &unused);
	if (json_type(v) == JSON_BOOL)
		*ret = v;
}

static void parse_strings(struct parser *ps, const struct param *p, const struct json *v, struct string_list *ret)
{
	struct string_list list = {};

	if (json_type(v) != JSON_ARRAY && list_wrong_type(ps, p->name, "array", v))
		return;
	if (json_type(v) != JSON_ARRAY) {
		arguments_complain(ps, p->name, "must be an array of strings, not %s", describe_received(ps, v));
		return;
	}
	if (json_count(v) > LIMIT_ARGUMENT_ITEMS_COUNT) {
		arguments_complain(ps, p->name, "must have at most %u items, not %zu", LIMIT_ARGUMENT_ITEMS_COUNT, json_count(v));
		return;
	}
	list.items = arena_alloc(task_arena(ps->task), (json_count(v) + 1) * sizeof(*list.items));
	json_foreach(e, v) {
		struct param element = *p;

		element.name = arena_printf(task_arena(ps->task), "%s[%zu]", p->name, list.count);
		if (!p->choices || find_choice(ps, &element, e) >= 0)
			arguments_parse_string(ps, &element, e, &list.items[list.count]);
		list.count++;
	}
	*ret = list;
}

static void arguments_parse_int(struct parser *ps, const struct param *p, const struct json *v, int *ret)
{
	int64_t n = *ret;

	parse_integer(ps, p, v, INT_MIN, INT_MAX, &n);
	*ret = (int)n;
}

static void arguments_parse_value(struct parser *ps, const struct param *p, const struct json *v, void *member)
{
	switch (p->type) {
	case PARAM_STRING:
		arguments_parse_string(ps, p, v, member);
		break;
	case PARAM_NUMBER:
		arguments_parse_number(ps, p, v, member);
		break;
	case PARAM_INT:
		if (p->choices)
			parse_choice(ps, p, v, member);
		else
			arguments_parse_int(ps, p, v, member);
		break;
	case PARAM_INT64:
		parse_integer(ps, p, v, INT64_MIN + 1, INT64_MAX, member);
		break;
	case PARAM_BOOL:
		arguments_parse_bool(ps, p, v, member);
		break;
	case PARAM_STRINGS:
		parse_strings(ps, p, v, member);
		break;
	case PARAM_JSON:
		if (p->is_flag)
			parse_flag(ps, p, v, member);
		else
			*(const struct json **)member = v;
		break;
	}
}

/* The format COMPLAINTS_LISTED describes a missing argument as "undefined". */
static bool list_required(struct parser *ps, const struct param *p)
{
	static const char *const word_table[] = {
		[PARAM_STRING] = "string", [PARAM_NUMBER] = "number", [PARAM_INT] = "number", [PARAM_INT64] = "number",
		[PARAM_BOOL] = "boolean",  [PARAM_STRINGS] = "array", [PARAM_JSON] = "array",
	};
	int unused = 0;

	if (ps->tool->complaints != COMPLAINTS_LISTED)
		return false;
	if (p->choices && p->type != PARAM_STRINGS)
		parse_choice(ps, p, NULL, &unused);
	else
		list_wrong_type(ps, p->name, word_table[p->type], NULL);
	return true;
}

bool tool_has_param(const struct tool *tool, const struct tool_style *style, const char *name)
{
	for (const struct param *p = tool->params; p && p->name; p++)
		if (tool_shows(style, p) && !strcmp(p->name, name))
			return true;
	return false;
}

bool tool_takes_session(const struct tool *tool, const struct tool_style *style)
{
	for (const struct param *p = tool->params; style->session_argument && p && p->name; p++)
		if (!strcmp(p->name, style->session_argument))
			return true;
	return false;
}

static void complain_unknown(struct parser *ps, const struct tool_style *style, const struct json *arguments)
{
	_cleanup_(str_done) struct str list = {};

	for (const struct param *p = ps->tool->params; p && p->name; p++)
		if (tool_shows(style, p))
			str_appendf(&list, "%s%s", list.len ? ", " : "", p->name);
	json_foreach(m, arguments) {
		const char *name = json_name(m);

		if (tool_has_param(ps->tool, style, name))
			continue;
		name = shorten(ps, name, strlen(name));
		if (!list_complaint(ps, name, "There is no such argument; this tool takes: %s", list.len ? list.data : "none"))
			arguments_complain(ps, name, "is not an argument of this tool, which takes: %s",
					   list.len ? list.data : "none");
	}
}

static bool refuses_unknown(const struct tool *tool, const struct tool_style *style)
{
	return tool->complaints == COMPLAINTS_IN_WORDS || (style->refuses_unknown && !tool_takes_any(tool));
}

int tool_parse_arguments(struct task *t, const struct tool *tool, const struct tool_style *style, const struct json *arguments,
			 const void **ret)
{
	_cleanup_(parser_done) struct parser ps = { .task = t, .tool = tool };
	char *args = arena_alloc(task_arena(t), tool->size);

	if (tool->defaults)
		memcpy(args, tool->defaults, tool->size);
	for (const struct param *p = tool->params; p && p->name; p++) {
		const struct json *v = tool_shows(style, p) ? json_member(arguments, p->name) : NULL;

		if (v)
			arguments_parse_value(&ps, p, v, args + p->offset);
		else if (p->required && !list_required(&ps, p))
			arguments_complain(&ps, p->name, "is required");
	}
	if (refuses_unknown(tool, style))
		complain_unknown(&ps, style, arguments);
	if (tool->complaints == COMPLAINTS_LISTED && ps.count)
		return task_fail_because(t, -ERR_INVALID_PARAMETERS, REASON_INVALID_ARGUMENTS, "{tool: ?, complaints: ?}",
					 tool->name, ps.complaints.data);
	if (ps.count)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "Invalid arguments of %s: %s%s", tool->name, ps.complaints.data,
				 ps.count > LIMIT_COMPLAINTS_COUNT ? "; and more" : "");
	*ret = args;
	return 0;
}
