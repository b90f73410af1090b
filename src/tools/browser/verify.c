/* browser_generate_locator, browser_verify_*: locators and assertions for tests that an agent writes. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "reply/assertion.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

#define CAPABILITY "testing"
#define DONE "Done"

static void add_assertion(struct browse *b, enum assertion assertion, const char *locator, const char *text)
{
	_cleanup_(str_done) struct str line = {};

	response_add(&b->response.result, DONE);
	if (b->call.app->answers->code == CODE_NONE)
		return;
	assertion_statement(&line, b->call.app->answers->code, assertion, locator, text);
	response_add(&b->response.code, "%s", line.data);
}

/* ---- browser_generate_locator ---- */

struct browser_generate_locator {
	const char *sessionId, *element, *target;
};

static const struct param browser_generate_locator_params[] = {
	PARAM(browser_generate_locator, element, ELEMENT_ABOUT),
	PARAM(browser_generate_locator, target, TARGET_ABOUT, .required = true, .max_length = LIMIT_SELECTOR),
	PARAM(browser_generate_locator, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static int generate_run(struct browse *b, const void *args)
{
	const struct browser_generate_locator *a = args;
	_cleanup_(found_target_done) struct found_target found = { .target.any = true };
	int r;

	r = browse_find_target(b, a->target, &found);
	if (r == 0)
		response_add(&b->response.result, "%s", response_line(b->call.t, found.locator));
	return r;
}

const struct tool tool_browser_generate_locator =
	BROWSE_TOOL("browser_generate_locator", "Create locator for element", browser_generate_locator,
		    "Answer a Playwright locator of an element, to use in tests.",
		    (&(const struct browse_tool){ .run = generate_run }), .read_only = true, .capability = CAPABILITY);

/* Names the limit of a verification that the page has not answered in time. */
static int verify_explain_timeout(struct tool_call *call, int r)
{
	unsigned long long timeout = call->timeouts.expect / USEC_PER_MSEC;

	return r == -ETIMEDOUT ? browse_wrap(call, r, BROWSE_FAILURE_TIMEOUT,
					     arena_printf(task_arena(call->t), "Timeout %llums exceeded.\n", timeout), "") :
				 r;
}

/* ---- browser_verify_element_visible, browser_verify_text_visible ---- */

/*
 * The answer to a search for the first element that `steps`, a JSON array, lead to in any frame. `complaint`: the answer if there is
 * none.
 */
static int verify_any(struct browse *b, const char *steps, const char *complaint)
{
	_cleanup_(found_target_done) struct found_target found = {};
	int r;

	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.expect);
	r = target_find_first(b->call.t, b->page, steps, &found.target);
	if (r == -ERR_ELEMENT_NOT_FOUND)
		return browse_complain(b, "%s", complaint);
	if (r == 0)
		r = browse_name_target(&b->call, b->page, &found);
	if (r == 0)
		add_assertion(b, ASSERT_VISIBLE, found.code_locator, NULL);
	return verify_explain_timeout(&b->call, r);
}

struct browser_verify_element_visible {
	const char *sessionId, *role, *accessibleName;
};

static const struct param browser_verify_element_visible_params[] = {
	PARAM(browser_verify_element_visible, role, "As in the snapshot", .required = true, .max_length = LIMIT_SELECTOR),
	PARAM(browser_verify_element_visible, accessibleName, "Part of it, in any case", .required = true,
	      .max_length = LIMIT_SELECTOR),
	PARAM(browser_verify_element_visible, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static int element_run(struct browse *b, const void *args)
{
	const struct browser_verify_element_visible *a = args;
	_cleanup_(str_done) struct str steps = {};

	if (!*a->role)
		return browse_fail_call(&b->call, -ERR_INVALID_SELECTOR, "Error: Role must not be empty");
	/* As in a snapshot, an element is visible if assistive technology perceives it, an empty box as well. */
	str_json(&steps, "[{type: 'role', role: ?, name: ?}]", a->role, a->accessibleName);
	return verify_any(b, steps.data,
			  arena_printf(task_arena(b->call.t), "Element with role \"%s\" and accessible name \"%s\" not found",
				       a->role, a->accessibleName));
}

const struct tool tool_browser_verify_element_visible =
	BROWSE_TOOL("browser_verify_element_visible", "Verify element visible", browser_verify_element_visible,
		    "Check that an element with this role and name is visible in the page or one of its frames.",
		    (&(const struct browse_tool){ .run = element_run }), .read_only = true, .capability = CAPABILITY);

struct browser_verify_text_visible {
	const char *sessionId, *text;
};

static const struct param browser_verify_text_visible_params[] = {
	PARAM(browser_verify_text_visible, text, "Substring in any case", .required = true, .max_length = LIMIT_SELECTOR),
	PARAM(browser_verify_text_visible, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static int text_run(struct browse *b, const void *args)
{
	const struct browser_verify_text_visible *a = args;
	_cleanup_(str_done) struct str steps = {};

	str_json(&steps, "[{type: 'getBy', by: 'text', value: ?}, {type: 'filter', visible: true}]", a->text);
	return verify_any(b, steps.data, "Text not found");
}

const struct tool tool_browser_verify_text_visible =
	BROWSE_TOOL("browser_verify_text_visible", "Verify text visible", browser_verify_text_visible,
		    "Check that a text is visible in the page or one of its frames.",
		    (&(const struct browse_tool){ .run = text_run }), .read_only = true, .capability = CAPABILITY);

/* ---- browser_verify_list_visible ---- */

struct browser_verify_list_visible {
	const char *sessionId, *element, *target;
	struct string_list items;
};

static const struct param browser_verify_list_visible_params[] = {
	PARAM(browser_verify_list_visible, element, ELEMENT_ABOUT, .required = true),
	PARAM(browser_verify_list_visible, target, TARGET_ABOUT, .required = true, .max_length = LIMIT_SELECTOR),
	PARAM(browser_verify_list_visible, items, "A part of the text of each item", .required = true),
	PARAM(browser_verify_list_visible, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

/* The steps by which messages name the target: a ref is the selector that the reference makes of it. */
static const char *named_steps(struct tool_call *call, const struct target *target)
{
	_cleanup_(str_done) struct str steps = {};
	const char *selector = arena_printf(task_arena(call->t), "aria-ref=%s", target->written);

	if (!is_ref(target->written))
		return target->steps;
	str_json(&steps, "[{type: 'css', value: ?}]", selector);
	return arena_strdup(task_arena(call->t), steps.data);
}

/* {texts} of the items, or {missing}: the index of the first one that is not there. */
static int find_items(struct tool_call *call, const struct target *target, const struct string_list *items, struct json **ret)
{
	_cleanup_(str_done) struct str wanted = {};
	int r;

	for (size_t i = 0; i < items->count; i++)
		str_json(&wanted, "? ?", JSON_COMMA(i), items->items[i]);
	r = frame_script(call->t, target->frame, ret, "itemTexts", "{target: ?, named: ?, items: [?]}", JSON_RAW(target->element),
			 JSON_RAW(named_steps(call, target)), JSON_RAW(str_text(&wanted)));
	return browse_explain_ambiguity(call, verify_explain_timeout(call, r));
}

/* A list with these items, as an ARIA snapshot. */
static void verify_print_list(struct str *out, const struct json *texts)
{
	str_append(out, "- list:\n");
	json_foreach(text, texts) {
		str_append(out, text == json_first(texts) ? "  - listitem: " : "\n  - listitem: ");
		code_quote(out, json_text(text, NULL), '"');
	}
}

static int verify_list_run(struct browse *b, const void *args)
{
	const struct browser_verify_list_visible *a = args;
	_cleanup_(found_target_done) struct found_target found = { .target.any = true };
	_cleanup_(json_freep) struct json *answer = NULL;
	_cleanup_(str_done) struct str list = {};
	int64_t missing;
	int r;

	r = browse_find_target(b, a->target, &found);
	if (r < 0)
		return r;
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.expect);
	r = find_items(&b->call, &found.target, &a->items, &answer);
	if (r < 0)
		return r;
	missing = json_int(answer, "missing", -1);
	if (missing >= 0 && (size_t)missing < a->items.count)
		return browse_complain(b, "Item \"%s\" not found", a->items.items[missing]);
	verify_print_list(&list, json_get(answer, "texts"));
	r = browse_selector_locator(&b->call, b->page, "body", &found.code_locator);
	if (r == 0)
		add_assertion(b, ASSERT_SNAPSHOT, found.code_locator, list.data);
	return r;
}

const struct tool tool_browser_verify_list_visible =
	BROWSE_TOOL("browser_verify_list_visible", "Verify list visible", browser_verify_list_visible,
		    "Check that a list has items with these texts.", (&(const struct browse_tool){ .run = verify_list_run }),
		    .read_only = true, .capability = CAPABILITY);

/* ---- browser_verify_value ---- */

struct browser_verify_value {
	const char *sessionId, *element, *target, *value;
	int type;
};

enum { VALUE_TEXTBOX, VALUE_CHECKBOX, VALUE_RADIO };
static const char *const value_types[] = { "textbox", "checkbox", "radio", "combobox", "slider", NULL };

static const struct param browser_verify_value_params[] = {
	PARAM(browser_verify_value, type, NULL, .choices = value_types, .required = true,
	      .documented = "What kind of control the element is"),
	PARAM(browser_verify_value, element, ELEMENT_ABOUT, .required = true),
	PARAM(browser_verify_value, target, TARGET_ABOUT, .required = true, .max_length = LIMIT_SELECTOR),
	PARAM(browser_verify_value, value, "true or false of a checkbox or radio button", .required = true,
	      .max_length = LIMIT_TYPE_TEXT),
	PARAM(browser_verify_value, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static int read_field(struct tool_call *call, const struct found_target *found, const char *what, const char *refusal,
		      struct json **ret)
{
	int r;

	r = frame_script(call->t, found->target.frame, ret, "onElement", "{ref: ?, what: ?}", found->target.ref, what);
	if (r != -ERR_ELEMENT_NOT_EDITABLE)
		return verify_explain_timeout(call, r);
	return browse_explain_refusal(call, task_fail(call->t, r, "Error: %s", refusal), found, NULL);
}

static int verify_checked(struct browse *b, const struct found_target *found, const char *wanted)
{
	_cleanup_(json_freep) struct json *answer = NULL;
	bool checked, expected;
	int r;

	r = read_field(&b->call, found, "isChecked", "Not a checkbox or radio button", &answer);
	if (r < 0)
		return r;
	if (!browse_read_checked(wanted, &expected))
		return browse_complain(b, "Expected value \"%s\" is no state of a checkbox: give " CHECKED_WORDS,
				       response_row(b->call.t, wanted));
	checked = json_bool(answer, "value", false);
	if (checked != expected)
		return browse_complain(b, "Expected value \"%s\", but got \"%s\"", wanted, checked ? "true" : "false");
	add_assertion(b, checked ? ASSERT_CHECKED : ASSERT_UNCHECKED, found->code_locator, NULL);
	return 0;
}

static int verify_text(struct browse *b, const struct found_target *found, const char *wanted)
{
	_cleanup_(json_freep) struct json *answer = NULL;
	const char *value;
	int r;

	r = read_field(&b->call, found, "inputValue", "Node is not an <input>, <textarea> or <select> element", &answer);
	if (r < 0)
		return r;
	value = json_text(answer, "value");
	if (strcmp(value, wanted) != 0)
		return browse_complain(b, "Expected value \"%s\", but got \"%s\"", wanted, response_row(b->call.t, value));
	add_assertion(b, *value ? ASSERT_VALUE : ASSERT_EMPTY, found->code_locator, *value ? value : NULL);
	return 0;
}

static int value_run(struct browse *b, const void *args)
{
	const struct browser_verify_value *a = args;
	_cleanup_(found_target_done) struct found_target found = {};
	int r;

	r = browse_find_target(b, a->target, &found);
	if (r < 0)
		return r;
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.expect);
	if (a->type == VALUE_CHECKBOX || a->type == VALUE_RADIO)
		return verify_checked(b, &found, a->value);
	return verify_text(b, &found, a->value);
}

const struct tool tool_browser_verify_value =
	BROWSE_TOOL("browser_verify_value", "Verify value", browser_verify_value, "Check the value of a field.",
		    (&(const struct browse_tool){ .run = value_run }), .read_only = true, .capability = CAPABILITY,
		    .defaults = &(const struct browser_verify_value){ .type = -1 });
