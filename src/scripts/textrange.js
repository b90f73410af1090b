/* Selecting text in an element: words, or a range of characters. */
import { describe, focus, isContentEditable, shortened } from './dom.js';
import { exported } from './exported.js';
import { Failure } from './failure.js';
import { asOwnChange } from './ownchanges.js';
import { scrollTo } from './point.js';
import { dataOf, firstOf, nextOf, shadowOf, tagOf, TEXT, typeOfNode } from './raw.js';
import { elementByRef } from './refs.js';
import { editingHost, fieldOf, isTextField } from './typing.js';

/* The texts in `element` as one, and where each piece of it is: [[node, offset of its first character], ...]. */
function textPieces(element) {
	const pieces = [];
	let text = '';
	const visit = node => {
		if (typeOfNode(node) === TEXT) {
			pieces.push([node, text.length]);
			text += dataOf(node);
		} else if (!/^(script|style|noscript|template)$/.test(tagOf(node) ?? '')) {
			for (let child = firstOf(shadowOf(node) ?? node); child; child = nextOf(child))
				visit(child);
		}
	};
	visit(element);
	return { text, pieces };
}

function pieceAt(pieces, offset, isEnd) {
	let found = pieces[0];
	for (const piece of pieces) {
		if (piece[1] > offset || isEnd && piece[1] === offset && piece !== pieces[0])
			break;
		found = piece;
	}
	return [found[0], offset - found[1]];
}

/* [start, end] of the wanted words in `text`: white space in them matches any white space. */
function findWords(text, words, occurrence) {
	const escaped = words.trim().split(/\s+/).map(word => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+');
	const matches = [...text.matchAll(new RegExp(escaped, 'g'))];
	const match = matches[occurrence - 1];
	if (match)
		return [match.index, match.index + match[0].length];
	if (!matches.length)
		throw new Failure('ELEMENT_NOT_FOUND', 'textMissing', { words: shortened(words), text: shortened(text, 200) });
	throw new Failure('ELEMENT_NOT_FOUND', matches.length === 1 ? 'textOccursOnce' : 'textOccursLess', { count: matches.length });
}

function rangeWanted(text, { words, occurrence, start, end }) {
	if (words)
		return findWords(text, words, occurrence);
	if (start > text.length || end > text.length)
		throw new Failure('INVALID_PARAMETERS', 'textTooShort', { length: text.length });
	return [start, end < 0 ? text.length : end];
}

/*
 * {ref, words, occurrence, start, end}: selects in the element its `occurrence`th `words`, or, where these are empty, the characters
 * from `start` up to `end` (negative: to its end). -> {text}, what is selected then.
 */
exported.selectRange = ({ ref, ...wanted }) => {
	const element = fieldOf(elementByRef(ref));
	if (isTextField(element) && element.selectionStart !== null) {
		const [start, end] = rangeWanted(element.value, wanted);
		asOwnChange(() => focus(element));
		element.setSelectionRange(start, end);
		return { text: element.value.slice(element.selectionStart, element.selectionEnd) };
	}
	const { text, pieces } = textPieces(element);
	if (!pieces.length)
		throw new Failure('ELEMENT_NOT_EDITABLE', 'noSelectableText', { element: describe(element) });
	const [start, end] = rangeWanted(text, wanted);
	if (isContentEditable(element))
		asOwnChange(() => focus(editingHost(element)));
	getSelection().setBaseAndExtent(...pieceAt(pieces, start, false), ...pieceAt(pieces, end, end > start));
	scrollTo(element, 'nearest');
	return { text: getSelection().toString() };
};
