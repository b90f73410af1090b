/* The states that a snapshot shows, by WAI-ARIA 1.2 (which roles support which) and HTML-AAM (native equivalents). */
import { attributeOf, closest, hasAttributes, hostOrParent, matches, tagOf } from './raw.js';
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

/* true, false or 'mixed' */
export function checkedOf(element, role) {
	if (!CHECKED_ROLES.has(role))
		return false;
	if (tagOf(element) === 'input' && (element.type === 'checkbox' || element.type === 'radio'))
		return element.indeterminate && element.type === 'checkbox' ? 'mixed' : element.checked;
	return triState(attributeOf(element, 'aria-checked'));
}

function triState(value) {
	return value === 'mixed' ? 'mixed' : value === 'true';
}

export function pressedOf(element, role) {
	return role === 'button' && triState(attributeOf(element, 'aria-pressed'));
}

export function expandedOf(element, role) {
	if (!EXPANDED_ROLES.has(role))
		return false;
	return tagOf(element) === 'details' ? element.open : attributeOf(element, 'aria-expanded') === 'true';
}

export function selectedOf(element, role) {
	if (!SELECTED_ROLES.has(role))
		return false;
	return tagOf(element) === 'option' ? element.selected : attributeOf(element, 'aria-selected')?.toLowerCase() === 'true';
}

/* 0: none */
export function levelOf(element, role) {
	if (!LEVEL_ROLES.has(role))
		return 0;
	if (HEADING_TAG.test(tagOf(element)))
		return Number(tagOf(element)[1]);
	const level = Number(attributeOf(element, 'aria-level') ?? NaN);
	return Number.isInteger(level) && level >= 1 ? level : 0;
}

/* true, false, 'grammar' or 'spelling' */
export function invalidOf(element, role) {
	const value = INVALID_ROLES.has(role) ? attributeOf(element, 'aria-invalid')?.trim() : '';
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
	return DISABLEABLE.has(tag) && matches(element, ':disabled');
}

export function ariaDisabledOf(element, above) {
	const value = hasAttributes(element) ? attributeOf(element, 'aria-disabled')?.toLowerCase() : undefined;
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
