/*
 * Locators, handles of elements, and what can be done with both. A locator is a text in the locator language, which the
 * server reads as it reads any target; a handle is the ref of its element.
 */
import { screenshot } from './bytes.js';
import { oneOfTexts, perform } from './channel.js';
import { describeMembers } from './members.js';
import { originOf, origins, pageOf } from './pages.js';
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

/* What finds elements: pages, frames, locators and the insides of frames. `root` is the locator so far, '' for a document. */
export class Finder {
	#root;

	constructor(origin, root) {
		origins.set(this, origin);
		this.#root = root;
	}

	static {
		const methods = ['getByAltText', 'getByLabel', 'getByPlaceholder', 'getByRole', 'getByTestId', 'getByText', 'getByTitle', 'locator'];
		for (const name of methods) {
			Finder.prototype[name] = function (what, options) {
				return new Locator(originOf(this), this.#chain(name, what, options));
			};
		}
	}

	frameLocator(selector) {
		return new FrameLocator(originOf(this), this.#chain('frameLocator', selector));
	}

	#chain(name, ...args) {
		const call = `${name}(${args.filter(arg => !isEmpty(arg)).map(written).join(', ')})`;
		return this.#root ? `${this.#root}.${call}` : call;
	}
}

/* Finders of one element among several: `text` is the locator, `Class` what they are. */
class Chooser extends Finder {
	#text;
	#Class;

	constructor(origin, text, Class) {
		super(origin, text);
		this.#text = text;
		this.#Class = Class;
	}

	first() {
		return this.#choose('first()');
	}

	last() {
		return this.#choose('last()');
	}

	nth(index) {
		return index === 0 ? this.first() : this.#choose(`nth(${index})`);
	}

	#choose(step) {
		return new this.#Class(originOf(this), `${this.#text}.${step}`);
	}
}

class FrameLocator extends Chooser {
	#text;

	constructor(origin, text) {
		super(origin, text, FrameLocator);
		this.#text = text;
	}

	static {
		describeMembers(FrameLocator, 'frameLocator');
	}

	owner() {
		return new Locator(originOf(this), `${this.#text}.owner()`);
	}
}

class Locator extends Chooser {
	constructor(origin, target) {
		super(origin, target, Locator);
		Object.defineProperty(this, 'target', { value: target });
	}

	static {
		describeMembers(Locator, 'locator');
	}

	page() {
		return pageOf(this);
	}

	toString() {
		return this.target;
	}

	toJSON() {
		return { _apiName: 'Locator', _selector: this.target };
	}

	#more(step) {
		return new Locator(originOf(this), `${this.target}.${step}`);
	}

	filter(options) {
		return isEmpty(options) ? this : this.#more(`filter(${written(options)})`);
	}

	and(other) {
		return this.#more(`and(${written(other)})`);
	}

	or(other) {
		return this.#more(`or(${written(other)})`);
	}

	contentFrame() {
		return new FrameLocator(originOf(this), `${this.target}.contentFrame()`);
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
		return evaluateIn(this, 'locator.evaluateAll', fn, arg, { target: this.target, all: true });
	}

	async elementHandle(options) {
		const { ref } = await perform('locator.elementHandle', 'wait', { ...this.#request, state: 'attached', timeout: options?.timeout });
		return new ElementHandle(originOf(this), ref);
	}

	async elementHandles() {
		return (await this.#all('locator.elementHandles', 'refs')).map(ref => new ElementHandle(originOf(this), ref));
	}

	async dragTo(target, options) {
		await drag({ api: 'locator.dragTo', ...this.#request }, target.#request, options);
	}

	async waitFor(options) {
		await waitForState({ ...this.#request, api: 'locator.waitFor' }, options);
	}

	get #request() {
		return { ...originOf(this), target: this.target };
	}

	#all(api, what) {
		return perform(api, 'list', { ...this.#request, what });
	}
}

export const isLocator = object => object instanceof Locator;

/* An element that was found once. */
export class ElementHandle {
	constructor({ page }, ref) {
		Object.defineProperty(this, 'target', { value: ref });
		origins.set(this, { page });
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
	check: (request, options) => check(request, true, options),
	uncheck: (request, options) => check(request, false, options),
	setChecked: (request, checked, options) => check(request, Boolean(checked), options),
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
	ariaSnapshot: (request, options) => ariaSnapshot(request, options),
	boundingBox: (request, options) => read(request, 'boundingBox', options),
	clear: (request, options) => type(request, '', { clear: true, atOnce: true }, options),
	evaluate: (request, fn, arg, options) => evaluateAt(request, fn, arg, { timeout: options?.timeout }),
	evaluateHandle: (request, fn, arg, options) => evaluateAt(request, fn, arg, { timeout: options?.timeout, handle: true }),
	pressSequentially: (request, text, options) => type(request, text, {}, options),
	screenshot: (request, options) => screenshot(request, options),
	scrollIntoViewIfNeeded: (request, options) => act(request, 'do', { what: 'scrollIntoView' }, options),
	selectText: (request, options) => act(request, 'do', { what: 'selectText' }, options),
};

for (const kind of [Locator, ElementHandle]) {
	for (const [name, method] of Object.entries({ ...elementMethods, ...ownMethods })) {
		kind.prototype[name] = async function (...args) {
			return method({ api: `${prefixes[kind.name]}.${name}`, ...originOf(this), target: this.target }, ...args);
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
	const { button = 'left', modifiers = [], clickCount = count, delay } = options;
	oneOfTexts(request, 'button', button, BUTTONS);
	for (const modifier of modifiers)
		oneOfTexts(request, 'modifiers', modifier, MODIFIERS);
	return act(request, 'click', { button, modifiers, count: count && clickCount, delay, ...mouseOptions(options) }, options);
}

function check(request, checked, options = {}) {
	return act(request, 'check', { checked, ...mouseOptions(options) }, options);
}

const BUTTONS = ['left', 'right', 'middle'];
const MODIFIERS = ['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift'];

export function ariaSnapshot(request, { mode = 'default', depth, timeout } = {}) {
	oneOfTexts(request, 'mode', mode, ['ai', 'default']);
	return perform(request.api, 'ariaSnapshot', { ...request, plain: mode === 'default', depth, timeout });
}

/* `trial`: everything but the press. */
const mouseOptions = ({ position, force = false, trial = false }) => ({ position, force, trial });

/* `to` is {page, frame, target, first}, as in a request. */
export async function drag(request, to, { sourcePosition, targetPosition, trial = false, force = false, steps = 1, timeout } = {}) {
	await perform(request.api, 'drag', { ...request, to, sourcePosition, targetPosition, trial, force, steps, timeout });
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

/* `fn` in the document of `object`: with `target` on its element (`all`: on the list of its elements); `handle`: gives an element. */
export function evaluateIn(object, api, fn, arg, how) {
	return evaluateAt({ api, ...originOf(object) }, fn, arg, how);
}

async function evaluateAt({ api, ...request }, fn, arg, how) {
	const refs = [];
	const argument = packValue(arg, handlesIn(refs));
	const isFunction = typeof fn === 'function';
	const op = refs.length || how.target || request.target || how.handle ? 'evaluateOn' : 'evaluate';
	const value = await perform(api, op, { ...request, ...how, function: isFunction ? functionText(fn) : String(fn), isFunction,
		argument, refs });
	if (value?.ref !== undefined)
		return new ElementHandle(request, value.ref);
	const unpacked = unpackValue(value.value, []);
	return how.handle ? new JSHandle(unpacked) : unpacked;
}
