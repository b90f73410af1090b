#include "act/input.h"

#include "base/error.h"
#include "loop/gate.h"
#include "page/mouse.h"

static const enum modifier modifier_order[] = { MODIFIER_CONTROL, MODIFIER_ALT, MODIFIER_META, MODIFIER_SHIFT };

void input_click(struct task *t, struct page *p, struct engine_call *last, struct point at, enum mouse_button button, int count,
		 unsigned modifiers)
{
	struct mouse_event e = { .type = MOUSE_MOVED, .at = at, .button = button, .modifiers = modifiers };

	page_mouse(p)->at = at;
	engine_mouse(t, page_target(p), count == 0 ? last : NULL, &e);
	for (e.count = 1; e.count <= count; e.count++) {
		e.type = MOUSE_PRESSED;
		e.buttons = mouse_button_bit(button);
		engine_mouse(t, page_target(p), NULL, &e);
		e.type = MOUSE_RELEASED;
		e.buttons = 0;
		engine_mouse(t, page_target(p), e.count == count ? last : NULL, &e);
	}
}

void input_drag(struct task *t, struct page *p, struct engine_call *last, enum mouse_event_type type, struct point at)
{
	page_mouse(p)->at = at;
	engine_mouse(t, page_target(p), last,
		     &(const struct mouse_event){
			     .type = type,
			     .at = at,
			     .buttons = type == MOUSE_RELEASED ? 0 : mouse_button_bit(MOUSE_LEFT),
			     .count = 1,
		     });
}

void input_key(struct task *t, struct page *p, struct engine_call *last, const struct keystroke *k)
{
	engine_key(t, page_target(p), NULL, k, true, k->modifiers | keystroke_modifier(k));
	engine_key(t, page_target(p), last, k, false, k->modifiers);
}

int input_insert(struct task *t, struct page *p, const char *text)
{
	_cleanup_(engine_call_done) struct engine_call call = {};

	engine_text(t, page_target(p), &call, text);
	return engine_await(t, &call);
}

int input_goes_on(struct task *t, unsigned sent)
{
	int r = gate_pass(t);

	return r <= 0 ? r : task_fail_because(t, -ERR_USER_HAS_CONTROL, REASON_TEXT_LEFT, "{typed: ?}", sent);
}

int input_type(struct task *t, struct page *p, const char *character)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	struct keystroke k;

	if (character[1] == '\0' && *character != '\t' && keystroke_for_char(*character, &k))
		input_key(t, p, &call, &k);
	else
		engine_text(t, page_target(p), &call, character);
	return engine_await(t, &call);
}

/* Presses the modifiers before the key and releases them after it, in reverse order. */
static void press_chord(struct task *t, struct page *p, struct engine_call *last, const struct keystroke *k)
{
	unsigned held = 0;

	for (size_t i = 0; i < ARRAY_SIZE(modifier_order); i++)
		if (k->modifiers & modifier_order[i]) {
			held |= modifier_order[i];
			engine_key(t, page_target(p), NULL, keystroke_for_modifier(modifier_order[i]), true, held);
		}
	engine_key(t, page_target(p), NULL, k, true, held | keystroke_modifier(k));
	engine_key(t, page_target(p), held ? NULL : last, k, false, held);
	for (size_t i = ARRAY_SIZE(modifier_order); i-- > 0;)
		if (held & modifier_order[i]) {
			held &= ~modifier_order[i];
			engine_key(t, page_target(p), held ? NULL : last, keystroke_for_modifier(modifier_order[i]), false, held);
		}
}

static int parse_chord(struct task *t, const char *chord, struct keystroke *ret)
{
	const char *unknown;
	int length;

	if (keystroke_parse(chord, ret, &unknown, &length) < 0)
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "\"%s\": there is no %s \"%.*s\"; name keys as in \"a\", \"Enter\", \"ArrowLeft\", \"F5\", "
				 "\"Control+Shift+A\"",
				 chord, unknown[length] ? "modifier key" : "key", length, unknown);
	return 0;
}

int input_press(struct task *t, struct page *p, const char *chord)
{
	_cleanup_(engine_call_done) struct engine_call last = {};
	struct keystroke k;
	int r;

	r = parse_chord(t, chord, &k);
	if (r < 0)
		return r;
	press_chord(t, p, &last, &k);
	return engine_await(t, &last);
}

int input_press_or_release(struct task *t, struct page *p, const char *key, bool down, unsigned held)
{
	_cleanup_(engine_call_done) struct engine_call last = {};
	struct keystroke k;
	int r;

	r = parse_chord(t, key, &k);
	if (r < 0)
		return r;
	if (held & (MODIFIER_CONTROL | MODIFIER_ALT | MODIFIER_META))
		k.text = NULL;
	engine_key(t, page_target(p), &last, &k, down, down ? held | keystroke_modifier(&k) : held & ~keystroke_modifier(&k));
	return engine_await(t, &last);
}

int input_mouse(struct task *t, struct page *p, const struct mouse_event *e)
{
	_cleanup_(engine_call_done) struct engine_call call = {};

	page_mouse(p)->at = e->at;
	engine_mouse(t, page_target(p), &call, e);
	return engine_await(t, &call);
}
