#include "base/failure.h"

#include <stdio.h>
#include <string.h>

/*
 * `words`: {fact} stands for a fact, whose items are separated by commas if it is an array. A part in brackets is printed only
 * if all facts in it are present.
 */
static const struct {
	const char *name; /* in page scripts; NULL: of the server's own */
	const char *words;
} reason_table[] = {
	[REASON_NONE] = { "", "the page script failed" },
	[REASON_HIDDEN] = { "hidden", "hidden ({style}[ on {on}])" },
	[REASON_IN_CLOSED_DETAILS] = { "inClosedDetails", "hidden (inside the closed {details})" },
	[REASON_NOT_SLOTTED] = { "notSlotted", "hidden (no slot of {host} shows it)" },
	[REASON_MAP_WITHOUT_IMAGE] = { "mapWithoutImage", "hidden (no image shows its map)" },
	[REASON_ZERO_SIZE] = { "zeroSize", "hidden (zero size, {width}x{height})" },
	[REASON_NO_BOX] = { "noBox", "it has no box" },
	[REASON_DISABLED] = { "disabled", "disabled[ by {group}][ ({attribute})][ on {on}]" },
	[REASON_MOVING] = { "moving", "moving[ ({cause})][ on {on}]" },
	[REASON_REPLACED] = { "replaced", "replaced" },
	[REASON_READ_ONLY] = { "readOnly", "read-only (readonly)" },
	[REASON_NOT_EDITABLE] = { "notEditable", "not editable" },
	[REASON_NOT_FOCUSABLE] = { "notFocusable", "not focusable" },
	[REASON_FOCUS_ELSEWHERE] = { "focusElsewhere", "the page moves the focus to {focused}" },
	[REASON_NO_POINTER_EVENTS] = { "noPointerEvents", "pointer-events: none keeps the mouse from it" },
	[REASON_INERT] = { "inert", "inert[ on {on}]" },
	[REASON_COVERED] = { "covered", "covered by {by}[ in {inside}][ (ref {ref})]" },
	[REASON_COVERED_BY_MODAL] = { "coveredByModal", "covered by the modal {by}" },
	[REASON_FRAME_COVERED] = { "frameCovered", "covered by {by}, which lies over {frame}" },
	[REASON_CLIPPED] = { "clipped", "clipped or covered inside its ancestor {ancestor}" },
	[REASON_OUTSIDE_VIEWPORT] = { "outsideViewport", "outside the viewport, and scrolling does not bring it in" },
	[REASON_NO_MATCH] = { "noMatch", "no element matches {selector}[ (not searched: the {frames} in the page)]" },
	[REASON_NO_MATCH_ANY_MORE] = { "noMatchAnyMore", "no element matches {locator} any more" },
	[REASON_SEVERAL_MATCHES] = { "severalMatches",
				     "{selector} matches {matches} elements, give a selector that matches one: {elements}" },
	[REASON_NO_SUCH_OPTION] = { "noSuchOption", "did not find some options" },
	[REASON_OPTION_DISABLED] = { "optionDisabled", "asked for {option}, which is disabled" },
	[REASON_NOT_CHANGED_BY_CLICK] = { "notChangedByClick", "not changed by the click" },

	[REASON_ACTION_TIMEOUT] = { "actionTimeout", NULL },
	[REASON_ACTION_GIVEN_UP] = { "actionGivenUp", "the action was given up" },
	[REASON_OPTION_IN_MENU] = { "optionInMenu", "{element} is an entry of a drop-down list, which the browser draws outside of "
						    "the page: choose it in its <select> instead" },
	[REASON_TAKES_NO_TEXT] = { "takesNoText", "{element} takes no text: {advice}" },
	[REASON_TAKES_NO_KEYS] = { "takesNoKeys", "{element} takes no keys because it cannot have the focus: give a field, or the "
						  "element that has the focus after a click here" },
	[REASON_MALFORMED_VALUE] = { "malformedValue",
				     "Malformed value: {element} does not take the text \"{text}\": give {form}" },
	[REASON_NOT_A_NUMBER] = { "notANumber", "Cannot type text into {input}: \"{text}\" is no number" },
	[REASON_NOT_A_SELECT] = { "notASelect", "{element} is not a <select> element" },
	[REASON_NOT_A_CHECKBOX] = { "notACheckbox", "{element} is not a checkbox or radio button" },
	[REASON_RADIO_STAYS_CHECKED] = { "radioStaysChecked",
					 "{element} cannot be unchecked: check another radio button of its group" },
	[REASON_CHECKBOX_UNCHANGED] = { "checkboxUnchanged", "Clicking the checkbox did not change its state" },
	[REASON_NOT_SCROLLED_INTO_VIEW] = { "notScrolledIntoView", "{element} cannot be scrolled into view: {why}" },
	[REASON_NOT_A_FIELD] = { "notAField", "Node is not an <input>, <textarea> or <select> element" },
	[REASON_TEXT_MISSING] = { "textMissing", "the element does not have the text \"{words}\", but \"{text}\"" },
	[REASON_TEXT_OCCURS_ONCE] = { "textOccursOnce", "the element has the text once only: give an occurrence from 1 to 1" },
	[REASON_TEXT_OCCURS_LESS] = { "textOccursLess",
				      "the element has the text {count} times only: give an occurrence from 1 to {count}" },
	[REASON_TEXT_TOO_SHORT] = { "textTooShort",
				    "the text of the element has {length} characters: give a start and an end up to that" },
	[REASON_NO_SELECTABLE_TEXT] = { "noSelectableText", "{element} has no text that could be selected" },
	[REASON_REF_UNKNOWN] = { "refUnknown", "Ref {ref} not found in the current page snapshot. Try capturing new snapshot." },
	[REASON_STRICT_MODE] = { "strictMode", "strict mode violation: {locator} resolved to {matches} elements:{shown}" },
	[REASON_NOT_MATCHING] = { "notMatching", "\"{target}\" does not match any elements." },
	[REASON_LEADS_INTO_FRAME] = { "leadsIntoFrame", "\"{target}\" leads into a frame." },
	[REASON_FRAME_FIRST] = { "frameFirst", "Selector cannot start with entering frame, select the iframe first" },
	[REASON_FRAME_LAST] = { "frameLast", "Selector cannot end with entering frame, while parsing selector {selector} >> "
					     "internal:control=enter-frame" },
	[REASON_NOT_A_FRAME] = { "notAFrame", "Selector \"{selector}\" resolved to {element}, <iframe> was expected" },
	[REASON_UNUSABLE_SELECTOR] = { "unusableSelector", "{selector} is not a usable selector: {error}" },
	[REASON_SELECTOR_SYNTAX] = { "selectorSyntax",
				     "Unexpected token \"\" while parsing css selector \"\". Did you mean to CSS.escape it?" },
	[REASON_UNKNOWN_ENGINE] = { "unknownEngine", "Unknown engine \"{engine}\" while parsing selector {engine}={body}" },
	[REASON_LAYOUT_ARGUMENTS] = { "layoutArguments",
				      "\":{name}()\" wants a selector and, behind a comma, a largest distance in pixels" },
	[REASON_ROLE_ATTRIBUTE_UNKNOWN] = { "roleAttributeUnknown",
					    "Error: Unknown attribute \"{attribute}\", must be one of \"checked\", \"description\", "
					    "\"disabled\", \"expanded\", \"include-hidden\", \"level\", \"name\", \"pressed\", "
					    "\"selected\"." },
	[REASON_ROLE_ATTRIBUTE_EMPTY] = { "roleAttributeEmpty", "Error: \"{attribute}\" attribute must have a value" },
	[REASON_ROLE_ATTRIBUTE_UNSUPPORTED] = { "roleAttributeUnsupported",
						"Error: \"{attribute}\" attribute is only supported for roles: {roles}" },
	[REASON_INVALID_EXPRESSION] = { "invalidExpression", "SyntaxError: {error}" },
	[REASON_BAD_EXPRESSION] = { "badExpression", "Invalid regular expression" },
};

enum reason reason_from_name(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(reason_table); i++)
		if (reason_table[i].name && strcmp(reason_table[i].name, name) == 0)
			return (enum reason)i;
	return REASON_NONE;
}

static bool print_fact(struct str *out, const struct json *fact)
{
	switch (json_type(fact)) {
	case JSON_STRING:
		str_append(out, json_str(fact, NULL));
		return true;
	case JSON_NUMBER:
		str_append_int(out, json_int(fact, NULL, 0));
		return true;
	case JSON_ARRAY:
		json_foreach(item, fact) {
			str_append(out, item == json_first(fact) ? "" : ", ");
			print_fact(out, item);
		}
		return true;
	case JSON_OBJECT:
		obstacle_print(out, fact);
		return true;
	default:
		return false;
	}
}

/* Prints the words up to a closing bracket or the end, and returns where they stop. `*complete` is set to false if a fact is missing. */
static const char *print_words(struct str *out, const char *words, const struct json *facts, bool *complete)
{
	while (*words && *words != ']') {
		size_t plain = strcspn(words, "{[]"), before;
		bool has_all = true;

		str_append_len(out, words, plain);
		words += plain;
		before = out->len;
		if (*words == '[') {
			words = print_words(out, words + 1, facts, &has_all) + 1;
			if (!has_all)
				str_truncate(out, before);
		} else if (*words == '{') {
			char name[16];
			size_t length = strcspn(words, "}") - 1;

			snprintf(name, sizeof(name), "%.*s", (int)length, words + 1);
			*complete &= print_fact(out, json_get(facts, name));
			words += length + 2;
		}
	}
	return words;
}

enum reason obstacle_reason(const struct json *obstacle)
{
	return reason_from_name(json_str(obstacle, "reason"));
}

void obstacle_print(struct str *out, const struct json *obstacle)
{
	print_words(out, reason_table[obstacle_reason(obstacle)].words, obstacle, &(bool){ true });
	if (json_bool(obstacle, "onArrival", false))
		str_append(out, " when the mouse arrived");
}

static void print_timeout(struct str *out, const struct json *facts)
{
	const char *subject = json_str(facts, "subject");
	const struct json *before = json_get(facts, "before");

	str_appendf(out, "Timeout %lld ms exceeded, ", (long long)json_int(facts, "waited", 0));
	str_append(out, subject ? subject : "nothing was ");
	str_append(out, subject ? " could not be " : "");
	str_appendf(out, "%s: ", json_text(facts, "done"));
	obstacle_print(out, json_get(facts, "why"));
	json_foreach(obstacle, before) {
		str_append(out, obstacle == json_first(before) ? " (before that: " : "; ");
		obstacle_print(out, obstacle);
	}
	str_append(out, json_first(before) ? ")" : "");
}

void failure_print(struct str *out, enum reason reason, const struct json *facts)
{
	if (reason == REASON_ACTION_TIMEOUT)
		print_timeout(out, facts);
	else
		print_words(out, reason_table[reason].words, facts, &(bool){ true });
}

static void print_quoted(struct str *out, const struct json *obstacle)
{
	_cleanup_(str_done) struct str words = {};

	obstacle_print(&words, obstacle);
	str_append_quoted(out, str_text(&words), words.len);
}

void failure_print_details(struct str *out, enum reason reason, const struct json *facts)
{
	if (reason != REASON_ACTION_TIMEOUT)
		return;
	str_append(out, "{\"obstacles\":[");
	json_foreach(obstacle, json_get(facts, "before")) {
		print_quoted(out, obstacle);
		str_append_char(out, ',');
	}
	print_quoted(out, json_get(facts, "why"));
	str_append_char(out, ']');
	if (json_get(facts, "matches"))
		str_json(out, ", matches: %lld", (long long)json_int(facts, "matches", 0));
	str_append_char(out, '}');
}
