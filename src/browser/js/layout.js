/*
 * :right-of(), :left-of(), :above(), :below() and :near(): elements by where they lie from others. What lies nearest
 * comes first: `LAYOUT` has for each how far `box` is from the edge of `anchor` that counts (less than 0: on the wrong
 * side of it), and how far it sticks out across.
 */
const NEAR = 50; /* px that :near() means when it does not say */
const ahead = distance => Math.max(0, distance);
const outOfRow = (box, anchor) => ahead(anchor.bottom - box.bottom) + ahead(box.top - anchor.top);
const outOfColumn = (box, anchor) => ahead(anchor.right - box.right) + ahead(box.left - anchor.left);
const gap = (box, anchor) => ahead(box.left - anchor.right) + ahead(anchor.left - box.right) +
	ahead(anchor.top - box.bottom) + ahead(box.top - anchor.bottom);

const LAYOUT = {
	__proto__: null,
	'right-of': { distance: (box, anchor) => box.left - anchor.right, aside: outOfRow },
	'left-of': { distance: (box, anchor) => anchor.left - box.right, aside: outOfRow },
	above: { distance: (box, anchor) => anchor.top - box.bottom, aside: outOfColumn },
	below: { distance: (box, anchor) => box.top - anchor.bottom, aside: outOfColumn },
	near: { distance: gap, aside: () => 0, limit: NEAR },
};

/* A list of selectors and, behind it, the largest distance in px. */
function layoutArguments(name, body) {
	const [, list, limit] = /^(.*?)(?:,\s*(\d+(?:\.\d+)?)\s*)?$/s.exec(body);
	if (!list.trim())
		throw new Failure('INVALID_SELECTOR', `":${name}()" wants a selector and, behind a comma, a largest distance in pixels`);
	return { selectors: parseCSS(list.trim()), limit: limit === undefined ? LAYOUT[name].limit ?? Infinity : Number(limit) };
}

/* Of one query: the boxes of the anchors, by extension and scope, and how well elements lie. */
class Layout {
	constructor() {
		this.anchors = new Map();
		this.scores = new Map();
	}

	anchorsOf(extension, scope) {
		let known = this.anchors.get(extension);
		if (known?.scope !== scope) {
			known = { scope, list: queryParsed(extension.selectors, scope).map(element => ({ element, box: rectOf(element) })) };
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

let layout = null;

/* The result of `query()`, which may ask layout.matches(). */
function inLayout(query) {
	const outer = layout;
	layout = new Layout();
	try {
		return layout.sorted(query());
	} finally {
		layout = outer;
	}
}
