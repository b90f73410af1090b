/* Text as locators see it: all of it, shadow roots included, in `full`; the runs between elements in `runs`. */
import { regexText, unescapeString } from './literals.js';
import { onClearCaches } from './operation.js';
import { dataOf, ELEMENT, firstOf, isElement, nextOf, shadowOf, spaceOf, SVG_SPACE, tagOf, TEXT, typeOfNode } from './raw.js';

let elementTexts = new Map();
const TEXTLESS_TAGS = new Set(['script', 'style', 'noscript', 'head']);
/* The title of the document lies in its head; that of a drawing is text. */
export const isTextless = element => TEXTLESS_TAGS.has(tagOf(element)) || tagOf(element) === 'title' && spaceOf(element) !== SVG_SPACE;

export function elementText(node) {
	let text = elementTexts.get(node);
	if (!text)
		elementTexts.set(node, text = computeText(node));
	return text;
}

function computeText(node) {
	if (isElement(node) && tagOf(node) === 'input' && (node.type === 'submit' || node.type === 'button' || node.type === 'reset'))
		return { full: node.value, runs: [node.value] };
	const text = { full: '', runs: [] };
	if (isElement(node) && isTextless(node))
		return text;
	let run = '';
	for (let child = firstOf(node); child; child = nextOf(child)) {
		const type = typeOfNode(child);
		if (type === TEXT) {
			text.full += dataOf(child);
			run += dataOf(child);
		} else if (type === ELEMENT) {
			text.runs.push(run);
			run = '';
			text.full += elementText(child).full;
		}
	}
	text.runs.push(run);
	const shadow = isElement(node) ? shadowOf(node) : null;
	if (shadow)
		text.full += elementText(shadow).full;
	return text;
}

export const plainSpace = text => text.replace(/[\u200b\u00ad]/g, '').trim().replace(/\s+/g, ' ');
/* Text as people see it, where the words of a page are compared with those that somebody has read there; locators keep to plainSpace(). */
export const seenText = text => plainSpace(text.replace(/\p{Default_Ignorable_Code_Point}/gu, '').normalize());
const lowerText = text => plainSpace(text).toLowerCase();

/* Matchers take an element. */
export function laxText(text) {
	const wanted = lowerText(text);
	return element => lowerText(elementText(element).full).includes(wanted);
}

export function strictText(text) {
	const wanted = plainSpace(text);
	return element => elementText(element).runs.some(run => plainSpace(run) === wanted && (wanted || run));
}

function wholeText(text) {
	const wanted = plainSpace(text);
	return element => plainSpace(elementText(element).full) === wanted;
}

export function regexMatcher({ regex, flags }) {
	const expression = new RegExp(regex, flags.replace(/[gy]/g, ''));
	return element => expression.test(elementText(element).full);
}

export function textMatcher(text, exact) {
	if (typeof text !== 'string')
		return regexMatcher(text);
	return exact ? wholeText(text) : laxText(text);
}

/* Does it match, and none of the elements in it? */
export function isSmallest(element, matcher) {
	if (isTextless(element) || !matcher(element))
		return false;
	const shadow = shadowOf(element);
	return !hasMatchingChild(element, matcher) && !(shadow && hasMatchingChild(shadow, matcher));
}

function hasMatchingChild(node, matcher) {
	for (let child = firstOf(node); child; child = nextOf(child)) {
		if (isElement(child) && !isTextless(child) && matcher(child))
			return true;
	}
	return false;
}

/* The text of text=, as written: lax, "strict" or /regex/. */
export function textBodyMatcher(body) {
	const text = body.trim();
	if (text[0] === '/' && text.lastIndexOf('/') > 0)
		return regexMatcher(regexText(text));
	return text.length > 1 && /^(["']).*\1$/s.test(text) ? strictText(unescapeString(text)) : laxText(body);
}

onClearCaches(() => {
	elementTexts = new Map();
});
