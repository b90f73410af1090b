/*
 * Reading the tree past what a page can put in the way. Named elements shadow the properties of their form and of the
 * document even in an isolated world (<form><input name="parentNode">), so properties are read through the
 * prototypes' own getters. Each is a function of its own so that the engine can inline it.
 */
const getterOf = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
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
const rawShadowGet = getterOf(Element.prototype, 'shadowRoot');
const rawSlotGet = getterOf(Element.prototype, 'assignedSlot');
const rawTextSlotGet = getterOf(Text.prototype, 'assignedSlot');
const rawOwnerGet = getterOf(Node.prototype, 'ownerDocument');
const rawAttribute = Element.prototype.getAttribute;
const rawHasAttribute = Element.prototype.hasAttribute;
const rawHasAttributes = Element.prototype.hasAttributes;
const rawRootNode = Node.prototype.getRootNode;
const rawContains = Node.prototype.contains;
const rawRect = Element.prototype.getBoundingClientRect;
const rawCheckVisibility = Element.prototype.checkVisibility;
const rawMatches = Element.prototype.matches;
const rawClosest = Element.prototype.closest;
const rawOrder = Node.prototype.compareDocumentPosition;
const rawDispatch = EventTarget.prototype.dispatchEvent;
const rawAttributesGet = getterOf(Element.prototype, 'attributes');
const rawInnerHTMLGet = getterOf(Element.prototype, 'innerHTML');
const rawInnerTextGet = getterOf(HTMLElement.prototype, 'innerText');

const SVG_SPACE = 'http://www.w3.org/2000/svg';
const ELEMENT = 1;
const TEXT = 3;
const FRAGMENT = 11;

/* In an element, a document or a shadow root. */
function queryIn(root, selector) {
	const { prototype } = isElement(root) ? Element : typeOfNode(root) === FRAGMENT ? DocumentFragment : Document;
	return prototype.querySelectorAll.call(root, selector);
}

const typeOfNode = node => rawTypeGet.call(node);
const firstOf = node => rawFirstGet.call(node);
const nextOf = node => rawNextGet.call(node);
const previousOf = node => rawPreviousGet.call(node);
const parentNodeOf = node => rawParentGet.call(node);
const dataOf = node => rawValueGet.call(node);
const textOf = node => rawTextGet.call(node);
const isAttached = node => rawConnectedGet.call(node);
const rootDocumentOf = node => rawOwnerGet.call(node);
const tagOf = element => rawTagGet.call(element);
const firstElementOf = element => rawFirstElementGet.call(element);
const spaceOf = element => rawSpaceGet.call(element);
const attributeOf = (element, name) => rawAttribute.call(element, name);
const hasAttribute = (element, name) => rawHasAttribute.call(element, name);
const hasAttributes = element => rawHasAttributes.call(element);
const rootOf = node => rawRootNode.call(node);
const contains = (node, other) => rawContains.call(node, other);
const rectOf = element => rawRect.call(element);
const matches = (element, selector) => rawMatches.call(element, selector);
const closest = (element, selector) => rawClosest.call(element, selector);
const orderOf = (node, other) => rawOrder.call(node, other);
const dispatch = (target, event) => rawDispatch.call(target, event);
const attributesOf = element => rawAttributesGet.call(element);
const innerHTMLOf = element => rawInnerHTMLGet.call(element);
const innerTextOf = element => element instanceof HTMLElement ? rawInnerTextGet.call(element) : textOf(element);
const rawScrollTopGet = getterOf(Element.prototype, 'scrollTop');
const rawScrollLeftGet = getterOf(Element.prototype, 'scrollLeft');
const scrollTopOf = element => rawScrollTopGet.call(element);
const scrollLeftOf = element => rawScrollLeftGet.call(element);
const shadowOf = element => rawShadowGet.call(element);
const slotOf = node => typeOfNode(node) === TEXT ? rawTextSlotGet.call(node) : rawSlotGet.call(node);
const isElement = node => typeOfNode(node) === ELEMENT;

/* The parent element, a shadow root's being its host; null above the top. */
function hostOrParent(node) {
	const parent = parentNodeOf(node);
	if (!parent)
		return null;
	const type = typeOfNode(parent);
	if (type === FRAGMENT)
		return parent.host ?? null;
	return type === ELEMENT ? parent : null;
}

/* The parent in the flat tree: where the element is laid out. Null as well for a child that no slot takes. */
function flatParent(node) {
	const slot = slotOf(node);
	if (slot)
		return slot;
	const parent = parentNodeOf(node);
	if (!parent || typeOfNode(parent) !== ELEMENT)
		return hostOrParent(node);
	return shadowOf(parent) ? null : parent;
}

function isInside(ancestor, node) {
	for (; node; node = parentNodeOf(node) ?? node.host) {
		if (node === ancestor)
			return true;
	}
	return false;
}

/* The elements that the ids in attribute `name` name, within the element's own tree. */
function elementsByIds(element, name) {
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
function byId(root, id) {
	if (typeOfNode(root) === FRAGMENT)
		return rawFragmentById.call(root, id);
	return typeOfNode(root) === ELEMENT ? null : rawDocumentById.call(root, id);
}

/* Blanks as people see them: each run one space, none at the ends; what has no width counts for nothing. */
const WIDTHLESS = /[\u200b\u00ad]/g;
const BLANKS = /[ \t\r\n\f\v\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+/g;
const ALREADY_COLLAPSED = /^[!-~]+(?: [!-~]+)*$/;

function collapseSpace(text) {
	return ALREADY_COLLAPSED.test(text) ? text : text.replace(WIDTHLESS, '').replace(BLANKS, ' ').trim();
}
