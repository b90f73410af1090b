/* What the files of this folder that do input share. */
#pragma once

#include "engine/input.h"

/* The key as an action of WebDriver names it: a character, or a code point for a key without one. NULL: there is none for it. */
const char *bidi_key_value(const struct keystroke *k);
const char *bidi_modifier_value(enum modifier m);
