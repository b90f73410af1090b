/*
 * The documents and shadow roots that effects.js observes. Open roots are found by walking over the elements. No script can
 * read a closed root, but CDP returns it with its host: effects.js names the elements that may have one, and the server
 * passes the roots to keepClosedRoot(). The page cannot detect this.
 */
import { elementsFromPoint } from './dom.js';
import { exported } from './exported.js';
import { firstElementOf, firstOf, hasAttribute, isElement, matches, queryIn, rectOf, shadowOf, tagOf, visitIn } from './raw.js';

export const HOSTS = /-|^(?:article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/;
const POINTS_EACH_WAY = 3;
const HOSTS_ASKED_MAX = 60; /* elements in one request, because the browser needs 0.1 ms for each */
export const closedRoots = new WeakMap(); /* closed roots by host */
const askedHosts = new WeakMap(); /* height of the element when it was asked about, or had none to be asked about */
const lateHosts = new WeakSet(); /* hosts that have changed since they were asked about */
export let anyClosed = false;

/* The document of a window and those of its same-origin frames. */
function documentsIn(view) {
	let own;
	try {
		own = view.document;
	} catch {
		return [];
	}
	const documents = [own];
	for (let i = 0; i < view.length; i++)
		documents.push(...documentsIn(view[i]));
	return documents;
}

export function documentsInSight() {
	if (window.length === 0 && window.parent === window) /* a short cut for pages without frames */
		return [document];
	let top = window;
	while (top.frameElement)
		top = top.parent;
	return documentsIn(top);
}

export const rootIn = element => shadowOf(element) ?? (anyClosed ? closedRoots.get(element) : undefined);
const heightOf = element => rectOf(element).height;

/* Calls `found` with each shadow root of `node` and below it, outer ones first. */
export function eachShadowRoot(node, found) {
	const visit = element => {
		const root = rootIn(element);
		if (!root)
			return;
		found(root);
		eachShadowRoot(root, found);
	};
	if (isElement(node))
		visit(node);
	visitIn(node, '*', visit);
}

/*
 * Whether to ask the server about the element. Custom elements are candidates once they are defined. Other elements are
 * candidates if they are on the path of an event, if they have a height but no content, or if a child names a slot, and again
 * after such a change.
 */
function mayHaveClosedRoot(element, path) {
	if (!HOSTS.test(tagOf(element)) || rootIn(element))
		return false;
	if (tagOf(element).includes('-')) {
		if (askedHosts.has(element) || !matches(element, ':defined'))
			return false;
		askedHosts.set(element, 0);
		return true;
	}
	const child = firstElementOf(element);
	const looksLikeHost = child ? hasAttribute(child, 'slot') : firstOf(element) === null;
	if (!looksLikeHost && !path.has(element))
		return false;
	const height = heightOf(element), former = askedHosts.get(element);
	if (former === height)
		return false;
	if (former !== undefined)
		lateHosts.add(element);
	askedHosts.set(element, height);
	return height > 0 || path.has(element);
}

/* The elements to ask the server about, which are marked as asked. */
export function closedRootCandidates(documents, path) {
	const candidates = [];
	const collect = node => {
		for (const element of queryIn(node, '*')) {
			if (candidates.length === HOSTS_ASKED_MAX)
				return;
			if (mayHaveClosedRoot(element, path))
				candidates.push(element);
		}
	};
	for (const each of documents) {
		collect(each);
		eachShadowRoot(each, collect);
	}
	return candidates;
}

/* What engine_keep_closed_roots() is to be asked about, at its next call. */
let asked = [];
export const askAbout = elements => asked = elements.slice(0, HOSTS_ASKED_MAX);
exported.hostsToAsk = () => asked;

const askedOnTop = new WeakSet();
const NO_PATH = new Set();
export const mayHideRoot = element => mayHaveClosedRoot(element, NO_PATH);

/*
 * Elements on top of the viewport with nothing in them that is not a closed root: an overlay in one has a host without a height, which
 * mayHideRoot() would not ask about.
 */
export function hostsOnTop() {
	const hosts = new Set();
	for (let column = 1; column <= POINTS_EACH_WAY; column++) {
		for (let row = 1; row <= POINTS_EACH_WAY; row++) {
			const [top] = elementsFromPoint(innerWidth * column / (POINTS_EACH_WAY + 1), innerHeight * row / (POINTS_EACH_WAY + 1));
			if (top && HOSTS.test(tagOf(top)) && !rootIn(top) && firstElementOf(top) === null && !askedOnTop.has(top)) {
				askedOnTop.add(top);
				hosts.add(top);
			}
		}
	}
	return [...hosts];
}

/* Registers a closed `root`. Returns whether its host was seen before without it. */
export function keepClosedRoot(root) {
	anyClosed = true;
	closedRoots.set(root.host, root);
	return lateHosts.has(root.host);
}
