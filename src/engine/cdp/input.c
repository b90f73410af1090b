/*
 * The values of enum modifier, the bits of mouse buttons and the values of enum key_location are those of CDP. The acknowledgement of a mouse
 * move that no other event follows waits for the next frame.
 */
#include "engine/input.h"

#include "engine/cdp/cdp.h"

void engine_mouse(struct task *t, struct engine_target *s, struct engine_call *last, const struct mouse_event *e)
{
	static const char *const types[] = {
		[MOUSE_MOVED] = "mouseMoved",
		[MOUSE_PRESSED] = "mousePressed",
		[MOUSE_RELEASED] = "mouseReleased",
		[MOUSE_WHEEL] = "mouseWheel",
	};
	bool has_button = e->button != MOUSE_NONE && (e->count > 0 || e->buttons);

	cdp_send_or_post(t, s, last, "Input.dispatchMouseEvent",
			 "{type: ?, x: ?, y: ?, deltaX: ?, deltaY: ?, button: ?, buttons: ?, clickCount: ?, modifiers: ?}",
			 types[e->type], e->at.x, e->at.y, e->delta.x, e->delta.y,
			 has_button ? mouse_button_names[e->button] : "none", e->buttons, e->count, e->modifiers);
}

static void key_down(struct task *t, struct engine_target *s, struct engine_call *last, const struct keystroke *k,
		     unsigned modifiers)
{
	const char *type = k->text ? "keyDown" : "rawKeyDown";

	cdp_send_or_post(t, s, last, "Input.dispatchKeyEvent",
			 "{type: ?, key: ?, code: ?, text: ?, unmodifiedText: ?, windowsVirtualKeyCode: ?, location: ?, "
			 "isKeypad: ?, modifiers: ?}",
			 type, k->key, k->code, k->text ? k->text : "", k->text ? k->text : "", k->key_code, (int)k->location,
			 (bool)(k->location == KEY_NUMPAD), modifiers);
}

void engine_key(struct task *t, struct engine_target *s, struct engine_call *last, const struct keystroke *k, bool down,
		unsigned modifiers)
{
	if (down)
		key_down(t, s, last, k, modifiers);
	else
		cdp_send_or_post(
			t, s, last, "Input.dispatchKeyEvent",
			"{type: 'keyUp', key: ?, code: ?, windowsVirtualKeyCode: ?, location: ?, isKeypad: ?, modifiers: ?}",
			k->key, k->code, k->key_code, (int)k->location, (bool)(k->location == KEY_NUMPAD), modifiers);
}

void engine_text(struct task *t, struct engine_target *s, struct engine_call *last, const char *text)
{
	cdp_send_or_post(t, s, last, "Input.insertText", "{text: ?}", text);
}

void engine_compose(struct task *t, struct engine_target *s, struct engine_call *last, const char *text, int start, int end)
{
	cdp_send_or_post(t, s, last, "Input.imeSetComposition", "{text: ?, selectionStart: ?, selectionEnd: ?}", text, start, end);
}

/* ---- dragging ---- */

#define ALL_OPERATIONS 19 /* the bits for copy, link and move */

/* DragData of CDP. */
void engine_print_drag(const struct engine_target *s, struct str *out, const struct drag_data *d)
{
	str_append(out, "{\"items\":[");
	for (size_t i = 0; i < d->items_count; i++)
		str_json(out, "?{mimeType: ?, data: ?}", JSON_COMMA(i > 0), d->items[i].mime_type, d->items[i].text);
	str_append(out, "],\"files\":[");
	for (size_t i = 0; i < d->files_count; i++)
		str_json(out, "? ?", JSON_COMMA(i > 0), d->files[i]);
	str_json(out, "], dragOperationsMask: ?}", ALL_OPERATIONS);
}

void engine_drag(struct task *t, struct engine_target *s, struct engine_call *last, enum drag_step step, struct point at,
		 const char *data)
{
	static const char *const types[] = {
		[DRAG_ENTER] = "dragEnter",
		[DRAG_OVER] = "dragOver",
		[DRAG_DROP] = "drop",
		[DRAG_CANCEL] = "dragCancel",
	};

	cdp_send_or_post(t, s, last, "Input.dispatchDragEvent", "{type: ?, x: ?, y: ?, data: ?}", types[step], at.x, at.y,
			 JSON_RAW(data));
}

void engine_report_drags(struct engine_target *s, bool on)
{
	cdp_post(s, "Input.setInterceptDrags", "{enabled: ?}", on);
}
