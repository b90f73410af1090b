/*
 * From the objects that a caller's code holds to the operations of the server and back. ask() sends {id, op, ...}; the
 * answer {id, value | error: {name, message}, pages?} comes by exported.answer (run.js). `pages` is how the pages are now: what the
 * objects say of themselves without asking.
 */
import { defaults, pages } from './pages.js';

export class TimeoutError extends Error {
	get name() {
		return 'TimeoutError';
	}
}

const pending = new Map();
let lastId = 0;
let send = null; /* set when the code starts */

export function ask(op, args) {
	const id = ++lastId;
	return new Promise((resolve, reject) => {
		send({ ...args, id, op });
		pending.set(id, { resolve, reject });
	});
}

/* Sends by `sendMessage` from now on. */
export function connect(sendMessage) {
	send = sendMessage;
}

export function answered({ id, value, error }) {
	const asked = pending.get(id);
	pending.delete(id);
	if (error)
		asked?.reject(error);
	else
		asked?.resolve(value);
}

export const withoutUndefined = object => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

/* The operation for the method `api` ("locator.click"), which its failure names. */
export async function perform(api, op, args) {
	try {
		return await ask(op, { timeout: pages.get(args.page)?.timeoutOf(), ...withoutUndefined(args), api });
	} catch ({ name, message }) {
		throw new (name === 'TimeoutError' ? TimeoutError : Error)(message);
	}
}

/* Options that change what would be done, and are not known, must not be passed over. */
export function refuseOptions(api, options, names) {
	for (const name of names) {
		if (options?.[name] !== undefined)
			throw new Error(`${api}: the option "${name}" is not supported here`);
	}
}

/* The option `name` has to be one of the texts `allowed`. */
export function oneOfTexts({ api }, name, value, allowed) {
	if (!allowed.includes(value))
		throw new Error(`${api}: ${name}: expected one of (${allowed.join('|')})`);
}

/* A promise that fails after that many milliseconds (0: never) unless `wanted` comes first. */
export function withTimeout(timeout, wanted, failure) {
	if (!timeout)
		return wanted;
	let timer;
	const late = new Promise((resolve, reject) => {
		timer = setTimeout(() => reject(new TimeoutError(failure)), timeout);
	});
	return Promise.race([wanted, late]).finally(() => clearTimeout(timer));
}

/* Text, RegExp or function of the value, as a test. In texts, * stands for all but slashes, ** for anything. */
export function matcherOf(wanted, base) {
	if (typeof wanted === 'function')
		return wanted;
	if (wanted instanceof RegExp)
		return text => text.search(wanted) >= 0;
	const expression = globExpression(resolvedGlob(wanted, base));
	return text => expression.test(text);
}

/* The same for addresses: a function gets a URL. */
export function urlMatcher(wanted, base) {
	return typeof wanted === 'function' ? text => wanted(new URL(text)) : matcherOf(wanted, defaults.baseURL ?? base);
}

/* A relative pattern as one of whole addresses. */
export function resolvedGlob(pattern, base) {
	if (pattern.startsWith('*') || !base)
		return pattern;
	try {
		return decodeURI(new URL(pattern.replace(/[*{}]/g, mark => `browserd${mark.charCodeAt(0)}mark`), base).href)
			.replace(/browserd(\d+)mark/g, (all, code) => String.fromCharCode(code));
	} catch {
		return pattern;
	}
}

function globExpression(glob) {
	const parts = glob.replace(/[.+?^$()|[\]\\]/g, '\\$&').replace(/\*\*\/?|\*|\{|\}|,/g, mark => {
		switch (mark) {
		case '**/': return '(?:.*/)?';
		case '**': return '.*';
		case '*': return '[^/]*';
		case '{': return '(?:';
		case '}': return ')';
		default: return glob.includes('{') ? '|' : ',';
		}
	});
	return new RegExp(`^${parts}$`);
}

/* A line of a call log, as failures show it. */
export const logged = line => `=========================== logs ===========================\n${line}\n${'='.repeat(60)}`;
