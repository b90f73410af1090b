/* Keys by the code points that WebDriver gives to those without a character. */
#include <string.h>

#include "engine/bidi/input.h"

static const struct {
	const char *code;
	const char *key; /* NULL: any */
	const char *value;
} code_point_table[] = {
	{ "Backspace", NULL, "\uE003" },
	{ "Tab", NULL, "\uE004" },
	{ "Clear", NULL, "\uE005" },
	{ "Enter", NULL, "\uE006" },
	{ "NumpadEnter", NULL, "\uE007" },
	{ "ShiftLeft", NULL, "\uE008" },
	{ "ControlLeft", NULL, "\uE009" },
	{ "AltLeft", NULL, "\uE00A" },
	{ "Pause", NULL, "\uE00B" },
	{ "Escape", NULL, "\uE00C" },
	{ "PageUp", NULL, "\uE00E" },
	{ "PageDown", NULL, "\uE00F" },
	{ "End", NULL, "\uE010" },
	{ "Home", NULL, "\uE011" },
	{ "ArrowLeft", NULL, "\uE012" },
	{ "ArrowUp", NULL, "\uE013" },
	{ "ArrowRight", NULL, "\uE014" },
	{ "ArrowDown", NULL, "\uE015" },
	{ "Insert", NULL, "\uE016" },
	{ "Delete", NULL, "\uE017" },
	{ "Help", NULL, "\uE002" },
	{ "Numpad0", "0", "\uE01A" },
	{ "Numpad1", "1", "\uE01B" },
	{ "Numpad2", "2", "\uE01C" },
	{ "Numpad3", "3", "\uE01D" },
	{ "Numpad4", "4", "\uE01E" },
	{ "Numpad5", "5", "\uE01F" },
	{ "Numpad6", "6", "\uE020" },
	{ "Numpad7", "7", "\uE021" },
	{ "Numpad8", "8", "\uE022" },
	{ "Numpad9", "9", "\uE023" },
	{ "NumpadMultiply", NULL, "\uE024" },
	{ "NumpadAdd", NULL, "\uE025" },
	{ "NumpadSubtract", NULL, "\uE027" },
	{ "NumpadDecimal", ".", "\uE028" },
	{ "NumpadDivide", NULL, "\uE029" },
	{ "Numpad0", NULL, "\uE05C" },
	{ "Numpad1", NULL, "\uE056" },
	{ "Numpad2", NULL, "\uE05B" },
	{ "Numpad3", NULL, "\uE055" },
	{ "Numpad4", NULL, "\uE058" },
	{ "Numpad5", NULL, "\uE005" },
	{ "Numpad6", NULL, "\uE05A" },
	{ "Numpad7", NULL, "\uE057" },
	{ "Numpad8", NULL, "\uE059" },
	{ "Numpad9", NULL, "\uE054" },
	{ "NumpadDecimal", NULL, "\uE05D" },
	{ "F1", NULL, "\uE031" },
	{ "F2", NULL, "\uE032" },
	{ "F3", NULL, "\uE033" },
	{ "F4", NULL, "\uE034" },
	{ "F5", NULL, "\uE035" },
	{ "F6", NULL, "\uE036" },
	{ "F7", NULL, "\uE037" },
	{ "F8", NULL, "\uE038" },
	{ "F9", NULL, "\uE039" },
	{ "F10", NULL, "\uE03A" },
	{ "F11", NULL, "\uE03B" },
	{ "F12", NULL, "\uE03C" },
	{ "MetaLeft", NULL, "\uE03D" },
	{ "ShiftRight", NULL, "\uE050" },
	{ "ControlRight", NULL, "\uE051" },
	{ "AltRight", NULL, "\uE052" },
	{ "MetaRight", NULL, "\uE053" },
};

static bool is_one_code_point(const char *text)
{
	if (!*text)
		return false;
	for (text++; (*text & 0xc0) == 0x80; text++)
		;
	return !*text;
}

const char *bidi_key_value(const struct keystroke *k)
{
	for (size_t i = 0; i < ARRAY_SIZE(code_point_table); i++)
		if (strcmp(code_point_table[i].code, k->code) == 0 &&
		    (!code_point_table[i].key || strcmp(code_point_table[i].key, k->key) == 0))
			return code_point_table[i].value;
	return is_one_code_point(k->key) ? k->key : NULL;
}

const char *bidi_modifier_value(enum modifier m)
{
	switch (m) {
	case MODIFIER_ALT:
		return "\uE00A";
	case MODIFIER_CONTROL:
		return "\uE009";
	case MODIFIER_META:
		return "\uE03D";
	case MODIFIER_SHIFT:
		return "\uE008";
	}
	return NULL;
}
