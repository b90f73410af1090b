/*
 * Reports what the user does in this document: an action with the steps of its element's locator for each trusted event, through
 * the binding of this world. The server joins actions that belong together (a click that becomes a double click, the keys of a text).
 */
import { isContentEditable } from './dom.js';
import { exported } from './exported.js';
import { generateSteps } from './generate.js';
import { clearCaches } from './operation.js';
import { isOwnChange } from './ownchanges.js';
import { isElement } from './raw.js';
import { isTextField } from './typing.js';

const RECORDED_TEXT_MAX = 10000;
const BUTTONS = ['left', 'middle', 'right'];
const EVENTS = ['click', 'auxclick', 'input', 'change', 'keydown'];
let isRecording = false;

const isChecked = element => element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type);
const takesText = element => isTextField(element) || isContentEditable(element);
/* Whether a press on it shows in a later event. */
const speaksLater = element => element instanceof HTMLSelectElement || element instanceof HTMLOptionElement ||
	element instanceof HTMLInputElement && /^(range|file|date|time|month|week|datetime-local|color)$/.test(element.type);

function modifiersOf(event) {
	return [event.altKey && 'Alt', event.ctrlKey && 'Control', event.metaKey && 'Meta', event.shiftKey && 'Shift'].filter(Boolean);
}

function keyOf(event) {
	const element = event.composedPath()[0];
	const command = event.ctrlKey || event.metaKey || event.altKey;
	if (/^(Shift|Control|Alt|Meta|AltGraph|CapsLock|Process|Unidentified|Dead)$/.test(event.key))
		return null;
	if (!command && (event.key.length === 1 || takesText(element) && /^(Backspace|Delete)$/.test(event.key)))
		return null;
	if (!command && event.key === 'Enter' && (element instanceof HTMLTextAreaElement || isContentEditable(element)))
		return null;
	const held = modifiersOf(event).filter(name => name !== 'Shift' || event.key.length > 1).map(name => name === 'Alt' || name === 'Shift' ? name : 'ControlOrMeta');
	return [...new Set(held), event.key].join('+');
}

function clicked(event, element) {
	if (event.detail === 0 || speaksLater(element)) /* 0: a key or a label has made it */
		return null;
	if (isChecked(element))
		return { verb: element.checked ? 'check' : 'uncheck' };
	if (element.closest('label')?.control && isChecked(element.closest('label').control))
		return null;
	return { verb: event.detail === 2 ? 'dblclick' : 'click', button: BUTTONS[event.button] ?? 'left', modifiers: modifiersOf(event) };
}

function changed(element) {
	if (element instanceof HTMLSelectElement)
		return { verb: 'selectOption', values: Array.from(element.selectedOptions, option => option.value) };
	return isChecked(element) ? { verb: element.checked ? 'check' : 'uncheck' } : null;
}

function entered(element) {
	const value = isContentEditable(element) ? element.innerText : element.value;
	const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || isContentEditable(element);
	return isField && !isChecked(element) && element.type !== 'file' ? { verb: 'fill', text: String(value).slice(0, RECORDED_TEXT_MAX) } : null;
}

function actionOf(event, element) {
	switch (event.type) {
	case 'input':
		return entered(element);
	case 'change':
		return changed(element);
	case 'keydown': {
		const key = keyOf(event);
		return key && { verb: 'press', text: key };
	}
	default:
		return clicked(event, element);
	}
}

function report(event) {
	const element = event.composedPath()[0];
	if (!isRecording || !event.isTrusted && !isOwnChange || !isElement(element)) /* isOwnChange: a tool chooses for the user */
		return;
	const action = actionOf(event, element);
	if (!action)
		return;
	clearCaches();
	globalThis.browserdReport('action ' + JSON.stringify({ ...action, steps: generateSteps(element), url: location.href }));
}

exported.startRecording = () => {
	isRecording = true;
	for (const type of EVENTS)
		window.addEventListener(type, report, { capture: true, passive: true }); /* again has no effect */
};

exported.stopRecording = () => {
	isRecording = false;
};
