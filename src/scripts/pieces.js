/*
 * Pieces of a page that the next snapshot takes over from the last one. A piece is an element with a node and all that is in it, up to
 * PIECE_MAX elements, whose nodes and rows depend on nothing outside. Of all that they depend on,
 *  - the DOM is observed: a mutation in a piece ends it, one that may have an effect elsewhere (an id, a label, a role) ends all;
 *  - what computed styles, boxes, fields and pseudo-elements say is read again each time, whatever may have changed it: style sheets,
 *    the pointer, the focus, animations, properties, the size of the window;
 *  - what else comes from outside (states that are inherited, names that are made of it, counts of elements alike) is compared, or
 *    such an element belongs to no piece.
 * The rest is read anew in every snapshot. When one finds in the middle that a piece should not have been taken over, it begins again
 * without any. The first snapshot of a document takes nothing down, as a page that is looked at once has no use for it.
 */
import { hasArea } from './area.js';
import { computePseudoText } from './contents.js';
import { focusedElement } from './dom.js';
import { labelsOf } from './labels.js';
import { LABELLED_TAGS, NAMED_BY_CONTENT } from './names.js';
import { passwordsAreHidden } from './privatefields.js';
import { pseudoRulesOf } from './pseudorules.js';
import {
	flatParent, FRAGMENT, hasAttribute, hostOrParent, isElement, isInside, matches, queryIn, rawCheckVisibility, rectOf, tagOf, TEXT, typeOfNode,
} from './raw.js';
import { refsAreRenewed } from './refs.js';
import { HOSTS, rootIn } from './roots.js';
import { isPopoverOpen } from './states.js';

const PIECE_MIN = 3, PIECE_MAX = 60; /* elements */
const ELEMENTS_MAX = 60000; /* in all pieces */
const MUTATIONS_MAX = 5000; /* between two snapshots */
const ROOTS_MAX = 1000; /* shadow roots that are observed */
const OBSERVED = { subtree: true, childList: true, attributes: true, characterData: true };
/* Attributes that have a meaning for elements elsewhere, or for those inside. */
const FAR_ATTRIBUTES = new Set(['id', 'for', 'form', 'list', 'slot', 'name', 'role', 'aria-owns', 'aria-labelledby', 'aria-describedby', 'multiple', 'size', 'usemap']);
/* Those that an element outside of all pieces can change without an effect on these, but for what is read again. */
const OWN_ATTRIBUTES = /^(?:class|style|title|src|srcset|alt|value|placeholder|tabindex|width|height|hidden|inert|open|disabled|checked|selected|data-.*|aria-(?!owns|label|described).*|aria-label)$/;
const STYLE_ATTRIBUTES = new Set(['class', 'style']);
const FAR_ELEMENTS = 'label, slot, [aria-owns]';
const FIELD_TAGS = new Set(['button', 'input', 'option', 'optgroup', 'select', 'textarea']);
const PICTURE_TAGS = new Set(['img', 'svg', 'video', 'audio', 'embed', 'object']); /* whose size matters */
const CONTENT_TAGS = new Set(['label', 'summary']);
const VALUES_EACH = 3; /* of each element, in Piece.values: whether it has boxes, `display`, `visibility` */
const IMPLIED = 'implied';

/* Thrown where a piece that was taken over turns out to depend on something outside. */
export const TAKEN_WRONGLY = Symbol('taken wrongly');

const pieces = new Map(); /* by their elements */
let elementsInPieces = 0;
let observedRoots = null; /* a Set; null: nothing is observed, and there are no pieces */
let mutationCount = 0;
let isSecond = false; /* the document was captured before */
let isGivenUp = false; /* elements are owned by others (aria-owns) in a shadow root */
let lastFocused = null;
let lastRules = '';
let taking = null; /* the Taking that is under way */

const observer = new MutationObserver(records => noteMutations(records));

function dropAll() {
	pieces.clear();
	elementsInPieces = 0;
}

function forgetPieces() {
	dropAll();
	observedRoots = null;
	mutationCount = 0;
	observer.disconnect();
}

function drop(piece) {
	if (pieces.delete(piece.element))
		elementsInPieces -= piece.elements.length;
}

function pieceAround(element) {
	for (let at = element; at; at = flatParent(at)) {
		const piece = pieces.get(at);
		if (piece)
			return piece;
	}
	return null;
}

function dropAround(element) {
	const piece = element && pieceAround(element);
	if (piece)
		drop(piece);
	return Boolean(piece);
}

function noteMutations(records) {
	mutationCount += records.length;
	if (observedRoots === null || mutationCount > MUTATIONS_MAX || records.some(isFar)) {
		forgetPieces();
		return;
	}
	for (const { target, type, attributeName, addedNodes, removedNodes } of records) {
		const isInPiece = dropAround(elementAt(target));
		if (!isInPiece && type === 'attributes' && reachesInside(target, attributeName)) {
			forgetPieces();
			return;
		}
		addedNodes.forEach(dropInside);
		removedNodes.forEach(dropInside);
	}
}

/* An element with a presentational role may lose it by an attribute, and what is in it gets roles. */
const reachesInside = (element, attribute) => !OWN_ATTRIBUTES.test(attribute) || hasAttribute(element, 'role') && !STYLE_ATTRIBUTES.has(attribute);

/* The element in which a change of `node` is seen. */
function elementAt(node) {
	const type = typeOfNode(node);
	if (type === TEXT)
		return flatParent(node);
	return type === FRAGMENT ? node.host : isElement(node) ? node : hostOrParent(node);
}

/* It has been moved. */
function dropInside(node) {
	if (!isElement(node) || pieces.size === 0)
		return;
	for (const element of [node, ...queryIn(node, '*')]) {
		const piece = pieces.get(element);
		if (piece)
			drop(piece);
		const root = rootIn(element);
		root?.childNodes.forEach(dropInside);
	}
}

function isFar({ type, target, attributeName, addedNodes, removedNodes }) {
	if (type === 'attributes')
		return FAR_ATTRIBUTES.has(attributeName);
	if (type === 'characterData')
		return false;
	const holdsFar = node => isElement(node) && (matches(node, FAR_ELEMENTS) || queryIn(node, FAR_ELEMENTS, 1).length > 0);
	return isElement(target) && (rootIn(target) || tagOf(target) === 'slot') || [...addedNodes, ...removedNodes].some(holdsFar);
}

class Piece {
	constructor(node, above, level, log) {
		this.element = node.element;
		this.node = node;
		this.above = above;
		this.level = level;
		Object.assign(this, log); /* elements, styles, values, nodes, hosts, areas, fields, pseudos, wanted */
		this.asked = []; /* [element, answer] of clickable.js */
		this.isTaken = false;
		this.kept = undefined; /* by condense.js: what is left of the node, in parents as these */
		this.parentName = '';
		this.isBelowPointer = false;
		this.rows = null; /* by outline.js, at this depth */
		this.depth = 0;
		this.inPointer = false;
		this.forgetImplied();
	}

	/* Where something in an element has boxes, the element has them, too, while its `display` is the same: it is not asked then. */
	forgetImplied() {
		const { elements, values } = this, indexes = new Map(elements.map((element, i) => [element, i]));
		for (let i = elements.length - 1; i > 0; i--) {
			const around = indexes.get(flatParent(elements[i]));
			if (values[i * VALUES_EACH] !== false && around !== undefined && values[around * VALUES_EACH])
				values[around * VALUES_EACH] = IMPLIED;
		}
	}
}

function fieldSignature(element, tag = tagOf(element)) {
	if (PICTURE_TAGS.has(tag)) {
		const { width, height } = rectOf(element);
		return `${Math.round(width)} ${Math.round(height)}`;
	}
	const { value, checked, indeterminate, selected } = element;
	return `${matches(element, ':disabled')} ${isPopoverOpen(element)} ${checked} ${indeterminate} ${selected} ${value}`;
}

function isUnchanged(piece) {
	const { elements, styles, values } = piece;
	for (let i = 0, at = 0; i < elements.length; i++, at += VALUES_EACH) {
		const style = styles[i];
		if (values[at] !== IMPLIED && rawCheckVisibility.call(elements[i]) !== values[at] || style.display !== values[at + 1] || style.visibility !== values[at + 2])
			return false;
	}
	return piece.hosts.every(element => !rootIn(element)) && piece.fields.every(({ element, text }) => fieldSignature(element) === text) &&
		piece.pseudos.every(({ element, which, text }) => computePseudoText(element, which) === text) &&
		piece.areas.every(({ element, isThere }) => hasArea(element) === isThere) && piece.nodes.every(node => node.isAsBefore());
}

/* What condense.js left of the node of a piece, which may depend on the nodes around it. */
export function keep(piece, kept, parent) {
	piece.kept = kept;
	piece.parentName = nameAround(piece.node, parent);
	piece.isBelowPointer = isBelowPointer(piece.node);
	if (kept)
		kept.piece = piece;
}

export function keptOf(piece, parent) {
	if (nameAround(piece.node, parent) !== piece.parentName || isBelowPointer(piece.node) !== piece.isBelowPointer)
		throw TAKEN_WRONGLY;
	return piece.kept;
}

/* A group goes if it repeats it. */
const nameAround = ({ role }, parent) => role === 'generic' && parent.element !== null ? parent.name : '';

function isBelowPointer(node) {
	for (let around = node.parent; around?.element; around = around.parent) {
		if (around.hasPointer && around.isTarget)
			return true;
	}
	return false;
}

/* What a snapshot takes over, and takes down for the next one. */
class Taking {
	constructor(builder) {
		this.builder = builder;
		this.found = []; /* new pieces, none inside of another */
		this.rejected = 0; /* elements so far that can be in no piece */
		this.size = 0;
		this.logs = { elements: [], styles: [], values: [], nodes: [], hosts: [], areas: [], fields: [], pseudos: [], wanted: [] };
	}

	/* The piece whose node stands for `element`, or null. */
	take(element, above) {
		const piece = pieces.get(element);
		if (piece === undefined)
			return null;
		const { builder } = this;
		if (piece.kept !== undefined && piece.above === above && piece.level === builder.level && isUnchanged(piece) &&
			(builder.clickable?.repeats(piece) ?? true)) {
			piece.isTaken = true;
			this.rejected++; /* what is around it has not all been taken down */
			return piece;
		}
		drop(piece);
		return null;
	}

	/* Where the logs are when an element begins. */
	begin() {
		const { logs } = this;
		return { found: this.found.length, rejected: this.rejected, elements: logs.elements.length, nodes: logs.nodes.length, hosts: logs.hosts.length, areas: logs.areas.length,
			fields: logs.fields.length, pseudos: logs.pseudos.length, wanted: logs.wanted.length };
	}

	/* Each element that the builder comes to. */
	log(element, tag, style) {
		const { logs } = this;
		logs.elements.push(element);
		logs.styles.push(style);
		logs.values.push(rawCheckVisibility.call(element), style.display, style.visibility);
		const root = rootIn(element);
		if (root)
			this.watch(root);
		else if (HOSTS.test(tag))
			logs.hosts.push(element);
		if (tag === 'slot' || style.display === 'contents') /* its contents, or its visibility, are decided elsewhere */
			this.rejected++;
		if (FIELD_TAGS.has(tag) || PICTURE_TAGS.has(tag))
			logs.fields.push({ element, text: fieldSignature(element, tag) });
	}

	logNode(node) {
		this.logs.nodes.push(node);
	}

	watch(root) {
		if (observedRoots?.has(root))
			return;
		if (observedRoots === null || observedRoots.size >= ROOTS_MAX) {
			this.rejected++;
			return;
		}
		observedRoots.add(root);
		observer.observe(root, OBSERVED);
	}

	logArea(element, isThere) {
		this.logs.areas.push({ element, isThere });
	}

	logPseudo(element, which) {
		this.logs.pseudos.push({ element, which, text: computePseudoText(element, which) });
	}

	/* `isNode`: it has a node in any case, so that only what it listens for matters. */
	logWanted(element, group, isWanted, isNode) {
		this.logs.wanted.push({ element, group, isWanted, isNode });
		if (isWanted && !isNode)
			this.rejected++;
	}

	/* Something with a state that is not known here. */
	reject() {
		this.rejected++;
	}

	/* A node that is built, with all that is in it. */
	end(node, above, start) {
		const { logs, found } = this;
		const size = logs.elements.length - start.elements;
		const isNamedByContent = NAMED_BY_CONTENT.has(node.ownRole) || CONTENT_TAGS.has(node.tag);
		if (size > PIECE_MAX || this.rejected !== start.rejected || size < PIECE_MIN || node.tag === 'th') {
			if (isNamedByContent)
				found.length = start.found;
			return;
		}
		found.length = start.found;
		found.push(new Piece(node, above, this.builder.level, {
			elements: logs.elements.slice(start.elements), styles: logs.styles.slice(start.elements), values: logs.values.slice(start.elements * VALUES_EACH),
			nodes: logs.nodes.slice(start.nodes), hosts: logs.hosts.slice(start.hosts), areas: logs.areas.slice(start.areas), fields: logs.fields.slice(start.fields), pseudos: logs.pseudos.slice(start.pseudos),
			wanted: logs.wanted.slice(start.wanted),
		}));
	}

	/* The tree is built: names and rows come next. */
	built() {
		for (const piece of this.found) {
			if (elementsInPieces + piece.elements.length > ELEMENTS_MAX || !isOnItsOwn(piece))
				continue;
			pieces.set(piece.element, piece);
			elementsInPieces += piece.elements.length;
			piece.node.piece = piece;
			piece.asked = this.builder.clickable?.askedIn(piece.wanted) ?? [];
		}
	}

	/* The snapshot is complete. */
	done() {
		for (const piece of pieces.values())
			piece.isTaken = false;
	}
}

/* Names and lists that are elsewhere have an effect without a trace in the tree. */
function isOnItsOwn({ element: top, elements }) {
	return elements.every(element => {
		const tag = tagOf(element);
		if (hasAttribute(element, 'aria-labelledby') || hasAttribute(element, 'aria-describedby') || tag === 'input' && hasAttribute(element, 'list'))
			return false;
		return !LABELLED_TAGS.has(tag) || labelsOf(element).every(label => label !== top && isInside(top, label));
	});
}

/* The name of `node` is made of these elements. */
export function noteNameSources(node, elements) {
	if (taking === null)
		return;
	const own = pieceAround(node.element);
	for (const element of elements) {
		const piece = pieceAround(element);
		if (piece === own)
			continue;
		for (const each of [piece, own]) {
			if (each?.isTaken)
				throw TAKEN_WRONGLY;
			if (each)
				drop(each);
		}
	}
}

function rulesText() {
	let text = '';
	for (const root of [document, ...observedRoots ?? []]) {
		for (const { any, byKey } of pseudoRulesOf(root))
			text += `${any} ${[...byKey].join(' ')}\n`;
	}
	return text;
}

/*
 * Starts to reuse pieces in a snapshot by `builder`. Returns null if the snapshot reuses none. Only views of a whole document in the
 * compact form reuse them, from the second one on, and not those with `boxes`, `urls` or a search, nor where passwords are hidden: what was
 * kept before may have them.
 */
export function beginTaking(builder, { ref, depth, boxes, outline, query, urls }) {
	taking = null;
	if (!outline || ref || depth > 0 || boxes || query || urls || refsAreRenewed || passwordsAreHidden())
		return null;
	noteMutations(observer.takeRecords());
	if (builder.seen || isGivenUp || !isSecond) {
		isSecond = true;
		forgetPieces();
		return null;
	}
	mutationCount = 0;
	const focused = builder.focused ? focusedElement() : null;
	dropAround(lastFocused?.deref());
	dropAround(focused);
	lastFocused = focused && new WeakRef(focused);
	if (observedRoots === null) {
		observedRoots = new Set();
		observer.observe(document, OBSERVED);
	}
	const rules = rulesText();
	if (rules !== lastRules)
		dropAll();
	lastRules = rules;
	return taking = new Taking(builder);
}

export function endTaking() {
	taking?.done();
	taking = null;
}

/* Pieces were taken wrongly: the snapshot begins again, without any. */
export function abandonTaking(builder) {
	isGivenUp ||= builder.seen !== null;
	taking = null;
	forgetPieces();
}
