/* Fields for passwords in pages that a person has had control of: nobody else learns what is in them, however they look later. */
import { tagOf } from './raw.js';

const HIDDEN_VALUE = '••••••••'; /* of any length */
const hidden = new WeakSet();
let hides = false;

export const passwordsAreHidden = () => hides;

/* From now on, in this document. */
export const hidePasswords = () => {
	hides = true;
};

/* The value of an <input> or <textarea> as answers and recordings may have it. */
export function shownValue(field) {
	if (hides && tagOf(field) === 'input' && field.type === 'password')
		hidden.add(field);
	return field.value && hidden.has(field) ? HIDDEN_VALUE : field.value;
}
