/*
 * States that are bound to origins: what belongs to no other is in them. A state says so in a member of its own, which Playwright ignores,
 * {cookies, origins, browserd: {origins: ["https://shop.example"], verify: {url, selector}}}; without `browserd.origins` it is for all of its origins. `verify`
 * is a page that shows an element as long as the state is logged in.
 */
#pragma once

#include "base/json.h"
#include "base/str.h"
#include "loop/task.h"
#include "mcp/tool.h"

/* Checks what a client gives, NULL: nothing. -ERR_INVALID_PARAMETERS. Does not suspend. */
int bound_check(struct task *t, const struct string_list *origins, const struct json *verify);
/* Appends the state with what belongs to these origins alone, none: to all, and with the member. Linear in the sizes of both. */
void bound_print(struct task *t, const struct json *state, const struct string_list *origins, const struct json *verify,
		 struct str *out);
/* The origins that the state says it is for, in the task's arena: 1; 0: it says none, so all; -EINVAL: what it says is no list of origins. */
int bound_origins(struct task *t, const struct json *state, struct string_list *ret);
/* Where it says that, NULL: nowhere. Borrowed. */
const struct json *bound_verify(const struct json *state);
