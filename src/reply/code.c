#include "reply/code.h"

#include <ctype.h>
#include <string.h>

#include "act/keyboard.h"

enum letters { AS_IT_IS, CAPITAL_FIRST, ALL_CAPITALS };

/* Texts around the parts of a list, which are separated by ", ". */
struct list_form {
	const char *open, *before, *after, *close;
};

/* The syntax of a language for those options of a click that differ from the default, separated by `between`. */
struct option_forms {
	const char *open, *between, *close;
	struct list_form button, modifiers;
	enum letters names;
};

static const struct language {
	const char *fence, *dialect;
	const char *begin, *end; /* of a statement */
	char quote;
	const char *verbs[CODE_VERBS];
	struct list_form variable; /* around the name of an environment variable */
	struct list_form values;
	const char *no_values;
	bool single_value; /* a single value is written without the list brackets */
	struct option_forms options;
} language_table[] = {
	[CODE_TYPESCRIPT] = {
		.fence = "js", .dialect = "typescript", .begin = "await page.", .end = ");", .quote = '\'',
		.verbs = {
			[CODE_CHECK] = "check", [CODE_CLICK] = "click", [CODE_DBLCLICK] = "dblclick", [CODE_FILL] = "fill",
			[CODE_GOTO] = "goto", [CODE_HOVER] = "hover", [CODE_PRESS] = "press", [CODE_SELECT] = "selectOption",
			[CODE_UNCHECK] = "uncheck",
		},
		.variable = { .open = "process.env[", .close = "]" },
		.values = { .open = "[", .close = "]" }, .no_values = "[]", .single_value = true,
		.options = {
			.open = "{\n  ", .between = ",\n  ", .close = "\n}",
			.button = { "button: ", "'", "'", "" },
			.modifiers = { "modifiers: [", "'", "'", "]" },
		},
	},
	[CODE_PYTHON] = {
		.fence = "python", .dialect = "python", .begin = "page.", .end = ")", .quote = '"',
		.verbs = {
			[CODE_CHECK] = "check", [CODE_CLICK] = "click", [CODE_DBLCLICK] = "dblclick", [CODE_FILL] = "fill",
			[CODE_GOTO] = "goto", [CODE_HOVER] = "hover", [CODE_PRESS] = "press", [CODE_SELECT] = "select_option",
			[CODE_UNCHECK] = "uncheck",
		},
		.variable = { .open = "os.environ[", .close = "]" },
		.values = { .open = "[", .close = "]" }, .no_values = "[]", .single_value = true,
		.options = {
			.open = "", .between = ", ", .close = "",
			.button = { "button=", "\"", "\"", "" },
			.modifiers = { "modifiers=[", "\"", "\"", "]" },
		},
	},
	[CODE_JAVA] = {
		.fence = "java", .dialect = "java", .begin = "page.", .end = ");", .quote = '"',
		.verbs = {
			[CODE_CHECK] = "check", [CODE_CLICK] = "click", [CODE_DBLCLICK] = "dblclick", [CODE_FILL] = "fill",
			[CODE_GOTO] = "navigate", [CODE_HOVER] = "hover", [CODE_PRESS] = "press", [CODE_SELECT] = "selectOption",
			[CODE_UNCHECK] = "uncheck",
		},
		.variable = { .open = "System.getenv(", .close = ")" },
		.values = { .open = "new String[] {", .close = "}" }, .no_values = "new String[0]", .single_value = true,
		.options = {
			.open = "new Locator.ClickOptions()\n  ", .between = "\n  ", .close = "", .names = ALL_CAPITALS,
			.button = { ".setButton(", "MouseButton.", "", ")" },
			.modifiers = { ".setModifiers(Arrays.asList(", "KeyboardModifier.", "", "))" },
		},
	},
	[CODE_CSHARP] = {
		.fence = "csharp", .dialect = "csharp", .begin = "await page.", .end = ");", .quote = '"',
		.verbs = {
			[CODE_CHECK] = "CheckAsync", [CODE_CLICK] = "ClickAsync", [CODE_DBLCLICK] = "DblClickAsync",
			[CODE_FILL] = "FillAsync", [CODE_GOTO] = "GotoAsync", [CODE_HOVER] = "HoverAsync",
			[CODE_PRESS] = "PressAsync", [CODE_SELECT] = "SelectOptionAsync", [CODE_UNCHECK] = "UncheckAsync",
		},
		.variable = { .open = "Environment.GetEnvironmentVariable(", .close = ")" },
		.values = { .open = "new[] { ", .close = " }" }, .no_values = "new[] {  }",
		.options = {
			.open = "new()\n{\n    ", .between = ",\n    ", .close = ",\n}", .names = CAPITAL_FIRST,
			.button = { "Button = ", "MouseButton.", "", "" },
			.modifiers = { "Modifiers = new[] { ", "KeyboardModifier.", "", " }" },
		},
	},
};

static const enum modifier modifier_order[] = { MODIFIER_ALT, MODIFIER_CONTROL, MODIFIER_META, MODIFIER_SHIFT };

/* Control and Meta become the portable name ControlOrMeta, so that the code runs on every system. */
static const char *portable_name(enum modifier modifier)
{
	return modifier & (MODIFIER_CONTROL | MODIFIER_META) ? "ControlOrMeta" : keystroke_for_modifier(modifier)->key;
}

const char *code_fence(enum code_language language)
{
	return language_table[language].fence;
}

const char *code_dialect(enum code_language language)
{
	return language_table[language].dialect;
}

/* All these languages have the escapes of JSON; only the quote that must be escaped differs. */
void code_quote(struct str *out, const char *text, char quote)
{
	_cleanup_(str_done) struct str escaped = {};

	str_append_escaped(&escaped, text, strlen(text));
	str_append_char(out, quote);
	for (const char *p = str_text(&escaped); *p; p++) {
		if (*p == '\\' && p[1] == '"' && quote != '"')
			p++;
		else if (*p == '\\')
			str_append_char(out, *p++);
		else if (*p == quote)
			str_append_char(out, '\\');
		str_append_char(out, *p);
	}
	str_append_char(out, quote);
}

void code_variable(struct str *out, enum code_language language, const char *name)
{
	const struct language *l = &language_table[language];

	str_append(out, l->variable.open);
	code_quote(out, name, l->quote);
	str_append(out, l->variable.close);
}

static void append_values(struct str *out, const struct language *l, const struct string_list *values)
{
	bool alone = values->count == 1 && l->single_value;

	if (!values->count)
		str_append(out, l->no_values);
	for (size_t i = 0; i < values->count; i++) {
		str_append(out, i ? ", " : alone ? "" : l->values.open);
		code_quote(out, values->items[i], l->quote);
	}
	if (values->count && !alone)
		str_append(out, l->values.close);
}

static void append_name(struct str *out, const struct list_form *form, const char *name, enum letters letters)
{
	str_append(out, form->before);
	for (size_t i = 0; name[i]; i++)
		str_append_char(out, letters == ALL_CAPITALS || (letters == CAPITAL_FIRST && i == 0) ?
					     (char)toupper((unsigned char)name[i]) :
					     name[i]);
	str_append(out, form->after);
}

static void append_button(struct str *out, const struct option_forms *o, enum mouse_button button)
{
	str_append(out, o->button.open);
	append_name(out, &o->button, mouse_button_names[button], o->names);
	str_append(out, o->button.close);
}

static void append_modifiers(struct str *out, const struct option_forms *o, unsigned modifiers)
{
	const char *between = o->modifiers.open;

	for (size_t i = 0; i < ARRAY_SIZE(modifier_order); i++) {
		if (!(modifiers & modifier_order[i]))
			continue;
		str_append(out, between);
		append_name(out, &o->modifiers, portable_name(modifier_order[i]), o->names);
		between = ", ";
	}
	str_append(out, o->modifiers.close);
}

static void code_append_options(struct str *out, const struct option_forms *o, const struct code_call *call)
{
	bool button = call->button != MOUSE_LEFT;

	if (!button && !call->modifiers)
		return;
	str_append(out, o->open);
	if (button)
		append_button(out, o, call->button);
	if (button && call->modifiers)
		str_append(out, o->between);
	if (call->modifiers)
		append_modifiers(out, o, call->modifiers);
	str_append(out, o->close);
}

void code_statement(struct str *out, enum code_language language, const struct code_call *call)
{
	const struct language *l = &language_table[language];

	str_append(out, l->begin);
	if (call->locator)
		str_appendf(out, "%s.", call->locator);
	str_appendf(out, "%s(", l->verbs[call->verb]);
	if (call->variable)
		code_variable(out, language, call->variable);
	else if (call->text)
		code_quote(out, call->text, l->quote);
	if (call->values)
		append_values(out, l, call->values);
	code_append_options(out, &l->options, call);
	str_append(out, l->end);
}
