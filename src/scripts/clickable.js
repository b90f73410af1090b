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
import { styleOf } from './contents.js';
import { hasIcons, ICONS } from './extended.js';
import { TAKEN_WRONGLY } from './pieces.js';
import {
	attributeOf, flatParent, FRAGMENT, hasAttribute, hasAttributes, parentNodeOf, previousOf, rectOf, rootOf, spaceOf,
	SVG_SPACE, tagOf, typeOfNode,
} from './raw.js';
import { hasTabIndex, roleOf } from './roles.js';
import { isText } from './treenode.js';

const SAMPLE = 50; /* of a group of elements that are alike */
const ASKED_MAX = 5000; /* elements in a snapshot */
const CONTAINER_LEVELS = 3;
const ALIKE_SIZE = 10; /* px each way */
const PRESS = 1, DRAG = 2, DROP = 4; /* as functions/listeners.js answers */
const SVG_SHAPES = new Set(['circle', 'ellipse', 'g', 'image', 'line', 'path', 'polygon', 'polyline', 'rect', 'use']);
const WHOLE_CONTROLS = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'option', 'menuitem', 'menuitemcheckbox',
	'menuitemradio', 'slider', 'textbox', 'combobox']);

/* Elements of one class, or tag. Of large groups some are asked, and the others where one of these listens. */
const groupOf = element => hasAttributes(element) && attributeOf(element, 'class') || tagOf(element);
const listeningGroups = new Set(); /* as earlier snapshots of this document found */

export class ClickableFinder {
	constructor() {
		this.groups = new Map(); /* sizes */
		this.sample = [];
		this.others = [];
		this.inLine = [];
		this.listenersUnanswered = false; /* the script of the page's own world did not answer */
		this.taking = null; /* of pieces.js */
		this.repeatedGroups = new Set(); /* with elements in pieces that were taken over */
	}

	/* Whether it is worth a node until it is asked. An id is a reason: a script may look for it. */
	wants(element) {
		const group = groupOf(element);
		const size = (this.groups.get(group) ?? 0) + 1;
		this.groups.set(group, size);
		const isWanted = size <= SAMPLE || listeningGroups.has(group) || hasAttribute(element, 'id');
		this.taking?.logWanted(element, group, isWanted);
		return isWanted;
	}

	/* Whether the answers of wants() for a piece of the page would be again what they were: no. */
	repeats(wanted) {
		if (wanted.some(({ element, group }) => (this.groups.get(group) ?? 0) < SAMPLE || listeningGroups.has(group) || hasAttribute(element, 'id')))
			return false;
		for (const { group } of wanted) {
			this.groups.set(group, (this.groups.get(group) ?? 0) + 1);
			this.repeatedGroups.add(group);
		}
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
		if (node.isInLine) {
			this.inLine.push(node);
			this.sample.push(node);
		} else if ((role === 'generic' || role === 'img') && node.children.every(isBlankChild)) {
			node.isHollow = true;
			(this.wants(element) ? this.sample : this.others).push(node);
		}
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
		const listened = asked.length ? this.listened(asked) : null;
		for (const node of asked)
			markClickable(node, listened);
	}

	/* element -> what it and the containers around it listen for; null when listeners.js does not answer */
	listened(nodes) {
		const elements = new Set(nodes.map(({ element }) => element));
		for (const node of nodes) {
			for (const container of node.isHollow && isOneOfMany(node) ? containersOf(node) : [])
				elements.add(container);
		}
		const answer = askListeners([...elements]);
		this.listenersUnanswered ||= answer === null;
		return answer && new Map([...elements].map((element, i) => [element, answer[i]]));
	}
}

const isBlankChild = child => isText(child) ? !child.trim() || hasIcons(child) && !child.replace(ICONS, '').trim() : child.isHollow;

function markClickable(node, listened) {
	const { element } = node;
	node.abilities |= listened?.get(element) ?? 0;
	if (node.isHollow && hasTabIndex(element) && element.tabIndex >= 0)
		node.abilities |= PRESS;
	if (!node.abilities && node.isHollow && listened && isListenedAround(node, listened))
		node.abilities = PRESS;
	const isKept = node.abilities !== 0 || node.isInLine && isPointerInLine(node);
	if (isKept && node.isTarget && !isWholeControl(node))
		node.isKept = true;
}

/* A box around clickable boxes is not one itself; nodes come after those inside them. */
const isListenedAround = (node, listened) => !node.children.some(({ isKept }) => isKept) && isOneOfMany(node) &&
	containersOf(node).some(container => listened.get(container) & PRESS);
const isPointerInLine = ({ element }) => styleOf(element).cursor === 'pointer' && styleOf(flatParent(element)).cursor !== 'pointer';

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
	if (spaceOf(element) === SVG_SPACE && SVG_SHAPES.has(tag))
		return `${mark} [${tag}]${colourMark('fill', styleOf(element).fill)}${sizeMark(element)}`;
	return node.isHollow ? mark + colourMark('color', styleOf(element).backgroundColor) : mark;
}

function sizeMark(element) {
	const { width, height } = rectOf(element);
	return ` [size=${Math.round(width)}x${Math.round(height)}]`;
}

const NAMED_COLOURS = {
	__proto__: null, '#000000': 'black', '#ffffff': 'white', '#ff0000': 'red', '#00ff00': 'lime', '#0000ff': 'blue',
	'#ffff00': 'yellow', '#00ffff': 'cyan', '#ff00ff': 'magenta', '#808080': 'gray', '#008000': 'green', '#800080': 'purple',
	'#ffa500': 'orange', '#a52a2a': 'brown', '#ffc0cb': 'pink',
};

/* A colour as computed style has it, by its name where that is well known. Nothing for what is transparent. */
function colourMark(kind, colour) {
	const [, red, green, blue, alpha] = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(colour) ?? [];
	if (red === undefined || Number(alpha) === 0)
		return '';
	const text = '#' + [red, green, blue].map(part => Number(part).toString(16).padStart(2, '0')).join('');
	return ` [${kind}=${NAMED_COLOURS[text] ?? text}]`;
}

/*
 * Only the page's own world knows its listeners, so they are asked for by an event that listeners.js hears there, and
 * answers by another before dispatchEvent() returns. Ranges are what an event can carry elements in; those in shadow
 * trees it does not, they are named by their host and the way down from it. What comes back is the page's word, and
 * decides about marks alone: one digit for each element, or null.
 */
function askListeners(elements) {
	if (!globalThis.browserdListeners)
		return null;
	const { addEventListener: add, removeEventListener: remove, dispatchEvent: dispatch } = EventTarget.prototype;
	const name = `${globalThis.browserdListeners}-listened`;
	let answer = null;
	const onAnswer = event => {
		event.stopImmediatePropagation();
		answer = event.data;
	};
	const ways = [];
	const targetRanges = elements.map((element, i) => rangeAt(outermost(element, way => ways.push(`${i}:${way}`))));
	add.call(window, name, onAnswer, true);
	dispatch.call(window, new InputEvent(`${globalThis.browserdListeners}-listens`, { targetRanges, data: ways.join(' ') }));
	remove.call(window, name, onAnswer, true);
	return answer !== null && answer.length === elements.length && /^[0-7]*$/.test(answer) ? Array.from(answer, Number) : null;
}

const rangeAt = node => new StaticRange({ startContainer: node, startOffset: 0, endContainer: node, endOffset: 0 });

/*
 * The outermost host of the shadow roots that contain `element`, or itself. `report` gets the way down from that host, if there
 * is one: in "/2.0/1", each "/" enters a shadow root and the numbers are child indices.
 */
function outermost(element, report) {
	let at = element, way = '';
	for (let root = rootOf(at); typeOfNode(root) === FRAGMENT; root = rootOf(at)) {
		const numbers = [];
		for (; at !== root; at = parentNodeOf(at))
			numbers.unshift(numberOf(at));
		way = `/${numbers.join('.')}${way}`;
		at = root.host;
	}
	if (way)
		report(way);
	return at;
}

function numberOf(node) {
	let number = 0;
	for (let before = previousOf(node); before; before = previousOf(before))
		number++;
	return number;
}
