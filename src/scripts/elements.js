/* Queries and small operations on elements. They do not wait; callers that wait call them again. */
import { isVisible } from './area.js';
import { clientRects, focus, frameOffset, scrollIntoView } from './dom.js';
import { exported } from './exported.js';
import { Failure } from './failure.js';
import { clearCaches } from './operation.js';
import { changeOrTimeout } from './patience.js';
import { attributeOf, dispatch, innerHTMLOf, innerTextOf, rectOf, textOf } from './raw.js';
import { elementByRef, refOf } from './refs.js';
import { isCheckedField } from './select.js';
import { isDisabled } from './states.js';
import { fieldOf, isTextField } from './typing.js';

const LISTED_ELEMENTS = 1000;

/* The result of `exported.resolve` with {list}, which describes all matches. */
export function allMatches(elements, what, refPrefix) {
	switch (what) {
	case 'count': return elements.length;
	case 'textContent': return elements.map(textOf);
	case 'innerText': return elements.map(innerTextOf);
	default: return elements.slice(0, LISTED_ELEMENTS).map(element => refOf(element, refPrefix));
	}
}

function valueOf(element) {
	const field = fieldOf(element);
	if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement)
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

const ON_ELEMENT = {
	__proto__: null,
	blur: element => HTMLElement.prototype.blur.call(element),
	boundingBox,
	dispatchEvent: (element, { name, init }) => {
		dispatch(element, eventOf(name, init));
	},
	focus: element => focus(element),
	getAttribute: (element, { name }) => attributeOf(element, name) ?? null,
	innerHTML: innerHTMLOf,
	innerText: innerTextOf,
	inputValue: valueOf,
	isChecked: element => isCheckedField(fieldOf(element)),
	isDisabled: element => isDisabled(fieldOf(element)),
	isEditable: element => !isDisabled(fieldOf(element)) && !fieldOf(element).readOnly,
	isEnabled: element => !isDisabled(fieldOf(element)),
	scrollIntoView: element => scrollIntoView(element, { block: 'nearest', inline: 'nearest', behavior: 'instant' }),
	selectedValues: element => [...fieldOf(element).selectedOptions].map(({ value }) => value),
	selectText,
	textContent: textOf,
	visible: element => isVisible(element),
};

/* {ref, what, name, init} -> {value}: calls the function `what` of the table above. */
exported.onElement = ({ ref, what, ...more }) => {
	clearCaches();
	return { value: ON_ELEMENT[what](elementByRef(ref), more) ?? null };
};

/* {delay}: resolves when the document has changed, or after that many milliseconds. */
exported.nextChange = ({ delay }) => changeOrTimeout(delay);

/* The ref of `element`, which CDP passes as an object, not as JSON. */
exported.refOfElement = ({ element, refPrefix }) => ({ ref: refOf(element, refPrefix) });
