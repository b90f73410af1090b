/*
 * Which elements a name comes from: those whose text, value or label is a part of it, and the ones around these up to the
 * named one. The snapshot need not print a name that the lines of its sources show (condense.js).
 *
 * For most nodes the tree answers it: a name from the contents is made of the nodes inside. The others, which are named
 * by labels, references or attributes, or hold something that is, are found by
 * computing the name again while recording the elements that are used (names.js).
 */
import { labelsOf } from './labels.js';
import {
	alternative, ANCESTOR_CONTENT, ariaLabel, isApart, LABELLED_TAGS, nameChildren, NAMED_BY_CONTENT, NATIVE_OFFERS,
	RANGE_ROLES, VALUE_INPUTS,
} from './names.js';
import { noteNameSources } from './pieces.js';
import { collapseSpace, hasAttribute, isElement, spaceOf, SVG_SPACE } from './raw.js';
import { UNNAMED_ROLES } from './roles.js';
import { isText } from './treenode.js';

/* They are hardly ever laid out in line. */
export const APART_TAGS = new Set(['td', 'th', 'tr']);
const NO_NODES = Object.freeze([]);

/* The nodes other than `node` that its name comes from. */
export function nameSourcesOf(node) {
	const { element, tag, ownRole, bare, children } = node;
	const isLeaf = children.length === 0 || children.length === 1 && isText(children[0]);
	if (node.isFrame || node.ariaHidden || ownRole && UNNAMED_ROLES.has(ownRole))
		return NO_NODES;
	if (isLeaf && (bare || !hasAttribute(element, 'aria-labelledby')) && !LABELLED_TAGS.has(tag))
		return NO_NODES;
	if (isNamedByTree(node))
		return NAMED_BY_CONTENT.has(ownRole) ? sourcesInside(node) : NO_NODES;
	if (!bare && ariaLabel(element) && !hasAttribute(element, 'aria-labelledby'))
		return NO_NODES;
	const sources = new Sources();
	noteSources(node, { target: element }, sources);
	return sources.haveText ? sources.nodes.filter(source => source !== node) : NO_NODES;
}

/* Is the name that of the contents alone, and are these what the tree has? */
const isNamedByTree = node => node.knownNamedByTree ??= looksNamedByTree(node);

function looksNamedByTree({ element, tag, bare, isMixed }) {
	if (isMixed || tag === 'summary' || NATIVE_OFFERS[tag] && !(tag === 'button' && !labelsOf(element).length))
		return false;
	if (!bare && (hasAttribute(element, 'aria-label') || hasAttribute(element, 'aria-labelledby') || hasAttribute(element, 'title')))
		return false;
	return spaceOf(element) !== SVG_SPACE;
}

/* A name of spaces alone is none and comes from nothing, although these spaces are a part of the name of a node around it. */
function sourcesInside(node) {
	const sources = new Sources();
	addSourcesInside(node, sources);
	return sources.haveText ? sources.nodes.filter(source => source !== node) : NO_NODES;
}

class Sources {
	nodes = [];
	haveText = false;

	addText(text) {
		this.haveText ||= collapseSpace(text) !== '';
	}
}

/* Whether anything in `node` contributes; texts do. */
function addSourcesInside(node, sources) {
	let contributes = false;
	for (const child of node.children) {
		if (isText(child))
			sources.addText(child);
		contributes = isText(child) || addSources(child, sources) || contributes;
	}
	return contributes;
}

/* Adds `node` and the nodes in it that are part of the name of a node around it, and returns whether it is part of that name. */
function addSources(node, sources) {
	const { element, ownRole } = node;
	if (node.isFrame || node.ariaHidden)
		return false;
	if (!isNamedByTree(node) || isValueRole(ownRole))
		return noteSources(node, { nested: true, content: true }, sources);
	if (!ANCESTOR_CONTENT.has(ownRole) && !NAMED_BY_CONTENT.has(ownRole))
		return false;
	if (!addSourcesInside(node, sources) && !hasPartApart(element))
		return false;
	sources.nodes.push(node);
	return true;
}

/*
 * The name of a node whose tree is as built, from the nodes inside where these have it, which is much faster for a row of a table. It is
 * for comparing: spaces between parts that are not set off may differ from the name.
 */
export function nameToCompare(node) {
	const { simpleName, ownRole } = node;
	if (simpleName !== undefined)
		return simpleName;
	if (node.ariaHidden || !NAMED_BY_CONTENT.has(ownRole) || !isNamedByTree(node))
		return node.name;
	return collapseSpace(textInside(node, true));
}

/* `isSetOff`: spaces are around the text anyway. */
function textInside(node, isSetOff) {
	return node.knownText ??= joinedText(node.children, isSetOff);
}

function joinedText(children, isSetOff) {
	let text = '';
	for (const child of children)
		text += isText(child) ? child : textOfPart(child, isSetOff && children.length === 1);
	return text;
}

/* What `node` contributes to the name of a node around it. */
function textOfPart(node, isSetOff) {
	const { element, tag, ownRole } = node;
	if (node.isFrame || node.ariaHidden)
		return '';
	const isApartHere = !isSetOff && (APART_TAGS.has(tag) || isApart(element));
	const text = partText(node, ownRole, isSetOff || isApartHere);
	return isApartHere ? ` ${text} ` : text;
}

function partText(node, role, isSetOff) {
	const isNamed = NAMED_BY_CONTENT.has(role);
	if (isNamed && node.simpleName !== undefined)
		return node.simpleName;
	if (!isNamedByTree(node) || isValueRole(role))
		return alternative(node.element, { nested: true, content: true }, new Set());
	return isNamed || ANCESTOR_CONTENT.has(role) ? textInside(node, isSetOff) : '';
}

const isValueRole = role => VALUE_INPUTS.has(role) || RANGE_ROLES.has(role) || role === 'combobox' || role === 'listbox' || role === 'menu';

/* What is not in line is set off by spaces, which are something: even where it is empty. */
function hasPartApart(element) {
	return nameChildren(element).some(child => isElement(child) && isApart(child));
}

/* By a walk along the name. Nodes that come later than `node` do not show it. */
function noteSources(node, walk, sources) {
	const elements = [];
	sources.addText(alternative(node.element, { ...walk, sources: elements }, new Set()));
	noteNameSources(node, elements);
	if (elements.length === 1 && elements[0] === node.element)
		sources.nodes.push(node);
	else if (elements.length) {
		const nodes = nodesOfTree(node);
		for (const element of new Set(elements)) {
			const source = nodes.get(element);
			if (source && source.order <= node.end)
				sources.nodes.push(source);
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
