/*
 * The keys of a US keyboard and the properties of their KeyboardEvents. Names are those of the UI Events specifications,
 * both `key` values ("Enter", "a", "ArrowLeft") and `code` values ("KeyA", "Digit1", "NumpadAdd"), and others by which people and
 * models call keys ("ctrl", "Esc", "page down").
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"
#include "engine/input.h"

/* The modifier names that clients may use, NULL-terminated; "ControlOrMeta" is Control. */
extern const char *const modifier_names[];
/* The bit of such a name; 0: the name is unknown. */
unsigned modifier_of_name(const char *name);

/* The key that types the character `c` (printable ASCII, '\n', '\t'); false: no key does. */
bool keystroke_for_char(char c, struct keystroke *ret);

/*
 * Parses a key, or a chord such as "Control+Shift+A" or "Control++". "ControlOrMeta" is Control. A character that no key types
 * ("é") is a key of its own. `ret->text` is NULL if a modifier prevents the key from typing. -EINVAL: a name is unknown; `ret_unknown`
 * points to it in `chord`, with its length.
 */
int keystroke_parse(const char *chord, struct keystroke *ret, const char **ret_unknown, int *ret_length);

/*
 * Appends a chord that keystroke_parse() takes with the names that the specifications, and Playwright, have for its keys. With
 * `as_on_a_keyboard`, a letter with modifiers but without Shift is small: people write Control+K for what no keyboard sends as "K".
 */
void keystroke_spell(const char *chord, bool as_on_a_keyboard, struct str *ret);

/* The left key of a modifier. */
const struct keystroke *keystroke_for_modifier(enum modifier m);
/* The bit of the modifier that this key is; 0: it is not a modifier. */
unsigned keystroke_modifier(const struct keystroke *k);
