/*
 * The accessible name: accname 1.2, "computation steps" 2A to 2I, with HTML-AAM's and SVG-AAM's host language parts.
 *
 * A walk carries { referenced, hidden, label, content, nested, target }: we came here by aria-labelledby (2B); through a
 * hidden reference, so that hidden parts count (2A); through the control's <label>; for an ancestor whose name comes
 * from its contents (2F); from an element further up; `target` is the control that is being named. `sources`, where it is
 * given, is a list that gets the elements whose text, value or label is a part of the name.
 */
import { hidesTexts, isHiddenFromAria, pseudoText, shownTexts, styleOf } from './contents.js';
import { hasIcons, ICONS, isExtended } from './extended.js';
import { internalOf, internalsOf } from './internals.js';
import { forgetLabels, labelsOf } from './labels.js';
import { onClearCaches } from './operation.js';
import { shownValue } from './privatefields.js';
import {
	attributeOf, collapseSpace, dataOf, ELEMENT, elementsByIds, firstOf, hasAttributes, isElement, nextOf, queryIn,
	shadowOf, slotOf, spaceOf, SVG_SPACE, tagOf, TEXT, textOf, typeOfNode,
} from './raw.js';
import { roleOf, UNNAMED_ROLES } from './roles.js';

export const NAMED_BY_CONTENT = new Set(['button', 'cell', 'checkbox', 'columnheader', 'gridcell', 'heading', 'link', 'menuitem',
	'menuitemcheckbox', 'menuitemradio', 'option', 'radio', 'row', 'rowheader', 'switch', 'tab', 'tooltip', 'treeitem']);
/* Roles that have no name from their contents, which are part of the name of an ancestor (accname 2F with 2F.ii). */
export const ANCESTOR_CONTENT = new Set(['', 'caption', 'code', 'contentinfo', 'definition', 'deletion', 'emphasis', 'insertion',
	'list', 'listitem', 'mark', 'none', 'paragraph', 'presentation', 'region', 'row', 'rowgroup', 'section', 'strong',
	'subscript', 'superscript', 'table', 'term', 'time']);
export const VALUE_INPUTS = new Set(['textbox', 'searchbox']);
export const RANGE_ROLES = new Set(['slider', 'spinbutton', 'scrollbar', 'progressbar', 'meter']);
export const LABELLED_TAGS = new Set(['button', 'input', 'meter', 'output', 'progress', 'select', 'textarea']);
const PLACEHOLDER_TYPES = new Set(['email', 'number', 'password', 'search', 'tel', 'text', 'url']);
const NO_WALK = Object.freeze({});
const LEVELS_OF_NAME_MAX = 300; /* of elements in each other; more would use up the stack. Of what is deeper, the texts count. */

let names = new Map();
let levelsOfName = 0;

let iconsCount = false; /* as parts of a name */
let lastHadIcons = false;
const withIcons = new Set(); /* elements whose names lack some */

function forgetNames() {
	names = new Map();
	withIcons.clear();
	forgetLabels();
}
onClearCaches(forgetNames);

export function withoutIcons(text) {
	if (iconsCount || !hasIcons(text))
		return text;
	lastHadIcons = true;
	return text.replace(ICONS, '');
}

/* Runs `work`, for which names have their icons. */
export function keepingIcons(work) {
	if (!isExtended)
		return work();
	const before = iconsCount;
	iconsCount = true;
	forgetNames();
	try {
		return work();
	} finally {
		iconsCount = before;
		forgetNames();
	}
}

/* The name as shown and compared. */
export function nameOf(element) {
	let name = names.get(element);
	if (name === undefined)
		names.set(element, name = computeName(element));
	return name;
}

function computeName(element) {
	const role = roleOf(element);
	if (UNNAMED_ROLES.has(role) || role === null)
		return '';
	lastHadIcons = false;
	const name = collapseSpace(alternative(element, { target: element }, new Set()));
	if (lastHadIcons)
		withIcons.add(element);
	return name;
}

/* The names that a locator may give it: that of the snapshot, and the one with the icons of icon fonts in it. */
export function namesOf(element) {
	const name = nameOf(element);
	return withIcons.has(element) ? [name, keepingIcons(() => nameOf(element))] : [name];
}

/* The name that an element would have if it and what is in it were shown. */
export function nameOfHidden(element) {
	return UNNAMED_ROLES.has(roleOf(element)) ? '' : collapseSpace(alternative(element, { target: element, hidden: true }, new Set()));
}

/* WAI-ARIA's description: aria-describedby, aria-description, else a title that did not become the name. */
export function descriptionOf(element) {
	const referenced = elementsByIds(element, 'aria-describedby');
	if (referenced.length)
		return collapseSpace(referenced.map(other => referencedText(other, NO_WALK, new Set())).join(' '));
	const text = attributeOf(element, 'aria-description') ?? attributeOf(element, 'title') ?? '';
	const description = collapseSpace(text);
	return description === nameOf(element) ? '' : description;
}

export function alternative(element, walk, seen) {
	if (seen.has(element) || walk.label && element === walk.target)
		return '';
	if (!walk.hidden && isHiddenFromAria(element)) { /* 2A */
		seen.add(element);
		return '';
	}
	if (levelsOfName === LEVELS_OF_NAME_MAX)
		return noted(element, [...shownTexts(element)].join(' '), walk);
	levelsOfName++;
	const references = walk.referenced ? null : labelledByText(element, walk);
	const text = references || withoutReferences(element, walk, seen);
	levelsOfName--;
	return text;
}

/* 2B: never followed twice. Null: it names no element. */
function labelledByText(element, walk) {
	const referenced = hasAttributes(element) ? elementsByIds(element, 'aria-labelledby') : [];
	return referenced.length ? referenced.map(other => referencedText(other, walk, new Set())).join(' ') : null;
}

function referencedText(element, walk, seen) {
	return alternative(element, { referenced: true, hidden: isHiddenFromAria(element), target: walk.target, sources: walk.sources }, seen);
}

function withoutReferences(element, walk, seen) {
	const role = roleOf(element) ?? '';
	if (walk.nested || walk.referenced && element !== walk.target) {
		const count = walk.sources?.length;
		const value = controlText(element, role, walk); /* 2C */
		if (value !== undefined) {
			seen.add(element);
			return noted(element, value, walk, count);
		}
	}
	const label = ariaLabel(element); /* 2D */
	if (label)
		return seen.add(element), noted(element, label, walk);
	if (role !== 'presentation' && role !== 'none') { /* 2E */
		const count = walk.sources?.length;
		const native = nativeText(element, walk, seen);
		if (native !== undefined)
			return seen.add(element), noted(element, native, walk, count);
	}
	return contentOrTitle(element, role, walk, seen);
}

/* Notes that `text` is the element's own, unless others have been noted for it, behind the first `count`. */
function noted(element, text, { sources }, count = sources?.length) {
	if (text && sources?.length === count)
		sources?.push(element);
	return text;
}

/* Of an attribute, or of the internals of a custom element. */
export const ariaOf = (element, name) => attributeOf(element, name) ?? internalOf(element, name);

export function ariaLabel(element) {
	const label = ariaOf(element, 'aria-label');
	return label && label.trim() ? label : '';
}

/* 2C "embedded in label": the value of a control in the middle of another's name. */
function controlText(element, role, walk) {
	if (VALUE_INPUTS.has(role)) {
		const tag = tagOf(element);
		return tag === 'input' || tag === 'textarea' ? shownValue(element) : textOf(element) ?? '';
	}
	if (role === 'combobox' || role === 'listbox')
		return chosenText(element, walk);
	if (RANGE_ROLES.has(role))
		return ariaOf(element, 'aria-valuetext') ?? ariaOf(element, 'aria-valuenow') ?? attributeOf(element, 'value') ?? '';
	return role === 'menu' ? '' : undefined;
}

function chosenText(element, walk) {
	const options = tagOf(element) === 'select' ? chosenOptions(element) : ariaChosen(element);
	if (!options.length && tagOf(element) === 'input')
		return element.value;
	return options.map(option => alternative(option, { ...walk, nested: true }, new Set())).join(' ');
}

function chosenOptions(list) {
	const chosen = [...list.selectedOptions];
	return chosen.length || !list.options.length ? chosen : [list.options[0]];
}

function ariaChosen(element) {
	const list = roleOf(element) === 'combobox' ? ownedAndInner(element).find(other => roleOf(other) === 'listbox') : element;
	return list ? ownedAndInner(list).filter(other => attributeOf(other, 'aria-selected') === 'true' && roleOf(other) === 'option') : [];
}

const ownedAndInner = element => [element, ...elementsByIds(element, 'aria-owns')].flatMap(root => queryIn(root, '*'));

/* 2F, then 2I. */
function contentOrTitle(element, role, walk, seen) {
	if (takesContent(element, role, walk)) {
		seen.add(element);
		const count = walk.sources?.length;
		const text = withoutIcons(contentsText(element, walk, seen));
		if (walk.nested ? text : text.trim()) {
			walk.sources?.push(element);
			return text;
		}
		walk.sources?.splice(count);
	}
	const title = attributeOf(element, 'title');
	if (role !== 'none' && role !== 'presentation' && title && title.trim() || tagOf(element) === 'iframe') {
		seen.add(element);
		return noted(element, title ?? '', walk);
	}
	seen.add(element);
	return '';
}

function takesContent(element, role, walk) {
	if (NAMED_BY_CONTENT.has(role) || walk.referenced || walk.label || tagOf(element) === 'summary')
		return true;
	return Boolean(walk.content) && ANCESTOR_CONTENT.has(role);
}

/* 2F.i to iii: ::before, the children as laid out, those that aria-owns adds, ::after. */
function contentsText(element, walk, seen) {
	const inner = walk.nested ? walk : { ...walk, nested: true, content: !walk.referenced && !walk.label };
	let text = pseudoText(element, '::before');
	for (const child of nameChildren(element))
		text += isElement(child) ? spaced(child, alternative(child, inner, seen)) : dataOf(child);
	for (const owned of elementsByIds(element, 'aria-owns'))
		text += spaced(owned, alternative(owned, inner, seen));
	return text + pseudoText(element, '::after');
}

/* 2F.iii.c: what is not laid out in line is set off by spaces. */
const spaced = (element, text) => isApart(element) ? ` ${text} ` : text;
export const isApart = element => tagOf(element) === 'br' || styleOf(element).display !== 'inline';

/* Elements and texts in the order of the flat tree. */
export function nameChildren(element) {
	if (tagOf(element) === 'slot') {
		const assigned = element.assignedNodes();
		if (assigned.length)
			return assigned.filter(isElementOrText);
	}
	const shadow = shadowOf(element);
	if (shadow)
		return childrenOf(shadow);
	const keepsTexts = !hidesTexts(element, tagOf(element));
	return childrenOf(element).filter(child => !slotOf(child) && (keepsTexts || isElement(child)));
}

const isElementOrText = node => typeOfNode(node) === ELEMENT || typeOfNode(node) === TEXT;

export function childrenOf(node) {
	const children = [];
	for (let child = firstOf(node); child; child = nextOf(child)) {
		if (isElementOrText(child))
			children.push(child);
	}
	return children;
}

/*
 * What HTML and SVG themselves offer as an element's name (accname 2E; HTML-AAM "accessible name computations by HTML
 * element", SVG-AAM 8). Undefined: they offer nothing, and the computation goes on.
 */
const BUTTON_WORDS = { __proto__: null, submit: 'Submit', reset: 'Reset' };
const NO_LABEL_INPUTS = new Set(['button', 'submit', 'reset']);

function nativeText(element, walk, seen) {
	const tag = tagOf(element);
	if (spaceOf(element) === SVG_SPACE)
		return svgText(element, walk, seen);
	const offer = NATIVE_OFFERS[tag] ?? (internalsOf(element) && labelText);
	return offer ? offer(element, walk, seen) : undefined;
}

const titleOf = element => attributeOf(element, 'title') ?? '';
const firstText = (...texts) => texts.find(text => text && text.trim()) ?? '';

/* The labels' text; undefined without a label. `seen` ends rings of labels that contain each other's controls. */
function labelText(element, walk, seen) {
	const labels = walk.referenced && !walk.nested ? [] : labelsOf(element);
	if (!labels.length)
		return undefined;
	const target = walk.label ? walk.target : element;
	return labels.map(label => alternative(label,
		{ label: true, target, hidden: isHiddenFromAria(label), sources: walk.sources }, seen))
		.filter(text => text).join(' ');
}

function inputText(element, walk, seen) {
	const type = element.type;
	if (NO_LABEL_INPUTS.has(type))
		return firstText(element.value, BUTTON_WORDS[type], titleOf(element));
	const labels = labelText(element, walk, seen);
	if (labels !== undefined)
		return labels;
	if (type === 'image')
		return firstText(attributeOf(element, 'alt'), titleOf(element), 'Submit');
	if (type === 'file')
		return 'Choose File';
	return fieldText(element, PLACEHOLDER_TYPES.has(type));
}

const fieldText = (element, hasPlaceholder) =>
	firstText(titleOf(element), hasPlaceholder && attributeOf(element, 'placeholder'));

/* A child of the tag names its parent: legend, figcaption, caption. Hidden ones as well. */
function childText(element, tag, walk, seen) {
	for (let child = firstOf(element); child; child = nextOf(child)) {
		if (isElement(child) && tagOf(child) === tag)
			return alternative(child, { ...walk, referenced: true, nested: true, content: false, hidden: isHiddenFromAria(child) }, seen);
	}
	return undefined;
}

function svgText(element, walk, seen) {
	for (let child = firstOf(element); child; child = nextOf(child)) {
		if (isElement(child) && tagOf(child) === 'title' && spaceOf(child) === SVG_SPACE)
			return alternative(child, { ...walk, referenced: true, nested: true, content: false, hidden: true }, seen);
	}
	return undefined;
}

export const NATIVE_OFFERS = {
	__proto__: null,
	area: element => firstText(attributeOf(element, 'alt'), titleOf(element)),
	button: labelText,
	fieldset: (element, walk, seen) => childText(element, 'legend', walk, seen) ?? titleOf(element),
	figure: (element, walk, seen) => childText(element, 'figcaption', walk, seen) ?? titleOf(element),
	img: element => firstText(attributeOf(element, 'alt'), titleOf(element)),
	input: inputText,
	meter: labelText,
	output: (element, walk, seen) => labelText(element, walk, seen) ?? titleOf(element),
	progress: labelText,
	select: (element, walk, seen) => labelText(element, walk, seen) ?? titleOf(element),
	table: (element, walk, seen) => childText(element, 'caption', walk, seen) ?? (attributeOf(element, 'summary') || undefined),
	textarea: (element, walk, seen) => labelText(element, walk, seen) ?? fieldText(element, true),
};
