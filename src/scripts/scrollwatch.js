/* Detects scrolled elements before their scroll events arrive with the next frame, for effects.js. */
import { scrollLeftOf, scrollTopOf } from './raw.js';

export const SCROLLERS_MAX = 300; /* elements whose scroll positions are compared */

/* Scroll positions of elements at the last comparison. */
const positions = new WeakMap();
export const knownScrollers = new Set(); /* of WeakRef */

export function hasMoved(element) {
	const position = `${scrollTopOf(element)} ${scrollLeftOf(element)}`;
	const former = positions.get(element) ?? '0 0';
	positions.set(element, position);
	return position !== former;
}

export function noteScroller(element) {
	if (!(element instanceof Element) || positions.has(element) || knownScrollers.size === SCROLLERS_MAX)
		return;
	knownScrollers.add(new WeakRef(element));
	hasMoved(element);
}
