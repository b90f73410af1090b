/*
 * What is kept of a page that is to be opened again: {title, scroll: [x, y], items, fields, left}. `items` is given. `fields` are those that
 * differ from what their document gave them, {kind, id, name, place, value}, and `left` the number of those that `room` characters do not
 * hold; without `room`, none are looked at.
 */
import { filledFields, isChecked } from '../filled.js';

function chosenByDefault(select) {
	const options = [...select.options], chosen = options.filter(option => option.defaultSelected);

	if (select.multiple)
		return chosen;
	return chosen.length ? chosen.slice(-1) : options.filter(option => !option.disabled).slice(0, select.size > 1 ? 0 : 1);
}

/* Undefined: it is as the document made it. */
function changedValue(element) {
	if (element.localName === 'select') {
		const options = [...element.options], byDefault = chosenByDefault(element);

		return options.some(option => option.selected !== byDefault.includes(option)) ?
			options.filter(option => option.selected).map(option => option.value) : undefined;
	}
	if (isChecked(element))
		return element.checked !== element.defaultChecked ? element.checked : undefined;
	if (element.form === undefined)
		return element.parentElement && element.parentElement.isContentEditable ? undefined : element.innerHTML || undefined;
	return element.value !== element.defaultValue ? element.value : undefined;
}

export default (items, room) => {
	const fields = [];
	let left = 0;

	for (const { element, kind, id, name, place } of room ? filledFields() : []) {
		const value = changedValue(element), field = { kind, id, name, place, value };

		if (value === undefined)
			continue;
		room -= JSON.stringify(field).length;
		if (room > 0)
			fields.push(field);
		else
			left++;
	}
	return { title: document.title, scroll: [scrollX, scrollY], items, fields, left };
};
