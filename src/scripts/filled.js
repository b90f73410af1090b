/*
 * Fields of a document that a user has filled, and how they are named so that they are found in the same document when it was loaded anew.
 *
 * A field is filled if it differs from what the document gave it. React writes the value of a text field into its attribute as well, so that
 * it never differs; such a field counts as filled if a user has changed it (:user-valid, :user-invalid, from its first change event on) or is
 * in it. Values that no user has changed are not kept: the new document may come with other ones.
 */
import { isDrawnAsDots } from './dots.js';
import { shownValue } from './privatefields.js';
import { attributeOf, getterOf, matches, parentNodeOf, rootOf, shadowOf, tagOf, visitIn } from './raw.js';

const FIELDS = 'input, textarea, select, [contenteditable]';
const WITHOUT_VALUE = new Set(['hidden', 'submit', 'button', 'image', 'reset']);
const TOUCHED = CSS.supports('selector(:user-valid)') ? ':user-valid, :user-invalid' : ':focus';
const rawEditable = getterOf(HTMLElement.prototype, 'isContentEditable');
const activeIn = {
	[Node.DOCUMENT_NODE]: getterOf(Document.prototype, 'activeElement'),
	[Node.DOCUMENT_FRAGMENT_NODE]: getterOf(ShadowRoot.prototype, 'activeElement'),
};

const isContentEditable = element => element instanceof HTMLElement && rawEditable.call(element);
export const isSelect = element => tagOf(element) === 'select';
export const isChecked = element => tagOf(element) === 'input' && (element.type === 'checkbox' || element.type === 'radio');
export const isEditor = element => !['input', 'textarea', 'select'].includes(tagOf(element));
const takesFiles = element => tagOf(element) === 'input' && element.type === 'file';

/* What its user sees in it: text, whether it is checked, or the values that are chosen. */
export function valueOf(element) {
	if (isSelect(element))
		return [...element.options].filter(option => option.selected).map(option => option.value);
	if (isChecked(element))
		return element.checked;
	return isEditor(element) ? element.innerHTML : shownValue(element);
}

function chosenByDefault(select) {
	const options = [...select.options], chosen = options.filter(option => option.defaultSelected);

	if (select.multiple)
		return chosen;
	return chosen.length ? chosen.slice(-1) : options.filter(option => !option.disabled).slice(0, select.size > 1 ? 0 : 1);
}

function isAsGiven(element) {
	if (isSelect(element)) {
		const byDefault = chosenByDefault(element);

		return [...element.options].every(option => option.selected === byDefault.includes(option));
	}
	if (isChecked(element))
		return element.checked === element.defaultChecked;
	if (isEditor(element))
		return isContentEditable(parentNodeOf(element)) || element.innerHTML === '';
	return takesFiles(element) ? element.files.length === 0 : element.value === element.defaultValue;
}

function isTouched(element) {
	const root = rootOf(element);

	return !isEditor(element) && (matches(element, TOUCHED) || activeIn[root.nodeType]?.call(root) === element);
}

/* What a login has filled is kept nowhere. */
const isFilled = element => !isDrawnAsDots(element) &&
	(!isAsGiven(element) || (isTouched(element) && !takesFiles(element)));

/* In the order of the document, with those in open shadow roots. */
function fieldsBelow(root, found) {
	visitIn(root, '*', element => {
		if (matches(element, FIELDS) && !WITHOUT_VALUE.has(element.type) && (!isEditor(element) || isContentEditable(element)))
			found.push(element);
		if (shadowOf(element))
			fieldsBelow(shadowOf(element), found);
	});
	return found;
}

/* A list of {element, kind, id, name, place}. `place` is the index of the field among the fields of the same kind and name. */
export function allFields() {
	const counts = new Map();

	return fieldsBelow(document, []).map(element => {
		const kind = `${tagOf(element)} ${isEditor(element) ? '' : element.type}`, name = attributeOf(element, 'name') || '';
		const group = JSON.stringify([kind, name]), place = counts.get(group) || 0;

		counts.set(group, place + 1);
		return { element, kind, id: attributeOf(element, 'id') || '', name, place };
	});
}

/* Those of allFields() that are filled, with `value`; of fields for files, it cannot be kept, and is undefined. */
export const filledFields = () => allFields().filter(({ element }) => isFilled(element))
	.map(field => ({ ...field, value: takesFiles(field.element) ? undefined : valueOf(field.element) }));
