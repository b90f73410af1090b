/*
 * Leaving out of a built tree (tree.js) what says nothing, or says it again. In this order, for each node when those in
 * it are done: texts side by side become one; images that say nothing go; a name goes whose parts the lines below show;
 * a group with one text takes the text of the group in it; a group that repeats the name of the node around it goes; a
 * group of one node, or none, gives way to it.
 */
class Condenser {
	/* `depth`: the deepest level of nodes that is shown, counted as built */
	constructor(depth) {
		this.depth = depth;
	}

	children(node, depth) {
		if (node.children.every(isText))
			return;
		const kept = [];
		for (const child of node.children) {
			if (isText(child))
				kept.push(child);
			else
				this.child(child, node, depth, kept);
		}
		node.children = kept;
	}

	child(node, parent, depth, kept) {
		const lenders = lendersOf(node);
		for (const lender of lenders)
			lender.isPending = true;
		if (depth <= this.depth && !isLeafGroup(node))
			node.isPending = false;
		this.children(node, depth + 1);
		mergeText(node);
		if (node.role === 'img' && isMute(node))
			return;
		if (lenders.length)
			dropShownName(node, lenders);
		takeInnerText(node);
		if (repeatsName(node, parent))
			node.isPending = true;
		else if (node.role === 'generic' && isMereGroup(node))
			kept.push(...node.children);
		else
			kept.push(node);
	}
}

function condense(tree, depth) {
	new Condenser(depth).children(tree, 0);
	tree.children = mergedText(tree.children);
}

const isLeafGroup = node => node.role === 'generic' && node.children.every(isText);
const onlyText = node => node.children.length === 1 && isText(node.children[0]) ? node.children[0] : null;
const hasProperties = node => node.isActive || node.mark !== '' || isAriaHidden(node.element);

function mergeText(node) {
	node.children = mergedText(node.children);
	const text = onlyText(node);
	if (text !== null && text === node.name)
		node.children = [];
}

/* `lenders`: what the name is made of. What the lines in it do not show stays with the name. */
function dropShownName(node, lenders) {
	if (!node.isTarget)
		return;
	if (lenders.some(lender => lender.isPending && lender.isTarget)) {
		for (const lender of lenders)
			lender.isPending = false;
	} else if (lenders.some(lender => lender.isTarget))
		node.knownName = '';
}

function takeInnerText(node) {
	const [child] = node.children;
	if (node.role !== 'generic' || node.children.length !== 1 || isText(child) || child.role !== 'generic')
		return;
	const text = onlyText(child);
	if (text !== null && !child.name && !hasProperties(child) && !isAriaHidden(node.element))
		node.children = [text];
}

/* A group with nothing but the name of what is around it. */
function repeatsName(node, parent) {
	if (node.role !== 'generic' || node.children.length > 1)
		return false;
	const text = node.name ? node.children.length === 0 && node.name : onlyText(node);
	return Boolean(text) && parent.element !== null && text === parent.name && !hasProperties(node);
}

/* Nothing is lost without it: no name, and at most one child, which can be aimed at itself. */
function isMereGroup(node) {
	const [child] = node.children;
	if (node.children.length > 1 || child !== undefined && (isText(child) || !child.isTarget) || node.mark && child === undefined)
		return false;
	return !node.name && (child !== undefined || !isPointerTop(node));
}

/* It says nothing, and is not there to be pressed either. */
const isMute = node => node.children.length === 0 && !node.name && !node.mark && !isPointerTop(node);

/* It shows the pointing hand, and no node around it that can be aimed at does. */
function isPointerTop(node) {
	if (!node.hasPointer || !node.isTarget)
		return false;
	for (let around = node.parent; around?.element; around = around.parent) {
		if (around.hasPointer && around.isTarget)
			return false;
	}
	return true;
}
