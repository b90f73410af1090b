#include "act/input.h"

#include <string.h>

#include "base/error.h"
#include "page/mouse.h"

/* These are also the names in CDP. */
const char *const mouse_button_names[] = { [MOUSE_LEFT] = "left", [MOUSE_RIGHT] = "right", [MOUSE_MIDDLE] = "middle", NULL };

enum mouse_button mouse_button_of_name(const char *name)
{
	for (int i = 0; mouse_button_names[i]; i++)
		if (strcmp(mouse_button_names[i], name) == 0)
			return (enum mouse_button)i;
	return MOUSE_LEFT;
}

unsigned input_button_bit(enum mouse_button button)
{
	return 1u << button;
}

static const enum modifier modifier_order[] = { MODIFIER_CONTROL, MODIFIER_ALT, MODIFIER_META, MODIFIER_SHIFT };

/* With `last` the reply can be awaited, without it the reply is dropped. */
#define SEND(t, p, last, method, ...) \
	do { \
		if (last) \
			cdp_send(t, page_cdp(p), last, method, __VA_ARGS__); \
		else \
			cdp_post(page_cdp(p), method, __VA_ARGS__); \
	} while (0)

void input_click(struct task *t, struct page *p, struct cdp_call *last, struct point at, enum mouse_button button, int count,
		 unsigned modifiers)
{
	const char *name = mouse_button_names[button];

	page_mouse(p)->at = at;
	SEND(t, p, count == 0 ? last : NULL, "Input.dispatchMouseEvent", "{type: 'mouseMoved', x: ?, y: ?, modifiers: ?}", at.x,
	     at.y, modifiers);
	for (int i = 1; i <= count; i++) {
		struct cdp_call *awaited = i == count ? last : NULL;

		cdp_post(page_cdp(p), "Input.dispatchMouseEvent",
			 "{type: 'mousePressed', x: ?, y: ?, button: ?, buttons: ?, clickCount: ?, modifiers: ?}", at.x, at.y, name,
			 input_button_bit(button), i, modifiers);
		SEND(t, p, awaited, "Input.dispatchMouseEvent",
		     "{type: 'mouseReleased', x: ?, y: ?, button: ?, clickCount: ?, modifiers: ?}", at.x, at.y, name, i, modifiers);
	}
}

void input_drag_mouse(struct task *t, struct page *p, struct cdp_call *last, const char *type, struct point at)
{
	bool held = strcmp(type, "mouseReleased") != 0;

	page_mouse(p)->at = at;
	SEND(t, p, last, "Input.dispatchMouseEvent", "{type: ?, x: ?, y: ?, button: 'left', buttons: ?, clickCount: 1}", type, at.x,
	     at.y, held ? input_button_bit(MOUSE_LEFT) : 0);
}

void input_drag_data(struct task *t, struct page *p, struct cdp_call *last, const char *type, struct point at, const char *data)
{
	SEND(t, p, last, "Input.dispatchDragEvent", "{type: ?, x: ?, y: ?, data: ?}", type, at.x, at.y, JSON_RAW(data));
}

static void key_down(struct task *t, struct page *p, struct cdp_call *last, const struct keystroke *k, unsigned modifiers)
{
	const char *type = k->text ? "keyDown" : "rawKeyDown";

	SEND(t, p, last, "Input.dispatchKeyEvent",
	     "{type: ?, key: ?, code: ?, text: ?, unmodifiedText: ?, windowsVirtualKeyCode: ?, location: ?, "
	     "isKeypad: ?, modifiers: ?}",
	     type, k->key, k->code, k->text ? k->text : "", k->text ? k->text : "", k->key_code, (int)k->location,
	     (bool)(k->location == KEY_NUMPAD), modifiers);
}

static void key_up(struct task *t, struct page *p, struct cdp_call *last, const struct keystroke *k, unsigned modifiers)
{
	SEND(t, p, last, "Input.dispatchKeyEvent",
	     "{type: 'keyUp', key: ?, code: ?, windowsVirtualKeyCode: ?, location: ?, isKeypad: ?, modifiers: ?}", k->key, k->code,
	     k->key_code, (int)k->location, (bool)(k->location == KEY_NUMPAD), modifiers);
}

void input_key(struct task *t, struct page *p, struct cdp_call *last, const struct keystroke *k)
{
	key_down(t, p, NULL, k, k->modifiers | keystroke_modifier(k));
	key_up(t, p, last, k, k->modifiers);
}

void input_text(struct task *t, struct page *p, struct cdp_call *last, const char *text)
{
	SEND(t, p, last, "Input.insertText", "{text: ?}", text);
}

int input_insert(struct task *t, struct page *p, const char *text)
{
	_cleanup_(cdp_call_done) struct cdp_call call = {};

	input_text(t, p, &call, text);
	return cdp_await(t, &call);
}

int input_type(struct task *t, struct page *p, const char *character)
{
	_cleanup_(cdp_call_done) struct cdp_call call = {};
	struct keystroke k;

	if (character[1] == '\0' && *character != '\t' && keystroke_for_char(*character, &k))
		input_key(t, p, &call, &k);
	else
		input_text(t, p, &call, character);
	return cdp_await(t, &call);
}

/* Presses the modifiers before the key and releases them after it, in reverse order. */
static void press_chord(struct task *t, struct page *p, struct cdp_call *last, const struct keystroke *k)
{
	unsigned held = 0;

	for (size_t i = 0; i < ARRAY_SIZE(modifier_order); i++)
		if (k->modifiers & modifier_order[i]) {
			held |= modifier_order[i];
			key_down(t, p, NULL, keystroke_for_modifier(modifier_order[i]), held);
		}
	key_down(t, p, NULL, k, held | keystroke_modifier(k));
	key_up(t, p, held ? NULL : last, k, held);
	for (size_t i = ARRAY_SIZE(modifier_order); i-- > 0;)
		if (held & modifier_order[i]) {
			held &= ~modifier_order[i];
			key_up(t, p, held ? NULL : last, keystroke_for_modifier(modifier_order[i]), held);
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
	_cleanup_(cdp_call_done) struct cdp_call last = {};
	struct keystroke k;
	int r;

	r = parse_chord(t, chord, &k);
	if (r < 0)
		return r;
	press_chord(t, p, &last, &k);
	return cdp_await(t, &last);
}

int input_press_or_release(struct task *t, struct page *p, const char *key, bool down, unsigned held)
{
	_cleanup_(cdp_call_done) struct cdp_call last = {};
	struct keystroke k;
	int r;

	r = parse_chord(t, key, &k);
	if (r < 0)
		return r;
	if (held & (MODIFIER_CONTROL | MODIFIER_ALT | MODIFIER_META))
		k.text = NULL;
	if (down)
		key_down(t, p, &last, &k, held | keystroke_modifier(&k));
	else
		key_up(t, p, &last, &k, held & ~keystroke_modifier(&k));
	return cdp_await(t, &last);
}

int input_mouse(struct task *t, struct page *p, const struct mouse_event *e)
{
	static const char *const types[] = {
		[MOUSE_MOVED] = "mouseMoved",
		[MOUSE_PRESSED] = "mousePressed",
		[MOUSE_RELEASED] = "mouseReleased",
		[MOUSE_WHEEL] = "mouseWheel",
	};
	const char *button = e->count > 0 || e->held ? mouse_button_names[e->button] : "none";

	page_mouse(p)->at = e->at;
	return cdp_call(t, page_cdp(p), NULL, "Input.dispatchMouseEvent",
			"{type: ?, x: ?, y: ?, deltaX: ?, deltaY: ?, button: ?, buttons: ?, clickCount: ?, modifiers: ?}",
			types[e->type], e->at.x, e->at.y, e->delta.x, e->delta.y, button, e->held ? input_button_bit(e->button) : 0,
			e->count, e->modifiers);
}
