/* Whether an element has an area, and so is visible. */
import { isShown, styleOf } from './contents.js';
import { queryAll } from './dom.js';
import { childrenOf } from './names.js';
import { onClearCaches } from './operation.js';
import { closest, isElement, layoutHeightOf, layoutWidthOf, rectOf } from './raw.js';

let imagesOfMaps = new Map();
onClearCaches(() => {
	imagesOfMaps = new Map();
});

/* The image that uses the map of an <area>. */
function imageOf(area) {
	const map = closest(area, 'map');
	if (!map)
		return undefined;
	if (!imagesOfMaps.has(map))
		imagesOfMaps.set(map, queryAll(`img[usemap="#${CSS.escape(map.name)}"]`)[0]);
	return imagesOfMaps.get(map);
}

/* An <area> has no box of its own, but a region of the image that uses its map. */
export function areaBoxes(area) {
	const image = imageOf(area);
	if (!image)
		return [];
	const { x, y, width, height } = rectOf(image);
	const numbers = area.coords.split(',').map(Number);
	if (area.shape === 'default' || numbers.length < 3)
		return [new DOMRect(x, y, width, height)];
	if (numbers.length === 3) {
		const [cx, cy, r] = numbers;
		return [new DOMRect(x + cx - r, y + cy - r, 2 * r, 2 * r)];
	}
	const across = numbers.filter((_, i) => i % 2 === 0), down = numbers.filter((_, i) => i % 2 === 1);
	const left = Math.min(...across), top = Math.min(...down);
	return [new DOMRect(x + left, y + top, Math.max(...across) - left, Math.max(...down) - top)];
}

export const isAreaShown = area => imageOf(area) !== undefined && isShown(imageOf(area));

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

/* Whether only a transform, of its own or of an ancestor, leaves an element without an area: popups grow from `scale(0)`. */
export const isScaledAway = element => element instanceof HTMLElement && layoutWidthOf(element) > 0 && layoutHeightOf(element) > 0;

export function isVisible(element) {
	return isShown(element) && hasArea(element);
}
