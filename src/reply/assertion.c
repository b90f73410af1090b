#include "reply/assertion.h"

#include <string.h>

static const struct form {
	const char *begin, *end; /* begin LOCATOR ). METHOD TEXT end */
	const char *methods[ASSERTIONS];
	bool templates; /* a snapshot is a template literal of several lines */
} form_table[] = {
	[CODE_TYPESCRIPT] = {
		.begin = "await expect(page.", .end = ");", .templates = true,
		.methods = {
			[ASSERT_CHECKED] = "toBeChecked(", [ASSERT_EMPTY] = "toBeEmpty(", [ASSERT_SNAPSHOT] = "toMatchAriaSnapshot(",
			[ASSERT_UNCHECKED] = "not.toBeChecked(", [ASSERT_VALUE] = "toHaveValue(", [ASSERT_VISIBLE] = "toBeVisible(",
		},
	},
	[CODE_PYTHON] = {
		.begin = "expect(page.", .end = ")",
		.methods = {
			[ASSERT_CHECKED] = "to_be_checked(", [ASSERT_EMPTY] = "to_be_empty(",
			[ASSERT_SNAPSHOT] = "to_match_aria_snapshot(", [ASSERT_UNCHECKED] = "not_to_be_checked(",
			[ASSERT_VALUE] = "to_have_value(", [ASSERT_VISIBLE] = "to_be_visible(",
		},
	},
	[CODE_JAVA] = {
		.begin = "assertThat(page.", .end = ");",
		.methods = {
			[ASSERT_CHECKED] = "isChecked(", [ASSERT_EMPTY] = "isEmpty(", [ASSERT_SNAPSHOT] = "matchesAriaSnapshot(",
			[ASSERT_UNCHECKED] = "not().isChecked(", [ASSERT_VALUE] = "hasValue(", [ASSERT_VISIBLE] = "isVisible(",
		},
	},
	[CODE_CSHARP] = {
		.begin = "await Expect(page.", .end = ");",
		.methods = {
			[ASSERT_CHECKED] = "ToBeCheckedAsync(", [ASSERT_EMPTY] = "ToBeEmptyAsync(",
			[ASSERT_SNAPSHOT] = "ToMatchAriaSnapshotAsync(", [ASSERT_UNCHECKED] = "Not.ToBeCheckedAsync(",
			[ASSERT_VALUE] = "ToHaveValueAsync(", [ASSERT_VISIBLE] = "ToBeVisibleAsync(",
		},
	},
};

/* The text in backquotes, each line indented by two spaces on a line of its own. */
static void append_template(struct str *out, const char *text)
{
	str_append(out, "`\n  ");
	for (const char *p = text; *p; p++) {
		if (*p == '\\' || *p == '`' || (*p == '$' && p[1] == '{'))
			str_append_char(out, '\\');
		str_append_char(out, *p);
		if (*p == '\n')
			str_append(out, "  ");
	}
	str_append(out, "\n  `");
}

void assertion_statement(struct str *out, enum code_language language, enum assertion assertion, const char *locator,
			 const char *text)
{
	const struct form *f = &form_table[language];

	str_appendf(out, "%s%s).%s", f->begin, locator, f->methods[assertion]);
	if (text && assertion == ASSERT_SNAPSHOT && f->templates)
		append_template(out, text);
	else if (text)
		code_quote(out, text, language == CODE_TYPESCRIPT ? '\'' : '"');
	str_append(out, f->end);
}
