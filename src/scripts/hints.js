/*
 * Words for what has no name: what the author of the page called an icon, its file, or the element itself, and the shapes that a picture
 * consists of. They are an outline's last resort, and say that they are one ("hint").
 */
import { colourName } from './colours.js';
import { styleOf } from './contents.js';
import { attributeOf, hasAttributes, queryIn, rectOf, tagOf } from './raw.js';

const INSIDE_MAX = 20; /* elements of a control that are looked at */
const SHAPES_MAX = 12;
const HINT_LENGTH = 40;
const ICON_ATTRIBUTES = ['data-icon', 'data-lucide', 'data-feather', 'icon'];
const ICON_CLASS = /(?:^|[-_])(?:icons?|fa|fas|far|mdi|bi|ti|ri|glyphicon|lucide|anticon|octicon|codicon)[-_](?!\d)\w|\w[-_]icon$/i;
const WORD_ATTRIBUTES = ['data-testid', 'data-test', 'data-action', 'name', 'id', 'class'];
const SHAPES = 'circle, ellipse, line, path, polygon, polyline, rect';

const fileOf = url => /^data:/i.test(url) ? '' : url.replace(/[?#].*$/s, '').split('/').pop();
const fragmentIn = url => url.includes('#') ? url.split('#').pop() : '';

function iconOf(element) {
	const tag = tagOf(element);
	if (tag === 'use')
		return fragmentIn(attributeOf(element, 'href') ?? attributeOf(element, 'xlink:href') ?? '');
	if (tag === 'img')
		return fileOf(attributeOf(element, 'src') ?? '');
	const [, behind] = /^url\("([^"]+)"\)$/.exec(styleOf(element).backgroundImage) ?? [];
	if (behind)
		return fileOf(behind);
	for (const name of ICON_ATTRIBUTES) {
		if (attributeOf(element, name))
			return attributeOf(element, name);
	}
	return (attributeOf(element, 'class') ?? '').split(/\s+/).find(word => ICON_CLASS.test(word)) ?? '';
}

const isChoice = element => tagOf(element) === 'input' && (element.type === 'radio' || element.type === 'checkbox');

/* What an element without a name may be; '' where its source does not say it. */
export function hintOf(element) {
	const inside = [element, ...Array.prototype.slice.call(queryIn(element, '*'), 0, INSIDE_MAX)].filter(hasAttributes);
	for (const each of inside) {
		const icon = iconOf(each);
		if (icon)
			return icon.slice(0, HINT_LENGTH);
	}
	for (const name of isChoice(element) ? ['value', ...WORD_ATTRIBUTES] : WORD_ATTRIBUTES) {
		const value = attributeOf(element, name)?.trim();
		if (value)
			return value.slice(0, HINT_LENGTH);
	}
	return '';
}

function shapeWords(shape) {
	const { width, height } = rectOf(shape), { fill, stroke } = styleOf(shape);
	const corners = tagOf(shape) === 'polygon' ? `${(attributeOf(shape, 'points') ?? '').trim().split(/[\s,]+/).length >> 1} corners` : '';
	return [colourName(fill) || colourName(stroke), tagOf(shape), corners, `${Math.round(width)}x${Math.round(height)}`].filter(Boolean).join(' ');
}

/* The shapes in an SVG picture: "red circle 20x20, blue rect 8x8 and 12 more"; '' without any */
export function shapesIn(picture) {
	const shapes = Array.prototype.filter.call(queryIn(picture, SHAPES), shape => rectOf(shape).width > 0 || rectOf(shape).height > 0);
	const words = shapes.slice(0, SHAPES_MAX).map(shapeWords).join(', ');
	return shapes.length > SHAPES_MAX ? `${words} and ${shapes.length - SHAPES_MAX} more` : words;
}
