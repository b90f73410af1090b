/* The states that a snapshot shows, by WAI-ARIA 1.2 (which roles support which) and HTML-AAM (native equivalents). */
import { internalsOf } from './internals.js';
import { ariaOf } from './names.js';
import { attributeOf, closest, hasAttribute, hasAttributes, hostOrParent, matches, previousElementOf, queryIn, tagOf, textOf } from './raw.js';
import { roleOf } from './roles.js';

export function setOf(text) {
	return new Set(text.split(' '));
}
const CHECKED_ROLES = setOf('checkbox menuitemcheckbox menuitemradio option radio switch treeitem');
const DISABLED_ROLES = setOf('application button checkbox columnheader combobox grid gridcell group link listbox menu menubar ' +
	'menuitem menuitemcheckbox menuitemradio option radio radiogroup row rowheader scrollbar searchbox separator slider ' +
	'spinbutton switch tab tablist textbox toolbar tree treegrid treeitem');
export const EXPANDED_ROLES = setOf('application button checkbox columnheader combobox gridcell link listbox menuitem ' +
	'menuitemcheckbox menuitemradio row rowheader switch tab treeitem');
const INVALID_ROLES = setOf('application checkbox columnheader combobox gridcell listbox radiogroup rowheader searchbox ' +
	'slider spinbutton switch textbox tree');
const LEVEL_ROLES = setOf('heading listitem row treeitem');
const SELECTED_ROLES = setOf('columnheader gridcell option row rowheader tab treeitem');
/* States that only these roles have. */
export const STATE_ROLES = { __proto__: null, checked: CHECKED_ROLES, expanded: EXPANDED_ROLES, level: LEVEL_ROLES,
	pressed: setOf('button'), selected: SELECTED_ROLES };
const HEADING_TAG = /^h[1-6]$/;
const SORT_ROLES = setOf('columnheader rowheader');
const SORT_ORDERS = setOf('ascending descending other');
const CURRENT_KINDS = setOf('page step location date time');
const REQUIRED_ROLES = setOf('checkbox combobox gridcell listbox radiogroup searchbox spinbutton switch textbox tree');
const READONLY_ROLES = setOf('combobox grid gridcell searchbox slider spinbutton textbox treegrid');
const VALUE_ROLES = setOf('meter progressbar scrollbar separator slider spinbutton');
const NATIVE_RANGES = /^(?:input|meter|progress)$/;

/* true, false or 'mixed' */
export function checkedOf(element, role) {
	if (!CHECKED_ROLES.has(role))
		return false;
	if (tagOf(element) === 'input' && (element.type === 'checkbox' || element.type === 'radio'))
		return element.indeterminate && element.type === 'checkbox' ? 'mixed' : element.checked;
	return triState(ariaOf(element, 'aria-checked'));
}

function triState(value) {
	return value === 'mixed' ? 'mixed' : value === 'true';
}

export function pressedOf(element, role) {
	return role === 'button' && triState(ariaOf(element, 'aria-pressed'));
}

export function expandedOf(element, role) {
	if (!EXPANDED_ROLES.has(role))
		return false;
	return tagOf(element) === 'details' ? element.open : ariaOf(element, 'aria-expanded') === 'true';
}

/* What can be opened and is closed, and says so. */
export const collapsedOf = (element, role) => EXPANDED_ROLES.has(role) && ariaOf(element, 'aria-expanded') === 'false';

/* Of what opens and closes a popover, whether that is open; else null. */
export function isPopoverOpen(element) {
	const popover = hasAttribute(element, 'popovertarget') ? element.popoverTargetElement : null;
	return popover ? matches(popover, ':popover-open') : null;
}

/* The one that opens and closes the <details> around it. */
export function isSummary(element) {
	const parent = hostOrParent(element);
	if (!parent || tagOf(parent) !== 'details')
		return false;
	for (let before = previousElementOf(element); before; before = previousElementOf(before)) {
		if (tagOf(before) === 'summary')
			return false;
	}
	return true;
}

/* Of a <details> without a summary of its own, for which the browser draws one. */
export const hasOwnSummary = details => queryIn(details, ':scope > summary', 1).length > 0;

export function selectedOf(element, role) {
	if (!SELECTED_ROLES.has(role))
		return false;
	return tagOf(element) === 'option' ? element.selected : ariaOf(element, 'aria-selected')?.toLowerCase() === 'true';
}

/* 0: none */
export function levelOf(element, role) {
	if (!LEVEL_ROLES.has(role))
		return 0;
	if (HEADING_TAG.test(tagOf(element)))
		return Number(tagOf(element)[1]);
	const level = Number(ariaOf(element, 'aria-level') ?? NaN);
	return Number.isInteger(level) && level >= 1 ? level : 0;
}

/* 'ascending', 'descending', 'other' or false */
export function sortOf(element, role) {
	return SORT_ROLES.has(role) && knownWord(SORT_ORDERS, ariaOf(element, 'aria-sort'));
}

/* Which of a set is the current one: true, or of what kind it is */
export function currentOf(element) {
	const value = ariaOf(element, 'aria-current');
	return value === null || value === '' || value === 'false' ? false : knownWord(CURRENT_KINDS, value) || true;
}

export const busyOf = element => ariaOf(element, 'aria-busy') === 'true';
export const requiredOf = (element, role) => REQUIRED_ROLES.has(role) && (ariaOf(element, 'aria-required') === 'true' || matches(element, 'input[required], select[required], textarea[required]'));
export const readonlyOf = (element, role) => READONLY_ROLES.has(role) && (ariaOf(element, 'aria-readonly') === 'true' || matches(element, 'input[readonly], textarea[readonly]'));
const knownWord = (words, value) => words.has(value) && value;

/* What an element of a range says its value is, in words or as a number; '' where it says none. */
export function rangeValueOf(element, tag, role) {
	if (!VALUE_ROLES.has(role))
		return '';
	const text = ariaOf(element, 'aria-valuetext') || ariaOf(element, 'aria-valuenow');
	if (text)
		return textOf(element).trim() === text.trim() ? '' : text;
	if (tag === 'progress')
		return element.position < 0 ? '' : String(element.value);
	return tag === 'meter' ? String(element.value) : '';
}

/* {min, max}, numbers or null where nothing says them */
export function rangeOf(element, tag, role) {
	if (!VALUE_ROLES.has(role))
		return { min: null, max: null };
	return { min: boundOf(element, 'aria-valuemin', tag, 'min'), max: boundOf(element, 'aria-valuemax', tag, 'max') };
}

function boundOf(element, ariaName, tag, name) {
	const value = ariaOf(element, ariaName) ?? (NATIVE_RANGES.test(tag) ? attributeOf(element, name) : null);
	return value !== null && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : null;
}

/* true, false, 'grammar' or 'spelling' */
export function invalidOf(element, role) {
	const value = INVALID_ROLES.has(role) ? ariaOf(element, 'aria-invalid')?.trim() : '';
	if (!value || value === 'false')
		return false;
	return value === 'grammar' || value === 'spelling' ? value : true;
}

/*
 * HTML's own `disabled` (from fieldset and optgroup as well), or aria-disabled here or above; `aria` is what
 * ariaDisabledOf() says of it.
 */
export function disabledOf(element, tag, role, aria) {
	return isNativelyDisabled(element, tag) || aria && DISABLED_ROLES.has(role);
}

const DISABLEABLE = setOf('button input select textarea');

function isNativelyDisabled(element, tag) {
	if (tag === 'option' || tag === 'optgroup')
		return closest(element, 'option[disabled], optgroup[disabled]') !== null;
	return (DISABLEABLE.has(tag) || internalsOf(element) !== null) && matches(element, ':disabled');
}

export function ariaDisabledOf(element, above) {
	const value = hasAttributes(element) || internalsOf(element) !== null ? ariaOf(element, 'aria-disabled')?.toLowerCase() : undefined;
	return value === 'true' || value !== 'false' && above;
}

/* For one element on its own. */
export function isDisabled(element) {
	const upwards = [];
	for (let at = element; at; at = hostOrParent(at))
		upwards.push(at);
	const aria = upwards.reduceRight((disabled, at) => ariaDisabledOf(at, disabled), false);
	return disabledOf(element, tagOf(element), roleOf(element) ?? '', aria);
}
