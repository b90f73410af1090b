#include "test.h"

#include <errno.h>
#include <string.h>

#include "act/keyboard.h"
#include "base/macros.h"

static struct keystroke parsed(const char *chord)
{
	struct keystroke k = {};
	const char *unknown;
	int length;

	assert_int_equal(keystroke_parse(chord, &k, &unknown, &length), 0);
	return k;
}

static void assert_unknown(const char *chord, const char *name)
{
	struct keystroke k;
	const char *unknown;
	int length;

	assert_int_equal(keystroke_parse(chord, &k, &unknown, &length), -EINVAL);
	assert_int_equal(length, strlen(name));
	assert_memory_equal(unknown, name, strlen(name));
}

static void assert_key(struct keystroke k, const char *key, const char *code, int key_code, const char *text)
{
	assert_string_equal(k.key, key);
	assert_string_equal(k.code, code);
	assert_int_equal(k.key_code, key_code);
	if (text)
		assert_string_equal(k.text, text);
	else
		assert_null(k.text);
}

static void every_printable_character_has_a_key(void **state)
{
	struct keystroke k;

	for (char c = ' '; c <= '~'; c++) {
		assert_true(keystroke_for_char(c, &k));
		assert_int_equal(k.text[0], c);
		assert_int_equal(k.text[1], 0);
		assert_int_equal(k.location, KEY_STANDARD);
	}
	assert_false(keystroke_for_char('\0', &k));
	assert_false(keystroke_for_char('\b', &k));
}

static void characters(void **state)
{
	struct keystroke k;

	assert_true(keystroke_for_char('a', &k));
	assert_key(k, "a", "KeyA", 65, "a");
	assert_int_equal(k.modifiers, 0);
	assert_true(keystroke_for_char('?', &k));
	assert_key(k, "?", "Slash", 191, "?");
	assert_int_equal(k.modifiers, MODIFIER_SHIFT);
	assert_true(keystroke_for_char('\n', &k));
	assert_key(k, "Enter", "Enter", 13, "\r");
	assert_true(keystroke_for_char('\t', &k));
	assert_key(k, "Tab", "Tab", 9, NULL);
}

static void names(void **state)
{
	assert_key(parsed("a"), "a", "KeyA", 65, "a");
	assert_key(parsed("A"), "A", "KeyA", 65, "A");
	assert_key(parsed("KeyA"), "a", "KeyA", 65, "a");
	assert_key(parsed("Digit1"), "1", "Digit1", 49, "1");
	assert_key(parsed("Enter"), "Enter", "Enter", 13, "\r");
	assert_key(parsed("NumpadEnter"), "Enter", "NumpadEnter", 13, "\r");
	assert_key(parsed("ArrowLeft"), "ArrowLeft", "ArrowLeft", 37, NULL);
	assert_key(parsed("F12"), "F12", "F12", 123, NULL);
	assert_key(parsed("Numpad7"), "Home", "Numpad7", 36, NULL);
	assert_key(parsed("+"), "+", "Equal", 187, "+");
	assert_key(parsed("é"), "é", "", 0, "é");
	assert_int_equal(parsed("ShiftRight").location, KEY_RIGHT);
	assert_int_equal(parsed("NumpadAdd").location, KEY_NUMPAD);
}

static void chords(void **state)
{
	struct keystroke k = parsed("Control+Shift+A");

	assert_key(k, "A", "KeyA", 65, NULL);
	assert_int_equal(k.modifiers, MODIFIER_CONTROL | MODIFIER_SHIFT);
	assert_key(parsed("Shift+a"), "A", "KeyA", 65, "A");
	assert_key(parsed("Shift+Numpad7"), "7", "Numpad7", 103, "7");
	k = parsed("ControlOrMeta++");
	assert_key(k, "+", "Equal", 187, NULL);
	assert_int_equal(k.modifiers, MODIFIER_CONTROL);
	assert_int_equal(parsed("Alt+Meta+Tab").modifiers, MODIFIER_ALT | MODIFIER_META);
	k = parsed("Shift");
	assert_int_equal(keystroke_modifier(&k), MODIFIER_SHIFT);
}

static void what_is_no_key(void **state)
{
	assert_unknown("", "");
	assert_unknown("Nonsense", "Nonsense");
	assert_unknown("Control+", "");
	assert_unknown("a+b", "a");
	assert_unknown("Ctrl-A", "Ctrl-A");
	assert_unknown("Control+Nope", "Nope");
	assert_unknown("Ctrl + Nope", "Nope");
	assert_unknown("Nope+Enter", "Nope");
	assert_unknown("--", "--");
	assert_unknown("aa", "aa");
}

static void assert_spelled(const char *chord, const char *spelling)
{
	struct str text = {};
	struct keystroke k = parsed(chord), same = parsed(spelling);

	keystroke_spell(chord, false, &text);
	assert_string_equal(str_text(&text), spelling);
	assert_key(k, same.key, same.code, same.key_code, same.text);
	assert_int_equal(k.modifiers, same.modifiers);
	str_done(&text);
}

static void names_that_people_write(void **state)
{
	static const char *const names[][2] = {
		{ "Ctrl+A", "Control+A" },
		{ "ctrl+shift+k", "Control+Shift+k" },
		{ "CTL + a", "Control+a" },
		{ "Cmd+V", "ControlOrMeta+V" },
		{ "command + ,", "ControlOrMeta+," },
		{ "CmdOrCtrl+Enter", "ControlOrMeta+Enter" },
		{ "win", "Meta" },
		{ "Option+left", "Alt+ArrowLeft" },
		{ "AltGr", "AltGraph" },
		{ "Esc", "Escape" },
		{ "ESCAPE", "Escape" },
		{ "Return", "Enter" },
		{ "enter", "Enter" },
		{ " Enter ", "Enter" },
		{ "Del", "Delete" },
		{ "ins", "Insert" },
		{ "Spacebar", "Space" },
		{ "space", "Space" },
		{ "PgDn", "PageDown" },
		{ "page down", "PageDown" },
		{ "Page_Up", "PageUp" },
		{ "arrow-up", "ArrowUp" },
		{ "f5", "F5" },
		{ "keya", "KeyA" },
		{ "numpad7", "Numpad7" },
		{ "Ctrl+Plus", "Control++" },
		{ "Control++", "Control++" },
		{ "Shift++", "Shift++" },
		{ "Control+ ", "Control+ " },
		{ "controlormeta", "ControlOrMeta" },
		{ "a", "a" },
		{ "A", "A" },
		{ "-", "-" },
		{ "é", "é" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_spelled(names[i][0], names[i][1]);
}

/* As a keyboard sends them: a page that compares the key with "k" gets it. Playwright presses "K" for Control+K. */
static void letters_of_shortcuts(void **state)
{
	static const char *const names[][2] = {
		{ "Ctrl+K", "Control+k" },    { "Meta+k", "Meta+k" },   { "ctrl+shift+k", "Control+Shift+k" },
		{ "Control+?", "Control+?" }, { "Shift+K", "Shift+K" }, { "K", "K" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct str text = {};

		keystroke_spell(names[i][0], true, &text);
		assert_string_equal(str_text(&text), names[i][1]);
		str_done(&text);
	}
	assert_key(parsed("Control+K"), "K", "KeyK", 75, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_printable_character_has_a_key),
		cmocka_unit_test(characters),
		cmocka_unit_test(names),
		cmocka_unit_test(chords),
		cmocka_unit_test(what_is_no_key),
		cmocka_unit_test(names_that_people_write),
		cmocka_unit_test(letters_of_shortcuts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
