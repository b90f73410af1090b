/* Detects scrolled elements before their scroll events arrive with the next frame, for effects.js. */
import { styleOf } from './contents.js';
import { timeline } from './dom.js';
import { isAttached, scrollLeftOf, scrollTopOf, tagOf } from './raw.js';

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

/* The elements and documents that scroll at the moment. Browsers report the end of each scrolling, of that in one step as well. */
export class Scrolling {
	constructor() {
		this.underWay = new Set();
		this.ends = new WeakMap(); /* the time of the frame in which the last scrolling of a node has ended */
	}

	/* Firefox may report the end before the step that it follows, both in one frame. */
	begin(node) {
		if (this.ends.get(node) !== timeline().currentTime)
			this.underWay.add(node);
	}

	end(node) {
		this.underWay.delete(node);
		this.ends.set(node, timeline().currentTime);
	}

	/* The end of what was removed is not reported. */
	isUnderWay() {
		return [...this.underWay].some(node => isAttached(node));
	}
}
