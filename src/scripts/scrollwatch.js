/* Detects scrolled elements before their scroll events arrive with the next frame, for effects.js. */
import { scrollLeftOf, scrollTopOf } from './raw.js';

export const SCROLLERS_MAX = 300; /* elements whose scroll positions are compared */

/* Scroll positions at the last comparison, of elements that had another than 0, 0. Most have not, and each call compares all. */
const positions = new WeakMap();
export const knownScrollers = new Set(); /* of WeakRef */

const positionOf = element => ({ top: scrollTopOf(element), left: scrollLeftOf(element) });

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
