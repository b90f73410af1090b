/*
 * Gives the fields of a document that was loaded anew what keeppage.js has kept of them, so that scripts of the page learn of it, and
 * scrolls to where it was. Fields that scripts make late are waited for, PATIENCE at most. The number of those that are not there.
 */
import { filledFields, isChecked } from '../filled.js';

const PATIENCE = 1000;

function find(all, field) {
	const sameKind = all.filter(each => each.kind === field.kind);
	const withId = field.id ? sameKind.filter(each => each.id === field.id) : [];

	if (withId.length === 1)
		return withId[0].element;
	return sameKind.find(each => each.name === field.name && each.place === field.place && (!field.id || !each.id))?.element;
}

function tell(element, data) {
	element.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, inputType: 'insertReplacementText', data }));
	element.dispatchEvent(new Event('change', { bubbles: true }));
}

/* Editors learn of commands, not of changes to their elements. */
function write(element, html) {
	if (element.innerHTML === html)
		return;
	element.focus();
	getSelection().selectAllChildren(element);
	document.execCommand('insertHTML', false, html);
	element.blur();
}

function restore(element, value) {
	if (element.form === undefined) {
		write(element, value);
	} else if (isChecked(element)) {
		if (element.checked !== value && (element.type === 'checkbox' || value))
			element.click();
	} else if (element.localName === 'select') {
		for (const option of element.options)
			option.selected = value.includes(option.value);
		tell(element, null);
	} else {
		element.value = value;
		tell(element, value);
	}
}

function tryFields(fields) {
	const all = fields.length ? filledFields() : [];

	return fields.filter(field => {
		const element = find(all, field);

		if (element)
			restore(element, field.value);
		return !element;
	});
}

function nextChange(until) {
	return new Promise(done => {
		const end = () => {
			observer.disconnect();
			clearTimeout(timer);
			done();
		};
		const observer = new MutationObserver(end), timer = setTimeout(end, until - Date.now());

		observer.observe(document, { subtree: true, childList: true, attributes: true });
	});
}

export default async (fields, scroll) => {
	const until = Date.now() + PATIENCE;
	let missing = tryFields(fields);

	scrollTo(...scroll);
	while (missing.length && Date.now() < until) {
		await nextChange(until);
		missing = tryFields(missing);
	}
	scrollTo({ left: scroll[0], top: scroll[1], behavior: 'instant' });
	return missing.length;
};
