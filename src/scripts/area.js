/* Whether an element has an area, and so is visible. */
import { isShown, styleOf } from './contents.js';
import { childrenOf } from './names.js';
import { isElement, rectOf } from './raw.js';

export function hasArea(element, { width, height } = rectOf(element)) {
	if (width > 0 && height > 0)
		return true;
	return styleOf(element).display === 'contents' && contentsHaveArea(element);
}

/* An element with `display: contents` has no box, so the boxes of its children decide. */
function contentsHaveArea(element) {
	const todo = childrenOf(element);
	while (todo.length) {
		const child = todo.pop();
		const { width, height } = isElement(child) ? rectOf(child) : textRect(child);
		if (width > 0 && height > 0)
			return true;
		if (isElement(child) && styleOf(child).display === 'contents')
			todo.push(...childrenOf(child));
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
