/*
 * The locator language, getByRole('button', { name: 'Save' }).first(), read by recursive descent and never evaluated.
 *
 * Both it and selectors (selector.js) become a list of steps, plain JSON values that travel between frames:
 *   { type: 'css' | 'xpath', value }                 { type: 'text', body }          text= and its kin, body as written
 *   { type: 'attribute', name, value }               data-testid=x, id=x
 *   { type: 'role', role, name?, description?, exact?, checked?, ... }
 *   { type: 'getBy', by: 'text' | 'label' | 'placeholder' | 'alt' | 'title' | 'testid', value, exact? }
 *   { type: 'filter' } with one of hasText, hasNotText, has, hasNot, visible
 *   { type: 'and' | 'or' | 'chain' , steps }         { type: 'nth', index }          { type: 'frame' }
 * where a text is a string or { regex, flags }.
 */
import {
	badSelector, LocatorSyntaxError, regexText, ROLE_STATES, ROLE_TEXTS, unescapeString, withoutUndefined,
} from './literals.js';
import { parseSelector } from './selector.js';

const LOCATOR_TOKEN = /\s*(?:([A-Za-z_$][\w$]*)|(-?\d+)|('(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|`(?:[^`\\$]|\\[\s\S])*`)|(\/(?:[^\/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*)|([().,{}:\[\]]))/y;

class LocatorParser {
	constructor(text) {
		this.text = text;
		this.at = 0;
		this.next();
	}

	next() {
		LOCATOR_TOKEN.lastIndex = this.at;
		const match = LOCATOR_TOKEN.exec(this.text);
		if (!match) {
			if (this.text.slice(this.at).trim())
				throw new LocatorSyntaxError(this.text.slice(this.at));
			this.token = { kind: 'end' };
			return;
		}
		this.at = LOCATOR_TOKEN.lastIndex;
		const [, word, number, string, regex, mark] = match;
		if (word !== undefined)
			this.token = { kind: 'word', value: word };
		else if (number !== undefined)
			this.token = { kind: 'number', value: Number(number) };
		else if (string !== undefined)
			this.token = { kind: 'string', value: unescapeString(string) };
		else if (regex !== undefined)
			this.token = { kind: 'regex', value: regexText(regex) };
		else
			this.token = { kind: mark };
	}

	take(kind) {
		const { token } = this;
		if (token.kind !== kind)
			throw new LocatorSyntaxError(`${kind} expected, not ${token.value ?? token.kind}`);
		this.next();
		return token.value;
	}

	is(kind) {
		return this.token.kind === kind;
	}

	whole() {
		const steps = this.chain();
		this.take('end');
		return steps;
	}

	chain() {
		let name = this.take('word');
		if (name === 'page') {
			this.take('.');
			name = this.take('word');
		}
		const steps = this.call(name, []);
		while (this.is('.')) {
			this.next();
			const method = this.take('word');
			steps.splice(placeOf(method, steps), 0, ...this.call(method, steps));
		}
		return steps;
	}

	call(name, before) {
		const method = LOCATOR_METHODS[name];
		if (!method)
			throw new LocatorSyntaxError(`${name} is no locator method`);
		const args = this.is('(') ? this.list('(', ')', () => this.value()) : [];
		return method(args, before);
	}

	list(open, close, item) {
		const items = [];
		this.take(open);
		while (!this.is(close)) {
			items.push(item());
			if (!this.is(close))
				this.take(',');
		}
		this.take(close);
		return items;
	}

	value() {
		const { kind, value } = this.token;
		if (kind === 'string' || kind === 'number' || kind === 'regex') {
			this.next();
			return value;
		}
		if (kind === '{')
			return Object.fromEntries(this.list('{', '}', () => this.property()));
		if (kind === 'word' && (value === 'true' || value === 'false')) {
			this.next();
			return value === 'true';
		}
		return { steps: this.chain() };
	}

	property() {
		const name = this.is('string') ? this.take('string') : this.take('word');
		this.take(':');
		return ['_' + name, this.value()]; /* no name reaches the prototype */
	}
}

const isTextValue = value => typeof value === 'string' || value?.regex !== undefined;

function textArgument(value) {
	if (!isTextValue(value))
		throw new LocatorSyntaxError('a text is expected');
	return value;
}

function stepsArgument(value) {
	if (!value?.steps)
		throw new LocatorSyntaxError('a locator is expected');
	return value.steps;
}

const getBy = by => ([value, options]) =>
	[withoutUndefined({ type: 'getBy', by, value: textArgument(value), exact: options?._exact || undefined })];

/* The options stay in the order in which they were written. */
function roleStep([role, options = {}]) {
	if (typeof role !== 'string')
		throw new LocatorSyntaxError('a role is expected');
	const step = { type: 'role', role, exact: options._exact || undefined };
	for (const [key, value] of Object.entries(options)) {
		const name = key.slice(1);
		if (ROLE_TEXTS.has(name))
			step[name] = textArgument(value);
		else if (ROLE_STATES.has(name))
			step[name] = value;
		else if (name !== 'exact')
			throw new LocatorSyntaxError(`${name} is no option of a role`);
	}
	return [withoutUndefined(step)];
}

/* One step for each condition. */
const FILTERS = {
	__proto__: null, hasText: textArgument, hasNotText: textArgument, has: stepsArgument, hasNot: stepsArgument,
	visible: value => value,
};

function filterSteps(options = {}) {
	const steps = [];
	for (const [name, read] of Object.entries(FILTERS)) {
		if (options['_' + name] !== undefined)
			steps.push({ type: 'filter', [name]: read(options['_' + name]) });
	}
	return steps;
}

function locatorSteps([selector, options]) {
	const inner = typeof selector === 'string' ? parseSelector(selector) : [{ type: 'chain', steps: stepsArgument(selector) }];
	return [...inner, ...filterSteps(options)];
}

const nthStep = index => [{ type: 'nth', index }];
const LOCATOR_METHODS = {
	__proto__: null,
	and: ([other]) => [{ type: 'and', steps: stepsArgument(other) }],
	contentFrame: () => [{ type: 'frame' }],
	filter: ([options]) => filterSteps(options),
	first: () => nthStep(0),
	frameLocator: args => [...locatorSteps(args), { type: 'frame' }],
	getByAltText: getBy('alt'),
	getByLabel: getBy('label'),
	getByPlaceholder: getBy('placeholder'),
	getByRole: roleStep,
	getByTestId: getBy('testid'),
	getByText: getBy('text'),
	getByTitle: getBy('title'),
	last: () => nthStep(-1),
	locator: locatorSteps,
	nth: ([index]) => {
		if (!Number.isInteger(index))
			throw new LocatorSyntaxError('a number is expected');
		return nthStep(index);
	},
	or: ([other]) => [{ type: 'or', steps: stepsArgument(other) }],
	owner: (args, before) => {
		if (before.pop()?.type !== 'frame')
			throw new LocatorSyntaxError('owner() follows a frame');
		return [];
	},
	visible: () => [{ type: 'filter', visible: true }],
};

/* Of the elements that frames are in, not of what is in them: frameLocator('iframe').first(). */
const FRAME_CHOICES = new Set(['first', 'last', 'nth']);

const placeOf = (method, steps) => steps.length - (FRAME_CHOICES.has(method) && steps.at(-1)?.type === 'frame');

const LOCATOR_START = /^\s*(?:page\s*\.\s*)?(?:getBy\w+|locator|frameLocator)\s*\(/;

/* The steps of a target that is no ref: locator language or selector. */
export function parseTarget(target) {
	if (!LOCATOR_START.test(target))
		return parseSelector(target);
	try {
		return new LocatorParser(target).whole();
	} catch (error) {
		if (error instanceof LocatorSyntaxError)
			throw badSelector();
		throw error;
	}
}
