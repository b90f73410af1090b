/*
 * :right-of(), :left-of(), :above(), :below() and :near(): elements by where they lie from others. What lies nearest
 * comes first: `LAYOUT` has for each how far `box` is from the edge of `anchor` that counts (less than 0: on the wrong
 * side of it), and how far it sticks out across.
 */
import { rectOf } from './raw.js';

const NEAR_DISTANCE = 50; /* px that :near() means when it does not say */
const positive = distance => Math.max(0, distance);
const outOfRow = (box, anchor) => positive(anchor.bottom - box.bottom) + positive(box.top - anchor.top);
const outOfColumn = (box, anchor) => positive(anchor.right - box.right) + positive(box.left - anchor.left);
const gap = (box, anchor) => positive(box.left - anchor.right) + positive(anchor.left - box.right) +
	positive(anchor.top - box.bottom) + positive(box.top - anchor.bottom);

export const LAYOUT = {
	__proto__: null,
	'right-of': { distance: (box, anchor) => box.left - anchor.right, aside: outOfRow },
	'left-of': { distance: (box, anchor) => anchor.left - box.right, aside: outOfRow },
	above: { distance: (box, anchor) => anchor.top - box.bottom, aside: outOfColumn },
	below: { distance: (box, anchor) => box.top - anchor.bottom, aside: outOfColumn },
	near: { distance: gap, aside: () => 0, limit: NEAR_DISTANCE },
};

/* Of one query: the boxes of the anchors, by extension and scope, and how well elements lie. */
class Layout {
	/* `find(selectors, scope)` gives the elements that match. */
	constructor(find) {
		this.find = find;
		this.anchors = new Map();
		this.scores = new Map();
	}

	anchorsOf(extension, scope) {
		let known = this.anchors.get(extension);
		if (known?.scope !== scope) {
			known = { scope, list: this.find(extension.selectors, scope).map(element => ({ element, box: rectOf(element) })) };
			this.anchors.set(extension, known);
		}
		return known.list;
	}

	matches(element, extension, scope) {
		const { distance, aside } = LAYOUT[extension.name];
		const box = rectOf(element);
		let best = Infinity;
		for (const { element: anchor, box: from } of this.anchorsOf(extension, scope)) {
			const far = distance(box, from);
			if (anchor !== element && far >= 0 && far <= extension.limit)
				best = Math.min(best, far + aside(box, from));
		}
		if (best < Infinity)
			this.scores.set(element, best);
		return best < Infinity;
	}

	/* Those that lie nearest first; what is no question of layout stays in the order of the document. */
	sorted(elements) {
		const score = element => this.scores.get(element) ?? Infinity;
		return this.scores.size ? elements.sort((a, b) => score(a) - score(b) || 0) : elements;
	}
}

export let layout = null;

/* The result of `query()`, which may ask layout.matches(); `find` is the Layout's. */
export function inLayout(query, find) {
	const outer = layout;
	layout = new Layout(find);
	try {
		return layout.sorted(query());
	} finally {
		layout = outer;
	}
}
