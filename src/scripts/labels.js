/*
 * The <label>s of a control. `element.labels` walks the whole document for each control that is asked, so the labels of
 * a root are sorted by their controls once in an operation.
 */
import { queryIn, rootOf } from './raw.js';

let labelsOfRoot = new Map();

export function labelsOf(element) {
	const root = rootOf(element);
	let index = labelsOfRoot.get(root);
	if (!index)
		labelsOfRoot.set(root, index = indexLabels(root));
	return index.get(element) ?? [];
}

function indexLabels(root) {
	const index = new Map();
	for (const label of queryIn(root, 'label')) {
		const { control } = label;
		if (!index.has(control))
			index.set(control, []);
		index.get(control).push(label);
	}
	return index;
}

export function forgetLabels() {
	labelsOfRoot = new Map();
}
