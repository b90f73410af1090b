/*
 * Which elements lend to a name: those whose text, value or label is a part of it, and the ones around these up to the
 * named one. The snapshot need not print a name that the lines of its lenders show (condense.js).
 *
 * For most nodes the tree answers it: a name from the contents is made of the nodes inside. The others, which are named
 * by labels, references or attributes, or hold something that is, are asked by a walk that takes notes (names.js).
 */
import { labelsOf } from './labels.js';
import {
	alternative, ariaLabel, isApart, LABELLED_TAGS, LENDING_CONTENT, nameChildren, NAMED_BY_CONTENT, NATIVE_OFFERS,
	RANGE_ROLES, VALUE_INPUTS,
} from './names.js';
import { hasAttribute, isElement, spaceOf, SVG_SPACE } from './raw.js';
import { UNNAMED_ROLES } from './roles.js';
import { isText } from './treenode.js';

const NO_NODES = Object.freeze([]);

/* The nodes that lend to the name of `node`, but for itself. */
export function lendersOf(node) {
	const { element, tag, ownRole, bare, children } = node;
	const isLeaf = children.length === 0 || children.length === 1 && isText(children[0]);
	if (node.isFrame || node.ariaHidden || ownRole && UNNAMED_ROLES.has(ownRole))
		return NO_NODES;
	if (isLeaf && (bare || !hasAttribute(element, 'aria-labelledby')) && !LABELLED_TAGS.has(tag))
		return NO_NODES;
	if (isNamedByTree(node))
		return NAMED_BY_CONTENT.has(ownRole) ? lendersInside(node) : NO_NODES;
	if (!bare && ariaLabel(element) && !hasAttribute(element, 'aria-labelledby'))
		return NO_NODES;
	const lenders = [];
	noteLenders(node, { target: element }, lenders);
	return lenders.filter(lender => lender !== node);
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
	const lenders = [];
	addLendersInside(node, lenders);
	return lenders.includes(node) ? lenders.filter(lender => lender !== node) : lenders;
}

/* Whether anything in `node` lends; texts do. */
function addLendersInside(node, lenders) {
	let lends = false;
	for (const child of node.children)
		lends = isText(child) || addLenders(child, lenders) || lends;
	return lends;
}

/* Adds the nodes in `node`, and itself, that lend to the name of a node around it. */
function addLenders(node, lenders) {
	const { element, ownRole } = node;
	if (node.isFrame || node.ariaHidden)
		return false;
	if (!isNamedByTree(node) || isValueRole(ownRole))
		return noteLenders(node, { nested: true, content: true }, lenders);
	if (!LENDING_CONTENT.has(ownRole) && !NAMED_BY_CONTENT.has(ownRole))
		return false;
	if (!addLendersInside(node, lenders) && !hasPartApart(element))
		return false;
	lenders.push(node);
	return true;
}

const isValueRole = role => VALUE_INPUTS.has(role) || RANGE_ROLES.has(role) || role === 'combobox' || role === 'listbox' || role === 'menu';

/* What is not in line is set off by spaces, which are something: even where it is empty. */
function hasPartApart(element) {
	return nameChildren(element).some(child => isElement(child) && isApart(child));
}

/* By a walk along the name. Nodes that come later than `node` do not show it. */
function noteLenders(node, walk, lenders) {
	const elements = [];
	alternative(node.element, { ...walk, lenders: elements }, new Set());
	if (elements.length === 1 && elements[0] === node.element)
		lenders.push(node);
	else if (elements.length) {
		const nodes = nodesOfTree(node);
		for (const element of new Set(elements)) {
			const lender = nodes.get(element);
			if (lender && lender.order <= node.end)
				lenders.push(lender);
		}
	}
	return elements.length > 0;
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
