/*
 * Gives the fields of a document that was loaded anew what keeppage.js has kept of them, so that scripts of the page learn of it, and
 * scrolls to where it was. Fields that scripts make late are waited for, PATIENCE at most. The number of those that are not there, or do
 * not keep their value.
 */
import { allFields, isChecked, isEditor, isSelect, valueOf } from '../filled.js';

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
	element.focus();
	getSelection().selectAllChildren(element);
	document.execCommand('insertHTML', false, html);
	element.blur();
}

/* Of radio buttons, the one that is checked changes the others. */
const holds = (element, value) => JSON.stringify(valueOf(element)) === JSON.stringify(value) || (element.type === 'radio' && !value);

function restore(element, value) {
	if (holds(element, value))
		return;
	if (isEditor(element)) {
		write(element, value);
	} else if (isChecked(element)) {
		element.click();
	} else if (isSelect(element)) {
		for (const option of element.options)
			option.selected = value.includes(option.value);
		tell(element, null);
	} else {
		element.value = value;
		tell(element, value);
	}
}

/* Those that are not there. */
function tryFields(fields) {
	const all = allFields();

	return fields.filter(field => {
		const element = find(all, field);

		if (element)
			restore(element, field.value);
		return !element;
	});
}

/* Editors may write the same contents in another way. */
function lost(fields) {
	const all = allFields();

	return fields.filter(field => {
		const element = find(all, field);

		return !element || (!isEditor(element) && !holds(element, field.value));
	}).length;
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

/* What scripts have begun is done: frameworks take over the elements that the document came with after it has loaded. */
const idle = until => new Promise(done => requestIdleCallback(done, { timeout: Math.max(1, until - Date.now()) }));

/* The number of fields that could not be filled. */
async function fill(fields) {
	const until = Date.now() + PATIENCE;

	await idle(until);
	for (let missing = tryFields(fields); missing.length && Date.now() < until; missing = tryFields(missing))
		await nextChange(until);
	await idle(until);
	return lost(fields);
}

export default async (fields, scroll) => {
	scrollTo(...scroll);
	const missing = fields.length ? await fill(fields) : 0;

	scrollTo({ left: scroll[0], top: scroll[1], behavior: 'instant' });
	return missing;
};
