/* expect() of plain values: compared once, without waiting. */
import { shownValue } from './shownvalue.js';

/* expect.any(), expect.objectContaining()...: objects that decide themselves what equals them. */
class Pattern {
	constructor(shown, matches) {
		this.toString = () => shown;
		this.matches = matches;
	}
}

const classMatches = (Class, value) => value !== null && value !== undefined && Object(value) instanceof Class;

export const patterns = {
	any: Class => new Pattern(`Any<${Class.name}>`, value => classMatches(Class, value)),
	anything: () => new Pattern('Anything', value => value !== null && value !== undefined),
	arrayContaining: items => new Pattern(`ArrayContaining ${shownValue(items)}`,
		value => Array.isArray(value) && items.every(item => value.some(other => equals(item, other)))),
	closeTo: (number, digits = 2) => new Pattern(`CloseTo ${number}`, value => Math.abs(value - number) < 10 ** -digits / 2),
	objectContaining: part => new Pattern(`ObjectContaining ${shownValue(part)}`, value => isPart(part, value)),
	stringContaining: text => new Pattern(`StringContaining "${text}"`, value => typeof value === 'string' && value.includes(text)),
	stringMatching: text => new Pattern(`StringMatching ${text}`, value => typeof value === 'string' && new RegExp(text).test(value)),
};

const isPart = (part, value) => value !== null && typeof value === 'object' &&
	Object.keys(part).every(key => key in value && equals(part[key], value[key]));

/* `wanted` may have patterns in it. `isStrict`: undefined members and the kinds of objects count. */
function equals(wanted, value, isStrict = false) {
	if (wanted instanceof Pattern)
		return wanted.matches(value);
	if (Object.is(wanted, value))
		return true;
	if (typeof wanted !== 'object' || typeof value !== 'object' || wanted === null || value === null)
		return false;
	const kind = Object.prototype.toString.call(wanted);
	if (kind !== Object.prototype.toString.call(value) || isStrict && wanted.constructor !== value.constructor)
		return false;
	switch (kind) {
	case '[object Date]': return wanted.getTime() === value.getTime();
	case '[object RegExp]': return String(wanted) === String(value);
	case '[object Error]': return wanted.message === value.message;
	case '[object Set]':
	case '[object Map]': return equals([...wanted], [...value], isStrict);
	default: return equalMembers(wanted, value, isStrict);
	}
}

function equalMembers(wanted, value, isStrict) {
	if (Array.isArray(wanted) && wanted.length !== value.length)
		return false;
	const keysOf = object => Object.keys(object).filter(key => isStrict || object[key] !== undefined);
	const keys = keysOf(wanted);
	return keys.length === keysOf(value).length && keys.every(key => Object.hasOwn(value, key) && equals(wanted[key], value[key], isStrict));
}

function isSubset(wanted, value) {
	if (wanted instanceof Pattern || typeof wanted !== 'object' || wanted === null || Array.isArray(wanted))
		return equals(wanted, value);
	return value !== null && typeof value === 'object' && Object.keys(wanted).every(key => key in value && isSubset(wanted[key], value[key]));
}

const pathOf = path => Array.isArray(path) ? path : String(path).replace(/\[(\w+)\]/g, '.$1').split('.');

function hasProperty(value, path, rest) {
	let at = value;
	for (const key of pathOf(path)) {
		if (at === null || at === undefined || !(key in Object(at)))
			return false;
		at = at[key];
	}
	return rest.length === 0 || equals(rest[0], at);
}

/* By name: whether the value is as expected. */
const VALUE_MATCHERS = {
	toBe: (value, expected) => Object.is(value, expected),
	toBeCloseTo: (value, expected, digits = 2) => patterns.closeTo(expected, digits).matches(value),
	toBeDefined: value => value !== undefined,
	toBeFalsy: value => !value,
	toBeGreaterThan: (value, expected) => value > expected,
	toBeGreaterThanOrEqual: (value, expected) => value >= expected,
	toBeInstanceOf: (value, Class) => value instanceof Class,
	toBeLessThan: (value, expected) => value < expected,
	toBeLessThanOrEqual: (value, expected) => value <= expected,
	toBeNaN: value => Number.isNaN(value),
	toBeNull: value => value === null,
	toBeTruthy: value => Boolean(value),
	toBeUndefined: value => value === undefined,
	toContain: (value, expected) => typeof value === 'string' ? value.includes(expected) : [...value].includes(expected),
	toContainEqual: (value, expected) => [...value].some(item => equals(expected, item)),
	toEqual: (value, expected) => equals(expected, value),
	toHaveLength: (value, expected) => value?.length === expected,
	toHaveProperty: (value, path, ...rest) => hasProperty(value, path, rest),
	toMatch: (value, expected) => expected instanceof RegExp ? value.search(expected) >= 0 : value.includes(expected),
	toMatchObject: (value, expected) => isSubset(expected, value),
	toStrictEqual: (value, expected) => equals(expected, value, true),
};

function checkValue(about, matcher, value, expected) {
	if (VALUE_MATCHERS[matcher](value, ...expected) !== about.isNot)
		return;
	const args = expected.length ? 'expected' : '';
	const lines = [`${about.message ? `${about.message}\n\n` : ''}expect(received)${about.isNot ? '.not' : ''}.${matcher}(${args})`, ''];
	if (expected.length)
		lines.push(`Expected: ${about.isNot ? 'not ' : ''}${expected.map(shownValue).join(', ')}`);
	throw new Error([...lines, `Received: ${shownValue(value)}`].join('\n'));
}

function checkThrown(about, thrown, expected) {
	const text = thrown ? String(thrown.error?.message ?? thrown.error) : '';
	const matches = expected === undefined ? () => true : expected instanceof RegExp ? () => expected.test(text) :
		typeof expected === 'function' ? () => thrown.error instanceof expected : () => text.includes(expected?.message ?? expected);
	if ((thrown !== null && matches()) !== about.isNot)
		return;
	throw new Error(`expect(received)${about.isNot ? '.not' : ''}.toThrow()\n\nExpected: ${about.isNot ? 'not ' : ''}` +
		`${expected === undefined ? 'an error' : shownValue(expected)}\nReceived: ${thrown ? shownValue(text) : 'no error'}`);
}

export class ValueExpectation {
	constructor(object, { isNot = false, message } = {}) {
		Object.assign(this, { object, isNot, message });
	}

	get not() {
		return new this.constructor(this.object, { isNot: !this.isNot, message: this.message });
	}

	/* The matchers of what a promise gives, or fails with. */
	get resolves() {
		return this.#later(async () => this.object);
	}

	get rejects() {
		return this.#later(async () => {
			const value = await Promise.resolve(this.object).then(result => ({ result }), error => ({ error }));
			if ('error' in value)
				return value.error;
			throw new Error(`expect(received).rejects\n\nReceived promise resolved instead of rejected\nResolved to value: ${shownValue(value.result)}`);
		});
	}

	#later(read) {
		return Object.fromEntries([...Object.keys(VALUE_MATCHERS), 'toThrow'].map(name => [name, async (...expected) => {
			const value = await read();
			return new ValueExpectation(name === 'toThrow' ? () => { throw value; } : value, this)[name](...expected);
		}]));
	}

	toThrow(expected) {
		const thrown = (() => {
			try {
				this.object();
			} catch (error) {
				return { error };
			}
			return null;
		})();
		checkThrown(this, thrown, expected);
	}

	static {
		for (const matcher of Object.keys(VALUE_MATCHERS)) {
			ValueExpectation.prototype[matcher] = function (...expected) {
				checkValue(this, matcher, this.object, expected);
			};
		}
		ValueExpectation.prototype.toThrowError = ValueExpectation.prototype.toThrow;
	}
}
