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
#include "engine/bidi/internal.h"
#include "scripts/scripts.h"

#define COORDINATE_LIMIT 1e6
#define KEPT_ACTIONS_MAX (64u << 10) /* bytes; longer gestures are sent in parts */
#define PAUSE "{\"type\":\"pause\"}"

enum source { SOURCE_KEY, SOURCE_POINTER, SOURCE_WHEEL, SOURCES };

struct bidi_input {
	struct str actions[SOURCES]; /* of a gesture that is not complete, one for each tick */
	bool is_used[SOURCES];       /* not only with pauses */
	unsigned ticks;
	struct point at;   /* of the pointer at the end of these */
	unsigned held;     /* modifiers whose keys are pressed */
	unsigned borrowed; /* modifiers that are pressed for an event that has them */
	char refused[32];  /* the code of a key in the gesture that cannot be pressed; "": none */
};

static struct bidi_input *input_of(struct engine_target *s)
{
	if (!s->input) {
		s->input = NEW(struct bidi_input);
		*s->input = (struct bidi_input){ .at = { -1, -1 } };
	}
	return s->input;
}

void bidi_forget_input(struct engine_target *s)
{
	if (!s->input)
		return;
	for (size_t i = 0; i < SOURCES; i++)
		str_done(&s->input->actions[i]);
	free(s->input);
	s->input = NULL;
}

/* ---- gestures ---- */

static void tick(struct bidi_input *in, enum source source, const char *action)
{
	for (size_t i = 0; i < SOURCES; i++) {
		if (in->ticks)
			str_append_char(&in->actions[i], ',');
		str_append(&in->actions[i], i == source ? action : PAUSE);
	}
	in->is_used[source] = true;
	in->ticks++;
}

static void print_sources(struct str *out, struct bidi_input *in)
{
	static const char *const heads[] = {
		[SOURCE_KEY] = "{\"type\":\"key\",\"id\":\"k\",\"actions\":[",
		[SOURCE_POINTER] = "{\"type\":\"pointer\",\"id\":\"m\",\"parameters\":{\"pointerType\":\"mouse\"},\"actions\":[",
		[SOURCE_WHEEL] = "{\"type\":\"wheel\",\"id\":\"w\",\"actions\":[",
	};

	for (size_t i = 0; i < SOURCES; i++) {
		if (in->is_used[i]) {
			str_append(out, out->len ? "," : "");
			str_append(out, heads[i]);
			str_append_len(out, str_text(&in->actions[i]), in->actions[i].len);
			str_append(out, "]}");
		}
		str_reset(&in->actions[i]);
		in->is_used[i] = false;
	}
	in->ticks = 0;
}

/* WebDriver has no code point for some keys, and so no way to press them. The rest of the gesture, releases among it, is performed. */
static void refuse_key(struct task *t, struct engine_target *s, struct engine_call *last)
{
	_cleanup_(str_done) struct str message = {};

	str_appendf(&message, "Firefox cannot be made to press the key %s", s->input->refused);
	bidi_refuse(t, last, "input.performActions", message.data);
}

static void perform(struct task *t, struct engine_target *s, struct engine_call *last)
{
	_cleanup_(str_done) struct str sources = {};
	struct bidi_input *in = s->input;
	bool refused = last && in->refused[0];

	print_sources(&sources, in);
	if (sources.len || (last && !refused))
		bidi_send_or_post(t, s, refused ? NULL : last, "input.performActions", "{context: ?, actions: [?]}", s->id,
				  JSON_RAW(str_text(&sources)));
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

static void turn_modifier(struct bidi_input *in, enum modifier m, bool down)
{
	_cleanup_(str_done) struct str action = {};

	str_json(&action, "{type: ?, value: ?}", down ? "keyDown" : "keyUp", bidi_modifier_value(m));
	tick(in, SOURCE_KEY, action.data);
	in->borrowed = down ? in->borrowed | m : in->borrowed & ~m;
}

/* Presses the modifiers that are wanted and not held, and releases those that were pressed so before. */
static void borrow_modifiers(struct bidi_input *in, unsigned wanted)
{
	static const enum modifier modifiers[] = { MODIFIER_CONTROL, MODIFIER_ALT, MODIFIER_META, MODIFIER_SHIFT };

	for (size_t i = 0; i < ARRAY_SIZE(modifiers); i++) {
		enum modifier m = modifiers[i];

		if (in->borrowed & m & ~wanted)
			turn_modifier(in, m, false);
		else if (wanted & m & ~in->held & ~in->borrowed)
			turn_modifier(in, m, true);
	}
}

/* Whole pixels, the one that the point lies in, as Firefox rounds others up, and beyond a small element. Negative ones are refused. */
static int pixel(double n)
{
	return (int)floor(fmin(fmax(n, 0), COORDINATE_LIMIT));
}

static void input_move_to(struct bidi_input *in, struct point at)
{
	_cleanup_(str_done) struct str action = {};

	str_json(&action, "{type: 'pointerMove', x: ?, y: ?, duration: 0}", pixel(at.x), pixel(at.y));
	tick(in, SOURCE_POINTER, action.data);
	in->at = at;
}

static void turn_button(struct bidi_input *in, enum mouse_button button, bool down)
{
	static const int numbers[] = { [MOUSE_LEFT] = 0, [MOUSE_MIDDLE] = 1, [MOUSE_RIGHT] = 2, [MOUSE_NONE] = 0 };
	_cleanup_(str_done) struct str action = {};

	str_json(&action, "{type: ?, button: ?}", down ? "pointerDown" : "pointerUp", numbers[button]);
	tick(in, SOURCE_POINTER, action.data);
}

static void roll(struct bidi_input *in, struct point at, struct point delta)
{
	_cleanup_(str_done) struct str action = {};

	str_json(&action, "{type: 'scroll', x: ?, y: ?, deltaX: ?, deltaY: ?, duration: 0}", pixel(at.x), pixel(at.y),
		 (int)round(fmin(fmax(delta.x, -COORDINATE_LIMIT), COORDINATE_LIMIT)),
		 (int)round(fmin(fmax(delta.y, -COORDINATE_LIMIT), COORDINATE_LIMIT)));
	tick(in, SOURCE_WHEEL, action.data);
}

static bool input_is_at(const struct bidi_input *in, struct point at)
{
	return pixel(in->at.x) == pixel(at.x) && pixel(in->at.y) == pixel(at.y);
}

static void append_mouse(struct bidi_input *in, const struct mouse_event *e)
{
	bool counts_on = e->type == MOUSE_PRESSED && e->count > 1 && input_is_at(in, e->at);

	borrow_modifiers(in, e->modifiers);
	if (e->type == MOUSE_WHEEL)
		roll(in, e->at, e->delta);
	else if (!counts_on)
		input_move_to(in, e->at);
	if (e->type == MOUSE_PRESSED || e->type == MOUSE_RELEASED)
		turn_button(in, e->button, e->type == MOUSE_PRESSED);
}

/* A release without `last` that ends no gesture of its own, such as that of a call that was given up, is sent at once. */
static bool is_kept(const struct bidi_input *in, const struct mouse_event *e, bool is_begun)
{
	return (e->type != MOUSE_RELEASED || is_begun) && in->actions[SOURCE_POINTER].len < KEPT_ACTIONS_MAX;
}

void engine_mouse(struct task *t, struct engine_target *s, struct engine_call *last, const struct mouse_event *e)
{
	struct bidi_input *in;
	bool is_begun;

	if (!s) {
		fail_input(t, last);
		return;
	}
	in = input_of(s);
	is_begun = in->ticks;
	append_mouse(in, e);
	if (!last && is_kept(in, e, is_begun))
		return;
	if (last)
		borrow_modifiers(in, 0);
	perform(t, s, last);
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
	_cleanup_(str_done) struct str action = {};
	unsigned m = modifier_of(k);

	borrow_modifiers(in, 0);
	str_json(&action, "{type: ?, value: ?}", down ? "keyDown" : "keyUp", value);
	tick(in, SOURCE_KEY, action.data);
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
	in = input_of(s);
	if (value)
		append_key(in, value, k, down);
	else
		snprintf(in->refused, sizeof(in->refused), "%s", k->code[0] ? k->code : k->key);
	if (last || in->actions[SOURCE_KEY].len > KEPT_ACTIONS_MAX)
		perform(t, s, last);
}

void engine_text(struct task *t, struct engine_target *s, struct engine_call *last, const char *text)
{
	if (s && input_of(s)->ticks)
		perform(t, s, NULL);
	bidi_send_or_post(t, s, last, "script.callFunction",
			  "{functionDeclaration: ?, arguments: [{type: 'string', value: ?}], target: {context: ?, sandbox: ?}, "
			  "awaitPromise: false, userActivation: true}",
			  insert_text_script, text, s ? s->id : "", "browserd-input");
}
