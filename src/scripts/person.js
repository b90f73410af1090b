/*
 * Lists of <select> elements for a person who sees the page as a picture: the browser shows them in a window of its own, which no picture has.
 */
import { frameMap, topElementAt } from './dom.js';
import { exported } from './exported.js';
import { asOwnChange } from './ownchanges.js';
import { rectOf } from './raw.js';
import { chooseOptions } from './select.js';
import { whyDisabled } from './visibility.js';

const OPTIONS_SHOWN = 1000, LABEL_LENGTH = 200;

let offered = null; // {select, number}
let last = 0;

function describeOption(option) {
	const group = option.parentElement instanceof HTMLOptGroupElement ? option.parentElement.label : '';
	return {
		label: (option.label || option.value).slice(0, LABEL_LENGTH).toWellFormed(),
		group: group.slice(0, LABEL_LENGTH).toWellFormed(),
		disabled: Boolean(whyDisabled(option)),
		selected: option.selected,
	};
}

/* A list that the browser would open at a press; others are in the picture. */
const opensList = element => element?.localName === 'select' && !element.multiple && element.size <= 1 && !whyDisabled(element);

function offer(select, map) {
	const box = rectOf(select), from = map.transformPoint(new DOMPoint(box.left, box.top)), to = map.transformPoint(new DOMPoint(box.right, box.bottom));
	offered = { select, number: ++last };
	asOwnChange(() => select.focus({ preventScroll: true }));
	return {
		number: last, box: [from.x, from.y, to.x - from.x, to.y - from.y],
		options: [...select.options].slice(0, OPTIONS_SHOWN).map(describeOption),
	};
}

/* The list of the <select> at a point {x, y} of this document's viewport, which gets the focus: {number, box, options}; null: there is none. */
exported.offerChoice = ({ x, y }) => {
	let toFrame = new DOMMatrix(), fromFrame = new DOMMatrix();
	for (let page = document; page;) {
		const point = toFrame.transformPoint(new DOMPoint(x, y)), found = topElementAt(point.x, point.y, page);
		if (opensList(found))
			return offer(found, fromFrame);
		if (!found?.contentDocument)
			return null;
		const map = frameMap(found);
		toFrame = map.inverse().multiply(toFrame);
		fromFrame = fromFrame.multiply(map);
		page = found.contentDocument;
	}
	return null;
};

/* {number, index}: chooses an option of the list that was offered with this number. Another number, or an option that is disabled, has no effect. */
exported.takeChoice = ({ number, index }) => {
	const option = offered?.number === number ? offered.select.options[index] : null;
	if (option && !whyDisabled(option))
		chooseOptions(offered.select, [option]);
};
