/*
 * What is kept of a page that is to be opened again: {title, scroll: [x, y], items, fields, left}. `items` is given. `fields` are those that
 * are filled, {kind, id, name, place, value}, and `left` the number of those that cannot be kept, or that `room` characters do not hold;
 * without `room`, none are looked at.
 */
import { getterOf } from '../raw.js';
import { filledFields } from '../filled.js';

export default (items, room) => {
	const fields = [];
	let left = 0;

	for (const { kind, id, name, place, value } of room ? filledFields() : []) {
		const field = { kind, id, name, place, value };

		room -= JSON.stringify(field).length;
		if (room > 0 && value !== undefined)
			fields.push(field);
		else
			left++;
	}
	return { title: getterOf(Document.prototype, 'title').call(document), scroll: [scrollX, scrollY], items, fields, left };
};
