/*
 * What only the page's own world knows, its listeners and the internals of custom elements, is asked for by an event that
 * functions/listeners.js hears there, and answers by another before dispatchEvent() returns. Ranges are what an event can carry elements
 * in; those in shadow trees it does not, they are named by their host and the way down from it. What comes back is the page's word.
 */
import { FRAGMENT, parentNodeOf, previousOf, rootOf, typeOfNode } from './raw.js';
import { anyClosed } from './roots.js';

/* The answer to the question `about` these elements, a text, or null. */
export function askPageWorld(about, elements) {
	if (!globalThis.browserdListeners)
		return null;
	const { addEventListener: add, removeEventListener: remove, dispatchEvent: dispatch } = EventTarget.prototype;
	const name = `${globalThis.browserdListeners}-answer`;
	let answer = null;
	const onAnswer = event => {
		event.stopImmediatePropagation();
		answer = event.data;
	};
	const ways = [];
	const targetRanges = elements.map((element, i) => rangeAt(outermost(element, way => ways.push(`${i}:${way}`))));
	add.call(window, name, onAnswer, true);
	dispatch.call(window, new InputEvent(`${globalThis.browserdListeners}-${about}`, { targetRanges, data: ways.join(' ') }));
	remove.call(window, name, onAnswer, true);
	return answer;
}

/* The page's own world has no way into a closed shadow root. */
export function canBeAsked(element) {
	for (let root = anyClosed && rootOf(element); root && typeOfNode(root) === FRAGMENT; root = rootOf(root.host)) {
		if (root.mode === 'closed')
			return false;
	}
	return true;
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
