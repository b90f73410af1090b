/* browser_type, browser_press_key. */
#include <errno.h>
#include <string.h>

#include "act/action.h"
#include "act/keyboard.h"
#include "base/limits.h"
#include "reply/writer.h"
#include "tools/browser/browse.h"
#include "tools/browser/secrets.h"
#include "tools/browser/tools.h"

struct browser_type {
	const char *sessionId, *element, *target, *text;
	bool submit, slowly;
};

static const struct param browser_type_params[] = {
	PARAM(browser_type, element, ELEMENT_ABOUT, .is_rare = true),
	PARAM(browser_type, target, TARGET_ABOUT, .required = true, .max_length = LIMIT_SELECTOR),
	PARAM(browser_type, text, "New text", .required = true, .max_length = LIMIT_TYPE_TEXT),
	PARAM(browser_type, submit, "Press Enter afterwards"),
	PARAM(browser_type, slowly,
	      "Press key by key at the caret or the end, for pages that react to keys; keeps the present text"),
	PARAM(browser_type, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static int browser_type_run(struct browse *b, const void *args)
{
	const struct browser_type *a = args;
	const struct secret *secret = secret_find(b->call.app, a->text);
	_cleanup_(found_target_done) struct found_target found = {};
	const char *element;
	int r;

	r = browse_find_target(b, a->target, &found);
	if (r == 0)
		r = browse_announce(b, &found, a->slowly ? "Type" : "Fill", secret ? NULL : a->text);
	if (r < 0)
		return r;
	if (a->slowly)
		browse_code(b, "%s.pressSequentially(%s);", found.locator,
			    secret ? browse_variable(&b->call, secret->name) : browse_quote(&b->call, a->text));
	else
		browse_statement(b, &found,
				 (struct code_call){
					 .verb = CODE_FILL, .text = a->text, .variable = secret ? secret->name : NULL });
	if (a->slowly || a->submit)
		b->response.snapshot = SNAPSHOT_LINK;
	r = action_type(b->call.t, found.target.frame,
			&(const struct type_action){
				.target = found.target.element,
				.text = secret ? secret->value : a->text,
				.timeout = b->call.timeouts.action,
				.at_once = !a->slowly,
				.clear = !a->slowly,
				.any_keys = a->slowly,
			},
			&element);
	found.action_line = a->slowly ? NULL : browse_fill_line(&b->call, a->text);
	if (r < 0)
		return browse_explain(&b->call, r, &found, a->slowly ? "type" : "fill");
	if (!a->submit)
		return 0;
	browse_statement(b, &found, (struct code_call){ .verb = CODE_PRESS, .text = "Enter" });
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	return input_press(b->call.t, b->page, "Enter");
}

const struct tool tool_browser_type =
	BROWSE_TOOL("browser_type", "Type text", browser_type,
		    "Replace the text of a field at once, and optionally submit it. For several fields use browser_fill_form.",
		    (&(const struct browse_tool){ .run = browser_type_run, .acts = true }),
		    .terse = "Replace a field's text. slowly: add it by keys");

struct browser_press_key {
	const char *sessionId, *key;
};

static const struct param browser_press_key_params[] = {
	PARAM(browser_press_key, key, "Such as a, Enter, Control+A", .required = true, .max_length = LIMIT_SELECTOR),
	PARAM(browser_press_key, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

#define KEY_NAMES "; keys are named as in \"a\", \"Enter\", \"ArrowLeft\", \"F5\" and \"Control+Shift+K\""

static int press_run(struct browse *b, const void *args)
{
	const struct browser_press_key *a = args;
	struct keystroke k;
	_cleanup_(str_done) struct str chord = {};
	const char *unknown = "";
	int length = 0, r;

	if (keystroke_parse(a->key, &k, &unknown, &length) < 0)
		return task_fail(b->call.t, -EINVAL, "%sUnknown key: \"%.*s\"%s", browse_reference_caller(&b->call), length,
				 unknown, b->call.app->answers->writer->quotes_reference ? "" : KEY_NAMES);
	keystroke_spell(a->key, !b->call.app->answers->writer->quotes_reference, &chord);
	response_add(&b->response.code, "// Press %s", chord.data);
	browse_code(b, "keyboard.press(%s);", browse_quote(&b->call, chord.data));
	if (strcmp(chord.data, "Enter") == 0)
		b->response.snapshot = SNAPSHOT_LINK;
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	r = browse_announce(b, NULL, "Press", chord.data);
	if (r == 0)
		r = settle_await_watch(b->call.t, &b->settle);
	if (r == 0 && clock_now() >= task_deadline(b->call.t)) /* a page that does not reply gets no keys */
		r = -ETIMEDOUT;
	return r < 0 ? r : input_press(b->call.t, b->page, chord.data);
}

const struct tool tool_browser_press_key =
	BROWSE_TOOL("browser_press_key", "Press a key", browser_press_key, "Press a key or key combination at the focused element.",
		    (&(const struct browse_tool){ .run = press_run, .acts = true }),
		    .terse = "Press a key, such as Enter or Control+A");
