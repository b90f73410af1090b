/*
 * The part of typing that runs in the page: it waits for a field and gives it the focus and the caret. The server then sends
 * the keys as input events. Fields without text (dates, colours, ranges) get their value here instead, with the events that
 * a user's choice fires.
 */
import { describe, focus, focusedElement, holds, isContentEditable, nearest, readyState, shortened } from './dom.js';
import { exported } from './exported.js';
import { Failure } from './failure.js';
import { asOwnChange } from './ownchanges.js';
import { Obstacle, patienceFor, tryUntil } from './patience.js';
import { tagOf } from './raw.js';
import { isFocusable } from './roles.js';
import { findTarget } from './target.js';
import { whyDisabled, whyHidden } from './visibility.js';

const KEYED_INPUTS = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number']);
export const VALUE_FORMS = {
	__proto__: null,
	date: 'YYYY-MM-DD', time: 'HH:MM', 'datetime-local': 'YYYY-MM-DDTHH:MM', month: 'YYYY-MM', week: 'YYYY-Www',
	color: '#rrggbb', range: 'a number that its min, max and step allow',
};
const ADVICE = {
	checkbox: 'click it', radio: 'click it', button: 'click it', submit: 'click it', reset: 'click it', image: 'click it',
	file: 'it takes files', hidden: 'it is never shown', select: 'choose one of its options',
};
/* Characters that are not typed as one key for each byte: all but printable ASCII, Enter and Tab. */
const UNTYPABLE = /[^\x20-\x7e\n\t]/;

export function isTextField(element) {
	return element instanceof HTMLTextAreaElement ||
		element instanceof HTMLInputElement && KEYED_INPUTS.has(element.type);
}

export function editable(element) {
	return isTextField(element) || element instanceof HTMLInputElement && element.type in VALUE_FORMS ||
		isContentEditable(element);
}

/* The element that takes the text: the control of a label, else the element itself. */
export function fieldOf(element) {
	return element instanceof HTMLLabelElement && element.control ? element.control : element;
}

/* The reason why `element` takes no text now, or null. Throws if it never will; an element may become an editor until the page has loaded. */
function whyNotEditable(element) {
	if (editable(element))
		return element.readOnly ? { reason: 'readOnly' } : null;
	const kind = element instanceof HTMLInputElement ? element.type : tagOf(element);
	if (!(kind in ADVICE) && readyState() !== 'complete')
		return { reason: 'notEditable' };
	throw new Failure('ELEMENT_NOT_EDITABLE', 'takesNoText',
		{ element: describe(element), advice: ADVICE[kind] ?? 'give an <input>, a <textarea> or a contenteditable element' });
}

function whyNotTypable(element) {
	return whyNotEditable(element) ?? whyHidden(element) ?? whyDisabled(element);
}

function setCaret(element, everything) {
	const selection = getSelection();
	if (isTextField(element)) {
		if (everything)
			element.select();
		else if (element.selectionStart !== null)
			element.setSelectionRange(element.value.length, element.value.length);
		else
			selection.modify('move', 'forward', 'documentboundary'); /* inputs of type number and email do not expose their caret */
		return;
	}
	selection.selectAllChildren(element);
	if (!everything)
		selection.collapseToEnd();
}

/* The outermost contenteditable ancestor, which takes the focus for all elements inside of it. */
export function editingHost(element) {
	let host = element;
	nearest(element, node => {
		if (isContentEditable(node))
			host = node;
		return false;
	});
	return host;
}

/* The element that has to have the focus when `element` is edited. */
const editingRoot = element => isTextField(element) ? element : editingHost(element);

const focusElsewhere = () => {
	const focused = focusedElement();
	return { reason: 'focusElsewhere', focused: focused ? describe(focused) : 'nothing' };
};

/* Focuses the element. Returns null, or an Obstacle if the focus is elsewhere afterwards. */
function giveFocus(element) {
	const host = editingRoot(element);
	if (focusedElement() !== host)
		asOwnChange(() => focus(host));
	return hasFocus(host) ? null : new Obstacle(focusElsewhere());
}

/* The value that `input` would have after taking `text`. It is tried on a copy, so that malformed text changes nothing. */
function valueFrom(input, text) {
	const copy = input.cloneNode();
	copy.value = text;
	const taken = input.type === 'range' ? text !== '' && Number(copy.value) === Number(text) :
		input.type === 'color' ? copy.value === text.toLowerCase() : (copy.value === '') === (text === '');
	if (taken)
		return copy.value;
	throw new Failure('ELEMENT_NOT_EDITABLE', 'malformedValue',
		{ element: describe(input), text: shortened(text), form: VALUE_FORMS[input.type] });
}

/* A number field silently ignores keys that are not part of a number, so such text is refused. */
function refuseWords(input, text) {
	if (input.type === 'number' && Number.isNaN(Number(text)))
		throw new Failure('ELEMENT_NOT_EDITABLE', 'notANumber', { input: 'input[type=number]', text: shortened(text) });
}

/* Dispatches the events that follow a user's choice of a value. */
function announceValue(input) {
	input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
	input.dispatchEvent(new Event('change', { bubbles: true }));
}

function setValue(input, text) {
	const value = valueFrom(input, text);
	asOwnChange(() => input.focus());
	if (input.value === value)
		return;
	input.value = value;
	announceValue(input);
}

/*
 * The keystrokes that arrived since the field was prepared: their number, and the last STROKES_MAX of them. Text that was
 * inserted without a key is recognised by a beforeinput event without a preceding keydown. Null until a field was prepared
 * in this document.
 */
const STROKES_MAX = 64;
let strokes = null;

function noteStroke(event) {
	if (!event.isTrusted || !strokes)
		return;
	const isKey = event.type === 'keydown';
	if (isKey || event.type === 'beforeinput' && !strokes.keyDown) {
		strokes.count++;
		strokes.last = [...strokes.last.slice(1 - STROKES_MAX), isKey ? event.key : event.data];
	}
	strokes.keyDown = isKey || strokes.keyDown && event.type !== 'keyup';
}

function startNoting() {
	strokes = { count: 0, last: [], keyDown: false };
	for (const type of ['keydown', 'keyup', 'beforeinput'])
		window.addEventListener(type, noteStroke, { capture: true, passive: true });
}

/* {skipped} -> the keystrokes after the first `skipped` ones */
exported.strokesSeen = ({ skipped }) => strokes && (strokes.count > skipped ? strokes.last.slice(skipped - strokes.count) : []);

/* The text as one item for each keystroke; null if each byte of `text` is one keystroke. */
function keystrokes(text) {
	if (!UNTYPABLE.test(text))
		return null;
	return Array.from(new Intl.Segmenter().segment(text), part => part.segment);
}

/*
 * Sets the value of a text field that the page does not let have the focus (because of a focus trap in a dialog, for example), so
 * that keys cannot reach it. Returns false for other editors, whose content is more than one value and needs the focus.
 */
function replaceText(element, text) {
	if (!isTextField(element))
		return false;
	const { prototype } = element instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
	Object.getOwnPropertyDescriptor(prototype, 'value').set.call(element, text);
	announceValue(element);
	return true;
}

/* Whether `element` or a descendant has the focus. */
function hasFocus(element) {
	const focused = focusedElement();
	return focused !== null && holds(element, focused);
}

/*
 * Focuses an element that is not a field but may handle keys: an editor with EditContext, a canvas, a list with type-ahead.
 * Returns null if it has the focus, else the Obstacle.
 */
function takeKeys(element) {
	if (!hasFocus(element))
		asOwnChange(() => focus(element));
	if (hasFocus(element))
		return null;
	const why = whyHidden(element) ?? whyDisabled(element);
	if (!why && !isFocusable(element) && readyState() === 'complete')
		throw new Failure('ELEMENT_NOT_EDITABLE', 'takesNoKeys', { element: describe(element) });
	return new Obstacle(why ?? (isFocusable(element) ? focusElsewhere() : { reason: 'notFocusable' }));
}

const done = element => ({ done: true, element: describe(element) });

function readyForKeys(element, text) {
	startNoting();
	return { done: false, keystrokes: keystrokes(text), element: describe(element) };
}

/*
 * An element that already has the focus keeps its selection. In a field that gets the focus, the caret is put after the text. A field that
 * is read-only gets keys as well: selects with type-ahead and pickers handle them in one.
 */
function attemptKeys(element, text) {
	const isEditable = editable(element);
	const taker = isEditable ? editingRoot(element) : element;
	const hadFocus = hasFocus(taker);
	const obstacle = takeKeys(taker);
	if (obstacle)
		return Object.assign(obstacle, { subject: describe(element) });
	if (isEditable && !hadFocus)
		setCaret(element, false);
	return readyForKeys(element, text);
}

function attemptType({ target, options: { text, clear, atOnce, anyKeys } }) {
	const found = findTarget(target);
	if (found instanceof Obstacle)
		return found;
	const element = fieldOf(found);
	const hasForm = element instanceof HTMLInputElement && element.type in VALUE_FORMS;
	if (anyKeys && !hasForm)
		return attemptKeys(element, text);
	const why = whyNotTypable(element);
	if (why)
		return new Obstacle(why, { subject: describe(element) });
	if (hasForm) {
		setValue(element, text.trim());
		return done(element);
	}
	if (clear)
		refuseWords(element, text);
	const obstacle = giveFocus(element);
	if (obstacle && atOnce && replaceText(element, text))
		return done(element);
	if (obstacle)
		return Object.assign(obstacle, { subject: describe(element) });
	setCaret(element, clear);
	return readyForKeys(element, text);
}

/*
 * {target, timeout, elapsed, options: {text, clear, atOnce, anyKeys}} -> {done, keystrokes, element}: waits until the target takes
 * text, and prepares it for the keys. `done`: the text has been set, and no keys are needed. `atOnce`: the text is sent as one
 * input event instead of keys. `anyKeys`: the target need not be a field, and it keeps its selection.
 */
exported.prepareType = request => {
	exported.endClick();
	const patience = patienceFor(request);
	return tryUntil(patience, () => attemptType(request), () => patience.refusal('ELEMENT_NOT_EDITABLE', 'typed into'));
};
