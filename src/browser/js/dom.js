/*
 * Ways through the document as it is laid out (the flat tree: open shadow roots and slots count), and short words
 * for an element in messages. Like raw.js, it goes by prototypes where named elements could shadow a property.
 */
const onDocument = name => (...values) => Document.prototype[name].apply(document, values);
const ofDocument = name => () => getterOf(Document.prototype, name).call(document);
const queryAll = onDocument('querySelectorAll');
const elementFromPoint = onDocument('elementFromPoint');
const elementsFromPoint = onDocument('elementsFromPoint');
const evaluateXPath = onDocument('evaluate');
const documentAnimations = onDocument('getAnimations');
const createWalker = onDocument('createTreeWalker');
const createRange = onDocument('createRange');
const activeElement = ofDocument('activeElement');
const readyState = ofDocument('readyState');
const isDocumentHidden = ofDocument('hidden');
const timeline = ofDocument('timeline');
const onElement = name => (element, ...values) => Element.prototype[name].apply(element, values);
const clientRects = onElement('getClientRects');
const animationsOf = onElement('getAnimations');
const scrollIntoView = onElement('scrollIntoView');
const rawContentEditable = getterOf(HTMLElement.prototype, 'isContentEditable');
const isContentEditable = element => element instanceof HTMLElement && rawContentEditable.call(element);
const focus = element => (element instanceof SVGElement ? SVGElement : HTMLElement).prototype.focus.call(element);

const DESCRIBED_ATTRIBUTES = ['id', 'class', 'name', 'type', 'role', 'aria-label', 'href'];
const DESCRIBED_LENGTH = 40;

function shortened(text, length = DESCRIBED_LENGTH) {
	const line = text.replace(/\s+/g, ' ').trim();
	return line.length > length ? line.slice(0, length).trimEnd() + '…' : line;
}

/* The first words inside `element`, read no further than needed: textContent of a page may be megabytes. */
function firstWords(element) {
	const walker = createWalker(element, NodeFilter.SHOW_TEXT);
	let words = '';
	while (words.length <= DESCRIBED_LENGTH && walker.nextNode()) {
		const text = walker.currentNode;
		if (!closest(parentNodeOf(text), 'script, style, noscript, template'))
			words = `${words} ${shortened(text.data.slice(0, 4 * DESCRIBED_LENGTH))}`.trimStart();
	}
	return shortened(words);
}

/* <button id="save" class="primary"> */
function describeTag(element) {
	let open = '<' + tagOf(element);
	for (const name of DESCRIBED_ATTRIBUTES) {
		const value = attributeOf(element, name);
		if (value)
			open += ` ${name}="${shortened(value)}"`;
	}
	return open + '>';
}

/* What a person would recognise it by: <button id="save" class="primary">Save all</button> */
function describe(element) {
	const words = firstWords(element);
	return describeTag(element) + (words && `${words}</${tagOf(element)}>`);
}

/* The first of `element`, its parent in the flat tree and so on up to the root that `accept` takes, else null. */
function nearest(element, accept) {
	let node = element;
	while (node && !accept(node))
		node = flatParent(node);
	return node;
}

function holds(ancestor, element) {
	return nearest(element, node => node === ancestor) !== null;
}

function topElementAt(x, y) {
	let found = elementFromPoint(x, y);
	for (let root = found && shadowOf(found); root; root = shadowOf(found)) {
		const inner = root.elementFromPoint(x, y);
		if (!inner || inner === found)
			break;
		found = inner;
	}
	return found;
}

function focusedElement() {
	let focused = activeElement();
	while (focused && shadowOf(focused)?.activeElement)
		focused = shadowOf(focused).activeElement;
	return focused;
}

/*
 * What has to be added to a point of this frame's viewport to get the point that input events of the page take:
 * {x, y, levels, open}. `open`: above `levels` frames there is one that is hidden from here, the rest is unknown.
 */
function frameOffset() {
	let x = 0, y = 0, levels = 0, view = window;
	for (let frame = view.frameElement; frame; view = view.parent, frame = view.frameElement, levels++) {
		const inner = contentCorner(frame);
		x += inner.x;
		y += inner.y;
	}
	return { x: x - view.visualViewport.offsetLeft, y: y - view.visualViewport.offsetTop, levels, open: view.parent !== view };
}

/* Where the document inside of a frame's element begins. */
function contentCorner(frame) {
	const box = rectOf(frame);
	const style = getComputedStyle(frame);
	return { x: box.x + frame.clientLeft + parseFloat(style.paddingLeft), y: box.y + frame.clientTop + parseFloat(style.paddingTop) };
}

/* The same for the document inside of the element `frame`, for documents that cannot see it themselves. */
exported.contentOrigin = frame => {
	const inner = contentCorner(frame);
	const offset = frameOffset();
	return { ...offset, x: offset.x + inner.x, y: offset.y + inner.y };
};

/* Calling it makes sure that this world is there. */
exported.prepared = () => true;
