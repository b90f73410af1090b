/* What the nodes of an outline (outline.js) say in words, and which of them say nothing of their own. */
import { ACTABLE, BLOCKS, PHRASES } from './outlineroles.js';
import { bare } from './outlinetext.js';
import { attributeOf, flatParent, hasAttribute, tagOf } from './raw.js';
import { setOf } from './states.js';
import { isText } from './treenode.js';

const GLYPHS = /^[\p{Co}\s]*$/u; /* of icon fonts, in the private use areas */
export const isGlyphs = text => GLYPHS.test(text);

/* ---- links of headings ---- */

const ANCHOR_LEVELS = 3; /* from a heading to the section that has the address */

function fragmentOf(url) {
	try {
		return url?.startsWith('#') ? decodeURIComponent(url.slice(1)) : '';
	} catch {
		return '';
	}
}

/* The address of the heading, of a group that it is in, or of something in it. */
function isAddressOf(heading, id) {
	for (let at = heading.element, level = 0; at && level < ANCHOR_LEVELS && tagOf(at) !== 'main' && tagOf(at) !== 'body'; at = flatParent(at), level++) {
		if (attributeOf(at, 'id') === id)
			return true;
	}
	return heading.children.some(child => !isText(child) && child.element && attributeOf(child.element, 'id') === id);
}

export function isAnchorOf(link, heading) {
	if (!link || isText(link) || link.role !== 'link' || link.identity === null || link.isActive || link.isAnchor || !hasNoControl(link))
		return false;
	const id = fragmentOf(attributeOf(link.element, 'href'));
	return id !== '' && isAddressOf(heading, id);
}

/* A link in the heading whose words are in its name. */
export function anchorIn(heading, node = heading) {
	for (const child of node.children) {
		if (isText(child))
			continue;
		if (isAnchorOf(child, heading) && (heading.name === '' || letters(heading.name).includes(letters(wordsOf(child)))))
			return child;
		const found = BLOCKS.has(child.role) || PHRASES.has(child.role) ? anchorIn(heading, child) : null;
		if (found)
			return found;
	}
	return null;
}

/* "Install Link to Install": the name of the heading has that of a link in it. A name that its contents say anyway may be missing. */
export function nameWithoutAnchor(heading) {
	const { name, anchor } = heading;
	if (name === '')
		return hasNoControl(heading) ? contentsOf(heading) || wordsOf(anchor) : '';
	const rest = name.endsWith(anchor.name) ? name.slice(0, name.length - anchor.name.length) :
		name.startsWith(anchor.name) ? name.slice(anchor.name.length) : name;
	return rest.trim() || name;
}

/* ---- names and contents ---- */

/* The name of these is what their contents say, one after the other: it is left out. */
const NAMED_BY_CONTENTS = setOf('row listitem cell gridcell columnheader rowheader article');
/* Of these the name is written, and contents that say no more are left out. */
const NAMED_CONTROLS = setOf('button link summary tab menuitem menuitemcheckbox menuitemradio option switch checkbox radio heading');
const letters = text => text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();

/* The name of what has no label is made of its contents, with the values of the controls in it in their places. */
function isMadeOfContents({ element, name }, contents) {
	if (['aria-label', 'aria-labelledby', 'title'].some(attribute => hasAttribute(element, attribute)))
		return false;
	const said = new Set(contents.split(/\s+/));
	return name.split(/\s+/).every(word => said.has(word));
}

export function repeatsContent(node) {
	if (!node.children.length || !NAMED_BY_CONTENTS.has(node.role))
		return false;
	const contents = contentsOf(node), words = letters(contents), name = letters(node.name);
	return words === name || node.role === 'row' && words.includes(name) || isMadeOfContents(node, contents);
}

/* Whether all in the node is in its name as well, and nothing can be acted on on its own. */
export function isSaidByName(node) {
	return node.name !== '' && NAMED_CONTROLS.has(node.role) &&
		(node.children.length === 0 || letters(node.name).includes(letters(contentsOf(node))) && hasNoControl(node));
}

/* Whether all in the node is a glyph of an icon font. The hint beside it names the icon. */
export const isSaidByHint = (node, label) => label.includes(' hint=') && node.name === '' && node.children.length > 0 && isGlyphs(contentsOf(node)) && hasNoControl(node);

export const hasNoControl = node => node.children.every(child => isText(child) || child.isAnchor || !ACTABLE.has(child.role) && !child.isFrame && !child.isKept &&
	!child.isActive && hasNoControl(child));

/* All that a node says, as a reader would see it: what a search looks at. */
export function wordsOf(node) {
	if (node.knownWords !== undefined)
		return node.knownWords;
	const contents = contentsOf(node);
	const isNew = node.name && !contents.includes(node.name);
	return node.knownWords = isNew ? `${node.name} ${contents}`.trim() : contents;
}

export function contentsOf(node) {
	let words = '';
	for (const child of node.children) {
		if (!child.isAnchor)
			words += (words && ' ') + (isText(child) ? child : wordsOf(child));
	}
	return words.trim();
}

/* Of an item with further items in it. */
export const isOwnName = (text, node) => (node.role === 'treeitem' || node.role === 'menuitem') && bare(text) === bare(node.name);
/* A field shows its value, so the name that its view has is the label beside it. A button shows its name itself: the same text beside it is another. */
const LABELLED_ROLES = setOf('textbox searchbox checkbox radio combobox slider spinbutton switch listbox scrollbar iframe');
export const isLabelOf = (text, node) => node !== undefined && !isText(node) && LABELLED_ROLES.has(node.role) && node.name !== '' && bare(text) === bare(node.name);
