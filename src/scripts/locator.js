/*
 * The locator language, getByRole('button', { name: 'Save' }).first(), read by recursive descent and never evaluated. It may be
 * written as in Playwright's other languages, of which one grammar reads all:
 *   Python  get_by_role("button", name=re.compile(r"save", re.IGNORECASE)).first
 *   Java    getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Save")).first()
 *   C#      GetByRole(AriaRole.Button, new() { NameRegex = new Regex("save", RegexOptions.IgnoreCase) }).First
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
	badSelector, LocatorSyntaxError, regexOf, regexText, ROLE_STATES, ROLE_TEXTS, unescapeString, withoutUndefined,
} from './literals.js';
import { parseSelector } from './selector.js';

const LOCATOR_TOKEN = /\s*(?:r('(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*")|@"((?:[^"]|"")*)"|([A-Za-z_$][\w$]*)|(-?\d+)|('(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|`(?:[^`\\$]|\\[\s\S])*`)|(\/(?:[^\/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*)|([().,{}:=|\[\]]))/y;

/* Python's r"\d": its backslashes stand for themselves, also the one by which a quote is part of it. */
const rawString = literal => literal.slice(1, -1).replace(/\\(["'])/g, '$1');

/* get_by_role, GetByRole and getByRole; and_ is written so in Python because it is a keyword there. */
function commonName(word) {
	const camel = word.replace(/(?<=.)_$/, '').replace(/_([a-z])/g, (match, letter) => letter.toUpperCase());
	return camel[0].toLowerCase() + camel.slice(1);
}

/* The names of flags without regard to case and underscores: re.IGNORECASE, Pattern.CASE_INSENSITIVE, RegexOptions.IgnoreCase. */
const REGEX_FLAGS = {
	__proto__: null, i: 'i', ignorecase: 'i', caseinsensitive: 'i', m: 'm', multiline: 'm', s: 's', dotall: 's', singleline: 's',
};

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
		const [, raw, verbatim, word, number, string, regex, mark] = match;
		if (word !== undefined)
			this.token = { kind: 'word', value: word };
		else if (raw !== undefined)
			this.token = { kind: 'string', value: rawString(raw) };
		else if (verbatim !== undefined)
			this.token = { kind: 'string', value: verbatim.replaceAll('""', '"') };
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

	isWord(value) {
		return this.is('word') && this.token.value === value;
	}

	takeIf(kind) {
		if (!this.is(kind))
			return false;
		this.next();
		return true;
	}

	whole() {
		const steps = this.chain();
		this.take('end');
		return steps;
	}

	chain() {
		let name = commonName(this.take('word'));
		if (name === 'page') {
			this.take('.');
			name = commonName(this.take('word'));
		}
		const steps = this.call(name, []);
		while (this.takeIf('.')) {
			const method = commonName(this.take('word'));
			steps.splice(placeOf(method, steps), 0, ...this.call(method, steps));
		}
		return steps;
	}

	call(name, before) {
		const method = LOCATOR_METHODS[name];
		if (!method)
			throw new LocatorSyntaxError(`${name} is no locator method`);
		return method(this.is('(') ? this.args() : [], before);
	}

	/* Named ones become the members of one object, the last argument. */
	args() {
		const options = {};
		const values = this.list('(', ')', () => this.value(options)).filter(value => value !== options);
		return Object.keys(options).length ? [...values, options] : values;
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

	/* `options` gets it if it is a named argument, and is returned then. */
	value(options) {
		const { kind, value } = this.token;
		if (kind === 'string' || kind === 'number' || kind === 'regex') {
			this.next();
			return value;
		}
		if (kind === '{')
			return this.braced();
		const known = kind === 'word' && WORDS[value];
		if (known) {
			this.next();
			return known(this);
		}
		const { at, token } = this;
		if (options && this.takeIf('word') && this.takeIf('=')) {
			setOption(options, token.value, this.value());
			return options;
		}
		Object.assign(this, { at, token });
		return { steps: this.chain() };
	}

	/* { name: 'Save' } and { Name = "Save" } */
	braced() {
		const options = {};
		this.list('{', '}', () => {
			const name = this.is('string') ? this.take('string') : this.take('word');
			this.take(this.is('=') ? '=' : ':');
			setOption(options, name, this.value());
		});
		return options;
	}

	/* The options of C# and Java, or a regular expression: what follows the word `new`. */
	created() {
		let type = '';
		while (!this.is('(') && !this.is('{')) {
			type = this.take('word');
			this.takeIf('.');
		}
		if (type === 'RegExp' || type === 'Regex')
			return this.regex();
		if (this.takeIf('('))
			this.take(')');
		return this.is('{') ? this.braced() : this.setters();
	}

	/* .setName("Save").setExact(true) */
	setters() {
		const options = {};
		while (this.takeIf('.')) {
			const [, name] = /^set(\w+)$/.exec(this.take('word')) ?? [];
			this.take('(');
			setOption(options, name ?? '', this.value());
			this.take(')');
		}
		return options;
	}

	/* The parenthesis of re.compile("save", re.I | re.M), Pattern.compile(...), new Regex(...), and new RegExp('save', 'i'). */
	regex() {
		this.take('(');
		const source = this.take('string');
		const flags = this.takeIf(',') ? this.flags() : '';
		this.take(')');
		return regexOf(source, flags);
	}

	flags() {
		if (this.is('string'))
			return this.take('string');
		if (this.isWord('flags')) {
			this.next();
			this.take('=');
		}
		let flags = '';
		do {
			this.take('word');
			this.take('.');
			const name = this.take('word');
			const flag = REGEX_FLAGS[name.toLowerCase().replaceAll('_', '')];
			if (!flag)
				throw new LocatorSyntaxError(`${name} is no flag of a regular expression here`);
			flags += flag;
		} while (this.takeIf('|'));
		return flags;
	}

	/* re.compile( and Pattern.compile( */
	compiled() {
		this.take('.');
		this.take('word');
		return this.regex();
	}

	ariaRole() {
		this.take('.');
		return this.take('word').toLowerCase();
	}
}

/* Words that stand for a value; each reads what follows. */
const WORDS = {
	__proto__: null,
	true: () => true,
	True: () => true,
	false: () => false,
	False: () => false,
	AriaRole: parser => parser.ariaRole(),
	re: parser => parser.compiled(),
	Pattern: parser => parser.compiled(),
	new: parser => parser.created(),
};

/* No name reaches the prototype. C# has options of their own for regular expressions, such as NameRegex. */
function setOption(options, name, value) {
	options['_' + (name && commonName(name).replace(/Regex$/, ''))] = value;
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

const LOCATOR_START = /^\s*(?:[Pp]age\s*\.\s*)?(?:getBy\w+|get_by_\w+|GetBy\w+|[Ll]ocator|frameLocator|frame_locator|FrameLocator)\s*\(/;

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
