/*
 * The tree that a snapshot shows. The builder makes a node for each element that is shown, in one walk over the flat
 * tree; condense.js then leaves out what says nothing, or says it again. A node is
 *   { element, role, children, name, ... }
 * whose children are nodes and strings.
 */
import { areaBoxes, hasArea, isAreaShown, isScaledAway } from './area.js';
import { isLarge, MEDIA_TAGS } from './pictures.js';
import { ClickableFinder } from './clickable.js';
import { computeShown, hidesTexts, isAriaHidden, isShown, pseudoText, shownTexts, styleOf, UNRENDERED_TAGS } from './contents.js';
import { activeElement, bodyOf, focusedElement, hasWindowFocus, isContentEditable } from './dom.js';
import { hasIcons, isExtended, isHiddenControl } from './extended.js';
import { internalsOf } from './internals.js';
import { labelsOf } from './labels.js';
import { ariaLabel, childrenOf, NAMED_BY_CONTENT, nameOf, nameOfHidden, NATIVE_OFFERS } from './names.js';
import { shownValue } from './privatefields.js';
import { mayHavePseudo, pseudoRulesOf } from './pseudorules.js';
import {
	attributeOf, closest, collapseSpace, dataOf, ELEMENT, elementsByIds, firstElementOf, firstOf, flatParent, hasAttribute, hasAttributes, isFrameTag,
	MATH_SPACE, nextOf, rawCheckVisibility, rectOf, rootOf, shadowOf, spaceOf, SVG_SPACE, tagOf, TEXT, textOf, typeOfNode,
} from './raw.js';
import { APART_TAGS } from './namesources.js';
import { TAKEN_WRONGLY } from './pieces.js';
import { numberedIdentity } from './refs.js';
import { computeRole, UNNAMED_ROLES } from './roles.js';
import { mayHideRoot, rootIn } from './roots.js';
import { ariaDisabledOf, disabledOf, hasOwnSummary, isSummary, rangeValueOf } from './states.js';
import { isText } from './treenode.js';

class TreeNode {
	constructor(element, tag, style, role, state = 0) {
		this.element = element;
		this.style = style;
		this.tag = tag;
		this.bare = (state & BARE) !== 0;
		this.role = role || 'generic';
		this.ownRole = role;
		this.children = [];
		this.parent = null; /* as built */
		this.ariaHidden = (state & UNDER_ARIA_HIDDEN) !== 0;
		this.disabled = false;
		this.isActive = false; /* has the focus */
		this.isEditable = false; /* the outermost element of those that can be typed into, whatever its role */
		this.isFrame = false;
		this.isExtra = false; /* nodes or targets in extended snapshots only */
		this.isInLine = false; /* a part of the text around it, unless it can be clicked */
		this.isMixed = false; /* shows text that is no part of its name, or not in this order */
		this.isPending = false; /* part of a name, which is not shown yet: condense.js */
		this.order = 0; /* of this node among all nodes, and of the last one in it */
		this.end = 0;
		this.abilities = 0; /* what only listeners and the like say that a user can do with it: clickable.js */
		this.isHollow = false; /* there is nothing in it but boxes, if these */
		this.isKept = false; /* though it says nothing */
		this.isPicture = false; /* without a name, or something that plays: pictures.js */
		this.isDrawing = false; /* consists of coloured boxes, unless some of these can be clicked */
		this.knownIdentity = null; /* undefined: it has a ref already, and has not been asked whether it is a target now */
		this.knownName = undefined;
		this.isQuickNameTried = false;
		this.knownNamedByTree = undefined; /* and knownText: namesources.js */
		this.knownText = undefined;
		this.knownTarget = undefined;
		this.knownPointer = undefined;
		this.knownEvents = undefined; /* whether it gets events of the pointer, and has an area */
		this.knownArea = undefined;
		this.box = null; /* once its area has mattered */
		this.piece = null; /* of which this is the node: pieces.js */
	}

	/* Computed when it is first asked for: names of most nodes are not needed. */
	get name() {
		return this.simpleName ?? (this.knownName = nameOf(this.element));
	}

	/* The name if it is known or needs no computation, else undefined. Comparing names asks for it again and again. */
	get simpleName() {
		if (this.isQuickNameTried)
			return this.knownName;
		this.isQuickNameTried = true;
		return this.knownName ??= this.isFrame ? '' : quickName(this);
	}

	/* Whether it can be the target of an action; only then it gets a ref. */
	get isTarget() {
		if (this.knownTarget === undefined)
			this.look();
		return this.knownTarget;
	}

	get hasPointer() {
		return this.knownPointer ??= this.style.cursor === 'pointer';
	}

	/* With the ref, for what can be a target: refs.js */
	get identity() {
		if (this.knownIdentity === undefined)
			this.knownIdentity = this.isTarget ? numberedIdentity(this.element) : null;
		return this.knownIdentity;
	}

	look() {
		this.knownEvents = this.isFrame || this.style.pointerEvents !== 'none';
		this.knownTarget = this.knownEvents && this.lookAtArea();
		if (!this.knownTarget && isHiddenControl(this))
			this.knownTarget = this.isExtra = true;
	}

	lookAtArea() {
		this.box = boxOf(this);
		return this.knownArea = hasArea(this.element, this.box) || isExtended && isScaledAway(this.element);
	}

	/* Whether all that has been asked about it beyond its display would have the same answer. */
	isAsBefore() {
		const { style, knownPointer, knownEvents, knownArea } = this;
		if (knownPointer !== undefined && style.cursor === 'pointer' !== knownPointer)
			return false;
		if (knownEvents !== undefined && (this.isFrame || style.pointerEvents !== 'none') !== knownEvents)
			return false;
		return knownArea === undefined || this.lookAtArea() === knownArea;
	}
}

const boxOf = ({ element, tag }) => tag === 'area' && areaBoxes(element)[0] || rectOf(element);

/*
 * Most names need no computation: nothing can give one, or the only thing inside is a text. Undefined: it has to be
 * computed. The same as nameOf() in every case.
 */
function quickName({ element, tag, bare, role, children, ariaHidden }) {
	if (UNNAMED_ROLES.has(role) && role !== 'generic')
		return '';
	const byContent = NAMED_BY_CONTENT.has(role);
	if (NATIVE_OFFERS[tag] && !(tag === 'button' && !labelsOf(element).length) || tag === 'summary')
		return undefined;
	if (!bare && (hasAttribute(element, 'aria-label') || hasAttribute(element, 'aria-labelledby') ||
		hasAttribute(element, 'title')))
		return undefined;
	if (!byContent)
		return spaceOf(element) === SVG_SPACE || internalsOf(element) ? undefined : '';
	if (ariaHidden || children.length !== 1 || !isText(children[0]))
		return undefined;
	const child = firstOf(element);
	const isPlain = child && !nextOf(child) && typeOfNode(child) === TEXT && !shadowOf(element);
	return isPlain && !hasIcons(children[0]) ? collapseSpace(children[0]) : undefined;
}

/* What an element has from those around it and its own attributes. */
const UNDER_ARIA_DISABLED = 1;
const UNDER_ARIA_HIDDEN = 2;
const BARE = 4; /* it has no attributes itself */

function stateOf(element, above) {
	if (!hasAttributes(element) && !internalsOf(element))
		return above | BARE;
	const disabled = ariaDisabledOf(element, (above & UNDER_ARIA_DISABLED) !== 0);
	const hidden = (above & UNDER_ARIA_HIDDEN) !== 0 || isAriaHidden(element);
	return (disabled ? UNDER_ARIA_DISABLED : 0) | (hidden ? UNDER_ARIA_HIDDEN : 0);
}

function stateAround(element) {
	const around = [];
	for (let parent = flatParent(element); parent; parent = flatParent(parent))
		around.push(parent);
	return around.reduceRight((state, parent) => stateOf(parent, state), 0);
}

const SHADOW_ROOTS_MAX = 500; /* shadow roots that are observed */
const HOSTS_MAX = 60; /* that are asked about after a snapshot */

/* Levels of elements; more would use up the stack. */
const LEVELS_MAX = 800;
const READER_LEVELS_MAX = 400; /* the texts below are those of the last one */

const DOT = '•', DOTS_SHOWN = 8; /* for any password */

export class TreeBuilder {
	/*
	 * `plain`: groups and what is hidden from assistive technology get no nodes. `reader`: the tree is for read.js, for the text that can
	 * be seen. Presentational elements have nodes, too, as they begin and end lines; closed shadow roots count as open ones; editable
	 * elements have their text; reader.leavesOut(element, tag) says what is left out with all that is in it. `conceals`: of what is in a
	 * password field there are dots alone, as a person sees it.
	 */
	constructor({ plain = false, reader = null, outline = false, conceals = false } = {}) {
		this.plain = plain;
		this.conceals = conceals;
		this.reader = reader;
		this.outline = outline;
		this.shadowRoots = []; /* that were gone through, for outlines */
		this.hosts = []; /* elements that may have a closed shadow root */
		this.separates = outline || reader !== null; /* the words of neighbours that are apart on the screen */
		this.level = 0;
		this.levelsMax = reader ? READER_LEVELS_MAX : LEVELS_MAX;
		this.deeper = []; /* elements below the deepest level, {element, state, pseudo}, that are still to be visited */
		this.seen = null; /* aria-owns moves elements: where it is used, each appears once */
		this.pseudo = null; /* rules for pseudo-elements of the tree we are in */
		this.count = 0; /* of nodes */
		const focused = outline ? focusedElement : activeElement;
		this.focused = hasWindowFocus() && !plain && !reader ? focused() : null;
		this.clickable = isExtended && !plain && !reader ? new ClickableFinder(outline) : null;
		this.watchOwners(document);
		this.taking = null; /* of pieces.js */
	}

	take(taking) {
		this.taking = taking;
		if (this.clickable)
			this.clickable.taking = taking;
	}

	watchOwners(root) {
		if (this.seen || !root.querySelector('[aria-owns]'))
			return;
		this.seen = new Set();
		if (this.taking)
			throw TAKEN_WRONGLY;
	}

	/* A node whose children are the nodes that show the elements: none, their own, or those in them. */
	build(...elements) {
		const top = new TreeNode(null, '', null, 'fragment');
		this.seen?.clear();
		for (const element of elements) {
			this.pseudo = pseudoRulesOf(rootOf(element));
			this.visit(element, top, stateAround(element));
		}
		if (!this.clickable?.mark()) {
			this.taking?.built();
			return top;
		}
		if (this.taking)
			throw TAKEN_WRONGLY;
		this.clickable = new ClickableFinder(this.outline);
		return this.build(...elements);
	}

	visit(element, into, above, style = styleOf(element)) {
		const tag = tagOf(element);
		if (this.seen?.has(element))
			return;
		this.seen?.add(element);
		const { taking } = this;
		const piece = taking?.take(element, above);
		if (piece) {
			this.count += piece.elements.length;
			piece.node.parent = into;
			into.children.push(piece.node);
			return;
		}
		const start = taking?.begin();
		if (UNRENDERED_TAGS.has(tag)) {
			taking?.log(element, tag, style);
			separate(style, into);
			return;
		}
		const state = stateOf(element, above);
		if (this.plain && (state & UNDER_ARIA_HIDDEN) !== 0)
			return;
		taking?.log(element, tag, style);
		let shown = computeShown(element, tag, style);
		if (this.outline && tag === 'area') {
			shown = isAreaShown(element);
			taking?.reject(); /* that depends on an image */
		} else if (this.outline && tag === 'optgroup')
			shown = isShown(closest(element, 'select') ?? element) && style.display !== 'none';
		if (!shown && (isWithoutBoxes(element, tag, style) || this.outline && tag === 'optgroup')) {
			separate(style, into);
			return;
		}
		if (shown && (state & UNDER_ARIA_HIDDEN) !== 0) {
			shown = hasArea(element); /* hidden from assistive technology, but to be seen */
			taking?.logArea(element, shown);
		}
		if (shown && this.reader?.leavesOut(element, tag)) {
			separate(style, into);
			return;
		}
		const node = shown ? this.nodeFor(element, tag, style, state) : null;
		if (!node) {
			this.passThrough(element, tag, style, into, shown, state);
			return;
		}
		node.parent = into;
		node.order = ++this.count;
		taking?.logNode(node);
		this.fill(node, state);
		node.end = this.count;
		into.children.push(node);
		this.clickable?.consider(node);
		taking?.end(node, above, start);
	}

	nodeFor(element, tag, style, state) {
		if (isFrameTag(tag)) {
			const node = new TreeNode(element, tag, style, 'iframe', state);
			node.isFrame = true;
			this.taking?.reject();
			node.isActive = element === this.focused;
			if (this.outline)
				node.knownName = collapseSpace(ariaLabel(element) || attributeOf(element, 'title') || '');
			return node;
		}
		let role = computeRole(element, tag, (state & BARE) !== 0);
		if (role === null && this.reader && tag !== 'img')
			role = '';
		if (this.outline && !role && (MEDIA_TAGS.has(tag) || tag === 'img' && isLarge(element)))
			role = tag;
		const isPressedOnly = this.outline && role === null && (tag === 'img' || (state & BARE) === 0 && hasAttribute(element, 'onclick'));
		if (isPressedOnly)
			role = ''; /* it says nothing, but a user may press it */
		const isEditable = this.outline && ((state & BARE) === 0 || tag === 'body') && isEditingHost(element);
		if (isEditable && (!role || PLAIN_EDITABLE.has(role)))
			role = 'textbox';
		if (this.outline && role === '' && tag === 'summary' && isSummary(element))
			role = 'summary';
		if (role === null || this.plain && (role === '' || role === 'generic'))
			return null;
		const isLabelled = this.outline && (state & BARE) === 0 && hasOwnLabel(element);
		const isInLine = !isLabelled && (role === '' || role === 'generic') && isTextInLine(element, style);
		if (isInLine && !this.clickable?.wants(element))
			return null;
		const node = new TreeNode(element, tag, style, role, state);
		if (isLabelled && UNNAMED_ROLES.has(role))
			node.knownName = collapseSpace(ariaLabel(element));
		else if (this.outline && tag === 'area')
			node.knownName = nameOfHidden(element);
		else if (this.outline && LABELLED_CHOICES.has(tag) && hasAttribute(element, 'label'))
			node.knownName = collapseSpace(attributeOf(element, 'label')) || undefined;
		if (this.taking && internalsOf(element))
			this.taking.reject(); /* internals change without a mutation, so a piece that is kept would not show it */
		node.isInLine = isInLine;
		node.isExtra = isInLine || isPressedOnly;
		node.isEditable = isEditable;
		node.isActive = element === this.focused;
		node.disabled = disabledOf(element, tag, role, (state & UNDER_ARIA_DISABLED) !== 0);
		return node;
	}

	/* An element without a node of its own adds its contents to the node around it. */
	passThrough(element, tag, style, into, shown, state) {
		const apart = shown && style.display !== 'inline' || !shown;
		if (!shown || (state & UNDER_ARIA_HIDDEN) !== 0 && !into.ariaHidden || (state & BARE) === 0 && hasOwnLabel(element))
			into.isMixed = true;
		if (apart)
			into.children.push(' ');
		this.inside(element, tag, into, shown, state);
		if (apart)
			into.children.push(' ');
	}

	inside(element, tag, into, shown, state) {
		const shadow = this.reader || this.outline ? rootIn(element) : shadowOf(element);
		if (this.outline && shadow && this.shadowRoots.length < SHADOW_ROOTS_MAX)
			this.shadowRoots.push(shadow);
		if (this.outline && !shadow && shown && this.hosts.length < HOSTS_MAX && mayHideRoot(element))
			this.hosts.push(element);
		if (shown && mayHavePseudo(element, tag, this.pseudo, '::before'))
			this.pseudoText(element, '::before', into);
		if (shadow)
			this.shadow(shadow, into, shown, state);
		else if (tag === 'slot')
			this.slot(element, into, shown, state);
		else
			this.children(element, tag, into, shown, state);
		if (this.seen) {
			for (const owned of elementsByIds(element, 'aria-owns')) {
				into.isMixed = true;
				this.below(owned, into, state);
			}
		}
		if (shown && mayHavePseudo(element, tag, this.pseudo, '::after'))
			this.pseudoText(element, '::after', into);
		if (shown && this.outline && tag === 'abbr' && hasAttribute(element, 'title'))
			pushText(into, ` (${attributeOf(element, 'title')})`);
	}

	pseudoText(element, which, into) {
		this.taking?.logPseudo(element, which);
		const text = pseudoText(element, which);
		pushText(into, text !== '' && this.separates ? setOffText(element, which, text) : text);
	}

	/* Light children that a slot shows come with the slot; the others of a host are not laid out, but for closed roots. */
	shadow(root, into, shown, state) {
		this.watchOwners(root);
		this.elsewhere(root, childrenOf(root), into, shown, state);
	}

	slot(slot, into, shown, state) {
		const assigned = slot.assignedNodes();
		if (assigned.length)
			this.elsewhere(rootOf(assigned[0]), assigned, into, shown, state);
		else
			this.children(slot, 'slot', into, shown, state);
	}

	/* Nodes of another tree. */
	elsewhere(root, nodes, into, shown, state) {
		const outer = this.pseudo;
		this.pseudo = pseudoRulesOf(root);
		for (const node of nodes)
			this.child(node, into, shown, state);
		this.pseudo = outer;
	}

	children(element, tag, into, isElementShown, state) {
		const shown = isElementShown && !this.hidesTexts(element, tag);
		if (firstElementOf(element) === null || this.outline && tag === 'canvas') { /* what is in a canvas stands for the drawing */
			if (shown && this.takesTexts(into))
				pushText(into, textOf(element));
			return;
		}
		for (let child = firstOf(element); child; child = nextOf(child))
			this.child(child, into, shown, state);
	}

	child(child, into, shown, state) {
		const type = typeOfNode(child);
		if (type === ELEMENT)
			this.below(child, into, state);
		else if (type === TEXT && shown && this.takesTexts(into))
			into.children.push(dataOf(child));
	}

	/* visit() for what is inside of the element that is being visited. */
	below(element, into, state) {
		if (this.level < this.levelsMax) {
			this.level++;
			const style = styleOf(element);
			const isInLine = this.separates && !APART_TAGS.has(tagOf(element)) && style.display === 'inline';
			if (isInLine && touchesBefore(into) && isSetOff(style, 'Left'))
				into.children.push(' ');
			this.visit(element, into, state, style);
			if (this.deeper.length)
				this.visitDeeper(into);
			if (isInLine && touchesAfter(element) && isSetOff(style, 'Right'))
				into.children.push(' ');
			this.level--;
		} else if (this.reader)
			pushTextsIn(element, into);
		else {
			this.taking?.reject();
			this.deeper.push({ element, state, pseudo: this.pseudo });
		}
	}

	/* What is below the deepest level gets its nodes as well, one after the other in the node of that level. */
	visitDeeper(into) {
		const outer = this.pseudo;
		for (const todo = this.deeper.reverse(); todo.length;) {
			const { element, state, pseudo } = todo.pop();
			this.deeper = [];
			this.pseudo = pseudo;
			this.visit(element, into, state);
			for (let at = this.deeper.length - 1; at >= 0; at--)
				todo.push(this.deeper[at]);
		}
		this.deeper = [];
		this.pseudo = outer;
	}

	hidesTexts(element, tag) {
		return this.reader || this.outline ? tag === 'details' && !element.open : hidesTexts(element, tag);
	}

	/* The text of a field is its value, which is in the document where the field is no <textarea>. The reference leaves it out. */
	takesTexts({ role, tag }) {
		return role !== 'textbox' || (isExtended || this.reader !== null) && tag !== 'textarea';
	}

	fill(node, state) {
		const { element, tag } = node;
		if (node.isFrame)
			return;
		if (this.outline && tag === 'details' && !hasOwnSummary(element))
			node.children.push(WORD_OF_DETAILS, ' ');
		if (this.outline && tag === 'option' && node.knownName) { /* the browser shows its label */
			node.children.push(node.knownName);
			return;
		}
		const value = this.outline ? rangeValueOf(element, tag, node.role) || namesOfFiles(element, tag, this.taking) : '';
		if (value)
			node.children.push(value, ' ');
		else if (tag === 'input' && !VALUELESS_INPUTS.has(element.type) || tag === 'textarea')
			node.children.push(this.conceals && element.type === 'password' ? DOT.repeat(element.value.length ? DOTS_SHOWN : 0) : shownValue(element), ' ');
		this.inside(element, tag, node, true, state);
	}
}

/* What a person sees beside a button for choosing files, once some are chosen. */
function namesOfFiles(element, tag, taking) {
	if (tag !== 'input' || element.type !== 'file' || !element.files.length)
		return '';
	taking?.reject();
	return Array.from(element.files, ({ name }) => name).join(', ');
}

const LABELLED_CHOICES = new Set(['optgroup', 'option']);
const WORD_OF_DETAILS = 'Details'; /* is what the browser writes there */
const VALUELESS_INPUTS = new Set(['checkbox', 'radio', 'file']);
/* Roles of editable elements that say nothing of how they are used. */
const PLAIN_EDITABLE = new Set(['application', 'blockquote', 'code', 'definition', 'deletion', 'document', 'emphasis', 'generic', 'insertion', 'mark',
	'paragraph', 'strong', 'subscript', 'superscript', 'term', 'time']);

/* The outermost element of those that can be typed into. */
function isEditingHost(element) {
	if (!hasAttribute(element, 'contenteditable') && element !== bodyOf())
		return false;
	const parent = flatParent(element);
	return isContentEditable(element) && !(parent && isContentEditable(parent) && element !== bodyOf());
}

function pushText(node, text) {
	if (text)
		node.children.push(text);
}

/* Without nodes, and without the stack that these take. */
function pushTextsIn(element, into) {
	for (const text of shownTexts(element))
		into.children.push(text, ' ');
}

/* What is not shown still sets off the texts around it, unless it would be in line. */
function separate(style, { children }) {
	if (children.length && isText(children[children.length - 1]) && style.display !== 'inline')
		children.push(' ');
}

/* Nothing in it can be laid out, or is worth the walk: display: none. The entries of a drop-down list are. */
function isWithoutBoxes(element, tag, style) {
	if (tag === 'optgroup')
		return !isShown(closest(element, 'select') ?? document.documentElement);
	return !rawCheckVisibility.call(element) && style.display !== 'contents';
}

/* Whether a text stands directly before, or something directly behind: only then it matters whether they are apart on the screen. */
const touchesBefore = ({ children }) => children.length > 0 && (!isText(children.at(-1)) || /\S/.test(children.at(-1).slice(-1)));

function touchesAfter(element) {
	const next = nextOf(element);
	return next !== null && (typeOfNode(next) === ELEMENT || typeOfNode(next) === TEXT && /^\S/.test(dataOf(next)));
}

const GAP_MIN = 3; /* px beside an element in line that look like a blank */

/* `side`: 'Left' or 'Right' */
function isSetOff(style, side) {
	const widths = ['margin', 'padding'].map(name => style[name + side]);
	return [...widths, style[`border${side}Width`]].reduce((sum, width) => sum + Number.parseFloat(width), 0) >= GAP_MIN;
}

/* The text of a pseudo-element with blanks where its own margins make them on the screen. */
function setOffText(element, which, text) {
	const style = getComputedStyle(element, which);
	return `${isSetOff(style, 'Left') ? ' ' : ''}${text}${isSetOff(style, 'Right') ? ' ' : ''}`;
}

/* It stands for its contents in the name of the node around it. */
const hasOwnLabel = element => hasAttribute(element, 'aria-label') || hasAttribute(element, 'aria-labelledby');

/* <span>text</span>: reads as a part of the text around it. */
function isTextInLine(element, { display }) {
	const child = firstOf(element);
	if (!child || typeOfNode(child) !== TEXT || nextOf(child))
		return false;
	/* In Firefox the signs of a formula are in line by their style, but have blanks around them on the screen. */
	return (display === 'inline' || display === 'contents') && spaceOf(element) !== MATH_SPACE;
}

export function pushCollapsed(merged, text) {
	const collapsed = text && collapseSpace(text);
	if (collapsed)
		merged.push(collapsed);
}
