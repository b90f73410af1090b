/* The values of fields, which scripts set without an event or a mutation. */
import { queryAll } from './dom.js';
import { queryIn } from './raw.js';

const FIELDS = 'input, select, textarea';
const FIELDS_MAX = 500; /* fields whose values are compared */

const fieldValue = field => field.type === 'checkbox' || field.type === 'radio' ? field.checked : field.value;

/* Those of the document and of these shadow roots, by field. */
export function fieldValues(roots) {
	const fields = queryAll(FIELDS);
	for (const root of roots)
		fields.push(...queryIn(root, FIELDS));
	return new Map(fields.slice(0, FIELDS_MAX).map(field => [field, fieldValue(field)]));
}

/* The fields of `values` that had another value before; `former` may be null. */
export const changedFields = (former, values) => [...values.keys()].filter(field => former?.has(field) && former.get(field) !== values.get(field));
