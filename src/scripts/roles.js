/*
 * The WAI-ARIA role of an element: the first role token it may have, else what HTML-AAM gives its tag. '' is "no
 * role" (the tree shows such an element as `generic`), null is "presentational".
 */
import { internalOf } from './internals.js';
import { onClearCaches } from './operation.js';
import {
	attributeOf, byId, closest, elementsByIds, hasAttribute, hasAttributes, hostOrParent, isElement, parentNodeOf, rootOf,
	tagOf, textOf,
} from './raw.js';

const ROLE_NAMES = new Set(('alert alertdialog application article banner blockquote button caption cell checkbox code ' +
	'columnheader combobox complementary contentinfo definition deletion dialog directory document emphasis feed ' +
	'figure form generic grid gridcell group heading img insertion link list listbox listitem log main mark marquee ' +
	'math meter menu menubar menuitem menuitemcheckbox menuitemradio navigation none note option paragraph ' +
	'presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator ' +
	'slider spinbutton status strong subscript superscript switch tab table tablist tabpanel term textbox time timer ' +
	'toolbar tooltip tree treegrid treeitem').split(' '));

/* WAI-ARIA 1.2, 6.6 "global states and properties"; the second set is prohibited on roles that cannot be named. */
const GLOBAL_ATTRIBUTES = ['aria-atomic', 'aria-busy', 'aria-controls', 'aria-current', 'aria-describedby', 'aria-details',
	'aria-dropeffect', 'aria-flowto', 'aria-grabbed', 'aria-hidden', 'aria-keyshortcuts', 'aria-live', 'aria-owns',
	'aria-relevant', 'aria-roledescription'];
const NAMING_ATTRIBUTES = ['aria-label', 'aria-labelledby'];
export const UNNAMED_ROLES = new Set(['caption', 'code', 'definition', 'deletion', 'emphasis', 'generic', 'insertion', 'mark',
	'paragraph', 'presentation', 'strong', 'subscript', 'suggestion', 'superscript', 'term', 'time', 'none']);

/* Inside one of these, <header> and <footer> belong to a part of the page and are no landmarks. */
const SECTIONING = 'article:not([role]), aside:not([role]), main:not([role]), nav:not([role]), section:not([role]), ' +
	'[role=article], [role=complementary], [role=main], [role=navigation], [role=region]';

export const hasExplicitName = element => hasAttribute(element, 'aria-label') || elementsByIds(element, 'aria-labelledby').length > 0;

const INPUT_ROLES = {
	__proto__: null,
	button: 'button', checkbox: 'checkbox', file: 'button', image: 'button', number: 'spinbutton', radio: 'radio',
	range: 'slider', reset: 'button', submit: 'button', hidden: '',
};
const LISTED_INPUTS = new Set(['email', 'search', 'tel', 'text', 'url', '']);

function roleOfInput(element) {
	const type = element.type.toLowerCase();
	if (LISTED_INPUTS.has(type) && listOf(element))
		return 'combobox';
	return type === 'search' ? 'searchbox' : INPUT_ROLES[type] ?? 'textbox';
}

function listOf(input) {
	const id = attributeOf(input, 'list');
	const list = id ? byId(rootOf(input), id) : null;
	return list && tagOf(list) === 'datalist';
}

/* HTML-AAM: alt="" makes an image presentational, unless something else names it or it takes part in the page. */
function roleOfImage(element) {
	const decorative = attributeOf(element, 'alt') === '' && !attributeOf(element, 'title') &&
		!hasGlobalAttribute(element, 'img') && !hasAttribute(element, 'tabindex');
	return decorative ? null : 'img';
}

function cellRoleIn(row) {
	const table = closest(row, 'table');
	const role = table ? explicitRole(table) : '';
	return role === 'grid' || role === 'treegrid' ? 'gridcell' : 'cell';
}

/* Cells come in rows: what the table says is looked up once for each. */
function roleOfCell(cell) {
	const row = parentNodeOf(cell);
	if (!row)
		return 'cell';
	let role = cellRoles.get(row);
	if (!role)
		cellRoles.set(row, role = isElement(row) ? cellRoleIn(row) : 'cell');
	return role;
}

/* HTML "algorithm for assigning header cells", as far as a header's direction depends on where it stands. */
function roleOfHeader(element) {
	const scope = (attributeOf(element, 'scope') ?? '').toLowerCase();
	if (scope === 'col' || scope === 'colgroup')
		return 'columnheader';
	if (scope === 'row' || scope === 'rowgroup')
		return 'rowheader';
	return headsRow(element) ? 'rowheader' : 'columnheader';
}

/* Next to data it heads the row; an empty corner cell is no data. */
const headsRow = element => isDataCell(element.previousElementSibling) || isDataCell(element.nextElementSibling);
const isDataCell = cell => cell !== null && tagOf(cell) === 'td' && (cell.childElementCount > 0 || textOf(cell).trim() !== '');

const select = element => element.multiple || element.size > 1 ? 'listbox' : 'combobox';
const landmark = role => element => closest(element, SECTIONING) ? '' : role;
const TAG_ROLES = {
	__proto__: null,
	a: element => hasAttribute(element, 'href') ? 'link' : '',
	area: element => hasAttribute(element, 'href') ? 'link' : '',
	article: 'article', aside: 'complementary', blockquote: 'blockquote', button: 'button', caption: 'caption',
	code: 'code', datalist: 'listbox', dd: 'definition', del: 'deletion', details: 'group', dfn: 'term', dialog: 'dialog',
	dt: 'term', em: 'emphasis', fieldset: 'group', figure: 'figure',
	footer: landmark('contentinfo'), form: element => hasExplicitName(element) ? 'form' : '', header: landmark('banner'),
	h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading',
	hr: 'separator', html: 'document', img: roleOfImage, input: roleOfInput, ins: 'insertion', li: 'listitem',
	main: 'main', mark: 'mark', math: 'math', menu: 'list', meter: 'meter', nav: 'navigation', ol: 'list',
	optgroup: 'group', option: 'option', output: 'status', p: 'paragraph', progress: 'progressbar', search: 'search',
	section: element => hasExplicitName(element) ? 'region' : '', select, strong: 'strong', sub: 'subscript',
	sup: 'superscript', svg: 'img', table: 'table', tbody: 'rowgroup', td: roleOfCell, textarea: 'textbox',
	tfoot: 'rowgroup', th: roleOfHeader, thead: 'rowgroup', time: 'time', tr: 'row', ul: 'list',
};

/* HTML-AAM "required owned elements": what loses its role together with the list or table around it. */
const OWNED = {
	__proto__: null,
	dd: ['dl', 'div'], div: ['dl'], dt: ['dl', 'div'], li: ['ol', 'ul', 'menu'], tbody: ['table'], td: ['tr'],
	tfoot: ['table'], th: ['tr'], thead: ['table'], tr: ['thead', 'tbody', 'tfoot', 'table'],
};

function implicitRole(element, tag) {
	const entry = TAG_ROLES[tag];
	const role = typeof entry === 'function' ? entry(element) : entry ?? roleOfInternals(element, tag);
	if (role === undefined || role === '' || role === null)
		return role === undefined ? '' : role;
	return OWNED[tag] && isPresentedWithParent(element, tag) ? null : role;
}

function isPresentedWithParent(element, tag) {
	const parent = hostOrParent(element);
	if (!parent)
		return false;
	if (!OWNED[tag].includes(tagOf(parent)))
		return false;
	let presented = presentedParents.get(parent);
	if (presented === undefined)
		presentedParents.set(parent, presented = isPresented(parent));
	return presented;
}

function isPresented(owner) {
	const explicit = explicitRole(owner);
	if (explicit === 'none' || explicit === 'presentation')
		return !resistsPresentation(owner, explicit);
	const tag = tagOf(owner);
	return !explicit && OWNED[tag] !== undefined && isPresentedWithParent(owner, tag);
}

/* Undefined for what is no custom element. */
const roleOfInternals = (element, tag) => tag.includes('-') ? knownRole(internalOf(element, 'role')) : undefined;

const explicitRole = element => knownRole(attributeOf(element, 'role'));

/* The first word of the role attribute that is the name of a role; '' if none is. */
function knownRole(value) {
	return value ? value.split(' ').map(token => token.trim()).find(token => ROLE_NAMES.has(token)) ?? '' : '';
}

function hasGlobalAttribute(element, role) {
	if (!hasAttributes(element))
		return false;
	return GLOBAL_ATTRIBUTES.some(name => hasAttribute(element, name)) ||
		!UNNAMED_ROLES.has(role) && NAMING_ATTRIBUTES.some(name => hasAttribute(element, name));
}

const isSwitchedOff = element => /^(button|input|select|textarea|option|optgroup)$/.test(tagOf(element)) && element.disabled;

export function isFocusable(element) {
	if (isSwitchedOff(element))
		return false;
	const tag = tagOf(element);
	if (tag === 'a' || tag === 'area')
		return hasAttribute(element, 'href') || hasTabIndex(element);
	if (tag === 'input')
		return element.type !== 'hidden';
	return /^(button|details|select|summary|textarea)$/.test(tag) || hasTabIndex(element);
}

export const isTabStop = element => hasTabIndex(element) && element.tabIndex >= 0;
export const hasTabIndex = element => !Number.isNaN(Number.parseInt(attributeOf(element, 'tabindex'), 10));

/* WAI-ARIA 1.2, 7.3.1 "presentational roles conflict resolution". */
const resistsPresentation = (element, implicit) => hasGlobalAttribute(element, implicit) || isFocusable(element);

/* For the length of one operation. */
let roles = new Map();
let cellRoles = new Map();
let presentedParents = new Map();

onClearCaches(() => {
	roles = new Map();
	cellRoles = new Map();
	presentedParents = new Map();
});

export function roleOf(element) {
	let role = roles.get(element);
	if (role === undefined)
		roles.set(element, role = computeRole(element, tagOf(element)));
	return role;
}

export function computeRole(element, tag, bare = !hasAttributes(element)) {
	const explicit = bare ? '' : explicitRole(element);
	if (!explicit)
		return implicitRole(element, tag);
	if (explicit !== 'none' && explicit !== 'presentation')
		return explicit;
	const implicit = implicitRole(element, tag) ?? '';
	return resistsPresentation(element, implicit) ? implicit : null;
}
