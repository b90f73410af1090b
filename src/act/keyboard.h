/*
 * The keys of a US keyboard: what KeyboardEvents of each carry. Names are those of the UI Events specifications, both
 * `key` values ("Enter", "a", "ArrowLeft") and `code` values ("KeyA", "Digit1", "NumpadAdd").
 */
#pragma once

#include <stdbool.h>

/* The bits that CDP uses. */
enum modifier { MODIFIER_ALT = 1, MODIFIER_CONTROL = 2, MODIFIER_META = 4, MODIFIER_SHIFT = 8 };

/* The names of modifiers that clients may give, NULL-terminated; "ControlOrMeta" is Control. */
extern const char *const modifier_names[];
/* The bit of such a name, 0: there is no such modifier. */
unsigned modifier_of_name(const char *name);

/* Where a key lies, KeyboardEvent.location. */
enum key_location { KEY_STANDARD, KEY_LEFT, KEY_RIGHT, KEY_NUMPAD };

struct keystroke {
	const char *key, *code;
	const char *text; /* what it types, NULL: nothing */
	int key_code;     /* of Windows, as KeyboardEvent.keyCode has it */
	enum key_location location;
	unsigned modifiers; /* held when it is pressed */
};

/* The key that types the character `c` (printable ASCII, '\n', '\t'); false when there is none. */
bool keystroke_for_char(char c, struct keystroke *ret);

/*
 * A key, or a chord such as "Control+Shift+A" or "Control++". "ControlOrMeta" is Control. Characters that no key has
 * ("é") are keys of their own. `ret->text` is NULL where a held modifier keeps the key from typing. -EINVAL: a name
 * is unknown; `ret_unknown` is it, inside `chord`, and its length.
 */
int keystroke_parse(const char *chord, struct keystroke *ret, const char **ret_unknown, int *ret_length);

/* The key of one modifier bit, the left one. */
const struct keystroke *keystroke_for_modifier(enum modifier m);
/* The bit that holding this key sets, 0 when it is no modifier. */
unsigned keystroke_modifier(const struct keystroke *k);
