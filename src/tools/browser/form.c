/* browser_select_option, browser_fill_form. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "act/action.h"
#include "base/error.h"
#include "base/limits.h"
#include "reply/writer.h"
#include "tools/browser/browse.h"
#include "tools/browser/secrets.h"
#include "tools/browser/tools.h"

struct browser_select_option {
	const char *sessionId, *element, *target;
	struct string_list values;
};

static const struct param browser_select_option_params[] = {
	PARAM(browser_select_option, element, ELEMENT_ABOUT, .is_rare = true),
	PARAM(browser_select_option, target, TARGET_ABOUT, .required = true, .max_length = LIMIT_SELECTOR),
	PARAM(browser_select_option, values, "Values or labels of options", .required = true),
	PARAM(browser_select_option, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static int form_choose(struct browse *b, const struct found_target *found, const struct string_list *values, bool by_label)
{
	_cleanup_(str_done) struct str list = {};
	const char *element;
	int r;

	browse_statement(b, found, (struct code_call){ .verb = CODE_SELECT, .values = values });
	str_append_char(&list, '[');
	for (size_t i = 0; i < values->count; i++)
		str_json(&list, "? ?", JSON_COMMA(i), values->items[i]);
	str_append_char(&list, ']');
	r = browse_announce(b, found, "Select option", NULL);
	if (r < 0)
		return r;
	r = action_select(b->call.t, found->target.frame,
			  &(const struct select_action){
				  .target = found->target.element,
				  .values = list.data,
				  .timeout = b->call.timeouts.action,
				  .patience = b->call.timeouts.option,
				  .by_label = by_label,
			  },
			  &element);
	return browse_explain(&b->call, r, found, "select option");
}

static int form_select_run(struct browse *b, const void *args)
{
	const struct browser_select_option *a = args;
	_cleanup_(found_target_done) struct found_target found = {};
	int r;

	r = browse_find_target(b, a->target, &found);
	if (r < 0)
		return r;
	b->response.snapshot = SNAPSHOT_LINK;
	return form_choose(b, &found, &a->values, false);
}

const struct tool tool_browser_select_option = BROWSE_TOOL("browser_select_option", "Select option", browser_select_option,
							   "Select one or more options of a drop-down list.",
							   (&(const struct browse_tool){ .run = form_select_run, .acts = true }),
							   .terse = "Select options by value or label");

struct browser_fill_form {
	const char *sessionId;
	const struct json *fields;
};

#define FIELDS(members, required, end) \
	"{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{" members "},\"required\":[" required "]" end "}}"
#define ABOUT(text) ",\"description\":\"" text "\""
#define TEXT(name, about) "\"" name "\":{\"type\":\"string\"" about "}"
#define FIELD_ELEMENT TEXT("element", ABOUT(ELEMENT_ABOUT))
#define FIELD_TARGET TEXT("target", ABOUT(TARGET_ABOUT))
#define FIELD_NAME TEXT("name", ABOUT(ELEMENT_ABOUT))
#define FIELD_TYPE "\"type\":{\"type\":\"string\",\"enum\":[\"textbox\",\"checkbox\",\"radio\",\"combobox\",\"slider\"]}"
#define FIELD_VALUE TEXT("value", ABOUT("Text, number, option label, or true/false"))
#define FIELDS_SCHEMA \
	FIELDS(FIELD_ELEMENT "," FIELD_TARGET "," FIELD_NAME "," FIELD_TYPE "," FIELD_VALUE, \
	       "\"target\",\"name\",\"type\",\"value\"", ",\"additionalProperties\":false")
/* The target says what the field is called, and of which type it is. */
#define FIELDS_TERSE FIELDS(TEXT("target", "") "," TEXT("value", ""), "\"target\",\"value\"", "")

static const struct param browser_fill_form_params[] = {
	PARAM(browser_fill_form, fields, NULL, .required = true, .schema = FIELDS_SCHEMA, .terse_schema = FIELDS_TERSE,
	      .documented = "The fields, in the order in which they are filled\ntype: What kind of control the field is"),
	PARAM(browser_fill_form, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

static int fill_text(struct browse *b, struct found_target *found, const char *value)
{
	const struct secret *secret = secret_find(b->call.app, value);
	const char *element;
	int r;

	browse_statement(b, found,
			 (struct code_call){ .verb = CODE_FILL, .text = value, .variable = secret ? secret->name : NULL });
	r = browse_announce(b, found, "Fill", secret ? NULL : value);
	if (r < 0)
		return r;
	r = action_type(b->call.t, found->target.frame,
			&(const struct type_action){
				.target = found->target.element,
				.text = secret ? secret->value : value,
				.timeout = b->call.timeouts.action,
				.at_once = true,
				.clear = true,
			},
			&element);
	found->action_line = browse_fill_line(&b->call, value);
	return browse_explain(&b->call, r, found, "fill");
}

static int fill_check(struct browse *b, struct found_target *found, const char *value)
{
	const char *element;
	bool checked;
	int r;

	if (!browse_read_checked(value, &checked))
		return browse_fail_call(&b->call, -EINVAL,
					"%s is a checkbox or radio button, and \"%s\" is no state of one: give " CHECKED_WORDS,
					found->locator, response_row(b->call.t, value));
	browse_statement(b, found, (struct code_call){ .verb = checked ? CODE_CHECK : CODE_UNCHECK });
	r = browse_announce(b, found, checked ? "Check" : "Uncheck", NULL);
	if (r < 0)
		return r;
	r = action_check(b->call.t, found->target.frame,
			 &(const struct check_action){
				 .target = found->target.element,
				 .timeout = b->call.timeouts.action,
				 .checked = checked,
			 },
			 &element);
	return browse_explain(&b->call, r, found, "click");
}

static int fill_choice(struct browse *b, struct found_target *found, const char *value)
{
	return form_choose(b, found, &(const struct string_list){ .items = &value, .count = 1 }, true);
}

static const struct field_type {
	const char *name;
	int (*fill)(struct browse *b, struct found_target *found, const char *value);
} field_types[] = {
	{ "textbox", fill_text },    { "checkbox", fill_check }, { "radio", fill_check },
	{ "combobox", fill_choice }, { "slider", fill_text },    {},
};

static const struct field_type *form_find_type(const char *name)
{
	for (const struct field_type *type = field_types; name && type->name; type++)
		if (strcmp(type->name, name) == 0)
			return type;
	return NULL;
}

/* What the field says, or else the page. */
static int type_of_field(struct tool_call *call, const struct json *field, const struct found_target *found,
			 const struct field_type **ret)
{
	_cleanup_(json_freep) struct json *type = NULL;
	int r;

	*ret = form_find_type(json_str(field, "type"));
	if (*ret)
		return 0;
	r = frame_script(call->t, found->target.frame, &type, "fieldType", "{target: ?}", JSON_RAW(found->target.element));
	if (r < 0)
		return r;
	*ret = form_find_type(json_str(type, NULL));
	return *ret ? 0 : -EPROTO;
}

struct complaints {
	struct str text;
	unsigned count;
};

static void form_complain(struct complaints *c, const char *fmt, ...) _printf_(2, 3);
static void form_complain(struct complaints *c, const char *fmt, ...)
{
	va_list ap;

	if (c->count++ >= LIMIT_COMPLAINTS_COUNT)
		return;
	str_append(&c->text, "\n✖ ");
	va_start(ap, fmt);
	str_vappendf(&c->text, fmt, ap);
	va_end(ap);
}

static void check_text(const struct json *field, const char *name, size_t n, struct complaints *c)
{
	const struct json *v = json_get(field, name);

	if (json_type(v) != JSON_STRING)
		form_complain(c, "Invalid input: expected string, received %s\n  → at fields[%zu].%s", tool_type_word(v), n, name);
}

/* What is no text but can only be meant as one: the state of a check box, the number of a slider. */
static bool form_is_plain(const struct json *v)
{
	return json_type(v) == JSON_BOOL || json_type(v) == JSON_NUMBER;
}

static void form_print_value(struct str *out, const struct json *field)
{
	const struct json *v = json_get(field, "value");

	if (form_is_plain(v))
		json_print(out, v);
	else
		str_append(out, json_text(v, NULL));
}

static void check_value(const struct json *field, size_t n, struct complaints *c)
{
	const struct field_type *type = form_find_type(json_str(field, "type"));
	const struct json *v = json_get(field, "value");
	_cleanup_(str_done) struct str value = {};
	bool checked;

	form_print_value(&value, field);
	if (!form_is_plain(v) && json_type(v) != JSON_STRING)
		check_text(field, "value", n, c);
	else if (type && type->fill == fill_check && !browse_read_checked(str_text(&value), &checked))
		form_complain(c, "Invalid input: expected " CHECKED_WORDS "\n  → at fields[%zu].value", n);
}

/* `terse`: the list of tools has fields without a name and a type. */
static void check_field(const struct json *field, size_t n, bool terse, struct complaints *c)
{
	if (json_type(field) != JSON_OBJECT) {
		form_complain(c, "Invalid input: expected object, received %s\n  → at fields[%zu]", tool_type_word(field), n);
		return;
	}
	check_text(field, "target", n, c);
	if (!terse || json_get(field, "name"))
		check_text(field, "name", n, c);
	if (!form_find_type(json_str(field, "type")) && (!terse || json_get(field, "type")))
		form_complain(c,
			      "Invalid option: expected one of \"textbox\"|\"checkbox\"|\"radio\"|\"combobox\"|\"slider\"\n"
			      "  → at fields[%zu].type",
			      n);
	check_value(field, n, c);
}

static void form_check_list(const struct json *fields, bool terse, struct complaints *c)
{
	size_t n = 0;

	if (json_type(fields) != JSON_ARRAY)
		form_complain(c, "Invalid input: expected array, received %s\n  → at fields", tool_type_word(fields));
	else if (json_count(fields) > LIMIT_ARGUMENT_ITEMS_COUNT)
		form_complain(c, "Too big: expected at most %u items, not %zu\n  → at fields", LIMIT_ARGUMENT_ITEMS_COUNT,
			      json_count(fields));
	else
		json_foreach(field, fields)
			check_field(field, n++, terse, c);
}

/* All fields are validated first, so that a malformed field leaves the form unchanged. */
static int check_fields(struct tool_call *call, const struct json *fields)
{
	struct complaints c = {};
	int r = 0;

	form_check_list(fields, !call->app->answers->writer->quotes_reference, &c);
	if (c.count)
		r = browse_fail(call, "Invalid arguments for tool \"browser_fill_form\":%s%s", c.text.data,
				c.count > LIMIT_COMPLAINTS_COUNT ? "\n✖ and more" : "");
	str_done(&c.text);
	return r;
}

/* The fields are known from the start, so one message resolves them all: for five of them it saves four round trips. */
static int resolve_fields(struct browse *b, const struct json *fields, struct target_answers *ret)
{
	_cleanup_(str_done) struct str targets = {};

	json_foreach(field, fields)
		str_json(&targets, "? ?", JSON_COMMA(targets.len), json_str(field, "target"));
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	return target_resolve_all(b->call.t, b->page, str_text(&targets), ret);
}

static int fill_field(struct browse *b, const struct json *field, const struct json *known, unsigned document)
{
	_cleanup_(found_target_done) struct found_target found = { .target.known = known, .target.known_document = document };
	_cleanup_(str_done) struct str value = {};
	const struct field_type *type = NULL;
	int r;

	form_print_value(&value, field);
	r = browse_find_target(b, json_str(field, "target"), &found);
	if (r == 0)
		r = type_of_field(&b->call, field, &found, &type);
	return r < 0 ? r : type->fill(b, &found, str_text(&value));
}

static int fill_run(struct browse *b, const void *args)
{
	const struct browser_fill_form *a = args;
	_cleanup_(target_answers_done) struct target_answers known = {};
	const struct json *answer;
	int r;

	r = check_fields(&b->call, a->fields);
	if (r < 0)
		return r;
	r = resolve_fields(b, a->fields, &known);
	if (r < 0 && r != -ESTALE)
		return r;
	answer = json_first(known.answers);
	json_foreach(field, a->fields) {
		r = fill_field(b, field, answer, known.document);
		if (r < 0)
			return r;
		answer = json_next(answer);
	}
	return 0;
}

const struct tool tool_browser_fill_form = BROWSE_TOOL(
	"browser_fill_form", "Fill form", browser_fill_form,
	"Fill several form fields in one call, in order: text, checkboxes, radio buttons, drop-down lists (combobox), sliders.",
	(&(const struct browse_tool){ .run = fill_run, .acts = true }),
	.terse = "Fill fields in one call. value: text, option label, true, false");
