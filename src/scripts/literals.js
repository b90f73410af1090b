/* Texts and regular expressions as locators and selectors write them, and how reading these fails. */
import { Failure } from './failure.js';

export class LocatorSyntaxError extends Error {}

const STRING_ESCAPES = { __proto__: null, n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0' };

export function unescapeString(literal) {
	return literal.slice(1, -1).replace(/\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|\n|([\s\S]))/g,
		(match, braced, four, two, other) => {
			const code = braced ?? four ?? two;
			return code ? String.fromCodePoint(parseInt(code, 16)) : other === undefined ? '' : STRING_ESCAPES[other] ?? other;
		});
}

export function regexOf(source, flags) {
	try {
		new RegExp(source, flags);
	} catch (error) {
		throw new LocatorSyntaxError(error.message);
	}
	return { regex: source, flags };
}

export function regexText(literal) {
	const end = literal.lastIndexOf('/');
	return regexOf(literal.slice(1, end), literal.slice(end + 1));
}

export function withoutUndefined(object) {
	for (const key of Object.keys(object)) {
		if (object[key] === undefined)
			delete object[key];
	}
	return object;
}

export const ROLE_STATES = new Set(['checked', 'disabled', 'expanded', 'includeHidden', 'level', 'pressed', 'selected']);
export const ROLE_TEXTS = new Set(['name', 'description']);

/* Its words are those of the reference, whatever is wrong. */
export const badSelector = () => new Failure('INVALID_SELECTOR', 'selectorSyntax');
