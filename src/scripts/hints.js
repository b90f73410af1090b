/*
 * Words for what has no name: what the author of the page called an icon, its file, or the element itself, what it looks like, its place
 * among others that are like it, and the shapes that a picture consists of. They are the last resort of a snapshot, and say that they are
 * one ("hint").
 */
import { colourName } from './colours.js';
import { styleOf } from './contents.js';
import { createWalker } from './dom.js';
import { onClearCaches } from './operation.js';
import { isLarge } from './pictures.js';
import {
	attributeOf, collapseSpace, dataOf, firstElementOf, firstOf, hasAttributes, isElement, nextOf, parentNodeOf, rectOf, spaceOf, SVG_SPACE, tagOf, TEXT, textOf,
	typeOfNode,
} from './raw.js';

const INSIDE_MAX = 20; /* elements of a control that are looked at */
const SHAPES_MAX = 12; /* that are described one by one, or kinds of these */
const KINDS_OF_ICON_MAX = 3;
const LABELLED_SHAPES_MAX = 24; /* of a picture with texts in it, which say more */
const LOOKED_AT_MAX = 1000; /* shapes of a picture, or neighbours of an element */
const SIGN_LENGTH = 2; /* UTF-16 units of a text that is a shape rather than words */
const TEXT_OF_SHAPE_LENGTH = 20;
const HINT_LENGTH = 40;
const ICON_ATTRIBUTES = ['data-icon', 'data-lucide', 'data-feather', 'icon'];
const ICON_CLASS = /(?:^|[-_])(?:icons?|fa|fas|far|mdi|bi|ti|ri|glyphicon|lucide|anticon|octicon|codicon)[-_](?!\d)\w|\w[-_]icon$/i;
const WORD_ATTRIBUTES = ['data-testid', 'data-test', 'data-action', 'name', 'id', 'class'];
const SHAPE_TAGS = new Set(['circle', 'ellipse', 'line', 'path', 'polygon', 'polyline', 'rect', 'text']);

const fileOf = url => /^data:/i.test(url) ? '' : url.replace(/[?#].*$/s, '').split('/').pop();
const fragmentIn = url => url.includes('#') ? url.split('#').pop() : '';

/* Elements in `element`, in their order, without those that `accepts` rejects with all that is in them. A walk ends early, a query does not. */
function firstInside(element, max, accepts = null) {
	const walker = createWalker(element, NodeFilter.SHOW_ELEMENT, accepts && (inner => accepts(inner) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT));
	const elements = [];
	while (elements.length < max && walker.nextNode())
		elements.push(walker.currentNode);
	return elements;
}

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

/* What its source calls an element, or what is in it. */
function sourceWords(element) {
	const inside = [element, ...firstInside(element, INSIDE_MAX)].filter(hasAttributes);
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

/* ---- shapes ---- */

const DRAWN_FIELDS = new Set(['input', 'select', 'textarea']); /* which the browser draws */
const isField = element => DRAWN_FIELDS.has(tagOf(element));
const sizeText = ({ width, height }) => `${Math.round(width)}x${Math.round(height)}`;
const placeText = (x, y) => `${Math.round(x)},${Math.round(y)}`;

export const isSignInPicture = element => tagOf(element) === 'text' && textOf(element).trim().length <= SIGN_LENGTH;

/* ['fill' or 'stroke', colour] of what is seen of a shape; of a line nothing is filled. */
export function colourOfShape(shape) {
	const { fill, stroke } = styleOf(shape), filled = tagOf(shape) === 'line' ? '' : colourName(fill);
	return filled ? ['fill', filled] : ['stroke', colourName(stroke)];
}

/* 0: not made of corners */
export const cornersOf = shape => tagOf(shape) === 'polygon' ? (attributeOf(shape, 'points') ?? '').trim().split(/[\s,]+/).length >> 1 : 0;

export function isRound(element) {
	const radius = styleOf(element).borderTopLeftRadius, { width, height } = rectOf(element);
	return width > 0 && Number.parseFloat(radius) >= (radius.endsWith('%') ? 50 : Math.min(width, height) / 2);
}

/* Where the middle of a shape is, in px from the upper left corner of its picture. */
export function placeInPicture(shape, picture = shape.ownerSVGElement ?? shape) {
	const { x, y, width, height } = rectOf(shape), origin = rectOf(picture);
	return placeText(x - origin.x + width / 2, y - origin.y + height / 2);
}

function endsOfLine(line, picture) {
	const matrix = line.getScreenCTM() ?? undefined, origin = rectOf(picture);
	const ends = [[line.x1, line.y1], [line.x2, line.y2]].map(([x, y]) => new DOMPoint(x.baseVal.value, y.baseVal.value).matrixTransform(matrix));
	return ends.map(({ x, y }) => placeText(x - origin.x, y - origin.y)).join(' to ');
}

const placeWords = (shape, picture) => tagOf(shape) === 'line' ? `from ${endsOfLine(shape, picture)}` : `at ${placeInPicture(shape, picture)}`;

function shapeWords(shape) {
	const corners = cornersOf(shape), tag = tagOf(shape);
	const text = tag === 'text' ? collapseSpace(textOf(shape)).slice(0, TEXT_OF_SHAPE_LENGTH).toWellFormed() : '';
	return [colourOfShape(shape)[1], tag, text, corners ? `${corners} corners` : '', tag === 'line' ? '' : sizeText(rectOf(shape))].filter(Boolean).join(' ');
}

const BUTTON_FACES = new Set(['#efefef', '#e9e9ed']); /* what browsers give buttons by themselves */

function colourOfBox(element) {
	const colour = colourName(styleOf(element).backgroundColor);
	return BUTTON_FACES.has(colour) ? '' : colour;
}

const boxWords = element => `${colourOfBox(element)} ${isRound(element) ? 'circle' : 'box'} ${sizeText(rectOf(element))}`.trim();

/* "3 red circle 20x20, blue rect 8x8 and 2 more kinds" */
function kindsOf(all, max) {
	const counts = new Map();
	for (const words of all)
		counts.set(words, (counts.get(words) ?? 0) + 1);
	const kinds = [...counts].slice(0, max).map(([words, count]) => count > 1 ? `${count} ${words}` : words).join(', ');
	return counts.size > max ? `${kinds} and ${counts.size - max} more kinds` : kinds;
}

/* `isApart`: of a picture in it that is in the snapshot, too. What is no part of SVG is no shape. */
function shapesOf(picture, isApart = () => false) {
	const parts = firstInside(picture, LOOKED_AT_MAX, part => spaceOf(part) === SVG_SPACE && !(tagOf(part) === 'svg' && isApart(part)));
	return parts.filter(part => SHAPE_TAGS.has(tagOf(part)) && !isApart(part) && (rectOf(part).width > 0 || rectOf(part).height > 0));
}

/*
 * The shapes in an SVG picture without those, and without pictures in it, that are in a snapshot themselves (`isApart`): a few with their places, of more the kinds. A path
 * can be anywhere in its box.
 */
export function shapesIn(picture, isApart) {
	const shapes = shapesOf(picture, isApart);
	if (shapes.length > LABELLED_SHAPES_MAX && shapes.some(shape => tagOf(shape) === 'text'))
		return '';
	if (shapes.every(shape => tagOf(shape) === 'text' && !isSignInPicture(shape)))
		return '';
	return shapes.length > SHAPES_MAX ? kindsOf(shapes.map(shapeWords), SHAPES_MAX) :
		shapes.map(shape => tagOf(shape) === 'path' ? shapeWords(shape) : `${shapeWords(shape)} ${placeWords(shape, picture)}`).join(', ');
}

const SIDE_OF_BOX_MIN = 6; /* px; less is a line */
const SIDE_OF_ONLY_BOX_MAX = 40; /* px; more is a background */

/* The coloured elements of which a drawing consists: "3 green box 10x10, box 10x10"; '' if `element` is no such drawing. */
export function boxesIn(element) {
	const boxes = firstElementsIn(element).filter(box => {
		const { width, height } = rectOf(box);
		return width >= SIDE_OF_BOX_MIN && height >= SIDE_OF_BOX_MIN;
	});
	const isOnlyOne = boxes.length === 1 && isLarge(element) && rectOf(boxes[0]).height <= SIDE_OF_ONLY_BOX_MAX && rectOf(boxes[0]).width <= SIDE_OF_ONLY_BOX_MAX;
	if (!isOnlyOne && boxes.length < 2 || !boxes.some(colourOfBox))
		return '';
	const runs = []; /* of boxes alike, one after the other */
	for (const words of boxes.map(boxWords)) {
		const last = runs.at(-1);
		if (last?.words === words)
			last.count++;
		else
			runs.push({ words, count: 1 });
	}
	const shown = runs.slice(0, SHAPES_MAX).map(({ words, count }) => count > 1 ? `${count} ${words}` : words).join(', ');
	return runs.length > SHAPES_MAX ? `${shown} and ${runs.length - SHAPES_MAX} more` : shown;
}

function lookOf(element) {
	const picture = [element, ...firstInside(element, INSIDE_MAX)].find(each => tagOf(each) === 'svg');
	return picture ? kindsOf(shapesOf(picture).map(shapeWords), KINDS_OF_ICON_MAX) : isField(element) || !colourOfBox(element) ? '' : boxWords(element);
}

/* ---- places ---- */

const LEVELS_OF_CELL = 3; /* of elements around a control with nothing else in them */
const NODES_OF_CELL = 8;
const IN_A_ROW_MIN = 3; /* controls; a shorter row needs no places, because a reader counts it */
let cellsOfParents = new Map(), rowsOfParents = new Map(); /* by tag, then by parent */

onClearCaches(() => {
	cellsOfParents = new Map();
	rowsOfParents = new Map();
});

/* The one element in `element` without words beside it; null: it is empty; undefined: there is more. */
function onlyElementIn(element) {
	let only = null, count = 0;
	for (let node = firstOf(element); node; node = nextOf(node)) {
		if (++count > NODES_OF_CELL || typeOfNode(node) === TEXT && dataOf(node).trim() || isElement(node) && only)
			return undefined;
		if (isElement(node))
			only = node;
	}
	return only;
}

function isCell(element) {
	let at = element;
	for (let level = 0; level < LEVELS_OF_CELL && at && tagOf(at) !== 'svg' && !isField(at); level++)
		at = onlyElementIn(at);
	return at !== undefined;
}

/* The outermost element with nothing in it but `element`. */
function cellOf(element) {
	let cell = element;
	for (let level = 1; level < LEVELS_OF_CELL; level++) {
		const around = parentNodeOf(cell);
		if (!around || !isElement(around) || tagOf(around) === 'body' || onlyElementIn(around) !== cell)
			break;
		cell = around;
	}
	return cell;
}

const firstElementsIn = parent => {
	const elements = [];
	for (let child = firstElementOf(parent); child && elements.length < LOOKED_AT_MAX; child = child.nextElementSibling)
		elements.push(child);
	return elements;
};

function knownIn(byTag, tag) {
	if (!byTag.has(tag))
		byTag.set(tag, new Map());
	return byTag.get(tag);
}

/*
 * The cells of one tag in `parent`: {places, words, rows}. `places` has the row of each and its number in that, `words` how many are called the same.
 * Null if they are neither beside each other on the screen, nor in a grid, nor below each other.
 */
function cellsIn(parent, tag) {
	const known = knownIn(cellsOfParents, tag);
	if (!known.has(parent))
		known.set(parent, groupCells(firstElementsIn(parent).filter(element => tagOf(element) === tag && isCell(element))));
	return known.get(parent);
}

function groupCells(cells) {
	const rows = new Map(), places = new Map(), words = new Map();
	for (const cell of cells) {
		const { top, width } = rectOf(cell), key = Math.round(top);
		if (width === 0)
			continue;
		if (!rows.has(key))
			rows.set(key, []);
		const row = rows.get(key), own = sourceWords(cell);
		row.push(cell);
		places.set(cell, { row, number: row.length, words: own });
		words.set(own, (words.get(own) ?? 0) + 1);
	}
	const all = [...rows.values()], { length } = all[0] ?? [];
	return all.every((row, i) => row.length === length || i === all.length - 1 && i > 1 && row.length < length) ? { rows: all, places, words } : null;
}

/* Which of the rows in its parent `row` is, an element with cells of that tag: a number from 1; 0 if it is the only one. */
function numberOfRow(row, tag) {
	const around = parentNodeOf(row);
	if (!around || !isElement(around))
		return 0;
	const known = knownIn(rowsOfParents, tag);
	if (!known.has(around))
		known.set(around, firstElementsIn(around).filter(element => tagOf(element) === tagOf(row) && cellsIn(element, tag)?.places.size > 1));
	const rows = known.get(around);
	return rows.length > 1 ? rows.indexOf(row) + 1 : 0;
}

/* "3 of 5", "row 2, 1 of 3": where an element is among others that are like it, if one of these is called the same; else ''. */
function placeAmongCells(element) {
	const cell = cellOf(element), tag = tagOf(cell), parent = parentNodeOf(cell);
	const found = parent && isElement(parent) && spaceOf(cell) !== SVG_SPACE ? cellsIn(parent, tag) : null, place = found?.places.get(cell);
	if (!place || found.words.get(place.words) === 1)
		return '';
	const { row, number } = place, { rows } = found;
	if (rows.length > 1 && rows[0].length === 1)
		return rows.length < IN_A_ROW_MIN ? '' : `${rows.indexOf(row) + 1} of ${rows.length}`;
	const numberOf = rows.length > 1 ? rows.indexOf(row) + 1 : numberOfRow(parent, tag);
	return numberOf > 0 ? `row ${numberOf}, ${number} of ${row.length}` : row.length < IN_A_ROW_MIN ? '' : `${number} of ${row.length}`;
}

/* What an element without a name may be; '' where nothing says it. `hasLook`: its colour is said already. */
export function hintOf(element, hasLook) {
	return [sourceWords(element) || (hasLook ? '' : lookOf(element)), placeAmongCells(element)].filter(Boolean).join(', ');
}
