/* Detects scrolled elements before their scroll events arrive with the next frame, for effects.js. */
import { styleOf } from './contents.js';
import { scrollLeftOf, scrollTopOf, tagOf } from './raw.js';

export const SCROLLERS_MAX = 300; /* elements whose scroll positions are compared */

/* Scroll positions at the last comparison, of elements that had another than 0, 0. Most have not, and each call compares all. */
const positions = new WeakMap();
export const knownScrollers = new Set(); /* of WeakRef */

const positionOf = element => ({ top: scrollTopOf(element), left: scrollLeftOf(element) });

/* Their contents scroll in a box of the browser's own, whatever their style says. */
const SCROLLED_WITHIN = new Set(['input', 'select', 'textarea']);

/* To read a scroll position makes the browser look whether everything is laid out, which takes several times as long as to read a style. */
export const mayScroll = element => positions.has(element) || SCROLLED_WITHIN.has(tagOf(element)) || styleOf(element).overflow !== 'visible';

export function hasMoved(element) {
	const { top, left } = positionOf(element);
	const former = positions.get(element);
	if (top === (former?.top ?? 0) && left === (former?.left ?? 0))
		return false;
	positions.set(element, { top, left });
	return true;
}

export function noteScroller(element) {
	if (!(element instanceof Element) || positions.has(element) || knownScrollers.size === SCROLLERS_MAX)
		return;
	knownScrollers.add(new WeakRef(element));
	positions.set(element, positionOf(element));
}
