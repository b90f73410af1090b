/*
 * The reasons of failures, a row for each: the name after REASON_, the name in page scripts ("" for those of the server's own),
 * and the words. In the words, {fact} stands for a fact, whose items are separated by commas if it is an array, and {hint} for what the
 * surface calls a thing to do next (struct hint). A part in brackets is printed only if all facts in it are present.
 */
#pragma once

#define MEMORY_IS_TAKEN \
	"the server and its browser take {used} MiB, another session would take about {one}, and {option} allows {limit}; " \
	"[{asleep} of {count} sessions sleep, and the others work or must stay; ]"

/* clang-format off */
#define REASONS(X) \
	X(NONE, "", "the page script failed") \
	/* Why an element cannot be acted on now: obstacles of scripts/patience.js. */ \
	X(HIDDEN, "hidden", "hidden ({style}[ on {on}])") \
	X(IN_CLOSED_DETAILS, "inClosedDetails", "hidden (inside the closed {details})") \
	X(NOT_SLOTTED, "notSlotted", "hidden (no slot of {host} shows it)") \
	X(MAP_WITHOUT_IMAGE, "mapWithoutImage", "hidden (no image shows its map)") \
	X(ZERO_SIZE, "zeroSize", "hidden (zero size, {width}x{height})") \
	X(NO_BOX, "noBox", "it has no box") \
	X(DISABLED, "disabled", "disabled[ by {group}][ ({attribute})][ on {on}]") \
	X(MOVING, "moving", "moving[ ({cause})][ on {on}]") \
	X(REPLACED, "replaced", "replaced") \
	X(READ_ONLY, "readOnly", "read-only (readonly)") \
	X(NOT_EDITABLE, "notEditable", "not editable") \
	X(NOT_FOCUSABLE, "notFocusable", "not focusable") \
	X(FOCUS_ELSEWHERE, "focusElsewhere", "the page moves the focus to {focused}") \
	/* the first of those that the hit test finds */ \
	X(NO_POINTER_EVENTS, "noPointerEvents", "pointer-events: none keeps the mouse from it") \
	X(INERT, "inert", "inert[ on {on}]") \
	X(COVERED, "covered", "covered by {by}[ in {inside}][ (ref {ref})]") \
	X(COVERED_BY_MODAL, "coveredByModal", "covered by the modal {by}") \
	X(FRAME_COVERED, "frameCovered", "covered by {by}, which lies over {frame}") \
	X(CLIPPED, "clipped", "clipped or covered inside its ancestor {ancestor}") \
	/* the last of them */ \
	X(OUTSIDE_VIEWPORT, "outsideViewport", "outside the viewport, and scrolling does not bring it in") \
	X(NO_MATCH, "noMatch", "no element matches {selector}[ (not searched: the {frames} in the page)]") \
	X(NO_MATCH_ANY_MORE, "noMatchAnyMore", "no element matches {locator} any more") \
	X(SEVERAL_MATCHES, "severalMatches", \
	  "{selector} matches {matches} elements, give a selector that matches one: {elements}") \
	X(NO_SUCH_OPTION, "noSuchOption", "did not find some options") \
	X(OPTIONS_MISSING, "optionsMissing", "{element} has no option {missing}. It has: {options}") \
	X(OPTION_DISABLED, "optionDisabled", "asked for {option}, which is disabled") \
	X(NOT_CHANGED_BY_CLICK, "notChangedByClick", "not changed by the click") \
	/* Other failures of page scripts. */ \
	/* {waited, done, subject, why, before, tried, matches}; `why` and `before` are obstacles */ \
	X(ACTION_TIMEOUT, "actionTimeout", "") \
	X(ACTION_GIVEN_UP, "actionGivenUp", "the action was given up") \
	X(OPTION_IN_MENU, "optionInMenu", \
	  "{element} is an entry of a drop-down list, which the browser draws outside of the page: choose it " \
	  "in its <select> instead") \
	X(TAKES_NO_TEXT, "takesNoText", "{element} takes no text: {advice}") \
	X(TAKES_NO_KEYS, "takesNoKeys", \
	  "{element} takes no keys because it cannot have the focus: give a field, or the element that has the " \
	  "focus after a click here") \
	X(MALFORMED_VALUE, "malformedValue", "Malformed value: {element} does not take the text \"{text}\": give {form}") \
	X(NOT_A_NUMBER, "notANumber", "Cannot type text into {input}: \"{text}\" is no number") \
	X(NOT_A_SELECT, "notASelect", "{element} is not a <select> element") \
	X(NOT_A_CHECKBOX, "notACheckbox", "{element} is not a checkbox or radio button") \
	X(RADIO_STAYS_CHECKED, "radioStaysChecked", "{element} cannot be unchecked: check another radio button of its group") \
	X(CHECKBOX_UNCHANGED, "checkboxUnchanged", "Clicking the checkbox did not change its state") \
	X(NOT_SCROLLED_INTO_VIEW, "notScrolledIntoView", "{element} cannot be scrolled into view: {why}") \
	X(NOT_A_FIELD, "notAField", "Node is not an <input>, <textarea> or <select> element") \
	X(TEXT_MISSING, "textMissing", "the element does not have the text \"{words}\", but \"{text}\"") \
	X(TEXT_OCCURS_ONCE, "textOccursOnce", "the element has the text once only: give an occurrence from 1 to 1") \
	X(TEXT_OCCURS_LESS, "textOccursLess", \
	  "the element has the text {count} times only: give an occurrence from 1 to {count}") \
	X(TEXT_TOO_SHORT, "textTooShort", "the text of the element has {length} characters: give a start and an end up to that") \
	X(NO_SELECTABLE_TEXT, "noSelectableText", "{element} has no text that could be selected") \
	X(ELEMENT_REMOVED, "elementRemoved", "the element has been removed from the page") \
	X(LOGIN_ORIGIN, "loginOrigin", \
	  "nothing was filled: the page is of {origin}, and this login is for {origins} only") \
	X(LOGIN_SENT_ELSEWHERE, "loginSentElsewhere", \
	  "nothing was filled: the form sends what is in it to {origin}, and this login is for {origins} only") \
	X(NO_LOGIN_FIELDS, "noLoginFields", \
	  "the page shows no field for what this login has (a user name, a password or a one-time code); look at it, and open its login form first") \
	X(SEVERAL_PASSWORDS, "severalPasswords", \
	  "the page shows {count} password fields, as forms for a new password do, and none is marked as the current one; nothing was filled") \
	X(LOGIN_NOT_KEPT, "loginNotKept", "the page did not keep what was filled in: {fields}") \
	X(REF_UNKNOWN, "refUnknown", "Ref {ref} not found in the current page snapshot. Try capturing new snapshot.") \
	/* {locator, matches, shown}; `shown` has a line for some of the matches */ \
	X(STRICT_MODE, "strictMode", "strict mode violation: {locator} resolved to {matches} elements:{shown}") \
	X(NOT_MATCHING, "notMatching", "\"{target}\" does not match any elements.") \
	X(FRAME_FIRST, "frameFirst", "Selector cannot start with entering frame, select the iframe first") \
	X(FRAME_LAST, "frameLast", \
	  "Selector cannot end with entering frame, while parsing selector {selector} >> " \
	  "internal:control=enter-frame") \
	X(NOT_A_FRAME, "notAFrame", "Selector \"{selector}\" resolved to {element}, <iframe> was expected") \
	X(UNUSABLE_SELECTOR, "unusableSelector", "{selector} is not a usable selector: {error}") \
	X(SELECTOR_SYNTAX, "selectorSyntax", \
	  "Unexpected token \"\" while parsing css selector \"\". Did you mean to CSS.escape it?") \
	X(UNKNOWN_ENGINE, "unknownEngine", "Unknown engine \"{engine}\" while parsing selector {engine}={body}") \
	X(LAYOUT_ARGUMENTS, "layoutArguments", \
	  "\":{name}()\" wants a selector and, behind a comma, a largest distance in pixels") \
	X(ROLE_ATTRIBUTE_UNKNOWN, "roleAttributeUnknown", \
	  "Error: Unknown attribute \"{attribute}\", must be one of \"checked\", \"description\", " \
	  "\"disabled\", \"expanded\", \"include-hidden\", \"level\", \"name\", \"pressed\", \"selected\".") \
	X(ROLE_ATTRIBUTE_EMPTY, "roleAttributeEmpty", "Error: \"{attribute}\" attribute must have a value") \
	X(ROLE_ATTRIBUTE_UNSUPPORTED, "roleAttributeUnsupported", \
	  "Error: \"{attribute}\" attribute is only supported for roles: {roles}") \
	X(INVALID_EXPRESSION, "invalidExpression", "SyntaxError: {error}") \
	X(BAD_EXPRESSION, "badExpression", "Invalid regular expression") \
	/* Failures of the server's own. */ \
	X(NAVIGATION_UNANSWERED, "", "Timeout {timeout} ms exceeded: {url} has not answered; the page is still at {pageUrl}") \
	X(NAVIGATION_SLOW, "", \
	  "Timeout {timeout} ms exceeded while waiting for {awaited} of {pageUrl}: {progress}. The page stays " \
	  "there and can be used; waitUntil \"domcontentloaded\" or a larger timeout may fit better") \
	X(INVALID_ADDRESS, "", "{url}: not an address that can be opened") \
	X(DOWNLOAD_STARTED, "", "{reason}: {url} is a download, not a page; the page stays at {pageUrl}") \
	X(NO_CONTENT, "", "{reason}: {url} answered {status} without content; the page stays at {pageUrl}") \
	X(PAGE_CRASHED, "", "{reason} at {url}: the page crashed while it loaded") \
	/* {url, reason, status, pageUrl}, as of the three before; `reason` is a name such as net::ERR_FAILED */ \
	X(PROXY_UNCONNECTED, "", "{reason} at {url}") \
	X(NETWORK_ERROR, "", "{reason} at {url}") \
	/* Reasons that name what to do next. */ \
	X(BROWSER_UNUSED, "", "each session has a browser of its own, so this needs one: call {begin} first") \
	X(SESSION_UNKNOWN, "", "there is no session {session}; create one with {create}") \
	X(SESSION_UNUSED, "", "session {session} expired after {msec} ms without use; create a new one with {create}") \
	X(SESSION_LOST, "", "session {session} ended because the browser died; create a new one with {create}") \
	X(SESSION_ELSEWHERE, "", \
	  "session {session} is on the node \"{node}\", and this connection leads to \"{own}\"; create another one with {create}") \
	X(TAB_NOT_OFFERED, "", "no tab {tab} is on offer: {listTabs} lists those that are; their ids change when the browser starts again") \
	X(TABS_ONLY, "", \
	  "this server works in tabs that a person has offered, and in nothing else of their browser: {listTabs} lists them, and {create} with " \
	  "\"attach\" opens a session in one") \
	X(MEMORY_FOR_SESSION, "", MEMORY_IS_TAKEN "close one with {close} or wait until one expires") \
	X(MEMORY_TO_WAKE, "", \
	  "session {session} sleeps, and there is no memory to wake it: " MEMORY_IS_TAKEN \
	  "it is not lost: call again, or close another one with {close}") \
	X(TOO_MANY_SESSIONS, "", \
	  "{count} sessions are open, the limit of {option}; close one with {close} or wait until one expires") \
	X(TOO_MANY_OF_OWNER, "", \
	  "{own} sessions of yours are open, your share of the {limit} that {option} allows ({ownOption}); close one with {close} or " \
	  "wait until one expires") \
	X(TOO_MANY_ISOLATED, "", \
	  "there are {count} isolated contexts already; use one of them, or end all with {closeBrowser}") \
	X(USER_HAS_CONTROL, "", \
	  "a person[ ({who})] has had control of session {session} for {seconds} s, and this call {outcome}. Call again: it waits until the " \
	  "person hands the session back") \
	X(TEXT_LEFT, "", \
	  "a person took control of the session while the text was typed: the page got its first {typed} keys, and the rest was not typed. " \
	  "Look at the page before you go on") \
	X(NO_TARGET_MATCHES, "", \
	  "no target matches: {argument} \"{wanted}\"; {listTargets} shows them[. Only pages of {searched} were searched: give a port to " \
	  "search another browser]") \
	X(TARGET_UNKNOWN, "", "there is no target {target}; {listTargets} shows them") \
	X(NOT_OBSERVED, "", "target \"{target}\" is not observed; start with {observe}") \
	X(OBSERVED_CLOSED, "", "target \"{target}\" has closed; its events can still be read with {readEvents}") \
	X(NOTHING_TO_STOP, "", \
	  "target \"{target}\" is not observed, there is nothing to stop[; its {left} can still be read, and removed with {clearEvents}]") \
	X(OBSERVED_OTHERWISE, "", \
	  "target {target} is being observed with other settings; leave them out to join, or end it with {stopObserving}") \
	X(TOO_MANY_OBSERVED, "", \
	  "{count} targets are observed, {own} of them by you, and no more of yours can be; end one with {stopObserving}") \
	/* in the form of browser_* tools */ \
	X(INVALID_ARGUMENTS, "", "Invalid arguments for tool \"{tool}\":{complaints}")
/* clang-format on */
