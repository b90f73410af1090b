/*
 * Ways through the document as it is laid out (the flat tree: open shadow roots and slots count), and short words
 * for an element in messages. Like raw.js, it goes by prototypes where named elements could shadow a property.
 */
import { exported } from './exported.js';
import { attributeOf, closest, flatParent, getterOf, parentNodeOf, queryIn, rectOf, shadowOf, tagOf } from './raw.js';

const onDocument = name => (...values) => Document.prototype[name].apply(document, values);
const ofDocument = name => () => getterOf(Document.prototype, name).call(document);
export const queryAll = selector => queryIn(document, selector);
export const elementCount = () => Document.prototype.getElementsByTagName.call(document, '*').length;
export const elementsFromPoint = onDocument('elementsFromPoint');
const evaluateXPath = onDocument('evaluate');
export const documentAnimations = onDocument('getAnimations');
export const animationsIn = root => ShadowRoot.prototype.getAnimations.call(root);
export const createWalker = onDocument('createTreeWalker');
export const createRange = onDocument('createRange');
export const createElement = onDocument('createElement');
export const activeElement = ofDocument('activeElement');
export const hasWindowFocus = onDocument('hasFocus');
export const readyState = ofDocument('readyState');
export const scrollingElement = ofDocument('scrollingElement');
export const isDocumentHidden = ofDocument('hidden');
export const rootElement = ofDocument('documentElement');
export const bodyOf = ofDocument('body');
export const timeline = ofDocument('timeline');
const onElement = name => (element, ...values) => Element.prototype[name].apply(element, values);
export const clientRects = onElement('getClientRects');
export const animationsOf = onElement('getAnimations');
export const scrollIntoView = onElement('scrollIntoView');
const rawContentEditable = getterOf(HTMLElement.prototype, 'isContentEditable');
export const isContentEditable = element => element instanceof HTMLElement && rawContentEditable.call(element);
export const focus = element => (element instanceof SVGElement ? SVGElement : HTMLElement).prototype.focus.call(element);

/* The nodes that an XPath expression selects, in document order. */
export function nodesByXPath(expression, scope) {
	const found = evaluateXPath(expression, scope, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
	return Array.from({ length: found.snapshotLength }, (none, i) => found.snapshotItem(i));
}

const DESCRIBED_ATTRIBUTES = ['id', 'class', 'name', 'type', 'role', 'aria-label', 'href'];
const DESCRIBED_LENGTH = 40;

export function shortened(text, length = DESCRIBED_LENGTH) {
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
export function describeTag(element) {
	let open = '<' + tagOf(element);
	for (const name of DESCRIBED_ATTRIBUTES) {
		const value = attributeOf(element, name);
		if (value)
			open += ` ${name}="${shortened(value)}"`;
	}
	return open + '>';
}

/* What a person would recognise it by: <button id="save" class="primary">Save all</button> */
export function describe(element) {
	const words = firstWords(element);
	return describeTag(element) + (words && `${words}</${tagOf(element)}>`);
}

/* The first of `element`, its parent in the flat tree and so on up to the root that `accept` takes, else null. */
export function nearest(element, accept) {
	let node = element;
	while (node && !accept(node))
		node = flatParent(node);
	return node;
}

export function holds(ancestor, element) {
	return nearest(element, node => node === ancestor) !== null;
}

export function topElementAt(x, y, page = document) {
	let found = Document.prototype.elementFromPoint.call(page, x, y);
	for (let root = found && shadowOf(found); root; root = shadowOf(found)) {
		const inner = root.elementFromPoint(x, y);
		if (!inner || inner === found)
			break;
		found = inner;
	}
	return found;
}

export function focusedElement() {
	let focused = activeElement();
	while (focused && shadowOf(focused)?.activeElement)
		focused = shadowOf(focused).activeElement;
	return focused;
}

/* The rotation and scaling that the styles of `node` apply to its contents. */
function transformOf(node) {
	const { rotate, scale, transform } = getComputedStyle(node);
	const [across = 1, down = across] = scale === 'none' ? [] : scale.split(' ').map(Number);
	const turn = /^-?[\d.]+deg$/.test(rotate) ? new DOMMatrix(`rotate(${rotate})`) : new DOMMatrix();
	const { a, b, c, d } = turn.scale(across, down).multiply(new DOMMatrix(transform));
	return new DOMMatrix([a, b, c, d, 0, 0]);
}

/*
 * From the viewport of the document in `frame` to the one that `frame` lies in. However it is turned, the middle of its
 * box stays in the middle. Perspective is not seen.
 */
export function frameMap(frame) {
	const box = rectOf(frame);
	const style = getComputedStyle(frame);
	const zoom = frame.currentCSSZoom ?? 1;
	let turned = new DOMMatrix();
	for (let node = frame; node; node = flatParent(node))
		turned = transformOf(node).multiply(turned);
	const width = turned.isIdentity ? box.width / zoom : frame.offsetWidth;
	const height = turned.isIdentity ? box.height / zoom : frame.offsetHeight;
	const left = frame.clientLeft + parseFloat(style.paddingLeft), top = frame.clientTop + parseFloat(style.paddingTop);
	return new DOMMatrix().translate(box.x + box.width / 2, box.y + box.height / 2).multiply(turned).scale(zoom)
		.translate(left - width / 2, top - height / 2);
}

/*
 * The way of a point of this frame's viewport, where `map` has taken it, to the point that input events of the page
 * take: {a, b, c, d, x, y, levels, open}, an affine map. `open`: above `levels` frames there is one that is hidden from
 * here, the rest is unknown.
 */
export function frameOffset(map = new DOMMatrix()) {
	let levels = 0, view = window;
	for (let frame = view.frameElement; frame; view = view.parent, frame = view.frameElement, levels++)
		map = frameMap(frame).multiply(map);
	const { a, b, c, d, e, f } = map;
	const { offsetLeft, offsetTop } = view.visualViewport;
	return { a, b, c, d, x: e - offsetLeft, y: f - offsetTop, levels, open: view.parent !== view };
}

/* `box` or point as far out as it can be followed from here; C goes on by `offset`. */
export function inPage({ x, y, width = 0, height = 0 }) {
	const offset = frameOffset();
	const { a, b, c, d } = offset;
	const corners = [[x, y], [x + width, y], [x, y + height], [x + width, y + height]];
	const across = corners.map(([left, top]) => a * left + c * top + offset.x);
	const down = corners.map(([left, top]) => b * left + d * top + offset.y);
	const left = Math.min(...across), top = Math.min(...down);
	return { x: left, y: top, width: Math.max(...across) - left, height: Math.max(...down) - top, offset };
}

/* Calling it makes sure that this world is there. */
exported.prepared = () => true;
