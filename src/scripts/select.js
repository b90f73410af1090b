/*
 * Fields that are chosen from instead of typed into: options of a <select> get chosen here, with the events that a
 * person's choice fires; check boxes and radio buttons are only looked at here, as a click changes them.
 */
import { describe } from './dom.js';
import { exported } from './exported.js';
import { Failure } from './failure.js';
import { asOwnChange } from './ownchanges.js';
import { Obstacle, patienceFor, tryUntil } from './patience.js';
import { attributeOf } from './raw.js';
import { findTarget } from './target.js';
import { seenText } from './text.js';
import { fieldOf } from './typing.js';
import { whyDisabled, whyHidden } from './visibility.js';

/* name -> the options that have it */
function optionIndex(options, namesOf) {
	const index = new Map();
	for (const option of options) {
		for (const name of namesOf(option)) {
			if (!index.has(name))
				index.set(name, []);
			index.get(name).push(option);
		}
	}
	return index;
}

/*
 * A function from a name to its options. What is written as the name goes before what only looks like it, and, where labels are
 * asked for, a label before a value. Of a label attribute and the text that it hides, both are names.
 */
function optionFinder(options, byLabel) {
	const written = optionIndex(options, ({ label, value }) => byLabel ? [label] : [value, label]);
	let seen, values;
	return name => {
		if (written.has(name))
			return written.get(name);
		seen ??= optionIndex(options, ({ label, text, value }) => (byLabel ? [label, text] : [value, label, text]).map(seenText));
		values ??= optionIndex(options, ({ value }) => [value]);
		return seen.get(seenText(name)) ?? values.get(name) ?? [];
	};
}

/*
 * {chosen, missing}: the options that `values` name, each of them one option, or several of its name where that is possible, and
 * the values without one. `chosen` is null if too much is missing.
 */
function optionsFor(select, values, byLabel) {
	const options = [...select.options], optionsOf = optionFinder(options, byLabel);
	const found = values.map(optionsOf), named = new Set(found.flat());
	const missing = values.filter((value, n) => !found[n].length);
	const chosen = options.filter(option => named.has(option)).slice(0, select.multiple ? Infinity : 1);
	const complete = select.multiple ? !missing.length : chosen.length > 0 || !values.length;
	return { chosen: complete ? chosen : null, missing };
}

/* Choosing what is chosen already fires nothing, as with a person. */
export function chooseOptions(select, chosen) {
	const changed = [...select.options].some(option => option.selected !== chosen.includes(option));
	if (!changed)
		return;
	if (select.multiple) {
		for (const option of select.options)
			option.selected = chosen.includes(option);
	} else {
		select.selectedIndex = chosen.length ? chosen[0].index : -1;
	}
	select.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
	select.dispatchEvent(new Event('change', { bubbles: true }));
}

const OPTIONS_SHOWN = 20, OPTION_LENGTH = 60;
const optionInQuotes = text => JSON.stringify(text.length > OPTION_LENGTH ? `${text.slice(0, OPTION_LENGTH).toWellFormed()}...` : text);

/* As many of the texts as a message has room for. */
function listed(texts) {
	const shown = texts.slice(0, OPTIONS_SHOWN).map(optionInQuotes);
	return texts.length > OPTIONS_SHOWN ? [...shown, `${texts.length - OPTIONS_SHOWN} more`] : shown;
}

/* What {element} lacks, and what it has. */
const missingOptions = (select, missing) => ({
	missing: listed(missing), options: listed([...select.options].map(({ label, value }) => label || value)), element: describe(select),
});

function whyNotChosen(select, chosen) {
	if (!chosen)
		return { reason: 'noSuchOption' };
	const disabled = chosen.find(whyDisabled);
	return disabled ? { reason: 'optionDisabled', option: describe(disabled) } : null;
}

function attemptSelect({ target, options: { values, byLabel, patience } }) {
	const found = findTarget(target);
	if (found instanceof Obstacle)
		return found;
	const select = fieldOf(found);
	if (!(select instanceof HTMLSelectElement))
		throw new Failure('ELEMENT_NOT_EDITABLE', 'notASelect', { element: describe(select) });
	const { chosen, missing } = optionsFor(select, values, byLabel);
	const why = whyHidden(select) ?? whyDisabled(select) ?? whyNotChosen(select, chosen);
	if (why?.reason === 'noSuchOption' && patience)
		return new Obstacle(why, { patience, missing: missingOptions(select, missing) });
	if (why)
		return new Obstacle(why, { subject: describe(select) });
	asOwnChange(() => chooseOptions(select, chosen));
	return { element: describe(select) };
}

/*
 * {target, timeout, elapsed, options: {values, byLabel, patience}}: waits until the target is a <select> that can be used and
 * has options of these values or labels (`byLabel`: labels, before values), and chooses them instead of what was chosen: {element}. `patience`: ms to wait for options that
 * are not there; 0: as long as for anything else.
 */
exported.selectOptions = request => {
	exported.endClick();
	const patience = patienceFor(request);
	const refusal = () => {
		const { missing } = patience.obstacles.at(-1);
		return missing ? new Failure('ELEMENT_NOT_EDITABLE', 'optionsMissing', missing) : patience.refusal('ELEMENT_NOT_EDITABLE', 'chosen from');
	};
	return tryUntil(patience, () => attemptSelect(request), refusal);
};

const UNCHANGED = 'notChangedByClick';
const CHECK_PATIENCE = 1000; /* ms for scripts that take part in checking */
const CHECKABLE_ROLES = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio', 'option', 'treeitem']);

export function isCheckedField(field) {
	if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio'))
		return field.checked;
	if (CHECKABLE_ROLES.has(attributeOf(field, 'role')))
		return attributeOf(field, 'aria-checked') === 'true';
	throw new Failure('ELEMENT_NOT_EDITABLE', 'notACheckbox', { element: describe(field) });
}

function attemptCheck({ target, options: { checked, clicked } }) {
	const found = findTarget(target);
	if (found instanceof Obstacle)
		return found;
	const field = fieldOf(found);
	const done = isCheckedField(field) === checked;
	if (!done && !checked && field.type === 'radio')
		throw new Failure('ELEMENT_NOT_EDITABLE', 'radioStaysChecked', { element: describe(field) });
	if (!done && clicked)
		return new Obstacle({ reason: UNCHANGED }, { patience: CHECK_PATIENCE });
	return { done, element: describe(field) };
}

/*
 * {target, timeout, elapsed, options: {checked, clicked}}: whether the target is in that state, {done, element}; after
 * a click it has to be, and this waits for it.
 */
exported.checkState = request => {
	exported.endClick();
	const patience = patienceFor(request);
	const refusal = () => patience.obstacles.at(-1).why.reason === UNCHANGED ?
		new Failure('ELEMENT_NOT_EDITABLE', 'checkboxUnchanged') :
		patience.refusal('ELEMENT_NOT_EDITABLE', 'checked');
	return tryUntil(patience, () => attemptCheck(request), refusal);
};

/* {target} -> what kind of field it is, as browser_fill_form names it; text for what is not there or no field. */
exported.fieldType = ({ target }) => {
	const found = findTarget(target);
	if (found instanceof Obstacle)
		return 'textbox';
	const field = fieldOf(found), role = attributeOf(field, 'role');
	if (field instanceof HTMLSelectElement)
		return 'combobox';
	if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio'))
		return field.type;
	if (role === 'radio' || role === 'menuitemradio')
		return 'radio';
	return CHECKABLE_ROLES.has(role) ? 'checkbox' : 'textbox';
};
