/* Fields for passwords in pages that a person has had control of: nobody else learns what is in them, however they look later. */
import { tagOf } from './raw.js';

const HIDDEN_VALUE = '••••••••'; /* of any length */
const hidden = new WeakSet();

/* The value of an <input> or <textarea> as answers and recordings may have it. The server sets the flag in each document. */
export function shownValue(field) {
	if (globalThis.browserdHidesPasswords && tagOf(field) === 'input' && field.type === 'password')
		hidden.add(field);
	return field.value && hidden.has(field) ? HIDDEN_VALUE : field.value;
}
