/*
 * Failures as data: a code (base/error.h), a reason, and facts, which are a JSON object. The words are written when a surface
 * answers: those here are the ones of the session tools and cdp_* tools, the browser_* tools have others for some reasons.
 * No code reads the words. Failures that nothing distinguishes have no reason; their text is written where they occur.
 */
#pragma once

#include "base/json.h"

enum reason {
	REASON_NONE,

	/* Why an element cannot be acted on now: obstacles of scripts/patience.js. */
	REASON_HIDDEN,
	REASON_IN_CLOSED_DETAILS,
	REASON_NOT_SLOTTED,
	REASON_MAP_WITHOUT_IMAGE,
	REASON_ZERO_SIZE,
	REASON_NO_BOX,
	REASON_DISABLED,
	REASON_MOVING,
	REASON_REPLACED,
	REASON_READ_ONLY,
	REASON_NOT_EDITABLE,
	REASON_NOT_FOCUSABLE,
	REASON_FOCUS_ELSEWHERE,
	REASON_NO_POINTER_EVENTS, /* the first of those that the hit test finds */
	REASON_INERT,
	REASON_COVERED,
	REASON_COVERED_BY_MODAL,
	REASON_FRAME_COVERED,
	REASON_CLIPPED,
	REASON_OUTSIDE_VIEWPORT, /* the last of them */
	REASON_NO_MATCH,
	REASON_NO_MATCH_ANY_MORE,
	REASON_SEVERAL_MATCHES,
	REASON_NO_SUCH_OPTION,
	REASON_OPTION_DISABLED,
	REASON_NOT_CHANGED_BY_CLICK,

	/* Other failures of page scripts. */
	REASON_ACTION_TIMEOUT, /* {waited, done, subject, why, before, tried, matches}; `why` and `before` are obstacles */
	REASON_ACTION_GIVEN_UP,
	REASON_OPTION_IN_MENU,
	REASON_TAKES_NO_TEXT,
	REASON_TAKES_NO_KEYS,
	REASON_MALFORMED_VALUE,
	REASON_NOT_A_NUMBER,
	REASON_NOT_A_SELECT,
	REASON_NOT_A_CHECKBOX,
	REASON_RADIO_STAYS_CHECKED,
	REASON_CHECKBOX_UNCHANGED,
	REASON_NOT_SCROLLED_INTO_VIEW,
	REASON_NOT_A_FIELD,
	REASON_TEXT_MISSING,
	REASON_TEXT_OCCURS_ONCE,
	REASON_TEXT_OCCURS_LESS,
	REASON_TEXT_TOO_SHORT,
	REASON_NO_SELECTABLE_TEXT,
	REASON_REF_UNKNOWN,
	REASON_STRICT_MODE, /* {locator, matches, shown}; `shown` has a line for some of the matches */
	REASON_NOT_MATCHING,
	REASON_LEADS_INTO_FRAME,
	REASON_FRAME_FIRST,
	REASON_FRAME_LAST,
	REASON_NOT_A_FRAME,
	REASON_UNUSABLE_SELECTOR,
	REASON_SELECTOR_SYNTAX,
	REASON_UNKNOWN_ENGINE,
	REASON_LAYOUT_ARGUMENTS,
	REASON_ROLE_ATTRIBUTE_UNKNOWN,
	REASON_ROLE_ATTRIBUTE_EMPTY,
	REASON_ROLE_ATTRIBUTE_UNSUPPORTED,
	REASON_INVALID_EXPRESSION,
	REASON_BAD_EXPRESSION,
};

/* The reason that page scripts call `name`; REASON_NONE if there is none of that name, or `name` is NULL. */
enum reason reason_from_name(const char *name);
/* The reason of an obstacle, {reason, ...facts}. */
enum reason obstacle_reason(const struct json *obstacle);
void obstacle_print(struct str *out, const struct json *obstacle);

void failure_print(struct str *out, enum reason reason, const struct json *facts);
/* The facts that clients of the session tools and cdp_* tools get as `details`; nothing if the words have all of them. */
void failure_print_details(struct str *out, enum reason reason, const struct json *facts);
