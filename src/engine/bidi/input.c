/*
 * Input to a page. One input.performActions holds the events of a gesture: those without `last` are kept until the next one, as the reply to
 * each command costs one or two milliseconds. Firefox counts clicks itself: within one command, or from a release that is not the first event
 * of its command to a press that is the first of the next one, and a move in between begins anew.
 *
 * Firefox knows which keys and buttons are pressed, so modifiers that an event has without their keys are pressed before it and released
 * behind it.
 */
#include "engine/input.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bidi/input.h"

#define KEPT_ACTIONS_MAX 1000 /* longer gestures are sent in parts */

/* WebDriver has no code point for some keys, and so no way to press them. The rest of the gesture, releases among it, is performed. */
static void refuse_key(struct task *t, struct engine_target *s, struct engine_call *last)
{
	_cleanup_(str_done) struct str message = {};

	str_appendf(&message, "Firefox cannot be made to press the key %s", s->input->refused);
	bidi_refuse(t, last, "input.performActions", message.data);
}

static void input_flush(struct task *t, struct engine_target *s, struct engine_call *last)
{
	struct bidi_input *in = s->input;
	bool refused = last && in->refused[0];

	if (in->gesture.count || (last && !refused))
		bidi_perform(t, s, refused ? NULL : last, &in->gesture);
	if (refused)
		refuse_key(t, s, last);
	if (last)
		in->refused[0] = '\0';
}

/* For a target that has ended. */
static void fail_input(struct task *t, struct engine_call *last)
{
	if (last)
		bidi_send(t, NULL, last, 0, "input.performActions", "{}");
}

/* ---- the mouse ---- */

static void turn_key(struct bidi_input *in, const char *value, bool down)
{
	struct bidi_action action = { .type = down ? ACTION_KEY_DOWN : ACTION_KEY_UP };

	snprintf(action.value, sizeof(action.value), "%s", value);
	bidi_gesture_add(&in->gesture, &action);
}

/* Presses the modifiers that are wanted and not held, and releases those that were pressed so before. */
static void borrow_modifiers(struct bidi_input *in, unsigned wanted)
{
	static const enum modifier modifiers[] = { MODIFIER_CONTROL, MODIFIER_ALT, MODIFIER_META, MODIFIER_SHIFT };

	for (size_t i = 0; i < ARRAY_SIZE(modifiers); i++) {
		enum modifier m = modifiers[i];
		bool press = wanted & m & ~in->held & ~in->borrowed, release = in->borrowed & m & ~wanted;

		if (press || release)
			turn_key(in, bidi_modifier_value(m), press);
	}
	in->borrowed = wanted & ~in->held;
}

static void input_move_to(struct bidi_input *in, struct point at)
{
	bidi_gesture_add(&in->gesture, &(const struct bidi_action){ .type = ACTION_MOVE, .at = at });
	in->at = at;
}

static void turn_button(struct bidi_input *in, enum mouse_button button, bool down)
{
	static const int numbers[] = { [MOUSE_LEFT] = 0, [MOUSE_MIDDLE] = 1, [MOUSE_RIGHT] = 2, [MOUSE_NONE] = 0 };
	struct bidi_action action = { .type = down ? ACTION_PRESS : ACTION_RELEASE, .button = numbers[button], .at = in->at };

	bidi_gesture_add(&in->gesture, &action);
}

static bool input_is_at(const struct bidi_input *in, struct point at)
{
	return floor(in->at.x) == floor(at.x) && floor(in->at.y) == floor(at.y);
}

static void append_mouse(struct bidi_input *in, const struct mouse_event *e)
{
	bool counts_on = e->type == MOUSE_PRESSED && e->count > 1 && input_is_at(in, e->at);

	borrow_modifiers(in, e->modifiers);
	if (e->type == MOUSE_WHEEL)
		bidi_gesture_add(&in->gesture,
				 &(const struct bidi_action){ .type = ACTION_SCROLL, .at = e->at, .delta = e->delta });
	else if (!counts_on)
		input_move_to(in, e->at);
	if (e->type == MOUSE_PRESSED || e->type == MOUSE_RELEASED)
		turn_button(in, e->button, e->type == MOUSE_PRESSED);
}

/* A release without `last` that ends no gesture of its own, such as that of a call that was given up, is sent at once. */
static bool is_kept(const struct bidi_input *in, const struct mouse_event *e, bool is_begun)
{
	return (e->type != MOUSE_RELEASED || is_begun) && in->gesture.count < KEPT_ACTIONS_MAX;
}

void engine_mouse(struct task *t, struct engine_target *s, struct engine_call *last, const struct mouse_event *e)
{
	struct bidi_input *in;
	bool is_begun;

	if (!s) {
		fail_input(t, last);
		return;
	}
	in = bidi_input_of(s);
	is_begun = in->gesture.count;
	append_mouse(in, e);
	if (!last && is_kept(in, e, is_begun))
		return;
	if (last)
		borrow_modifiers(in, 0);
	input_flush(t, s, last);
}

/* ---- the keyboard ---- */

static unsigned modifier_of(const struct keystroke *k)
{
	static const struct {
		const char *key;
		enum modifier modifier;
	} keys[] = {
		{ "Alt", MODIFIER_ALT },
		{ "Control", MODIFIER_CONTROL },
		{ "Meta", MODIFIER_META },
		{ "Shift", MODIFIER_SHIFT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (strcmp(keys[i].key, k->key) == 0)
			return keys[i].modifier;
	return 0;
}

static void append_key(struct bidi_input *in, const char *value, const struct keystroke *k, bool down)
{
	unsigned m = modifier_of(k);

	borrow_modifiers(in, 0);
	turn_key(in, value, down);
	in->held = down ? in->held | m : in->held & ~m;
}

/* `modifiers` are those whose keys are pressed, or Shift for a character that needs it, which Firefox types without. */
void engine_key(struct task *t, struct engine_target *s, struct engine_call *last, const struct keystroke *k, bool down,
		unsigned modifiers)
{
	const char *value = bidi_key_value(k);
	struct bidi_input *in;

	if (!s) {
		fail_input(t, last);
		return;
	}
	in = bidi_input_of(s);
	if (value)
		append_key(in, value, k, down);
	else
		snprintf(in->refused, sizeof(in->refused), "%s", k->code[0] ? k->code : k->key);
	if (last || in->gesture.count >= KEPT_ACTIONS_MAX)
		input_flush(t, s, last);
}

void engine_text(struct task *t, struct engine_target *s, struct engine_call *last, const char *text)
{
	if (!s) {
		fail_input(t, last);
		return;
	}
	if (bidi_input_of(s)->gesture.count)
		input_flush(t, s, NULL);
	bidi_insert(t, s, last, text);
}
