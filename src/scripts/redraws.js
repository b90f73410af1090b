/*
 * Elements that a page has made anew for what it showed before: `list.innerHTML = ...`, a component that is mounted again. The element that
 * stands in the place of another, with the same words and attributes, gets the ref of that one, and its key in outlines, so that neither
 * the agent nor a comparison takes it for news.
 *
 * What is removed from and added to one element between two captures is paired: by its id, by its words, and, where one element of a kind
 * is left on each side, by most of its words. Then what is in the pairs. A control whose words are others is no pair: its ref would mean
 * something else.
 */
import { inheritKey } from './outline.js';
import { attributeOf, dataOf, firstOf, hasAttributes, hostOrParent, isAttached, isElement, nextOf, tagOf, TEXT, typeOfNode } from './raw.js';
import { inheritRef, setRecogniser } from './refs.js';

const PAIRED_MAX = 5000; /* that are looked at for one capture */
const REDRAWS_MAX = 2000; /* mutations between two captures */
const AROUND_MAX = 100; /* above a mutation, in which what contains it is looked for */
const WORDS_LENGTH = 300; /* of an element that are compared */
const ALIKE_MIN = 0.5; /* share of the words that two elements of a kind have in common */
/* They distinguish elements without words of their own. */
const SIGN_ATTRIBUTES = ['type', 'role', 'name', 'aria-label', 'title', 'alt', 'placeholder', 'href', 'value'];
const NAMED_BY_WORDS = new Set(['a', 'button', 'input', 'select', 'textarea', 'summary', 'label']);

let places = new Map(); /* {removed, added} by the element in which they were */
let recordCount = 0;
/*
 * What was added since the last capture, which has no refs yet. When the page removes it again nothing is lost, and a page that redraws
 * itself all the time has only what it showed at the last capture held for it.
 */
let fresh = new WeakSet();

const redrawObserver = new MutationObserver(noteRedraws);
const CHILDREN = { subtree: true, childList: true };
const watchedRoots = new WeakSet();

function isFresh(node) {
	for (let level = 0; node && level < AROUND_MAX; level++, node = hostOrParent(node)) {
		if (fresh.has(node))
			return true;
	}
	return false;
}

function noteRedraws(records) {
	recordCount += records.length;
	if (recordCount > REDRAWS_MAX) {
		places.clear();
		return;
	}
	for (const { target, removedNodes, addedNodes } of records) {
		const isInFresh = isFresh(target), place = places.get(target) ?? { removed: [], added: [] };
		for (const node of isInFresh ? [] : removedNodes) {
			if (isElement(node) && !fresh.has(node))
				place.removed.push(node);
		}
		for (const node of isInFresh ? [] : addedNodes) {
			if (isElement(node)) {
				place.added.push(new WeakRef(node));
				fresh.add(node);
			}
		}
		if (place.removed.length || place.added.length)
			places.set(target, place);
	}
}

class Pairing {
	constructor() {
		this.left = PAIRED_MAX;
		this.words = new Map();
	}

	/* The texts in an element, as far as they are compared. */
	wordsIn(element) {
		let words = this.words.get(element);
		if (words !== undefined)
			return words;
		words = '';
		this.left--;
		for (let child = firstOf(element); child && words.length < WORDS_LENGTH && this.left > 0; child = nextOf(child)) {
			const type = typeOfNode(child);
			words += type === TEXT ? dataOf(child) : isElement(child) ? ` ${this.wordsIn(child)}` : '';
		}
		words = words.slice(0, WORDS_LENGTH).trim();
		this.words.set(element, words);
		return words;
	}

	signOf(element) {
		const attributes = hasAttributes(element) ? SIGN_ATTRIBUTES.map(name => attributeOf(element, name) ?? '').join('\x01') : '';
		return `${tagOf(element)}\x02${attributes}\x02${this.wordsIn(element)}`;
	}

	pairLists(olds, news) {
		if (!olds.length || !news.length || this.left <= 0)
			return;
		const rest = this.pairBy(element => hasAttributes(element) && attributeOf(element, 'id') ? `#${attributeOf(element, 'id')}` : '', olds, news);
		const others = this.pairBy(element => this.signOf(element), rest.olds, rest.news);
		this.pairSingles(others.olds, others.news);
	}

	/* Pairs those with the same key, in their order, and returns the others. */
	pairBy(keyOf, olds, news) {
		const waiting = new Map(), unpaired = [];
		for (const old of olds) {
			const key = keyOf(old), queue = waiting.get(key);
			if (queue)
				queue.push(old);
			else
				waiting.set(key, [old]);
		}
		for (const element of news) {
			const key = keyOf(element), queue = key ? waiting.get(key) : undefined;
			if (queue?.length)
				this.pair(queue.shift(), element);
			else
				unpaired.push(element);
		}
		return { olds: [...waiting.values()].flat(), news: unpaired };
	}

	/* One of a kind is left on each side. */
	pairSingles(olds, news) {
		const byTag = list => Map.groupBy(list, tagOf), left = byTag(olds);
		for (const [tag, [element, ...more]] of byTag(news)) {
			const [old, ...others] = left.get(tag) ?? [];
			if (old && !more.length && !others.length && !NAMED_BY_WORDS.has(tag) && this.areAlike(old, element))
				this.pair(old, element);
		}
	}

	areAlike(old, element) {
		const words = new Set(this.wordsIn(old).split(/\s+/)), now = new Set(this.wordsIn(element).split(/\s+/));
		const common = [...now].filter(word => words.has(word)).length;
		return common >= ALIKE_MIN * Math.max(words.size, now.size);
	}

	pair(old, element) {
		if (tagOf(old) !== tagOf(element))
			return;
		inheritRef(old, element);
		inheritKey(old, element);
		this.pairLists(childElements(old), childElements(element));
	}
}

function childElements(element) {
	const children = [];
	for (let child = firstOf(element); child; child = nextOf(child)) {
		if (isElement(child))
			children.push(child);
	}
	return children;
}

/* Called before a capture, and for a ref whose element has gone. */
export function recogniseRedraws() {
	noteRedraws(redrawObserver.takeRecords());
	const pairing = new Pairing();
	for (const [target, { removed, added }] of places) {
		if (isAttached(target))
			pairing.pairLists(removed.filter(node => !isAttached(node)), added.map(known => known.deref()).filter(node => node && isAttached(node)));
	}
	places = new Map();
	fresh = new WeakSet();
	recordCount = 0;
	observeRedraws(document);
}

/* `root`: a document or shadow root that a capture shows */
export function observeRedraws(root) {
	if (watchedRoots.has(root))
		return;
	watchedRoots.add(root);
	redrawObserver.observe(root, CHILDREN);
}

setRecogniser(recogniseRedraws);
