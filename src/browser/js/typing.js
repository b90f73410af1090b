/*
 * The part of typing that happens in the page: waiting for a field, giving it the focus and the caret. The keys come
 * from C, as from a keyboard, except for fields that have no text to type into (dates, colours, ranges): they get
 * their value here, with the events that choosing it would fire.
 */
const KEYED_INPUTS = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number']);
const VALUE_FORMS = {
	date: 'YYYY-MM-DD', time: 'HH:MM', 'datetime-local': 'YYYY-MM-DDTHH:MM', month: 'YYYY-MM', week: 'YYYY-Www',
	color: '#rrggbb', range: 'a number that its min, max and step allow',
};
const INSTEAD = {
	checkbox: 'click it', radio: 'click it', button: 'click it', submit: 'click it', reset: 'click it', image: 'click it',
	file: 'it takes files', hidden: 'it is never shown', select: 'choose one of its options',
};
/* Text that is not one key a byte: all but the printable ASCII characters, Enter and Tab. */
const BEYOND_KEYS = /[^\x20-\x7e\n\t]/;

function isTextField(element) {
	return element instanceof HTMLTextAreaElement ||
		element instanceof HTMLInputElement && KEYED_INPUTS.has(element.type);
}

function editable(element) {
	return isTextField(element) || element instanceof HTMLInputElement && element.type in VALUE_FORMS ||
		isContentEditable(element);
}

/* What the text goes to: a label stands for its control. */
function fieldOf(element) {
	return element instanceof HTMLLabelElement && element.control ? element.control : element;
}

/* Throws when `element` will never take text. A plain element may still become an editor while the page loads. */
function whyNotEditable(element) {
	if (editable(element))
		return element.readOnly ? 'read-only (readonly)' : null;
	const kind = element instanceof HTMLInputElement ? element.type : tagOf(element);
	if (!(kind in INSTEAD) && readyState() !== 'complete')
		return 'not editable';
	throw new Failure('ELEMENT_NOT_EDITABLE', `${describe(element)} takes no text: ` +
		(INSTEAD[kind] ?? 'give an <input>, a <textarea> or a contenteditable element'));
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
			selection.modify('move', 'forward', 'documentboundary'); /* number and email hide their caret */
		return;
	}
	selection.selectAllChildren(element);
	if (!everything)
		selection.collapseToEnd();
}

/* The outermost editable element around: it takes the focus for all inside. */
function editingHost(element) {
	let host = element;
	nearest(element, node => {
		if (isContentEditable(node))
			host = node;
		return false;
	});
	return host;
}

/* null, or the Obstacle that the focus went elsewhere. */
function giveFocus(element) {
	const host = isTextField(element) ? element : editingHost(element);
	if (focusedElement() !== host)
		asOwnDoing(() => focus(host));
	const focused = focusedElement();
	if (focused === host || focused && holds(host, focused))
		return null;
	return new Obstacle(`the focus does not stay on it but goes to ${focused ? describe(focused) : 'nothing'}`);
}

/* The value that `input` would have after taking `text`; asks a copy, so that text that does not fit changes nothing. */
function valueFrom(input, text) {
	const copy = input.cloneNode();
	copy.value = text;
	const taken = input.type === 'range' ? text !== '' && Number(copy.value) === Number(text) :
		input.type === 'color' ? copy.value === text.toLowerCase() : (copy.value === '') === (text === '');
	if (taken)
		return copy.value;
	throw new Failure('ELEMENT_NOT_EDITABLE', `Malformed value: ${describe(input)} does not take the text ` +
		`"${shortened(text)}": give ${VALUE_FORMS[input.type]}`);
}

/* The keys of what is no number would be swallowed without a word. */
function refuseWords(input, text) {
	if (input.type === 'number' && Number.isNaN(Number(text)))
		throw new Failure('ELEMENT_NOT_EDITABLE', `Cannot type text into input[type=number]: "${shortened(text)}" is no number`);
}

function setValue(input, text) {
	const value = valueFrom(input, text);
	asOwnDoing(() => input.focus());
	if (input.value === value)
		return;
	input.value = value;
	input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
	input.dispatchEvent(new Event('change', { bubbles: true }));
}

/*
 * What has come since the field was made ready: the number of keystrokes, and the last of them. Text without a key is
 * known by its beforeinput event, which no keydown goes before. Null in a document that none was made ready in.
 */
const KEPT_STROKES = 64;
let strokes = null;

function noteStroke(event) {
	if (!event.isTrusted || !strokes)
		return;
	const isKey = event.type === 'keydown';
	if (isKey || event.type === 'beforeinput' && !strokes.keyDown) {
		strokes.count++;
		strokes.last = [...strokes.last.slice(1 - KEPT_STROKES), isKey ? event.key : event.data];
	}
	strokes.keyDown = isKey || strokes.keyDown && event.type !== 'keyup';
}

function startNoting() {
	strokes = { count: 0, last: [], keyDown: false };
	for (const type of ['keydown', 'keyup', 'beforeinput'])
		window.addEventListener(type, noteStroke, { capture: true, passive: true });
}

/* The strokes after the first `skipped` ones. */
exported.strokesSeen = ({ skipped }) => strokes && (strokes.count > skipped ? strokes.last.slice(skipped - strokes.count) : []);

/* What to send, one item a keystroke; null when `text` can be read byte by byte. */
function keystrokes(text) {
	if (!BEYOND_KEYS.test(text))
		return null;
	return Array.from(new Intl.Segmenter().segment(text), part => part.segment);
}

function attemptType({ target, options: { text, clear } }) {
	const found = findTarget(target);
	if (found instanceof Obstacle)
		return found;
	const element = fieldOf(found);
	const reason = whyNotTypable(element);
	if (reason)
		return new Obstacle(reason, { subject: describe(element) });
	if (element instanceof HTMLInputElement && element.type in VALUE_FORMS) {
		setValue(element, text.trim());
		return { done: true, element: describe(element) };
	}
	if (clear)
		refuseWords(element, text);
	const obstacle = giveFocus(element);
	if (obstacle)
		return Object.assign(obstacle, { subject: describe(element) });
	setCaret(element, clear);
	startNoting();
	return { done: false, keystrokes: keystrokes(text), element: describe(element) };
}

/*
 * {target, timeout, elapsed, options: {text, clear}}: waits until the target takes text, and makes it ready for the
 * keys: {done, keystrokes, element}. `done`: no keys are needed any more.
 */
exported.prepareType = request => {
	exported.endClick();
	const patience = patienceFor(request);
	return tryUntil(patience, () => attemptType(request), () => patience.refusal('ELEMENT_NOT_EDITABLE', 'typed into'));
};
