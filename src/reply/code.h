/*
 * The code that answers show: the statement that does what a call did, in the language of --codegen.
 *
 * The statements of this table are told in that language. All other lines are JavaScript whatever the language, as
 * the reference prints them: browse_code() in tools/browser/browse.h.
 */
#pragma once

#include "act/input.h"
#include "base/str.h"
#include "mcp/tool.h"

/* In the order of the option's values. */
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

/* Of the arguments, at most one kind is there. */
struct code_call {
	enum code_verb verb;
	const char *locator; /* in the same language; NULL: the page itself is called */
	const char *text;
	const struct string_list *values; /* to select */
	enum mouse_button button;
	unsigned modifiers; /* MODIFIER_* */
};

/* What stands behind the fence of a code block, and what scripts/locatorprint.js calls the language. */
const char *code_fence(enum code_language language);
const char *code_dialect(enum code_language language);
void code_statement(struct str *out, enum code_language language, const struct code_call *call);
/* `text` as a literal of JavaScript ('\'') or of all languages here ('"'). */
void code_quote(struct str *out, const char *text, char quote);
