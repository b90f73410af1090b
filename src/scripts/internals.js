/*
 * What custom elements say of themselves by ElementInternals: their roles, names, values and states, which no attribute has. Only the page's own
 * world can read that, where an element keeps its internals in a property, as elements do; those in a private field (#internals) only the
 * browser's accessibility tree knows, which takes it longer to make than the whole snapshot.
 */
import { onClearCaches } from './operation.js';
import { askPageWorld, canBeAsked } from './pageworld.js';
import { matches, queryIn, rootOf, tagOf } from './raw.js';

const ASKED_AT_ONCE_MAX = 5000;
const without = new WeakSet(); /* elements that were asked and have none, which they get as they are made */
let said = new Map();
let askedRoots = new Set();

onClearCaches(() => {
	said = new Map();
	askedRoots = new Set();
});

const isUnknown = element => tagOf(element).includes('-') && !without.has(element) && matches(element, ':defined') && canBeAsked(element);

/* Asks about all custom elements of a tree at once, because a question costs more than an element. */
function askIn(root) {
	askedRoots.add(root);
	const elements = Array.prototype.filter.call(queryIn(root, '*'), isUnknown).slice(0, ASKED_AT_ONCE_MAX);
	const answer = elements.length ? askPageWorld('internals', elements) : null;
	let all = null;
	try {
		all = JSON.parse(answer);
	} catch { /* the page has broken it */ }
	elements.forEach((element, i) => {
		if (Array.isArray(all) && all[i] !== null && typeof all[i] === 'object')
			said.set(element, all[i]);
		else if (all)
			without.add(element);
	});
}

/* {role, 'aria-valuenow'...}, or null for most elements. */
export function internalsOf(element) {
	if (!globalThis.browserdListeners || !tagOf(element).includes('-') || without.has(element))
		return null;
	const root = rootOf(element);
	if (!askedRoots.has(root))
		askIn(root);
	return said.get(element) ?? null;
}

export function internalOf(element, name) {
	const value = internalsOf(element)?.[name];
	return typeof value === 'string' ? value : null;
}
