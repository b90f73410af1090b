#include "act/keyboard.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/macros.h"

/* `shifted` is the key value with Shift; NULL: the same as `key`. `shifted_key_code` is 0 if it is the same as `key_code`. */
struct key {
	const char *key, *shifted, *code;
	int key_code;
	enum key_location location;
	int shifted_key_code;
};

/* A key stands before its copies on the number pad, because look-ups by `key` take the first match. */
static const struct key key_table[] = {
	{ "Escape", NULL, "Escape", 27 },
	{ "F1", NULL, "F1", 112 },
	{ "F2", NULL, "F2", 113 },
	{ "F3", NULL, "F3", 114 },
	{ "F4", NULL, "F4", 115 },
	{ "F5", NULL, "F5", 116 },
	{ "F6", NULL, "F6", 117 },
	{ "F7", NULL, "F7", 118 },
	{ "F8", NULL, "F8", 119 },
	{ "F9", NULL, "F9", 120 },
	{ "F10", NULL, "F10", 121 },
	{ "F11", NULL, "F11", 122 },
	{ "F12", NULL, "F12", 123 },
	{ "F13", NULL, "F13", 124 },
	{ "F14", NULL, "F14", 125 },
	{ "F15", NULL, "F15", 126 },
	{ "F16", NULL, "F16", 127 },
	{ "F17", NULL, "F17", 128 },
	{ "F18", NULL, "F18", 129 },
	{ "F19", NULL, "F19", 130 },
	{ "F20", NULL, "F20", 131 },
	{ "F21", NULL, "F21", 132 },
	{ "F22", NULL, "F22", 133 },
	{ "F23", NULL, "F23", 134 },
	{ "F24", NULL, "F24", 135 },
	{ "`", "~", "Backquote", 192 },
	{ "1", "!", "Digit1", 49 },
	{ "2", "@", "Digit2", 50 },
	{ "3", "#", "Digit3", 51 },
	{ "4", "$", "Digit4", 52 },
	{ "5", "%", "Digit5", 53 },
	{ "6", "^", "Digit6", 54 },
	{ "7", "&", "Digit7", 55 },
	{ "8", "*", "Digit8", 56 },
	{ "9", "(", "Digit9", 57 },
	{ "0", ")", "Digit0", 48 },
	{ "-", "_", "Minus", 189 },
	{ "=", "+", "Equal", 187 },
	{ "\\", "|", "Backslash", 220 },
	{ "Backspace", NULL, "Backspace", 8 },
	{ "Tab", NULL, "Tab", 9 },
	{ "q", "Q", "KeyQ", 81 },
	{ "w", "W", "KeyW", 87 },
	{ "e", "E", "KeyE", 69 },
	{ "r", "R", "KeyR", 82 },
	{ "t", "T", "KeyT", 84 },
	{ "y", "Y", "KeyY", 89 },
	{ "u", "U", "KeyU", 85 },
	{ "i", "I", "KeyI", 73 },
	{ "o", "O", "KeyO", 79 },
	{ "p", "P", "KeyP", 80 },
	{ "[", "{", "BracketLeft", 219 },
	{ "]", "}", "BracketRight", 221 },
	{ "CapsLock", NULL, "CapsLock", 20 },
	{ "a", "A", "KeyA", 65 },
	{ "s", "S", "KeyS", 83 },
	{ "d", "D", "KeyD", 68 },
	{ "f", "F", "KeyF", 70 },
	{ "g", "G", "KeyG", 71 },
	{ "h", "H", "KeyH", 72 },
	{ "j", "J", "KeyJ", 74 },
	{ "k", "K", "KeyK", 75 },
	{ "l", "L", "KeyL", 76 },
	{ ";", ":", "Semicolon", 186 },
	{ "'", "\"", "Quote", 222 },
	{ "Enter", NULL, "Enter", 13 },
	{ "z", "Z", "KeyZ", 90 },
	{ "x", "X", "KeyX", 88 },
	{ "c", "C", "KeyC", 67 },
	{ "v", "V", "KeyV", 86 },
	{ "b", "B", "KeyB", 66 },
	{ "n", "N", "KeyN", 78 },
	{ "m", "M", "KeyM", 77 },
	{ ",", "<", "Comma", 188 },
	{ ".", ">", "Period", 190 },
	{ "/", "?", "Slash", 191 },
	{ " ", NULL, "Space", 32 },
	{ "Shift", NULL, "ShiftLeft", 16, KEY_LEFT },
	{ "Shift", NULL, "ShiftRight", 16, KEY_RIGHT },
	{ "Control", NULL, "ControlLeft", 17, KEY_LEFT },
	{ "Control", NULL, "ControlRight", 17, KEY_RIGHT },
	{ "Alt", NULL, "AltLeft", 18, KEY_LEFT },
	{ "Alt", NULL, "AltRight", 18, KEY_RIGHT },
	{ "Meta", NULL, "MetaLeft", 91, KEY_LEFT },
	{ "Meta", NULL, "MetaRight", 92, KEY_RIGHT },
	{ "AltGraph", NULL, "AltGraph", 225 },
	{ "ContextMenu", NULL, "ContextMenu", 93 },
	{ "PrintScreen", NULL, "PrintScreen", 44 },
	{ "ScrollLock", NULL, "ScrollLock", 145 },
	{ "Pause", NULL, "Pause", 19 },
	{ "NumLock", NULL, "NumLock", 144 },
	{ "PageUp", NULL, "PageUp", 33 },
	{ "PageDown", NULL, "PageDown", 34 },
	{ "End", NULL, "End", 35 },
	{ "Home", NULL, "Home", 36 },
	{ "ArrowLeft", NULL, "ArrowLeft", 37 },
	{ "ArrowUp", NULL, "ArrowUp", 38 },
	{ "ArrowRight", NULL, "ArrowRight", 39 },
	{ "ArrowDown", NULL, "ArrowDown", 40 },
	{ "Insert", NULL, "Insert", 45 },
	{ "Delete", NULL, "Delete", 46 },
	{ "Help", NULL, "Help", 47 },
	{ "Clear", NULL, "Clear", 12 },
	{ "Insert", "0", "Numpad0", 45, KEY_NUMPAD, 96 },
	{ "End", "1", "Numpad1", 35, KEY_NUMPAD, 97 },
	{ "ArrowDown", "2", "Numpad2", 40, KEY_NUMPAD, 98 },
	{ "PageDown", "3", "Numpad3", 34, KEY_NUMPAD, 99 },
	{ "ArrowLeft", "4", "Numpad4", 37, KEY_NUMPAD, 100 },
	{ "Clear", "5", "Numpad5", 12, KEY_NUMPAD, 101 },
	{ "ArrowRight", "6", "Numpad6", 39, KEY_NUMPAD, 102 },
	{ "Home", "7", "Numpad7", 36, KEY_NUMPAD, 103 },
	{ "ArrowUp", "8", "Numpad8", 38, KEY_NUMPAD, 104 },
	{ "PageUp", "9", "Numpad9", 33, KEY_NUMPAD, 105 },
	{ "Delete", ".", "NumpadDecimal", 46, KEY_NUMPAD, 110 },
	{ "*", NULL, "NumpadMultiply", 106, KEY_NUMPAD },
	{ "+", NULL, "NumpadAdd", 107, KEY_NUMPAD },
	{ "-", NULL, "NumpadSubtract", 109, KEY_NUMPAD },
	{ "/", NULL, "NumpadDivide", 111, KEY_NUMPAD },
	{ "Enter", NULL, "NumpadEnter", 13, KEY_NUMPAD },
	{ "BrowserBack", NULL, "BrowserBack", 166 },
	{ "BrowserForward", NULL, "BrowserForward", 167 },
	{ "BrowserRefresh", NULL, "BrowserRefresh", 168 },
	{ "BrowserStop", NULL, "BrowserStop", 169 },
	{ "BrowserSearch", NULL, "BrowserSearch", 170 },
	{ "BrowserFavorites", NULL, "BrowserFavorites", 171 },
	{ "BrowserHome", NULL, "BrowserHome", 172 },
	{ "AudioVolumeMute", NULL, "AudioVolumeMute", 173 },
	{ "AudioVolumeDown", NULL, "AudioVolumeDown", 174 },
	{ "AudioVolumeUp", NULL, "AudioVolumeUp", 175 },
	{ "MediaTrackNext", NULL, "MediaTrackNext", 176 },
	{ "MediaTrackPrevious", NULL, "MediaTrackPrevious", 177 },
	{ "MediaStop", NULL, "MediaStop", 178 },
	{ "MediaPlayPause", NULL, "MediaPlayPause", 179 },
};

const char *const modifier_names[] = { "Alt", "Control", "ControlOrMeta", "Meta", "Shift", NULL };
static const enum modifier modifier_bits[] = { MODIFIER_ALT, MODIFIER_CONTROL, MODIFIER_CONTROL, MODIFIER_META, MODIFIER_SHIFT };

unsigned modifier_of_name(const char *name)
{
	for (size_t i = 0; modifier_names[i]; i++)
		if (strcmp(modifier_names[i], name) == 0)
			return modifier_bits[i];
	return 0;
}

static const struct keystroke modifier_keys[] = {
	{ "Alt", "AltLeft", NULL, 18, KEY_LEFT, MODIFIER_ALT },
	{ "Control", "ControlLeft", NULL, 17, KEY_LEFT, MODIFIER_CONTROL },
	{ "Meta", "MetaLeft", NULL, 91, KEY_LEFT, MODIFIER_META },
	{ "Shift", "ShiftLeft", NULL, 16, KEY_LEFT, MODIFIER_SHIFT },
};

/* Whether the text is one UTF-8 code point. */
static bool is_one_character(const char *text)
{
	if (!*text)
		return false;
	for (text++; (*text & 0xc0) == 0x80; text++)
		;
	return !*text;
}

static const char *typed_text(const char *key)
{
	if (strcmp(key, "Enter") == 0)
		return "\r";
	return is_one_character(key) ? key : NULL;
}

static void keyboard_press(const struct key *k, bool shifted, struct keystroke *ret)
{
	const char *key = shifted && k->shifted ? k->shifted : k->key;

	*ret = (struct keystroke){
		.key = key,
		.code = k->code,
		.text = typed_text(key),
		.key_code = shifted && k->shifted_key_code ? k->shifted_key_code : k->key_code,
		.location = k->location,
		.modifiers = shifted ? MODIFIER_SHIFT : 0,
	};
}

static bool keyboard_is(const char *candidate, const char *name, size_t length)
{
	return candidate && strncmp(candidate, name, length) == 0 && !candidate[length];
}

static const struct key *keyboard_find(const char *name, size_t length, bool *ret_shifted)
{
	for (size_t i = 0; i < ARRAY_SIZE(key_table); i++) {
		const struct key *k = &key_table[i];

		*ret_shifted = k->location != KEY_NUMPAD && keyboard_is(k->shifted, name, length);
		if (*ret_shifted || keyboard_is(k->key, name, length) || keyboard_is(k->code, name, length))
			return k;
	}
	return NULL;
}

bool keystroke_for_char(char c, struct keystroke *ret)
{
	const char name[] = { c, 0 };
	const struct key *k;
	bool shifted = false;

	if (c == '\n' || c == '\t')
		k = c == '\n' ? keyboard_find("Enter", 5, &shifted) : keyboard_find("Tab", 3, &shifted);
	else
		k = c ? keyboard_find(name, 1, &shifted) : NULL;
	if (k)
		keyboard_press(k, shifted, ret);
	return k;
}

unsigned keystroke_modifier(const struct keystroke *k)
{
	for (size_t i = 0; i < ARRAY_SIZE(modifier_keys); i++)
		if (strcmp(modifier_keys[i].key, k->key) == 0)
			return modifier_keys[i].modifiers;
	return 0;
}

const struct keystroke *keystroke_for_modifier(enum modifier m)
{
	for (size_t i = 0; i < ARRAY_SIZE(modifier_keys); i++)
		if (modifier_keys[i].modifiers == m)
			return &modifier_keys[i];
	return NULL;
}

/*
 * Other names of keys. Cmd is the key for shortcuts on the keyboards that have it, which on this one is Control. The case of these
 * names and of those in the table does not count, nor do blanks, "-" and "_" in them.
 */
static const char *const other_names[][2] = {
	{ "Ctrl", "Control" },
	{ "Ctl", "Control" },
	{ "Cmd", "ControlOrMeta" },
	{ "Command", "ControlOrMeta" },
	{ "CmdOrCtrl", "ControlOrMeta" },
	{ "CtrlOrCmd", "ControlOrMeta" },
	{ "CommandOrControl", "ControlOrMeta" },
	{ "ControlOrMeta", "ControlOrMeta" },
	{ "Mod", "ControlOrMeta" },
	{ "Win", "Meta" },
	{ "Windows", "Meta" },
	{ "Super", "Meta" },
	{ "Option", "Alt" },
	{ "Opt", "Alt" },
	{ "AltGr", "AltGraph" },
	{ "Esc", "Escape" },
	{ "Return", "Enter" },
	{ "Del", "Delete" },
	{ "Ins", "Insert" },
	{ "Bksp", "Backspace" },
	{ "Spacebar", "Space" },
	{ "Left", "ArrowLeft" },
	{ "Up", "ArrowUp" },
	{ "Right", "ArrowRight" },
	{ "Down", "ArrowDown" },
	{ "PgUp", "PageUp" },
	{ "PgDn", "PageDown" },
	{ "PgDown", "PageDown" },
	{ "Caps", "CapsLock" },
	{ "Menu", "ContextMenu" },
	{ "Apps", "ContextMenu" },
	{ "PrtSc", "PrintScreen" },
	{ "PrtScn", "PrintScreen" },
	{ "Plus", "+" },
};

/* A name in a chord, which is not terminated. */
struct key_name {
	const char *text;
	size_t length;
};

static bool is_filler(char c)
{
	return c == ' ' || c == '-' || c == '_';
}

static bool is_like(const char *candidate, struct key_name name)
{
	for (size_t i = 0; i < name.length; i++) {
		if (is_filler(name.text[i]))
			continue;
		if (!*candidate || tolower((unsigned char)name.text[i]) != tolower((unsigned char)*candidate))
			return false;
		candidate++;
	}
	return !*candidate;
}

/* The name as the table has it: "a" and "A" are different keys, "enter" and "Enter" are not. An unknown name stays as it is. */
static struct key_name known_name(struct key_name name)
{
	const char *found = NULL;
	bool shifted;

	if (name.length < 2 || keyboard_find(name.text, name.length, &shifted))
		return name;
	for (size_t i = 0; i < ARRAY_SIZE(other_names) && !found; i++)
		if (is_like(other_names[i][0], name))
			found = other_names[i][1];
	for (size_t i = 0; i < ARRAY_SIZE(key_table) && !found; i++)
		if (key_table[i].key[1] && is_like(key_table[i].key, name))
			found = key_table[i].key;
		else if (is_like(key_table[i].code, name))
			found = key_table[i].code;
	return found ? (struct key_name){ found, strlen(found) } : name;
}

/* Where the first name of a chord begins and ends: at a plus sign, which is a key itself at the beginning of a name. */
static struct key_name first_name(const char *chord)
{
	const char *plus;

	while (chord[0] == ' ' && chord[1])
		chord++;
	plus = *chord ? strchr(chord + 1, '+') : NULL;
	return (struct key_name){ chord, plus ? (size_t)(plus - chord) : strlen(chord) };
}

static unsigned modifier_named(struct key_name name)
{
	struct keystroke k;
	const struct key *found;
	bool shifted = false;

	name = known_name(name);
	if (keyboard_is("ControlOrMeta", name.text, name.length))
		return MODIFIER_CONTROL;
	found = keyboard_find(name.text, name.length, &shifted);
	if (!found)
		return 0;
	keyboard_press(found, false, &k);
	return keystroke_modifier(&k);
}

/* Parses the last key of a chord; `name` extends to the end of the text. */
static int parse_key(const char *name, unsigned held, struct keystroke *ret)
{
	struct key_name known = known_name((struct key_name){ name, strlen(name) });
	const struct key *k;
	bool shifted = false;

	if (keyboard_is("ControlOrMeta", known.text, known.length))
		known = (struct key_name){ "Control", strlen("Control") };
	if (strcmp(name, "\n") == 0 || strcmp(name, "\r") == 0)
		known = (struct key_name){ "Enter", strlen("Enter") };
	k = *name ? keyboard_find(known.text, known.length, &shifted) : NULL;
	if (k)
		keyboard_press(k, shifted || held & MODIFIER_SHIFT, ret);
	else if (is_one_character(name))
		*ret = (struct keystroke){ .key = name, .code = "", .text = name };
	else
		return -EINVAL;
	ret->modifiers = held; /* "A" alone means the letter without the Shift modifier */
	if (held & (MODIFIER_CONTROL | MODIFIER_ALT | MODIFIER_META))
		ret->text = NULL;
	return 0;
}

int keystroke_parse(const char *chord, struct keystroke *ret, const char **ret_unknown, int *ret_length)
{
	struct key_name name = first_name(chord);
	unsigned held = 0, bit = 1;

	while (name.text[name.length] && (bit = modifier_named(name))) {
		held |= bit;
		name = first_name(name.text + name.length + 1);
	}
	*ret_unknown = name.text;
	*ret_length = (int)name.length;
	return bit ? parse_key(name.text, held, ret) : -EINVAL;
}

void keystroke_spell(const char *chord, bool as_on_a_keyboard, struct str *ret)
{
	struct key_name name = first_name(chord), known = known_name(name);
	unsigned held = 0;

	while (name.text[name.length]) {
		held |= modifier_named(name);
		str_append_len(ret, known.text, known.length);
		str_append_char(ret, '+');
		name = first_name(name.text + name.length + 1);
		known = known_name(name);
	}
	if (as_on_a_keyboard && known.length == 1 && held && !(held & MODIFIER_SHIFT))
		str_append_char(ret, (char)tolower((unsigned char)known.text[0]));
	else
		str_append_len(ret, known.text, known.length);
}
