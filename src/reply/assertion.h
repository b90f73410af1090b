/* Assertions in the generated code: a statement that fails unless the page is as the call found it, in each language. */
#pragma once

#include "reply/code.h"

enum assertion {
	ASSERT_CHECKED,
	ASSERT_EMPTY,
	ASSERT_SNAPSHOT, /* `text` is an ARIA snapshot in YAML */
	ASSERT_UNCHECKED,
	ASSERT_VALUE, /* `text` is the value */
	ASSERT_VISIBLE,
	ASSERTIONS
};

/* Appends the statement about `locator`, which is in the same language. `text` is NULL for assertions without one. */
void assertion_statement(struct str *out, enum code_language language, enum assertion assertion, const char *locator,
			 const char *text);
