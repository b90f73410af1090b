/* Boxes around elements, which follow them until they are hidden or the document goes. */
import { follow } from './engines.js';
import { exported } from './exported.js';
import { clearCaches } from './operation.js';
import { draw, eraseDrawings, restyle, track, untrack } from './overlay.js';
import { isAttached, rectOf } from './raw.js';
import { elementByRef } from './refs.js';

const HIGHLIGHTED_MAX = 100; /* elements of one highlight */
const SEARCH_PERIOD = 200;   /* ms between two searches for the elements */
const BOX_STYLE = 'position: absolute; background: rgba(111, 168, 220, .5);';
const LABEL_STYLE = 'position: absolute; max-width: 600px; padding: 4px 6px; border-radius: 5px; background: #fff; white-space: pre-wrap; ' +
	'overflow-wrap: anywhere; box-shadow: 0 4px 14px rgba(0, 0, 0, .3);';
const LABEL_GAP = 5; /* CSS pixels between a box and its label */
const highlights = new Map(); /* by their locators */

class Highlight {
	constructor({ locator, ref, steps, style }) {
		this.locator = locator;
		this.find = () => ref === undefined ? follow(steps) : [elementByRef(ref)];
		this.style = style ?? '';
		this.elements = [];
		this.searchedAt = -Infinity;
		this.drawings = []; /* {box, label} */
		this.update = () => this.drawAll();
		track(this.update);
		this.update();
	}

	end() {
		untrack(this.update);
		this.keep(0);
	}

	search() {
		if (performance.now() < this.searchedAt + SEARCH_PERIOD && this.elements.every(isAttached))
			return;
		clearCaches();
		this.searchedAt = performance.now();
		try {
			this.elements = this.find().slice(0, HIGHLIGHTED_MAX);
		} catch { /* the element of the ref has gone */
			this.elements = [];
		}
	}

	keep(count) {
		eraseDrawings(this.drawings.splice(count).flatMap(({ box, label }) => [box, label]));
	}

	drawAll() {
		this.search();
		this.keep(this.elements.length);
		this.elements.forEach((element, i) => this.drawOne(i, rectOf(element)));
	}

	drawOne(i, { left, top, bottom, width, height }) {
		if (!this.drawings[i]?.box?.isConnected) {
			eraseDrawings(Object.values(this.drawings[i] ?? {}));
			this.drawings[i] = { box: draw(BOX_STYLE + this.style), label: draw(LABEL_STYLE, this.locator) };
		}
		const { box, label } = this.drawings[i];
		if (!label)
			return;
		restyle(box, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
		const below = bottom + LABEL_GAP + label.offsetHeight <= innerHeight;
		restyle(label, {
			left: `${Math.max(0, Math.min(left, innerWidth - label.offsetWidth))}px`,
			top: `${Math.max(0, below ? bottom + LABEL_GAP : top - LABEL_GAP - label.offsetHeight)}px`,
			visibility: width > 0 || height > 0 ? 'visible' : 'hidden',
		});
	}
}

function endHighlight(locator) {
	highlights.get(locator)?.end();
	highlights.delete(locator);
}

/* {locator, ref | steps, style}: highlights all elements that match, with the locator as their label. */
exported.highlight = request => {
	endHighlight(request.locator);
	highlights.set(request.locator, new Highlight(request));
};

/* {locator}: hides the highlight of that locator; without one, all of the document. */
exported.hideHighlight = ({ locator }) => {
	for (const each of locator === undefined ? [...highlights.keys()] : [locator])
		endHighlight(each);
};
