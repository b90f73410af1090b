/*
 * The accessibility snapshot in the short notation for agents (docs/answers.md), as rows that src/view reads:
 *   DEPTH KIND FLAGS KEY<tab>TEXT
 * DEPTH is the level of indentation. KIND is a letter of KINDS, or the level of a heading. FLAGS are letters of Row.flags, or "-". KEY
 * identifies the element from one snapshot of its document to the next. TEXT has no line breaks and no tabs, and nothing that a page
 * wrote can be read in it as a role, a ref, a cursor or a part of an answer: names are in quotes, and other texts are where they
 * look like notation. What the server must find in a row again has a mark in the place of a character, so that the text is as long as
 * it is shown.
 */
import { markOf, sizeWord } from './clickable.js';
import { focusedElement, queryAll } from './dom.js';
import { Failure } from './failure.js';
import { boxesIn, hintOf, shapesIn } from './hints.js';
import {
	NO_PARTS, OPTIONS_FEW, areMany, countedOptions, definitionsFrom, isAroundControl, isClickedLabelOf, isIconOf, isTerm, linkWords, linksIn, optionsIn, pairOf, sayOptions, selectedIn, separatorIn,
} from './outlineparts.js';
import { ACTABLE, BLOCKS, CELLS, CONTAINERS, ITEMS, LANDMARKS, MESSAGES, ONE_LINE, PHRASES, SCOPES } from './outlineroles.js';
import { stateWords } from './outlinestates.js';
import { BETWEEN_CELLS, BETWEEN_PARTS, MARK_REF, NAME_MAX, addressText, bare, inQuotes, joinLabel, optionName, plain, shorten } from './outlinetext.js';
import {
	anchorIn, contentsOf, isAnchorOf, isGlyphs, isLabelOf, isOwnName, isSaidByHint, isSaidByName, nameWithoutAnchor, repeatsContent, wordsOf,
} from './outlinewords.js';
import { PART_LENGTH, sendPart } from './parts.js';
import { placeOfAction } from './place.js';
import { attributeOf, collapseSpace, flatParent, hasAttribute, isAttached, queryIn, rectOf, tagOf, textOf } from './raw.js';
import { handleOf } from './refs.js';
import { argumentRegex } from './regex.js';
import { hasTabIndex, isTabStop } from './roles.js';
import { levelOf, setOf } from './states.js';
import { showsUsualText, tickingNodes } from './ticks.js';
import { isText } from './treenode.js';
import { VALUE_FORMS } from './typing.js';

const LINE_MAX = 400; /* UTF-16 units of a line that has several parts */
const GROUP_MAX = 160; /* the same of a region or group */
const OPTIONS_MAX = 120; /* the same of a list whose options are shown; of a longer one the selected ones are */
const LINKS_LEAST = 6; /* of a navigation whose names are enough */
const LEVEL_MAX = 40; /* deeper rows stay at this depth */
const INVALID = '[aria-invalid="true"], [aria-invalid="grammar"], [aria-invalid="spelling"]', INVALID_MARKED = 20;
const VIEWPORT_FROM = 3000; /* UTF-16 units of rows; shorter views have room for everything, wherever it is */
export const FRAME_MARK = '\x1f'; /* where the server puts what a frame shows; no text of a page contains it, because it is escaped there */
const bytesIn = text => new TextEncoder().encode(text).length;

/* Keys differ between documents, so that the rows of two are never taken for the same. */
const KEY = Symbol('key');
let lastKey = Math.floor(Math.random() * 2 ** 40);
/* `element` stands in the place of `old`. */
export function inheritKey(old, element) {
	element[KEY] ??= old[KEY];
}

const rowKeyOf = element => (element[KEY] ??= ++lastKey).toString(36);

class Row {
	constructor(depth, kind, element, key, text, node) {
		this.depth = depth;
		this.kind = kind;
		this.element = element;
		this.node = node; /* of the element, or null */
		this.key = key;
		this.text = text;
		this.flags = ''; /* f: has the focus, p: the last action was here, v: in the viewport, s: changes by itself, a: all of it does, m: matches the query, w: as a whole word; then the byte where in a long text; h: names columns, e: has to be corrected */
	}
}

/*
 * {text} or {regex} -> {matches, placeIn}: what the words of a row are for the query, '', 'm' or 'mw', and where in a text it is, or -1.
 */
function matcherOf({ text, regex }) {
	if (text !== undefined) {
		const wanted = text.toLowerCase();
		const isWord = character => character !== undefined && /[\p{L}\p{N}_]/u.test(character);
		const placeIn = words => words.toLowerCase().indexOf(wanted);
		const matches = words => {
			const all = words.toLowerCase();
			const at = placeIn(words);
			if (at < 0)
				return '';
			return isWord(all[at - 1]) || isWord(all[at + wanted.length]) ? 'm' : 'mw';
		};
		return { matches, placeIn };
	}
	try {
		const expression = argumentRegex(regex);
		const placeIn = words => words.search(expression);
		return { matches: words => placeIn(words) < 0 ? '' : 'mw', placeIn };
	} catch {
		throw new Failure('INVALID_REGEX', 'badExpression');
	}
}

export class OutlineWriter {
	constructor({ depth = 0, boxes = false, refPrefix = '', indent = 0, number = 0, room = Infinity, urls = false, query = null }, roots = []) {
		this.depth = depth > 0 ? depth : Infinity;
		this.boxes = boxes;
		this.prefix = refPrefix;
		this.indent = indent;
		this.number = number;
		this.room = room;
		this.urls = urls;
		this.query = query && matcherOf(query);
		this.roots = roots;
		this.isInMain = false;
		this.looksAround = false; /* the rows depend on what is no part of a piece: colours, neighbours */
		this.rows = [];
		this.length = 0;
		this.frames = [];
	}

	/* ---- what is written of a node ---- */

	isClickable(node) {
		return (node.isKept || node.abilities !== 0 || !node.inPointer && node.hasPointer) && node.identity !== null && !isAroundControl(node);
	}

	/* '' where nothing can be done with it. */
	refOf(node, isAlone) {
		const target = node.anchor ?? node;
		const acts = ACTABLE.has(target.role) || isAlone && SCOPES.has(target.role) || this.isClickable(node) || node.isPicture || isFocusedItself(node) || isReachedByKeys(node) || node.isEditable;
		if (!acts || target.identity === null)
			return '';
		target.identity.isShown = true;
		return MARK_REF + target.identity.ref;
	}

	roleWord(node) {
		const { role, element } = node;
		if (node.term !== undefined)
			return plain(shorten(node.term));
		if (role === 'heading')
			return 'h' + Math.min(levelOf(element, role) || 2, 6);
		if (BLOCKS.has(role) || PHRASES.has(role) || node.isPaired)
			return this.isClickable(node) ? 'clickable' : node.name || node.isActive || isReachedByKeys(node) ? 'group' : '';
		return role;
	}

	/* role "name" ref states, without what is in it. */
	label(node, isAlone) {
		const word = this.roleWord(node);
		const { name } = node;
		let text = word;
		if (name && !repeatsContent(node))
			text += (text && ' ') + inQuotes(this.shortenName(name));
		text += this.refOf(node, isAlone) + stateWords(node) + this.marks(node);
		const hint = this.hintFor(node, text);
		if (hint)
			text += ` hint=${inQuotes(hint)}`;
		const url = node.role === 'link' && (this.urls || !name && !wordsOf(node).trim()) ? attributeOf(node.element, 'href') : null;
		if (url)
			text += ' -> ' + addressText(url);
		const placeholder = node.role === 'textbox' || node.role === 'searchbox' ? attributeOf(node.element, 'placeholder') ?? emptyFormOf(node) : null;
		return placeholder && placeholder !== name ? `${text} placeholder=${inQuotes(shorten(placeholder))}` : text;
	}

	/* Of what is searched for, the part of the name with it. */
	shortenName(name) {
		const place = this.query && name.length > NAME_MAX ? this.query.placeIn(name) : 0;
		return place < NAME_MAX / 2 ? shorten(name) : '...' + shorten(name.slice(place - NAME_MAX / 4).toWellFormed());
	}

	/* Words from the source of the page for a control or a picture that has no name, or '' where it has one. */
	hintFor(node, label) {
		const acts = (ACTABLE.has(node.role) || this.isClickable(node) || node.isPicture) && label.includes(MARK_REF);
		const isDrawn = node.isPicture && node.tag === 'svg';
		if (!acts || node.name || node.isFrame || !isDrawn && !isGlyphs(contentsOf(node)) || hasAttribute(node.element, 'placeholder'))
			return '';
		this.looksAround = true;
		if (isDrawn)
			return shapesIn(node.element, isShownIn(node));
		return node.isDrawing ? boxesIn(node.element) : hintOf(node.element, / (?:color|fill)=/.test(label));
	}

	marks(node) {
		let marks = '';
		if ((node.isKept || node.abilities) && node.identity !== null) {
			for (const [, word] of markOf(node).matchAll(/\[([^\]]*)\]/g)) {
				if (word !== 'clickable' || !BLOCKS.has(node.role) && !PHRASES.has(node.role) && !ACTABLE.has(node.role))
					marks += ' ' + word;
			}
		}
		if (node.isPicture && !node.isKept && !this.boxes)
			marks += ' ' + sizeWord(node.element);
		if (this.boxes) {
			const { x, y, width, height } = rectOf(node.element);
			marks += ` box=${[x, y, width, height].map(Math.round).join(',')}`;
		}
		return marks;
	}

	/*
	 * The parts of a node: texts and nodes, without the groups that say nothing, the labels that repeat the name of the control beside
	 * them, and the heading that repeats the name of its region. `owners` gets the elements in which the texts are.
	 */
	partsOf(node, inPointer, owners = null) {
		if (isLeaf(node)) {
			owners?.push(node.element);
			return node.children;
		}
		const parts = [], all = owners && [];
		this.collect(node, parts, all, inPointer);
		parts.forEach((part, i) => this.takeAnchor(part, parts[i - 1], parts[i + 1]));
		const kept = [];
		for (let i = 0; i < parts.length; i++) {
			const definitions = isTerm(parts[i]) ? definitionsFrom(parts, i + 1) : NO_PARTS;
			if (!definitions.length && this.isRepeated(parts[i], parts[i - 1], parts[i + 1], i === 0 ? node : null))
				continue;
			kept.push(definitions.length ? pairOf(parts[i], definitions) : parts[i]);
			owners?.push(all[i]);
			i += definitions.length;
		}
		return kept;
	}

	/* `whole`: the node of which it is the first part. */
	isRepeated(part, before, after, whole) {
		if (isText(part))
			return isLabelOf(part, before) || isLabelOf(part, after) || whole !== null && isOwnName(part, whole);
		if (part.isAnchor || isIconOf(part, before) || isIconOf(part, after) || isClickedLabelOf(part, before) || isClickedLabelOf(part, after))
			return true;
		return whole !== null && part.role === 'heading' && whole.element && whole.name && part.name === whole.name && !this.isClickable(part);
	}

	collect(node, parts, owners, inPointer) {
		let isOpen = false; /* the last part is a text that goes on */
		const add = text => {
			if (isOpen)
				parts[parts.length - 1] += (/^[.,;:!?)\]}]/.test(text) ? '' : ' ') + text;
			else {
				parts.push(text);
				owners?.push(node.element);
			}
			isOpen = true;
		};
		for (const child of node.children) {
			if (isText(child)) {
				add(child);
				continue;
			}
			if (child.isAnchor)
				continue;
			child.inPointer = inPointer;
			const dissolves = (BLOCKS.has(child.role) || PHRASES.has(child.role)) && !(child.isActive && child.tag !== 'body') && !child.isFrame &&
				!isReachedByKeys(child) && !this.isClickable(child) && !this.isNamedGroup(child);
			if (dissolves && PHRASES.has(child.role) && child.children.every(isText)) {
				child.children.forEach(add);
				continue;
			}
			isOpen = false;
			if (dissolves)
				this.collect(child, parts, owners, inPointer);
			else {
				parts.push(child);
				owners?.push(null);
			}
		}
	}

	/* A heading with a link to itself, in it or beside it, has the ref of that link, which says nothing else. */
	takeAnchor(part, before, after) {
		if (isText(part) || part.role !== 'heading' || part.anchor || this.isClickable(part))
			return;
		const link = anchorIn(part) ?? [after, before].find(neighbour => isAnchorOf(neighbour, part));
		if (link) {
			part.anchor = link;
			link.isAnchor = true;
			part.knownName = nameWithoutAnchor(part);
		}
	}

	/* A group whose name says what its contents do not. */
	isNamedGroup(node) {
		return node.name !== '' && bare(node.name) !== bare(contentsOf(node));
	}

	/* ---- on one line ---- */

	/*
	 * The node with all that is in it, or null if that does not belong on one line. `left`: what is left of the room of the line that it
	 * is a part of. A label without room ends the search, which would otherwise go down to the deepest node again at each level.
	 */
	inline(node, isAlone, room, left = Infinity, separator = BETWEEN_PARTS, isAllOfRow = isAlone) {
		if (node.isFrame)
			return null;
		const label = this.labelOfItem(node, isAlone);
		if (label.length > left)
			return null;
		if (node.tag === 'select' && !this.query) {
			const said = isAlone ? null : countedOptions(node, separator === BETWEEN_PARTS ? OPTIONS_FEW : 0);
			if (said !== null)
				return joinLabel(label, said);
		}
		const parts = isSaidByName(node) || isSaidByHint(node, label) ? [] : isLeaf(node) ? node.children : this.partsOf(node, node.inPointer || this.isClickable(node));
		if (!parts.length)
			return label || (isPlace(node) ? plain(shorten(node.name)) || '-' : '');
		if (!ONE_LINE.has(node.role) && !BLOCKS.has(node.role) && !PHRASES.has(node.role))
			return null;
		const texts = [], between = separatorIn(node, isAllOfRow, label, separator);
		const isAllOfIt = isAllOfRow && label === '' && parts.length === 1;
		if (between === null && parts.length > 1)
			return null;
		let length = label.length;
		for (const part of parts) {
			const text = isText(part) ? plain(part) : this.inline(part, false, room, Math.min(left, room) - length, between, isAllOfIt);
			if (text === null)
				return null;
			if (text !== '')
				texts.push(text);
			length += text.length + 3;
			if (length > room)
				return null;
		}
		return joinLabel(label, texts.join(between));
	}

	/* Rows, cells, items and options say what they are by their place: only their names and states are written. */
	labelOfItem(node, isAlone) {
		const label = this.label(node, isAlone);
		if (!isPlace(node) && !(node.role === 'list' && !isAlone))
			return label;
		if (label === node.role || node.name && !node.children.length && label === `${node.role} ${inQuotes(shorten(node.name))}`)
			return '';
		return node.role === 'option' && !node.children.length && node.identity === null ? optionName(node) + stateWords(node) : label;
	}

	/* ---- rows ---- */

	add(depth, kind, element, key, text, node = null) {
		if (depth >= this.depth)
			return null;
		const row = new Row(Math.min(depth, LEVEL_MAX), kind, element, key, text, node);
		this.rows.push(row);
		this.length += text.length;
		return row;
	}

	children(node, depth, inPointer) {
		const owners = [], counts = new Map(); /* of the texts in one element, which a group that is left out may be */
		this.partsOf(node, inPointer, owners).forEach((part, i) => {
			if (!isText(part)) {
				this.node(part, depth);
				return;
			}
			const owner = owners[i], count = (counts.get(owner) ?? 0) + 1;
			counts.set(owner, count);
			this.match(this.add(depth, 't', owner, `${rowKeyOf(owner ?? document)}.${count}`, plain(part)), () => part);
		});
	}

	node(node, depth) {
		const { piece } = node;
		if (piece?.isTaken && piece.rows && piece.depth === depth && piece.inPointer === node.inPointer) {
			piece.rows.forEach(row => this.addAgain(row));
			return;
		}
		const first = this.rows.length;
		const isInMain = this.isInMain;
		this.looksAround = false;
		this.isInMain ||= node.role === 'main';
		this.nodeAnew(node, depth);
		this.isInMain = isInMain;
		if (piece)
			Object.assign(piece, { rows: this.looksAround ? null : this.rows.slice(first), depth, inPointer: node.inPointer });
	}

	addAgain(row) {
		row.flags = '';
		this.rows.push(row);
		this.length += row.text.length;
	}

	hasMain() {
		return this.knowsMain ??= queryAll('main, [role=main]').length > 0;
	}

	/*
	 * {text, links}: what a row says in place of those in it, which are hidden until they are asked for. `links` are the rows of a navigation
	 * beside the main content; null: the rows are the options of a list. Returns null where the rows say it themselves.
	 */
	summaryOf(node) {
		if (this.query || this.roots.includes(node.element))
			return null;
		if (node.tag === 'select') {
			const options = optionsIn(node);
			return areMany(options, OPTIONS_MAX) ? { text: sayOptions(selectedIn(options)), links: null } : null;
		}
		const links = node.role === 'navigation' && !this.isInMain && this.hasMain() ? linksIn(node, []) : null;
		return links && links.length >= LINKS_LEAST ? { text: links.map(linkWords).join(BETWEEN_CELLS), links } : null;
	}

	summed(node, depth, { text, links }) {
		const row = this.add(depth, kindOf(node), node.element, rowKeyOf(node.element), joinLabel(this.label(node, true), text), node);
		if (!row)
			return;
		row.sums = true;
		if (node.tag === 'select' && !node.element.multiple)
			optionsIn(node).forEach(option => { option.isSaid = true; });
		if (links)
			links.forEach(link => this.node(link, depth + 1));
		else
			this.children(node, depth + 1, node.inPointer || this.isClickable(node));
	}

	nodeAnew(node, depth) {
		const summary = this.summaryOf(node);
		if (summary !== null) {
			this.summed(node, depth, summary);
			return;
		}
		const text = this.inline(node, true, this.roomOf(node));
		if (text !== null) {
			if (text !== '' && !(text === node.role && MESSAGES.has(text))) /* an empty log says nothing */
				this.match(this.add(depth, kindOf(node), node.element, rowKeyOf(node.element), text, node), () => wordsOf(node));
			return;
		}
		const label = this.label(node, true) || node.role;
		const row = this.add(depth, kindOf(node), node.element, rowKeyOf(node.element), label, node);
		this.match(row, () => node.name);
		if (node.isFrame)
			this.frame(node, depth, row);
		else if (row)
			this.children(node, depth + 1, node.inPointer || this.isClickable(node));
	}

	roomOf({ role }) {
		if (role === 'row' || role === 'listitem' || role === 'heading')
			return 2 * LINE_MAX;
		return role === 'region' || role === 'group' || role === 'contentinfo' || role === 'figure' ? GROUP_MAX : LINE_MAX;
	}

	frame(node, depth, row) {
		if (!row || node.identity === null)
			return;
		const left = this.depth === Infinity ? 0 : this.depth - depth - 1;
		row.text += FRAME_MARK;
		this.frames.push({ ref: handleOf(node.element, this.prefix), indent: this.indent + depth + 1, depth: Math.max(0, left) });
	}

	match(row, wordsIn) {
		if (!row || !this.query)
			return;
		row.flags += this.query.matches(wordsIn());
		if (row.flags && row.text.length > LINE_MAX)
			row.flags += bytesIn(row.text.slice(0, Math.max(this.query.placeIn(row.text), 0))) || '';
	}

	/* ---- the end ---- */

	flag() {
		/* An element has a row of its own, or texts in it have. */
		const texts = new Map(this.rows.filter(({ kind }) => kind === 't').map(row => [row.element, row]));
		const owners = new Map([...texts, ...this.rows.filter(({ kind }) => kind !== 't').map(row => [row.element, row])]);
		const rowAround = (element, rows = owners) => {
			for (let at = element; at; at = flatParent(at)) {
				const row = rows.get(at) ?? owners.get(at);
				if (row)
					return row;
			}
			return null;
		};
		const mark = (row, flag) => {
			if (row && !row.flags.includes(flag))
				row.flags += flag;
		};
		const place = placeOfAction();
		if (place && isAttached(place))
			mark(rowAround(place), 'p');
		const focused = focusedElement();
		if (focused && tagOf(focused) !== 'body')
			mark(rowAround(focused), 'f');
		for (const node of tickingNodes()) {
			const row = showsUsualText(node) ? rowAround(node, texts) : null;
			mark(row, 's');
			if (row && collapseSpace(textOf(row.element)) === collapseSpace(textOf(node)))
				mark(row, 'a');
		}
		for (const row of this.rows) {
			if (row.node?.role === 'row' && row.node.children.some(({ role }) => role === 'columnheader'))
				mark(row, 'h');
		}
		if (this.length <= VIEWPORT_FROM)
			return;
		this.flagViewport();
		queryIn(document, INVALID, INVALID_MARKED).forEach(field => mark(rowAround(field), 'e'));
	}

	flagViewport() {
		let shown = null;
		for (const row of this.rows) {
			if (row.element === null) /* texts of the page itself */
				continue;
			if (shown?.element !== row.element) {
				const { top, bottom, width } = row.node?.box ?? rectOf(row.element);
				shown = { element: row.element, isIn: width > 0 && bottom > 0 && top < innerHeight };
			}
			if (shown.isIn)
				row.flags += 'v';
		}
	}

	end(listenersUnanswered) {
		this.flag();
		let text = '';
		for (const { depth, kind, flags, sums, key, text: shown } of this.rows) {
			if (text.length > PART_LENGTH && this.number > 0) {
				sendPart(this, text);
				text = '';
			}
			text += `${this.indent + depth} ${kind} ${flags + (sums ? 'b' : '') || '-'} ${key}\t${shown}\n`;
		}
		return { text, frames: this.frames, listenersUnanswered };
	}
}

function kindOf(node) {
	const { role } = node;
	if (role === 'heading')
		return String(Math.min(levelOf(node.element, role) || 2, 6));
	if (LANDMARKS.has(role))
		return 'L';
	if (role === 'status' ? wordsOf(node) !== '' : role !== 'log' && MESSAGES.has(role))
		return 'D';
	if (role === 'option' || role === 'tab')
		return 'I';
	if (CONTAINERS.has(role))
		return 'C';
	if (ITEMS.has(role))
		return 'I';
	if (ACTABLE.has(role) || role === 'img' || role === 'generic')
		return 'A';
	return 'o';
}

/* The shapes and pictures in a picture that have a label of their own. */
function isShownIn(picture) {
	const shown = new Set();
	const collect = ({ children }) => children.forEach(child => {
		if (isText(child))
			return;
		if (child.isKept || child.isPicture)
			shown.add(child.element);
		collect(child);
	});
	collect(picture);
	return shape => shown.has(shape);
}

const isFocusedItself = ({ isActive, tag }) => isActive && tag !== 'body';
/* Cells are moved between by further keys than Tab. */
const isReachedByKeys = ({ element, role, bare: isBare }) => !isBare && hasTabIndex(element) && (role === 'gridcell' || isTabStop(element));

const UNLABELLED = setOf('row listitem option');
const isPlace = node => CELLS.has(node.role) || UNLABELLED.has(node.role);

/* Nothing but a text, or nothing, is in it. */
const isLeaf = ({ children, role }) => children.length === 0 || children.length === 1 && isText(children[0]) && role !== 'treeitem';

/* How the value of an empty field is written, where that is not for the user to choose. */
const emptyFormOf = ({ element, tag }) => tag === 'input' && element.value === '' ? VALUE_FORMS[element.type] ?? null : null;
