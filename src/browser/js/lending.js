/*
 * Which elements lend to a name: those whose text, value or label is a part of it, and the ones around these up to the
 * named one. The snapshot need not print a name that the lines of its lenders show (condense.js).
 *
 * For most nodes the tree answers it: a name from the contents is made of the nodes inside. The others, which are named
 * by labels, references or attributes, or hold something that is, are asked by a walk that takes notes (names.js).
 */
const NO_NODES = Object.freeze([]);

/* The nodes that lend to the name of `node`, but for itself. */
function lendersOf(node) {
	const lenders = lendersWith(node);
	return lenders.includes(node) ? lenders.filter(lender => lender !== node) : lenders;
}

function lendersWith(node) {
	const { element, ownRole, role } = node;
	if (node.isFrame || node.ariaHidden || ownRole && UNNAMED_ROLES.has(ownRole))
		return NO_NODES;
	if (isNamedByTree(node))
		return NAMED_BY_CONTENT.has(role) ? lendersInside(node) : NO_NODES;
	if (!node.bare && ariaLabel(element) && !hasAttribute(element, 'aria-labelledby'))
		return NO_NODES;
	return notedLenders(node, { target: element });
}

/* Is the name that of the contents alone, and are these what the tree has? */
function isNamedByTree({ element, tag, bare, isMixed }) {
	if (isMixed || tag === 'summary' || NATIVE_OFFERS[tag] && !(tag === 'button' && !labelsOf(element).length))
		return false;
	if (!bare && (hasAttribute(element, 'aria-label') || hasAttribute(element, 'aria-labelledby') || hasAttribute(element, 'title')))
		return false;
	return spaceOf(element) !== SVG_SPACE;
}

function lendersInside(node) {
	let lenders = NO_NODES;
	for (const child of node.children) {
		if (isText(child))
			continue;
		const more = lentBy(child);
		if (more.length)
			lenders = lenders.length ? lenders.concat(more) : more;
	}
	return lenders;
}

/* The nodes in `node`, and itself, that lend to the name of a node around it. */
function lentBy(node) {
	return node.knownLenders ??= node.isFrame || node.ariaHidden ? NO_NODES : computeLent(node);
}

function computeLent(node) {
	const { element, ownRole } = node;
	if (!isNamedByTree(node) || isValueRole(ownRole))
		return notedLenders(node, { nested: true, content: true });
	if (!LENDING_CONTENT.has(ownRole) && !NAMED_BY_CONTENT.has(ownRole))
		return NO_NODES;
	const inside = lendersInside(node);
	return inside.length || node.children.some(isText) || hasPartApart(element) ? [...inside, node] : NO_NODES;
}

const isValueRole = role => VALUE_INPUTS.has(role) || RANGE_ROLES.has(role) || role === 'combobox' || role === 'listbox' || role === 'menu';

/* What is not in line is set off by spaces, which are something: even where it is empty. */
function hasPartApart(element) {
	return nameChildren(element).some(child => isElement(child) && isApart(child));
}

/* Nodes that come later than `node` do not show its name. */
function notedLenders(node, walk) {
	const elements = [];
	alternative(node.element, { ...walk, lenders: elements }, new Set());
	const isSelf = walk.nested && elements.includes(node.element);
	const others = elements.filter(element => element !== node.element);
	if (!others.length)
		return isSelf ? [node] : NO_NODES;
	const nodes = nodesOfTree(node);
	const found = new Set(others.map(element => nodes.get(element)).filter(other => other && other.order <= node.end));
	return isSelf ? [...found, node] : [...found];
}

/* By element, all nodes of the tree that `node` is in. */
function nodesOfTree(node) {
	let top = node;
	while (top.parent)
		top = top.parent;
	if (!top.nodes)
		collectNodes(top, top.nodes = new Map());
	return top.nodes;
}

function collectNodes(node, nodes) {
	for (const child of node.children) {
		if (!isText(child)) {
			nodes.set(child.element, child);
			collectNodes(child, nodes);
		}
	}
}
