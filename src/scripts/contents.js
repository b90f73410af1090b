/*
 * What CSS does to text and visibility, remembered for the length of one operation (operation.js).
 */
import { createWalker } from './dom.js';
import { follows0084 } from './extended.js';
import { onClearCaches } from './operation.js';
import { mayHavePseudo, pseudoRulesOf } from './pseudorules.js';
import { attributeOf, closest, dataOf, flatParent, parentNodeOf, rawCheckVisibility, rootOf, tagOf } from './raw.js';

let shownElements = new Map();
let hiddenFromAria = new Map();
let pseudoContents = new Map();

onClearCaches(() => {
	shownElements = new Map();
	hiddenFromAria = new Map();
	pseudoContents = new Map();
});

/* A style is live: it is made once for an element. */
const STYLE = Symbol('style');
export const styleOf = element => element[STYLE] ??= getComputedStyle(element);

export const UNRENDERED_TAGS = new Set(['style', 'script', 'noscript', 'template']);

/* Is it laid out and not made invisible? aria-hidden plays no part. */
export function isShown(element) {
	let shown = shownElements.get(element);
	if (shown === undefined)
		shownElements.set(element, shown = computeShown(element, tagOf(element)));
	return shown;
}

/* To read one property of `style`, that of the element, takes the browser a third of the time in which it makes the style. */
export function computeShown(element, tag, style = styleOf(element)) {
	if (UNRENDERED_TAGS.has(tag))
		return false;
	if (rawCheckVisibility.call(element))
		return style.visibility === 'visible';
	if (tag === 'option')
		return isShownOption(element);
	return style.display === 'contents' && isShownWithoutBox(element);
}

/* The texts in `element` that are shown, in the order of the document. */
export function* shownTexts(element) {
	const walker = createWalker(element, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		if (isShown(parentNodeOf(walker.currentNode)))
			yield dataOf(walker.currentNode);
	}
}

/* Its texts are in a slot that is not laid out. 0.0.83 shows them nevertheless. */
export const hidesTexts = (element, tag) => follows0084 && tag === 'details' && !element.open;

/* The entries of a closed drop-down list have no boxes in the page. */
function isShownOption(option) {
	const list = closest(option, 'select');
	return list !== null && isShown(list) && styleOf(option).display !== 'none';
}

/* `display: contents`: the element is what its parent is, unless an ancestor is gone or `visibility` says otherwise. */
function isShownWithoutBox(element) {
	if (styleOf(element).visibility !== 'visible')
		return false;
	let parent = flatParent(element);
	if (parent && tagOf(parent) === 'details' && !parent.open && tagOf(element) !== 'summary')
		return false;
	while (parent && styleOf(parent).display === 'contents')
		parent = flatParent(parent);
	return parent !== null && rawCheckVisibility.call(parent) && styleOf(parent).contentVisibility !== 'hidden';
}

/* accname 2A: not rendered, or an aria-hidden="true" is here or above. */
export function isHiddenFromAria(element) {
	return !isShown(element) || isUnderAriaHidden(element);
}

function isUnderAriaHidden(element) {
	const unknown = [];
	let at = element, hidden = false;
	for (; at && !hidden && !hiddenFromAria.has(at); at = flatParent(at)) {
		unknown.push(at);
		hidden = isAriaHidden(at);
	}
	hidden ||= at !== null && hiddenFromAria.get(at) === true;
	for (const each of unknown)
		hiddenFromAria.set(each, hidden);
	return hidden;
}

export const isAriaHidden = element => attributeOf(element, 'aria-hidden')?.toLowerCase() === 'true';

/* The text of ::before or ::after, with spaces around when it is a block; '' for most. */
export function pseudoText(element, which) {
	if (!mayHavePseudo(element, tagOf(element), pseudoRulesOf(rootOf(element)), which))
		return '';
	const key = pseudoContents.get(element) ?? {};
	if (key[which] === undefined) {
		pseudoContents.set(element, key);
		key[which] = computePseudoText(element, which);
	}
	return key[which];
}

export function computePseudoText(element, which) {
	const style = getComputedStyle(element, which);
	const isShownText = style && style.content !== 'none' && style.content !== 'normal' && style.display !== 'none' &&
		style.visibility === 'visible';
	if (!isShownText)
		return '';
	const text = contentText(element, style.content);
	if (text === null)
		return '';
	return style.display === 'inline' ? text : ` ${text} `;
}

/* css-content 3: strings and attr() make text; what follows "/" is the text for assistive technology. */
function contentText(element, content) {
	const tokens = content.match(/"(?:[^"\\]|\\.)*"|\/|attr\([^)]*\)|[^\s"]+/g) ?? [];
	const slash = tokens.indexOf('/');
	let text = '';
	for (const token of slash < 0 ? tokens : tokens.slice(slash + 1)) {
		if (token[0] === '"')
			text += unquoteCSS(token);
		else if (token.startsWith('attr('))
			text += attributeOf(element, token.slice(5, -1).trim()) ?? '';
		else
			return null;
	}
	return text;
}

function unquoteCSS(token) {
	return token.slice(1, -1).replace(/\\([0-9a-fA-F]{1,6})\s?|\\(.)/g,
		(match, code, character) => code ? String.fromCodePoint(parseInt(code, 16)) : character);
}
