/* Fields of a document that a user can fill, and how they are named so that they are found in the same document when it was loaded anew. */
const FIELDS = 'input, textarea, select, [contenteditable]';
const WITHOUT_VALUE = new Set(['hidden', 'submit', 'button', 'image', 'reset', 'file']);

/* In the order of the document, with those in open shadow roots. */
function fieldsBelow(root, found) {
	for (const element of root.querySelectorAll('*')) {
		if (element.matches(FIELDS) && !WITHOUT_VALUE.has(element.type) && (element.form !== undefined || element.isContentEditable))
			found.push(element);
		if (element.shadowRoot)
			fieldsBelow(element.shadowRoot, found);
	}
	return found;
}

/* A list of {element, kind, id, name, place}. `place` is the index of the field among the fields of the same kind and name. */
export function filledFields() {
	const counts = new Map();

	return fieldsBelow(document, []).map(element => {
		const kind = `${element.localName} ${element.type || ''}`, name = element.getAttribute('name') || '';
		const group = JSON.stringify([kind, name]), place = counts.get(group) || 0;

		counts.set(group, place + 1);
		return { element, kind, id: element.id, name, place };
	});
}

export const isChecked = element => element.type === 'checkbox' || element.type === 'radio';
