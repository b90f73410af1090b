/* Queries and small operations on elements. They do not wait; callers that wait call them again. */
import { isVisible } from './area.js';
import { activeElement, clientRects, focus, frameOffset, scrollIntoView } from './dom.js';
import { exported } from './exported.js';
import { Failure } from './failure.js';
import { descriptionOf, nameOf } from './names.js';
import { clearCaches } from './operation.js';
import { changeOrTimeout } from './patience.js';
import { shownValue } from './privatefields.js';
import { attributeOf, dispatch, innerHTMLOf, innerTextOf, rectOf, tagOf, textOf } from './raw.js';
import { elementByRef, handleOf } from './refs.js';
import { computeRole } from './roles.js';
import { isCheckedField } from './select.js';
import { isDisabled } from './states.js';
import { fieldOf, isTextField } from './typing.js';

const LISTED_ELEMENTS = 1000;

/* The result of `exported.resolve` with `list`, {what, name}: the number of matches, their handles, or what ELEMENT_STATES says of each. */
export function allMatches(elements, { what, name }, refPrefix) {
	if (what === 'count')
		return elements.length;
	const state = ELEMENT_STATES[what];
	return elements.slice(0, LISTED_ELEMENTS).map(element => state ? state(element, { name }) ?? null : handleOf(element, refPrefix));
}

function valueOf(element) {
	const field = fieldOf(element);
	if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)
		return shownValue(field);
	if (field instanceof HTMLSelectElement)
		return field.value;
	throw new Failure('ELEMENT_NOT_EDITABLE', 'notAField');
}

function boundingBox(element) {
	const { x, y, width, height } = rectOf(element);
	return clientRects(element).length ? { x, y, width, height, offset: frameOffset() } : null;
}

/* Creates an event of the interface that pages expect for this type. */
function eventOf(type, init) {
	const kinds = [[/^(click|dblclick|contextmenu|auxclick|mouse)/, MouseEvent], [/^key/, KeyboardEvent], [/^pointer/, PointerEvent],
		[/^(before)?input$/, InputEvent], [/^(focus|blur)/, FocusEvent], [/^(drag|drop)/, DragEvent], [/^wheel$/, WheelEvent]];
	const [, Kind] = kinds.find(([name]) => name.test(type)) ?? [null, Event];
	return new Kind(type, { bubbles: true, cancelable: true, composed: true, ...init });
}

function selectText(element) {
	const field = fieldOf(element);
	focus(field);
	if (isTextField(field))
		field.select();
	else
		getSelection().selectAllChildren(field);
}

/* Whether a part of it lies in the window. */
function isInViewport(element) {
	return [...clientRects(element)].some(({ left, top, right, bottom }) => right > 0 && bottom > 0 && left < innerWidth && top < innerHeight);
}

const ELEMENT_STATES = {
	__proto__: null,
	accessibleDescription: descriptionOf,
	accessibleName: nameOf,
	className: element => attributeOf(element, 'class') ?? '',
	css: (element, { name }) => getComputedStyle(element).getPropertyValue(name),
	getAttribute: (element, { name }) => attributeOf(element, name) ?? null,
	innerHTML: innerHTMLOf,
	innerText: innerTextOf,
	inputValue: valueOf,
	isChecked: element => isCheckedField(fieldOf(element)),
	isDisabled: element => isDisabled(fieldOf(element)),
	isEditable: element => !isDisabled(fieldOf(element)) && !fieldOf(element).readOnly,
	isEmpty: element => isTextField(element) ? !element.value : !textOf(element).trim(),
	isEnabled: element => !isDisabled(fieldOf(element)),
	isFocused: element => activeElement() === element,
	isHidden: element => !isVisible(element),
	isInViewport,
	role: element => computeRole(element, tagOf(element)) || 'generic',
	selectedValues: element => [...fieldOf(element).selectedOptions].map(({ value }) => value),
	textContent: textOf,
	visible: element => isVisible(element),
};

const ON_ELEMENT = {
	...ELEMENT_STATES,
	__proto__: null,
	blur: element => HTMLElement.prototype.blur.call(element),
	boundingBox,
	dispatchEvent: (element, { name, init }) => {
		dispatch(element, eventOf(name, init));
	},
	focus: element => focus(element),
	scrollIntoView: element => scrollIntoView(element, { block: 'nearest', inline: 'nearest', behavior: 'instant' }),
	selectText,
};

/* {ref, what, name, init} -> {value}: calls the function `what` of the table above. */
exported.onElement = ({ ref, what, ...more }) => {
	clearCaches();
	return { value: ON_ELEMENT[what](elementByRef(ref), more) ?? null };
};

/* {delay}: resolves when the document has changed, or after that many milliseconds. */
exported.nextChange = ({ delay }) => changeOrTimeout(delay);

/* The handle of `element`, which CDP passes as an object, not as JSON. */
exported.handleOfElement = ({ element, refPrefix }) => ({ ref: handleOf(element, refPrefix) });
