/* Whether an element has an area, and so is visible. */
import { isShown, styleOf } from './contents.js';
import { childrenOf } from './names.js';
import { isElement, rectOf } from './raw.js';

export function hasArea(element) {
	const { width, height } = rectOf(element);
	if (width > 0 && height > 0)
		return true;
	return styleOf(element).display === 'contents' && contentsHaveArea(element);
}

/* An element with `display: contents` has no box, so the boxes of its children decide. */
function contentsHaveArea(element) {
	for (const child of childrenOf(element)) {
		const { width, height } = isElement(child) ? rectOf(child) : textRect(child);
		if (width > 0 && height > 0)
			return true;
		if (isElement(child) && styleOf(child).display === 'contents' && contentsHaveArea(child))
			return true;
	}
	return false;
}

function textRect(text) {
	const range = document.createRange();
	range.selectNode(text);
	return range.getBoundingClientRect();
}

export function isVisible(element) {
	return isShown(element) && hasArea(element);
}
