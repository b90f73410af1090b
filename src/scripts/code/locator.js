/*
 * Locators, handles of elements, and what can be done with both. A locator is a text in the locator language, which the
 * server reads as it reads any target; a handle is the ref of its element.
 */
import { screenshot } from './bytes.js';
import { perform, refuseOptions } from './channel.js';
import { describeMembers } from './members.js';
import { pageId, pageIds, pages } from './pages.js';
import { packValue, unpackValue } from './values.js';

const quoted = text => `'${text.replace(/[\\'\n\r\t]/g, c => ({ '\n': '\\n', '\r': '\\r', '\t': '\\t' })[c] ?? `\\${c}`)}'`;

/* A value as the locator language writes it. */
function written(value) {
	if (typeof value === 'string')
		return quoted(value);
	if (value instanceof Locator)
		return value.target;
	if (value === null || typeof value !== 'object' || value instanceof RegExp)
		return String(value);
	const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
	return `{ ${entries.map(([name, inner]) => `${name}: ${written(inner)}`).join(', ')} }`;
}

const isEmpty = value => value === undefined || typeof value === 'object' && value !== null &&
	!(value instanceof RegExp) && !(value instanceof Locator) && Object.values(value).every(inner => inner === undefined);

/* What finds elements: pages, locators and the insides of frames. `root` is the locator so far, '' for the page. */
export class Finder {
	#page;
	#root;

	constructor(page, root) {
		this.#page = page ?? this;
		this.#root = root;
	}

	static {
		const methods = ['getByAltText', 'getByLabel', 'getByPlaceholder', 'getByRole', 'getByTestId', 'getByText', 'getByTitle', 'locator'];
		for (const name of methods) {
			Finder.prototype[name] = function (what, options) {
				return new Locator(this.#page, this.#chain(name, what, options));
			};
		}
	}

	frameLocator(selector) {
		return new FrameLocator(this.#page, this.#chain('frameLocator', selector));
	}

	#chain(name, ...args) {
		const call = `${name}(${args.filter(arg => !isEmpty(arg)).map(written).join(', ')})`;
		return this.#root ? `${this.#root}.${call}` : call;
	}
}

class FrameLocator extends Finder {
	#page;
	#text;

	constructor(page, text) {
		super(page, text);
		this.#page = page;
		this.#text = text;
	}

	static {
		describeMembers(FrameLocator, 'frameLocator');
	}

	owner() {
		return new Locator(this.#page, `${this.#text}.owner()`);
	}
}

class Locator extends Finder {
	#page;

	constructor(page, target) {
		super(page, target);
		this.#page = page;
		Object.defineProperty(this, 'target', { value: target });
		pageIds.set(this, pageId(page));
	}

	static {
		describeMembers(Locator, 'locator');
	}

	page() {
		return this.#page;
	}

	toString() {
		return this.target;
	}

	toJSON() {
		return { _apiName: 'Locator', _selector: this.target };
	}

	#more(step) {
		return new Locator(this.#page, `${this.target}.${step}`);
	}

	filter(options) {
		return isEmpty(options) ? this : this.#more(`filter(${written(options)})`);
	}

	first() {
		return this.#more('first()');
	}

	last() {
		return this.#more('last()');
	}

	nth(index) {
		return index === 0 ? this.first() : this.#more(`nth(${index})`);
	}

	and(other) {
		return this.#more(`and(${written(other)})`);
	}

	or(other) {
		return this.#more(`or(${written(other)})`);
	}

	contentFrame() {
		return new FrameLocator(this.#page, `${this.target}.contentFrame()`);
	}

	count() {
		return this.#all('locator.count', 'count');
	}

	async all() {
		return Array.from({ length: await this.count() }, (none, i) => this.nth(i));
	}

	allTextContents() {
		return this.#all('locator.allTextContents', 'textContent');
	}

	allInnerTexts() {
		return this.#all('locator.allInnerTexts', 'innerText');
	}

	evaluateAll(fn, arg) {
		return evaluateIn(this.#page, 'locator.evaluateAll', fn, arg, { target: this.target, all: true });
	}

	async elementHandle(options) {
		const { ref } = await perform('locator.elementHandle', 'wait', { ...this.#request, state: 'attached', timeout: options?.timeout });
		return new ElementHandle(this.#page, ref);
	}

	async elementHandles() {
		return (await this.#all('locator.elementHandles', 'refs')).map(ref => new ElementHandle(this.#page, ref));
	}

	async waitFor(options) {
		await waitForState({ ...this.#request, api: 'locator.waitFor' }, options);
	}

	get #request() {
		return { page: pageId(this.#page), target: this.target };
	}

	#all(api, what) {
		return perform(api, 'list', { ...this.#request, what });
	}
}

/* An element that was found once. */
export class ElementHandle {
	constructor(page, ref) {
		Object.defineProperty(this, 'target', { value: ref });
		pageIds.set(this, pageId(page));
	}

	toJSON() {
		return { _type: 'ElementHandle', _guid: `handle@${this.target}` };
	}

	toString() {
		return `JSHandle@${this.target}`;
	}

	static {
		describeMembers(ElementHandle, 'elementHandle');
	}

	asElement() {
		return this;
	}

	async dispose() {
	}
}

const prefixes = { Locator: 'locator', ElementHandle: 'elementHandle' };

/* The methods of one element: fn(request, ...arguments), where request is {api, page, target, first?}. */
export const elementMethods = {
	click: (request, options) => click(request, 1, options),
	dblclick: (request, options) => click(request, 2, options),
	hover: (request, options) => click(request, 0, options),
	tap: (request, options) => click(request, 1, options),
	fill: (request, value, options) => type(request, value, { clear: true, atOnce: true }, options),
	type: (request, text, options) => type(request, text, {}, options),
	press: (request, key, options) => act(request, 'press', { key: requireText(request, 'key', key) }, options),
	check: (request, options) => act(request, 'check', { checked: true }, options),
	uncheck: (request, options) => act(request, 'check', { checked: false }, options),
	setChecked: (request, checked, options) => act(request, 'check', { checked: Boolean(checked) }, options),
	selectOption: (request, values, options) => select(request, values, options),
	setInputFiles: (request, files, options) => act(request, 'files', { paths: filePaths(request, files) }, options),
	focus: (request, options) => act(request, 'do', { what: 'focus' }, options),
	dispatchEvent: (request, event, init = {}, options = {}) => act(request, 'do', { what: 'dispatchEvent', name: event, init }, options),
	textContent: (request, options) => read(request, 'textContent', options),
	innerText: (request, options) => read(request, 'innerText', options),
	innerHTML: (request, options) => read(request, 'innerHTML', options),
	inputValue: (request, options) => read(request, 'inputValue', options),
	getAttribute: (request, name, options) => perform(request.api, 'do', { ...request, what: 'getAttribute', name, timeout: options?.timeout }),
	isChecked: (request, options) => read(request, 'isChecked', options),
	isDisabled: (request, options) => read(request, 'isDisabled', options),
	isEditable: (request, options) => read(request, 'isEditable', options),
	isEnabled: (request, options) => read(request, 'isEnabled', options),
	isVisible: request => perform(request.api, 'visible', request),
	isHidden: async request => !await perform(request.api, 'visible', request),
};

/* Those that a page has no short form of. */
const ownMethods = {
	blur: (request, options) => act(request, 'do', { what: 'blur' }, options),
	boundingBox: (request, options) => read(request, 'boundingBox', options),
	clear: (request, options) => type(request, '', { clear: true, atOnce: true }, options),
	evaluate: (request, fn, arg, options) => evaluateIn(pages.get(request.page), request.api, fn, arg, { target: request.target, timeout: options?.timeout }),
	pressSequentially: (request, text, options) => type(request, text, {}, options),
	screenshot: (request, options) => screenshot(request, options),
	scrollIntoViewIfNeeded: (request, options) => act(request, 'do', { what: 'scrollIntoView' }, options),
	selectText: (request, options) => act(request, 'do', { what: 'selectText' }, options),
};

for (const kind of [Locator, ElementHandle]) {
	for (const [name, method] of Object.entries({ ...elementMethods, ...ownMethods })) {
		kind.prototype[name] = async function (...args) {
			return method({ api: `${prefixes[kind.name]}.${name}`, page: pageId(this), target: this.target }, ...args);
		};
	}
}

export function requireText(request, name, value) {
	if (typeof value !== 'string')
		throw new Error(`${request.api}: ${name}: expected string, got ${value === null ? 'null' : typeof value}`);
	return value;
}

async function act(request, op, args, options) {
	await perform(request.api, op, { ...request, ...args, timeout: options?.timeout });
}

function read(request, what, options) {
	return perform(request.api, 'do', { ...request, what, timeout: options?.timeout });
}

function click(request, count, options = {}) {
	refuseOptions(request.api, options, ['position', 'trial', 'delay']);
	const { button = 'left', modifiers = [], force = false, clickCount = count } = options;
	return act(request, 'click', { button, modifiers, force, count: count && clickCount }, options);
}

function type(request, text, how, options) {
	return act(request, 'type', { text: requireText(request, 'value', text), ...how, delay: options?.delay }, options);
}

function filePaths(request, files) {
	const paths = [files].flat();
	if (!paths.every(path => typeof path === 'string'))
		throw new Error(`${request.api}: only paths of files are supported here`);
	return paths;
}

function select(request, values, options) {
	const wanted = (Array.isArray(values) ? values : values === null ? [] : [values]).map(value => {
		if (typeof value === 'string')
			return value;
		if (typeof value?.value === 'string' || typeof value?.label === 'string')
			return value.value ?? value.label;
		throw new Error(`${request.api}: only values and labels are supported here`);
	});
	return perform(request.api, 'select', { ...request, values: wanted, timeout: options?.timeout });
}

export function waitForState({ api, ...request }, { state = 'visible', timeout } = {}) {
	if (!['attached', 'detached', 'visible', 'hidden'].includes(state))
		throw new Error(`${api}: state: expected one of (attached|detached|visible|hidden)`);
	return perform(api, 'wait', { ...request, state, timeout });
}

/* A value of the page that is no element: what it was when it was asked for. */
export class JSHandle {
	#value;

	constructor(value) {
		this.#value = value;
	}

	async jsonValue() {
		return this.#value;
	}

	async dispose() {
	}

	asElement() {
		return null;
	}

	toString() {
		return String(this.#value);
	}

	toJSON() {
		return { _type: 'JSHandle' };
	}
}

/* A method written in short, `f(x) {...}`, is no expression by itself. */
function functionText(fn) {
	const text = String(fn);
	for (const candidate of [text, text.replace(/^(async\s+)?/, '$1function '), text.replace(/^(?:get|set)\s+/, 'function ')]) {
		try {
			new Function(`(${candidate}\n)`);
			return candidate;
		} catch {
			/* the next way to read it */
		}
	}
	throw new Error('Passed function is not well-serializable!');
}

const handlesIn = refs => value => {
	if (value instanceof ElementHandle)
		return { h: refs.push(value.target) - 1 };
	return value instanceof JSHandle ? packValue(value.jsonValue(), () => undefined) : undefined;
};

/* `fn` in the page: with `target` on its element (`all`: on the list of its elements); `handle`: gives an element. */
export async function evaluateIn(page, api, fn, arg, how) {
	const refs = [];
	const argument = packValue(arg, handlesIn(refs));
	const isFunction = typeof fn === 'function';
	const op = refs.length || how.target || how.handle ? 'evaluateOn' : 'evaluate';
	const value = await perform(api, op, { ...how, page: pageId(page), function: isFunction ? functionText(fn) : String(fn), isFunction,
		argument, refs });
	if (value?.ref !== undefined)
		return new ElementHandle(page, value.ref);
	const unpacked = unpackValue(value.value, []);
	return how.handle ? new JSHandle(unpacked) : unpacked;
}
