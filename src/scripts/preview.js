/* An element in one line, as error messages and call logs show it. */
import { exported } from './exported.js';
import { attributesOf, firstOf, nextOf, tagOf, TEXT, textOf, typeOfNode } from './raw.js';
import { elementByRef } from './refs.js';

const PREVIEW_TEXT = 50;
const PREVIEW_ATTRIBUTES = 500;
const PREVIEW_BOOLEANS = new Set(['checked', 'disabled', 'multiple', 'readonly', 'selected']);
const CLOSED_TAGS = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source',
	'track', 'wbr']);

const cut = (text, length) => text.length > length ? text.slice(0, length - 1) + '…' : text;

/* <button id="save">Save</button>, on one line. */
export function previewOf(element) {
	const tag = tagOf(element);
	const attributes = [...attributesOf(element)].filter(({ name }) => name !== 'style').map(({ name, value }) =>
		!value && PREVIEW_BOOLEANS.has(name) ? ` ${name}` : ` ${name}="${value}"`).sort((a, b) => a.length - b.length);
	const opening = cut(attributes.join('').replace(/\n/g, '↵').replace(/\t/g, '⇆'), PREVIEW_ATTRIBUTES);
	return CLOSED_TAGS.has(tag) ? `<${tag}${opening}/>` : `<${tag}${opening}>${previewText(element)}</${tag}>`;
}

function previewText(element) {
	const children = [];
	for (let child = firstOf(element); child; child = nextOf(child))
		children.push(child);
	const isShort = children.length <= 5 && children.every(child => typeOfNode(child) === TEXT);
	const text = isShort ? textOf(element) : children.length ? '…' : '';
	return cut(text.replace(/\n/g, '↵').replace(/\t/g, '⇆'), PREVIEW_TEXT);
}

/* {ref} -> {text}: the element in one line, for messages */
exported.preview = ({ ref }) => ({ text: previewOf(elementByRef(ref)) });
