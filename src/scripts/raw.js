/*
 * Reading the tree past what a page can put in the way. Named elements shadow the properties of their form and of the
 * document even in an isolated world (<form><input name="parentNode">), so properties are read through the
 * prototypes' own getters. Each is a function of its own so that the engine can inline it.
 */
export const getterOf = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
const rawTypeGet = getterOf(Node.prototype, 'nodeType');
const rawFirstGet = getterOf(Node.prototype, 'firstChild');
const rawNextGet = getterOf(Node.prototype, 'nextSibling');
const rawPreviousGet = getterOf(Node.prototype, 'previousSibling');
const rawParentGet = getterOf(Node.prototype, 'parentNode');
const rawValueGet = getterOf(Node.prototype, 'nodeValue');
const rawTextGet = getterOf(Node.prototype, 'textContent');
const rawConnectedGet = getterOf(Node.prototype, 'isConnected');
const rawTagGet = getterOf(Element.prototype, 'localName');
const rawSpaceGet = getterOf(Element.prototype, 'namespaceURI');
const rawFirstElementGet = getterOf(Element.prototype, 'firstElementChild');
const rawPreviousElementGet = getterOf(Element.prototype, 'previousElementSibling');
const rawShadowGet = getterOf(Element.prototype, 'shadowRoot');
const rawSlotGet = getterOf(Element.prototype, 'assignedSlot');
const rawTextSlotGet = getterOf(Text.prototype, 'assignedSlot');
const rawOwnerGet = getterOf(Node.prototype, 'ownerDocument');
const rawBaseGet = getterOf(Node.prototype, 'baseURI');
const rawAttribute = Element.prototype.getAttribute;
const rawHasAttribute = Element.prototype.hasAttribute;
const rawHasAttributes = Element.prototype.hasAttributes;
const rawRootNode = Node.prototype.getRootNode;
const rawRect = Element.prototype.getBoundingClientRect;
export const rawCheckVisibility = Element.prototype.checkVisibility;
const rawMatches = Element.prototype.matches;
const rawClosest = Element.prototype.closest;
const rawOrder = Node.prototype.compareDocumentPosition;
const rawDispatch = EventTarget.prototype.dispatchEvent;
const rawAttributesGet = getterOf(Element.prototype, 'attributes');
const rawInnerHTMLGet = getterOf(Element.prototype, 'innerHTML');
const rawInnerTextGet = getterOf(HTMLElement.prototype, 'innerText');
const rawOffsetWidthGet = getterOf(HTMLElement.prototype, 'offsetWidth');
const rawOffsetHeightGet = getterOf(HTMLElement.prototype, 'offsetHeight');

export const isFrameTag = tag => tag === 'iframe' || tag === 'frame';
export const SVG_SPACE = 'http://www.w3.org/2000/svg';
export const MATH_SPACE = 'http://www.w3.org/1998/Math/MathML';
export const ELEMENT = 1;
export const TEXT = 3;
export const FRAGMENT = 11;

/* Visits the first `max` in an element, a document or a shadow root by their numbers: the iterator of a NodeList takes five times as long. */
export function visitIn(root, selector, visit, max = Infinity) {
	const { prototype } = isElement(root) ? Element : typeOfNode(root) === FRAGMENT ? DocumentFragment : Document;
	const found = prototype.querySelectorAll.call(root, selector);
	for (let i = 0, count = Math.min(found.length, max); i < count; i++)
		visit(found[i]);
}

export function queryIn(root, selector, max) {
	const elements = [];
	visitIn(root, selector, element => elements.push(element), max);
	return elements;
}

export const typeOfNode = node => rawTypeGet.call(node);
export const firstOf = node => rawFirstGet.call(node);
export const nextOf = node => rawNextGet.call(node);
export const previousOf = node => rawPreviousGet.call(node);
export const parentNodeOf = node => rawParentGet.call(node);
export const dataOf = node => rawValueGet.call(node);
export const textOf = node => rawTextGet.call(node);
export const isAttached = node => rawConnectedGet.call(node);
export const baseOf = node => rawBaseGet.call(node); /* what relative addresses are relative to */
export const rootDocumentOf = node => rawOwnerGet.call(node);
export const tagOf = element => rawTagGet.call(element);
export const firstElementOf = element => rawFirstElementGet.call(element);
export const spaceOf = element => rawSpaceGet.call(element);
export const previousElementOf = element => rawPreviousElementGet.call(element);
export const attributeOf = (element, name) => rawAttribute.call(element, name);
export const hasAttribute = (element, name) => rawHasAttribute.call(element, name);
export const hasAttributes = element => rawHasAttributes.call(element);
export const rootOf = node => rawRootNode.call(node);
export const rectOf = element => rawRect.call(element);
/* The size that layout gives an element of HTML; transforms do not change it. */
export const layoutWidthOf = element => rawOffsetWidthGet.call(element);
export const layoutHeightOf = element => rawOffsetHeightGet.call(element);
export const matches = (element, selector) => rawMatches.call(element, selector);
export const closest = (element, selector) => rawClosest.call(element, selector);
export const orderOf = (node, other) => rawOrder.call(node, other);
export const dispatch = (target, event) => rawDispatch.call(target, event);
export const attributesOf = element => rawAttributesGet.call(element);
export const innerHTMLOf = element => rawInnerHTMLGet.call(element);
export const innerTextOf = element => element instanceof HTMLElement ? rawInnerTextGet.call(element) : textOf(element);
const rawClientLeftGet = getterOf(Element.prototype, 'clientLeft');
const rawClientTopGet = getterOf(Element.prototype, 'clientTop');
export const clientLeftOf = element => rawClientLeftGet.call(element); /* the width of the left border */
export const clientTopOf = element => rawClientTopGet.call(element);
const rawScrollTopGet = getterOf(Element.prototype, 'scrollTop');
const rawScrollLeftGet = getterOf(Element.prototype, 'scrollLeft');
export const scrollTopOf = element => rawScrollTopGet.call(element);
export const scrollLeftOf = element => rawScrollLeftGet.call(element);
export const shadowOf = element => rawShadowGet.call(element);
export const slotOf = node => typeOfNode(node) === TEXT ? rawTextSlotGet.call(node) : rawSlotGet.call(node);
export const isElement = node => typeOfNode(node) === ELEMENT;

/* The parent element, a shadow root's being its host; null above the top. */
export function hostOrParent(node) {
	const parent = parentNodeOf(node);
	if (!parent)
		return null;
	const type = typeOfNode(parent);
	if (type === FRAGMENT)
		return parent.host ?? null;
	return type === ELEMENT ? parent : null;
}

/* The parent in the flat tree: where the element is laid out. Null as well for a child that no slot takes. */
export function flatParent(node) {
	const slot = slotOf(node);
	if (slot)
		return slot;
	const parent = parentNodeOf(node);
	if (!parent || typeOfNode(parent) !== ELEMENT)
		return hostOrParent(node);
	return shadowOf(parent) ? null : parent;
}

export function isInside(ancestor, node) {
	for (; node; node = parentNodeOf(node) ?? node.host) {
		if (node === ancestor)
			return true;
	}
	return false;
}

/* The elements that the ids in attribute `name` name, within the element's own tree. */
export function elementsByIds(element, name) {
	const value = attributeOf(element, name);
	if (!value)
		return [];
	const root = rootOf(element);
	const found = new Set();
	for (const id of value.split(/[ \t\n\r\f]+/)) {
		const other = id && byId(root, id);
		if (other)
			found.add(other);
	}
	return [...found];
}

const rawDocumentById = Document.prototype.getElementById;
const rawFragmentById = DocumentFragment.prototype.getElementById;
export function byId(root, id) {
	if (typeOfNode(root) === FRAGMENT)
		return rawFragmentById.call(root, id);
	return typeOfNode(root) === ELEMENT ? null : rawDocumentById.call(root, id);
}

/* Blanks as people see them: each run one space, none at the ends; what has no width counts for nothing. */
const ZERO_WIDTH = /[\u200b\u00ad]/g;
const BLANKS = /[ \t\r\n\f\v\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+/g;
const ALREADY_COLLAPSED = /^[!-~]+(?: [!-~]+)*$/;

export function collapseSpace(text) {
	return ALREADY_COLLAPSED.test(text) ? text : text.replace(ZERO_WIDTH, '').replace(BLANKS, ' ').trim();
}
