/*
 * The generated code in answers: a statement equivalent to the call, in the language of the settings.
 *
 * Only the statements of this table are printed in that language. All other lines are JavaScript in every language, as in
 * the reference: browse_code() in tools/browser/browse.h.
 */
#pragma once

#include "act/input.h"
#include "base/str.h"
#include "mcp/tool.h"

/* In the order of the values of the option. */
enum code_language { CODE_TYPESCRIPT, CODE_PYTHON, CODE_JAVA, CODE_CSHARP, CODE_NONE };

enum code_verb {
	CODE_CHECK,
	CODE_CLICK,
	CODE_DBLCLICK,
	CODE_FILL,
	CODE_GOTO,
	CODE_HOVER,
	CODE_PRESS,
	CODE_SELECT,
	CODE_UNCHECK,
	CODE_VERBS
};

/* The arguments of a statement; a call has at most one kind of them. */
struct code_call {
	enum code_verb verb;
	const char *locator; /* in the same language; NULL: the method is one of the page */
	const char *text;
	const char *variable;             /* an environment variable that has the text */
	const struct string_list *values; /* to select */
	enum mouse_button button;
	unsigned modifiers; /* MODIFIER_* */
};

/* The name of the language after the fence of a code block and in scripts/locatorprint.js. */
const char *code_fence(enum code_language language);
const char *code_dialect(enum code_language language);
void code_statement(struct str *out, enum code_language language, const struct code_call *call);
/* Appends an expression whose value is that of an environment variable. */
void code_variable(struct str *out, enum code_language language, const char *name);
/* Appends `text` as a string literal: with '\'' of JavaScript, with '"' of any language here. */
void code_quote(struct str *out, const char *text, char quote);
