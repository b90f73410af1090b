/*
 * Input to a page, by its target. Points are those of the viewport of the page, not of a frame. The browser handles input in the order in which
 * it was sent, so a caller that sends several events awaits `last` for the last one; its reply means that the page has handled them all.
 * With `last` NULL the reply is dropped, and the event may wait for the next one: a gesture ends with an awaited event. No function suspends.
 */
#pragma once

#include "base/str.h"
#include "engine/engine.h"
#include "engine/geometry.h"

enum mouse_button { MOUSE_LEFT, MOUSE_RIGHT, MOUSE_MIDDLE, MOUSE_NONE };
extern const char *const mouse_button_names[]; /* indexed by enum mouse_button, NULL-terminated; none for MOUSE_NONE */
/* The button with that name, or the left one if the name is unknown. */
enum mouse_button mouse_button_of_name(const char *name);
/* The bit of a button in a set of buttons. */
unsigned mouse_button_bit(enum mouse_button button);

enum mouse_event_type { MOUSE_MOVED, MOUSE_PRESSED, MOUSE_RELEASED, MOUSE_WHEEL };

struct mouse_event {
	enum mouse_event_type type;
	struct point at, delta;
	enum mouse_button button; /* of no meaning where no button is pressed, released or held */
	unsigned buttons;         /* those that are held after the event */
	int count;                /* 1: a click, 2: a double click...; 0: no button is pressed or released */
	unsigned modifiers;       /* enum modifier */
};
void engine_mouse(struct task *t, struct engine_target *s, struct engine_call *last, const struct mouse_event *e);

enum modifier { MODIFIER_ALT = 1, MODIFIER_CONTROL = 2, MODIFIER_META = 4, MODIFIER_SHIFT = 8 };

/* The position of a key: KeyboardEvent.location. */
enum key_location { KEY_STANDARD, KEY_LEFT, KEY_RIGHT, KEY_NUMPAD };

struct keystroke {
	const char *key, *code;
	const char *text; /* the text it types; NULL: none */
	int key_code;     /* Windows virtual key code, the value of KeyboardEvent.keyCode */
	enum key_location location;
	unsigned modifiers; /* pressed together with the key */
};
/* `modifiers`: those that the event has, enum modifier. */
void engine_key(struct task *t, struct engine_target *s, struct engine_call *last, const struct keystroke *k, bool down,
		unsigned modifiers);
/* Inserts text as an input method does: without key events, with one input event. */
void engine_text(struct task *t, struct engine_target *s, struct engine_call *last, const char *text);
/*
 * The text that an input method has so far, in place of the one before; engine_text() ends it. `start` and `end` are those of its selection in
 * UTF-16 units. -ENOTSUP: the browser shows none.
 */
void engine_compose(struct task *t, struct engine_target *s, struct engine_call *last, const char *text, int start, int end);

/* What is dragged from another program. */
struct drag_data {
	const struct drag_item {
		const char *mime_type, *text;
	} * items;
	size_t items_count;
	const char *const *files; /* absolute paths, which the page gets to read */
	size_t files_count;
};
/* Appends `d` in the form of the engine of `s`, as engine_drag() takes it and the start of a drag in a page reports it. */
void engine_print_drag(const struct engine_target *s, struct str *out, const struct drag_data *d);

enum drag_step { DRAG_ENTER, DRAG_OVER, DRAG_DROP, DRAG_CANCEL };
void engine_drag(struct task *t, struct engine_target *s, struct engine_call *last, enum drag_step step, struct point at,
		 const char *data);
/* Whether a drag that begins in the page is reported with its data, and waits for engine_drag(), instead of being left to the window system. */
void engine_report_drags(struct engine_target *s, bool on);
