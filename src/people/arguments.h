/*
 * What a call does, in one line for people: `Click "Save"`. Arguments are a client's, and so are not trusted; the values of most of them
 * may be secrets, or what a person has told an agent. So only those are shown that name what is acted on (labels, selectors, addresses
 * without their query, keys that are no characters); of all others the line has names and lengths. Secrets and what the operator redacts
 * are masked (observe/redact.h), and characters that a reader would not see are escaped. Linear in the arguments. Nothing here suspends.
 */
#pragma once

#include "base/json.h"
#include "base/str.h"

struct tool;

/*
 * What calls of a tool do. In braces is what comes from an argument: {NAME} a number or a choice, {"NAME} a text in quotes, {@NAME} an
 * address, {#NAME} how long a text is, {+NAME} how many elements a list has, {%NAME} a key, {on}, {from} and {to} an element, {fields} the
 * names of fields. A part in brackets is left out where an argument in it is missing.
 */
struct call_words {
	const char *tool, *words;
};
/* The words of this server's tools, ending with {}. Set once, before the first call; borrowed. */
void arguments_use(const struct call_words *all);

/* Appends the line, LIMIT_SEEN_LINE bytes at most. `arguments`: as received; NULL: none. */
void arguments_describe(struct str *out, const struct tool *tool, const struct json *arguments);
