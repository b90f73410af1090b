/*
 * Shortens a tree that was built (tree.js): drops nodes and names that say nothing, or that the lines below them repeat. For each
 * node, after its children:
 *   1. adjacent texts become one;
 *   2. images that say nothing are dropped;
 *   3. a name is dropped if the lines below show its parts;
 *   4. a group with one text takes the text of the group in it;
 *   5. a group that repeats the name of the node around it is dropped;
 *   6. a group of one node is replaced by that node, and a group of none is dropped.
 *
 * On the way, what can be a target gets its ref, also if it is left out: refs count the nodes of the tree as built, as in the
 * reference. What the reference has no node or ref for comes last, so that it does not change the other numbers.
 */
import { isAriaHidden } from './contents.js';
import { follows0084, hasIcons } from './extended.js';
import { withoutIcons } from './names.js';
import { nameSourcesOf, nameToCompare } from './namesources.js';
import { keep, keptOf } from './pieces.js';
import { collapseSpace } from './raw.js';
import { numbered, numberedIdentity, refsAreRenewed } from './refs.js';
import { isTabStop, UNNAMED_ROLES } from './roles.js';
import { pushCollapsed } from './tree.js';
import { isText } from './treenode.js';

class Condenser {
	/* `depth`: the deepest level of nodes that is shown, counted as built. `outline`: outline.js writes the tree */
	constructor({ depth, outline }) {
		this.depth = depth;
		this.outline = outline;
		this.extra = [];
	}

	children(node, depth) {
		const first = node.children[0];
		if (first === undefined || node.children.length === 1 && isText(first)) {
			const text = first && collapseSpace(first);
			if (text !== first)
				node.children = text ? [text] : [];
			return;
		}
		const shown = [];
		let text = '';
		for (const child of node.children) {
			if (isText(child)) {
				text += child;
				continue;
			}
			const kept = this.child(child, node, depth);
			if (!kept)
				continue;
			pushCollapsed(shown, text);
			text = '';
			shown.push(kept);
		}
		pushCollapsed(shown, text);
		node.children = shown;
	}

	/* To find out whether a node is a target is the dearest part of a snapshot: of one that has a ref already it is left until it matters. */
	number(node) {
		if (numberedIdentity(node.element) !== null)
			node.knownIdentity = undefined;
		else if (node.isTarget && node.isExtra)
			this.extra.push(node);
		else if (node.isTarget)
			giveRef(node);
	}

	numberExtra() {
		this.extra.forEach(giveRef);
	}

	/* What is shown of `node`: itself, the one node in it, or null. */
	child(node, parent, depth) {
		const { piece } = node;
		if (piece?.isTaken)
			return keptOf(piece, parent);
		const kept = this.condensed(node, parent, depth);
		if (piece)
			keep(piece, kept, parent);
		return kept;
	}

	condensed(node, parent, depth) {
		if (node.isDrawing && !node.isKept && !node.children.some(child => child.isKept))
			takeAsPicture(node);
		this.number(node);
		const sources = nameSourcesOf(node);
		for (const source of sources)
			source.isPending = true;
		if (node.isPending && depth <= this.depth && !isLeafGroup(node))
			node.isPending = false;
		this.children(node, depth + 1);
		const text = onlyText(node);
		if (text !== null && addsNothingTo(text, node.name) && !this.needsText(node))
			node.children = [];
		if (node.role === 'img' && isContentless(node) && !node.isPicture)
			return null;
		if (sources.length)
			this.dropShownName(node, sources);
		if (node.role !== 'generic')
			return node;
		takeInnerText(node);
		if (repeatsName(node, parent) && !(this.outline && isFieldNode(parent))) {
			node.isPending = true;
			return null;
		}
		return this.isPlainGroup(node) ? node.children[0] ?? null : node;
	}

	/* `sources`: what the name is made of. What the lines in it do not show stays with the name. */
	dropShownName(node, sources) {
		const isPlace = this.outline && ROW_PARTS.has(node.role);
		if (!isPlace && !node.isTarget)
			return;
		if (keepsName(node) || sources.some(source => source.isPending && source.isTarget)) {
			for (const source of sources)
				source.isPending = false;
		} else if (isPlace || sources.some(source => source.isTarget))
			node.knownName = '';
	}

	/* A group that can be omitted: it has no name and at most one child, which can be a target itself if the group can be pressed. */
	isPlainGroup(node) {
		const child = node.children[0];
		if (node.children.length > 1 || child !== undefined && (isText(child) || (!this.outline || node.hasPointer) && !child.isTarget))
			return false;
		return !node.name && !node.isKept && (child !== undefined || !isPointerTop(node)) && !(this.outline && !node.bare && isTabStop(node.element) && !node.hasPointer);
	}

	/* An outline has the contents of a group that says no more than its name, and a field may contain its own name. */
	needsText(node) {
		return this.outline && (UNNAMED_ROLES.has(node.role) || isFieldNode(node));
	}
}

/* What is in them is written in any case: their names are those of the contents, and it does not matter whether they can be targets. */
const ROW_PARTS = new Set(['cell', 'columnheader', 'gridcell', 'row', 'rowheader']);
function takeAsPicture(node) {
	node.role = 'img';
	node.isPicture = true;
	node.children = [];
}

const FIELD_ROLES = new Set(['combobox', 'scrollbar', 'searchbox', 'slider', 'spinbutton', 'textbox']);
const isFieldNode = ({ role }) => FIELD_ROLES.has(role);

function giveRef(node) {
	node.knownIdentity = numbered(node.element, node.role, refsAreRenewed ? nameToCompare(node) : '');
}

/* {depth, outline}: see Condenser */
export function condense(tree, options) {
	const condenser = new Condenser(options);
	condenser.children(tree, 0);
	condenser.numberExtra();
}

/* For the plain form: texts side by side become one, and the only text in a node goes when it is the name. */
export function joinTexts(node) {
	const joined = [];
	let text = '';
	for (const child of node.children) {
		if (isText(child)) {
			text += child;
			continue;
		}
		pushCollapsed(joined, text);
		text = '';
		joinTexts(child);
		joined.push(child);
	}
	pushCollapsed(joined, text);
	node.children = joined;
	if (node.element && onlyText(node) === node.name)
		node.children = [];
}

const isLeafGroup = node => node.role === 'generic' && node.children.every(isText);
const onlyText = node => node.children.length === 1 && isText(node.children[0]) ? node.children[0] : null;
const hasProperties = node => node.isActive || node.isKept || isAriaHidden(node.element);

/* Roles of regions, containers and headers: in 0.0.84 their names stay where the lines below show them as well. */
const KEEPS_NAME = new Set(['alertdialog', 'application', 'banner', 'columnheader', 'complementary', 'contentinfo', 'dialog',
	'document', 'figure', 'form', 'grid', 'group', 'listbox', 'main', 'menu', 'menubar', 'navigation', 'radiogroup', 'region',
	'rowheader', 'search', 'table', 'tablist', 'tabpanel', 'toolbar', 'tree', 'treegrid']);
const keepsName = node => follows0084 && KEEPS_NAME.has(node.role);

function takeInnerText(node) {
	const child = node.children[0];
	if (node.children.length !== 1 || isText(child) || child.role !== 'generic')
		return;
	const text = onlyText(child);
	if (text !== null && !child.name && !hasProperties(child) && !isAriaHidden(node.element))
		node.children = [text];
}

/* A group with nothing but the name of what is around it. */
function repeatsName(node, parent) {
	if (node.children.length > 1)
		return false;
	const text = node.name ? node.children.length === 0 && node.name : onlyText(node);
	return Boolean(text) && parent.element !== null && !hasProperties(node) && addsNothingTo(text, parent.name);
}

/* Whether `text` is the name, or consists of icons and at most the name. */
const addsNothingTo = (text, name) => text === name ||
	hasIcons(text) && name !== '' && ['', name].includes(collapseSpace(withoutIcons(text)));

/* A node without name and contents that is not there to be pressed either. */
const isContentless = node => node.children.length === 0 && !node.name && !node.isKept && !isPointerTop(node);

/* Whether it has the pointer cursor, and no possible target around it has. */
function isPointerTop(node) {
	if (!node.hasPointer || !node.isTarget)
		return false;
	for (let around = node.parent; around?.element; around = around.parent) {
		if (around.hasPointer && around.isTarget)
			return false;
	}
	return true;
}
