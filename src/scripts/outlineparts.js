/* Parts of a row of an outline (outline.js) that say the same, or belong together. */
import { ACTABLE, BLOCKS, CELLS } from './outlineroles.js';
import { stateWords } from './outlinestates.js';
import { BETWEEN_CELLS, BETWEEN_PARTS, STATE_AT_END, bare, inQuotes, optionName, plain, shorten } from './outlinetext.js';
import { contentsOf, hasNoControl, isLabelOf, wordsOf } from './outlinewords.js';
import { rectOf } from './raw.js';
import { selectedOf } from './states.js';
import { isText } from './treenode.js';

export const OPTIONS_FEW = 40; /* UTF-16 units of a list among other things on a line */
const LISTBOX_IN_LINE_MAX = 60; /* the same of one whose options have refs */
const SELECTED_MAX = 5; /* options of them */
const CONTROL_LEAST = 8; /* CSS pixels of a side; a smaller control stands for one that its label draws */

/*
 * What is between the parts of a node on a line; null: the line could not be read with several of them. A group that is named within a line
 * has commas, so that a reader sees where it ends, and cells of tables have them because their row has the other sign.
 */
export function separatorIn(node, isAllOfRow, label, around) {
	if (CELLS.has(node.role))
		return BETWEEN_CELLS;
	if (isAllOfRow || label === '')
		return around;
	return around === BETWEEN_PARTS ? BETWEEN_CELLS : null;
}

/* The icon beside the words that it stands for. */
export const isIconOf = (node, text) => node.role === 'img' && isText(text) && node.name !== '' && !node.children.length && !node.isKept && !node.isPicture &&
	node.abilities === 0 && bare(text) === bare(node.name);

function isLargeEnough(element) {
	const { width, height } = rectOf(element);
	return width >= CONTROL_LEAST && height >= CONTROL_LEAST;
}

/* A click on the label does what one on its control does, which is beside it. */
export const isClickedLabelOf = (node, control) => node.tag === 'label' && node.children.every(isText) && isLabelOf(contentsOf(node), control) && isLargeEnough(control.element);

/* The same of a label with its control in it. */
export function isAroundControl(node) {
	if (node.tag !== 'label')
		return false;
	if (node.knownAround === undefined) {
		const control = controlIn(node);
		node.knownAround = control !== null && control.identity !== null && control.element === node.element.control && isLargeEnough(control.element);
	}
	return node.knownAround;
}

function controlIn(node) {
	for (const child of node.children) {
		const found = isText(child) ? null : ACTABLE.has(child.role) ? child : controlIn(child);
		if (found)
			return found;
	}
	return null;
}

export const NO_PARTS = Object.freeze([]);
export const isTerm = part => !isText(part) && part.role === 'term' && !part.isKept && !part.isActive && part.abilities === 0 &&
	hasNoControl(part) && wordsOf(part) !== '';

export function definitionsFrom(parts, first) {
	let end = first;
	while (end < parts.length && !isText(parts[end]) && parts[end].role === 'definition')
		end++;
	return parts.slice(first, end);
}

/* `term: definition`, as a node. What is known of the first definition's row is of a row without the term. */
export function pairOf(term, definitions) {
	const [first] = definitions, words = wordsOf(term).replace(/\s*:$/, '');
	const children = definitions.length === 1 ? first.children : definitions.map(definition => Object.assign(definition, { isPaired: true }));
	return { ...first, piece: undefined, children, term: words, knownWords: `${words} ${definitions.map(wordsOf).join(' ')}` };
}

export const optionsIn = node => node.children.flatMap(child => isText(child) ? [] : child.role === 'option' ? [child] : optionsIn(child));

/* Whether the names of the options, of which there are several, take more than `room`. */
export function areMany(options, room) {
	let length = 0;
	return options.length > 1 && !options.every(({ name }) => (length += name.length + 3) <= room);
}

export const selectedIn = options => options.filter(({ element, role }) => selectedOf(element, role)).slice(0, SELECTED_MAX);
export const sayOptions = selected => selected.map(option => `${optionName(option)} selected`).join(BETWEEN_CELLS);

/* Of a list among other things on a line whose options take more than `room`: what is selected, and the number of the others. Else null. */
export function countedOptions(node, room) {
	const options = optionsIn(node);
	if (!areMany(options, node.role === 'listbox' ? LISTBOX_IN_LINE_MAX : room))
		return null;
	const selected = selectedIn(options), said = sayOptions(selected), others = options.length - selected.length;
	return others === 0 ? said : `${said}${said && ' and '}${others} ${said && 'more '}option${others === 1 ? '' : 's'}`;
}

/* The links of which a list consists, or null: something else is in it. */
export function linksIn(node, links) {
	for (const child of node.children) {
		if (isText(child) || child.isActive || child.isFrame)
			return null;
		if (child.role === 'link' && wordsOf(child) !== '' && hasNoControl(child))
			links.push(child);
		else if (child.isKept || child.abilities !== 0 || !BLOCKS.has(child.role) && child.role !== 'list' && child.role !== 'listitem' || !linksIn(child, links))
			return null;
	}
	return links;
}

export function linkWords(link) {
	const words = shorten(link.name || wordsOf(link));
	return (words.includes(',') || STATE_AT_END.test(words) ? inQuotes(words) : plain(words)) + stateWords(link);
}
