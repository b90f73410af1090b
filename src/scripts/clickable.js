/*
 * Elements that nothing but an event listener makes clickable: empty boxes (colour fields, cells, handles), icons
 * without text, spans in the middle of a line, SVG shapes. The reference leaves them out, as they have neither a role nor
 * a text of their own. Here they have a node with marks (see markOf()) when
 *  - they listen for presses, drags or drops themselves, or can be dragged or focused;
 *  - they are one of several boxes alike, and at most CONTAINER_LEVELS above them something listens for presses: the
 *    squares of a board, the fields of a palette. Lines and dots are too small for that, and parts of a button are not asked;
 *  - they stand in a line of text and show the pointing hand, which what is around them does not.
 * What has a line with a ref anyway is not asked, and of many elements that are alike a sample is, so that a page without
 * such elements looks as before, and takes no longer.
 */
import { hasArea } from './area.js';
import { colourName } from './colours.js';
import { isShown, styleOf } from './contents.js';
import { hasIcons, ICONS } from './extended.js';
import { boxesIn, colourOfShape, cornersOf, isRound, isSignInPicture, placeInPicture } from './hints.js';
import { TAKEN_WRONGLY } from './pieces.js';
import { askPageWorld, canBeAsked } from './pageworld.js';
import { isBackground, isLarge, MEDIA_TAGS } from './pictures.js';
import { attributeOf, flatParent, hasAttribute, hasAttributes, isInside, rectOf, spaceOf, SVG_SPACE, tagOf } from './raw.js';
import { isTabStop, roleOf } from './roles.js';
import { hasOwnSummary } from './states.js';
import { isText } from './treenode.js';

const SAMPLE = 50; /* of a group of elements that are alike */
const ASKED_MAX = 5000; /* elements in a snapshot */
const CONTAINER_LEVELS = 3;
const ALIKE_SIZE = 10; /* px each way */
const PRESS = 1, DRAG = 2, DROP = 4; /* as functions/listeners.js answers */
const SVG_SHAPES = new Set(['circle', 'ellipse', 'g', 'image', 'line', 'path', 'polygon', 'polyline', 'rect', 'use']);
const CONTENTS_MAX = 20; /* nodes in what is one thing to press */
/* Several of one kind in a container, which listens for all of them. */
const LISTED_ROLES = new Set(['listitem', 'row']);
const PRESSED_WITH_CONTROLS = new Set([...LISTED_ROLES, 'article', 'cell', 'columnheader', 'gridcell', 'rowheader']);
/* Parts of a page around which a listener is not for pressing them. */
const UNPRESSED = new Set(['alert', 'alertdialog', 'application', 'banner', 'complementary', 'contentinfo', 'dialog', 'document', 'feed', 'form',
	'grid', 'iframe', 'list', 'listbox', 'log', 'main', 'menu', 'menubar', 'navigation', 'radiogroup', 'region', 'rowgroup', 'scrollbar', 'search',
	'searchbox', 'spinbutton', 'status', 'summary', 'table', 'tablist', 'tabpanel', 'toolbar', 'tree', 'treegrid']);
/* Roles of elements that get the focus only because a user does something with them. '' and null: no role. */
const FOCUSED_TO_PRESS = new Set([null, '', 'cell', 'columnheader', 'generic', 'gridcell', 'listitem', 'none', 'paragraph', 'presentation', 'row', 'rowheader']);
const WHOLE_CONTROLS = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'option', 'menuitem', 'menuitemcheckbox',
	'menuitemradio', 'slider', 'textbox', 'combobox']);

/* Elements of one class, or tag. Of large groups some are asked, and the others where one of these listens. */
const groupOf = element => hasAttributes(element) && attributeOf(element, 'class') || tagOf(element);
const listeningGroups = new Set(); /* as earlier snapshots of this document found */

export class ClickableFinder {
	/* `asksAll`: what has a text, a role or contents is asked as well */
	constructor(asksAll) {
		this.asksAll = asksAll;
		this.groups = new Map(); /* sizes */
		this.sample = [];
		this.others = [];
		this.inLine = [];
		this.listenersUnanswered = false; /* the script of the page's own world did not answer */
		this.taking = null; /* of pieces.js */
		this.repeatedGroups = new Set(); /* with elements in pieces that were taken over */
		this.expected = []; /* [element, answer] of these pieces */
		this.answers = new Map(); /* of all elements that were asked */
	}

	/*
	 * Whether the element is to be asked. Where it has no node for another reason (`isNode`), it gets one until then, and an id is a
	 * reason to ask: a script may look for it.
	 */
	wants(element, isNode = false) {
		const group = groupOf(element);
		const isWanted = this.isWanted(element, group, isNode);
		this.groups.set(group, (this.groups.get(group) ?? 0) + 1);
		this.taking?.logWanted(element, group, isWanted, isNode);
		return isWanted;
	}

	isWanted(element, group, isNode) {
		return (this.groups.get(group) ?? 0) < SAMPLE || listeningGroups.has(group) || !isNode && hasAttribute(element, 'id');
	}

	/* Whether the answers of wants() for a piece of the page would be again what they were, and what was asked may be asked again. */
	repeats({ wanted, asked }) {
		if (wanted.some(({ element, group, isWanted, isNode }) => {
			const isWantedNow = this.isWanted(element, group, isNode);
			return isNode ? isWantedNow !== isWanted : isWantedNow;
		}))
			return false;
		for (const { group } of wanted) {
			this.groups.set(group, (this.groups.get(group) ?? 0) + 1);
			this.repeatedGroups.add(group);
		}
		this.expected.push(...asked);
		return true;
	}

	/* A node that is built, with those in it. */
	consider(node) {
		const { element, tag, bare, role } = node;
		if (!bare && attributeOf(element, 'draggable') === 'true')
			node.abilities = DRAG;
		if (tag === 'canvas' && node.isTarget) {
			node.isKept = true;
			this.taking?.reject();
		}
		if (this.asksAll)
			this.considerPicture(node);
		if (node.isInLine) {
			this.inLine.push(node);
			this.sample.push(node);
		} else if ((role === 'generic' || role === 'img') && node.children.every(isBlankChild)) {
			node.isHollow = true;
			(this.wants(element) ? this.sample : this.others).push(node);
		} else if (this.asksAll && mayListen(node)) {
			if (tag === 'label' && element.control && !isInside(element, element.control))
				this.taking?.reject(); /* whether that is shown matters */
			(this.wants(element, true) || isPressedAnyway(node) ? this.sample : this.others).push(node);
		}
	}

	/* A picture in a control is a part of that. */
	considerPicture(node) {
		const { element, role } = node;
		if (node.ownRole === '' && node.children.every(isBlankChild) && isBackground(element)) {
			node.role = 'img';
			this.taking?.reject(); /* style sheets change it */
		}
		node.isDrawing = mayBeDrawing(node) && boxesIn(element) !== '' && !isInControl(node);
		if (node.isDrawing)
			this.taking?.reject();
		node.isPicture = (MEDIA_TAGS.has(role) || node.role === 'img' && node.name === '' && isLarge(element)) && !isInControl(node);
	}

	/*
	 * Gives the nodes their marks; what is left in line becomes text again. True: there are more than were looked at, as
	 * a large group in line listens that was not known to; the tree has to be built again.
	 */
	mark() {
		this.markAll(this.sample);
		const found = this.sample.filter(({ isKept }) => isKept).map(({ element }) => groupOf(element));
		const isNew = this.inLine.some(({ isKept, element }) => isKept && !listeningGroups.has(groupOf(element)) &&
			this.groups.get(groupOf(element)) > SAMPLE);
		found.forEach(group => listeningGroups.add(group));
		if (isNew)
			return true;
		const others = this.others.filter(({ element }) => listeningGroups.has(groupOf(element)));
		if (this.taking && (others.length || found.some(group => this.repeatedGroups.has(group))))
			throw TAKEN_WRONGLY;
		this.markAll(others.slice(0, ASKED_MAX));
		replaceByChildren(this.inLine.filter(({ isKept }) => !isKept));
		return false;
	}

	markAll(nodes) {
		const asked = nodes.filter(({ isInLine, isTarget }) => isInLine || isTarget);
		this.ask(asked);
		for (const node of asked)
			markClickable(node, this.answers);
	}

	/* What the elements of the nodes and the containers around them listen for is in `answers` then, if listeners.js answers. */
	ask(nodes) {
		const elements = new Set([...nodes.map(({ element }) => element), ...this.expected.map(([element]) => element)]);
		for (const node of nodes) {
			for (const container of needsContainers(node) ? containersOf(node) : [])
				elements.add(container);
		}
		const asked = [...elements].filter(canBeAsked);
		if (!asked.length)
			return;
		const answer = askListeners(asked);
		this.listenersUnanswered ||= answer === null;
		asked.forEach((element, i) => this.answers.set(element, answer?.[i] ?? 0));
		if (this.expected.some(([element, expected]) => this.answers.get(element) !== expected))
			throw TAKEN_WRONGLY;
		this.expected = [];
	}

	/* [element, answer] of all elements on whose answers the marks in a piece depend, given those that wants() was asked about in it */
	askedIn(wanted) {
		const elements = new Set();
		for (const { element, isWanted, isNode } of wanted) {
			if (!isWanted || !isNode)
				continue;
			elements.add(element);
			for (let around = flatParent(element), level = 0; around && level < CONTAINER_LEVELS; around = flatParent(around), level++)
				elements.add(around);
		}
		return [...elements].filter(element => this.answers.has(element)).map(element => [element, this.answers.get(element)]);
	}
}

/* Boxes that a user can press are that. */
const mayBeDrawing = node => node.ownRole === '' && node.children.some(child => !isText(child)) && node.children.every(isBlankChild) && !node.hasPointer &&
	!node.children.some(child => !isText(child) && child.hasPointer);

const needsContainers = node => node.isHollow ? isOneOfMany(node) : LISTED_ROLES.has(node.role) && !isOfOtherCells(node);

/* A row of headers, or of cells that are reached one by one. */
const isOfOtherCells = ({ children }) => children.some(child => child.role === 'gridcell' || child.role === 'columnheader');

/* Whether an element with contents can be what a user presses: neither a control, nor a part of the page with much or with controls in it. */
function mayListen(node) {
	if (WHOLE_CONTROLS.has(node.role) || UNPRESSED.has(node.role) || node.isFrame)
		return false;
	return node.end - node.order <= CONTENTS_MAX && (PRESSED_WITH_CONTROLS.has(node.role) || !holdsControl(node));
}

const holdsControl = node => node.children.some(child => !isText(child) && (child.isFrame || WHOLE_CONTROLS.has(child.role) || holdsControl(child)));

const isBlankChild = child => isText(child) ? !child.trim() || hasIcons(child) && !child.replace(ICONS, '').trim() : child.isHollow;

function markClickable(node, listened) {
	const { element, tag } = node;
	node.abilities |= listened.get(element) ?? 0;
	if (isPressedAnyway(node) || tag === 'label' && isForHidden(element))
		node.abilities |= PRESS;
	if (!node.abilities && needsContainers(node) && isListenedAround(node, listened))
		node.abilities = PRESS;
	const isKept = node.abilities !== 0 || node.isInLine && isPointerInLine(node);
	if (isKept && node.isTarget && !isWholeControl(node))
		node.isKept = true;
}

/* A box around clickable boxes is not one itself; nodes come after those inside them. */
const isListenedAround = (node, listened) => !node.children.some(({ isKept }) => isKept) &&
	containersOf(node).some(container => listened.get(container) & PRESS);

/* Whether its attributes say so, or, of a <details> without a summary, what the browser draws. */
const isPressedAnyway = ({ element, tag, bare, isHollow, ownRole }) => tag === 'details' ? !hasOwnSummary(element) :
	!bare && (isHollow || FOCUSED_TO_PRESS.has(ownRole)) && isTabStop(element);

/* A label that a user presses because the control itself is not there to be pressed. */
function isForHidden({ control }) {
	return control !== null && (!isShown(control) || control.type === 'file' && !hasArea(control));
}
const isPointerInLine = ({ element }) => styleOf(element).cursor === 'pointer' && styleOf(flatParent(element)).cursor !== 'pointer';

function isInControl(node) {
	let around = node.parent;
	while (around !== null && !WHOLE_CONTROLS.has(around.role))
		around = around.parent;
	return around !== null;
}

/* Around it is nothing but a control: that is what a user presses. */
function isWholeControl(node) {
	let around = node.parent;
	while (around.role === 'generic' && around.element && !around.isKept && around.children.filter(child => !isText(child) || child.trim()).length === 1)
		around = around.parent;
	return WHOLE_CONTROLS.has(around.role) && around.children.filter(child => !isText(child) || child.trim()).length === 1;
}

/* The elements around a node, as far as they may listen for it. None inside of a control. */
function containersOf(node) {
	const containers = [];
	for (let around = flatParent(node.element); around && containers.length < CONTAINER_LEVELS; around = flatParent(around)) {
		if (around === document.body || around === document.documentElement)
			break;
		if (WHOLE_CONTROLS.has(roleOf(around)))
			return [];
		containers.push(around);
	}
	return containers;
}

/* Next to it is another one of its tag and size. */
function isOneOfMany({ element }) {
	const { width, height } = rectOf(element);
	return width >= ALIKE_SIZE && height >= ALIKE_SIZE && [element.previousElementSibling, element.nextElementSibling].some(other => {
		if (!other || tagOf(other) !== tagOf(element))
			return false;
		const box = rectOf(other);
		return Math.abs(box.width - width) <= 1 && Math.abs(box.height - height) <= 1;
	});
}

function replaceByChildren(nodes) {
	const isGone = new Set(nodes);
	for (const parent of new Set(nodes.map(({ parent }) => parent)))
		parent.children = parent.children.flatMap(child => isGone.has(child) ? child.children : [child]);
}

/*
 * [clickable], [draggable], [drop-target]; of an SVG shape its kind, fill and size, of an empty box its colour, by which
 * a user distinguishes it from others: " [clickable] [circle] [fill=red] [size=20x20]".
 */
export function markOf(node) {
	const { element, tag, abilities, isKept } = node;
	let mark = '';
	if (abilities & PRESS)
		mark += ' [clickable]';
	if (abilities & DRAG)
		mark += ' [draggable]';
	if (abilities & DROP)
		mark += ' [drop-target]';
	if (!isKept)
		return mark;
	if (tag === 'canvas')
		return mark + ' [canvas]' + sizeMark(element);
	if (node.isPicture)
		return mark + sizeMark(element);
	if (spaceOf(element) === SVG_SPACE && (SVG_SHAPES.has(tag) || isSignInPicture(element)))
		return mark + shapeMark(element, tag);
	if (!node.isHollow)
		return mark;
	return `${mark}${isRound(element) ? ' [circle]' : ''}${colourMark(styleOf(element).backgroundColor)}`;
}

export function sizeWord(element) {
	const { width, height } = rectOf(element);
	return `size=${Math.round(width)}x${Math.round(height)}`;
}

const sizeMark = element => ` [${sizeWord(element)}]`;

function shapeMark(element, tag) {
	const corners = cornersOf(element), [kind, colour] = colourOfShape(element);
	return ` [${tag}]${corners ? ` [corners=${corners}]` : ''}${colour && ` [${kind}=${colour}]`}${sizeMark(element)}` +
		` [at=${placeInPicture(element)}]`;
}

function colourMark(colour) {
	const name = colourName(colour);
	return name && ` [color=${name}]`;
}

/* One digit for each element, or null. */
function askListeners(elements) {
	const answer = askPageWorld('listeners', elements);
	return answer !== null && answer.length === elements.length && /^[0-7]*$/.test(answer) ? Array.from(answer, Number) : null;
}
