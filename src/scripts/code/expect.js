/*
 * expect(): of a locator or a page, which is looked at again until it is as expected or the time-out has passed; of any other
 * value at once (valuematchers.js). A failure names the locator, what was expected and what was there.
 */
import { logged, perform, TimeoutError, urlMatcher } from './channel.js';
import { allMatched, matchesAria, textMatcher } from './expectedtext.js';
import { isLocator } from './locator.js';
import { describeMembers } from './members.js';
import { defaults, originOf } from './pages.js';
import { Page } from './page.js';
import { patterns, ValueExpectation } from './valuematchers.js';
import { shownValue } from './shownvalue.js';

const NOT_FOUND = '<element(s) not found>';

class Failed extends Error {
	get name() {
		return 'Error';
	}
}

/* What a failure says. `call` is the matcher with its arguments, as "toHaveText(expected)". */
function failure({ subject, call, isNot, note, message }, expected, received, timeout) {
	const lines = [`${message ? `${message}\n\n` : ''}expect(${subject})${isNot ? '.not' : ''}.${call} failed`, ''];
	if (note)
		lines.push(note);
	lines.push(`Expected: ${isNot ? 'not ' : ''}${expected}`, `Received: ${received}`);
	if (timeout !== undefined)
		lines.push(`Timeout:  ${timeout}ms`);
	return new Failed(lines.join('\n'));
}

/* Looks until look() gives {pass} as wanted; its {received} is what the failure shows. `never`: what cannot pass either way. */
async function until(object, about, expected, timeout, look) {
	const end = timeout > 0 ? performance.now() + timeout : Infinity;
	for (;;) {
		const { pass, never, received } = await look();
		if (!never && pass !== about.isNot)
			return;
		const left = end - performance.now();
		if (left <= 0)
			throw failure(about, expected, received, timeout);
		await perform(`expect.${about.call}`, 'change', { ...originOf(object), timeout: Math.min(left, 100) });
	}
}

/* What locators are asked for: the operation's `what`, and the words for the state and its opposite. `missing`: what no element counts as. */
const STATES = {
	toBeAttached: { what: 'refs', word: 'attached', opposite: 'detached', missing: false, option: 'attached' },
	toBeChecked: { what: 'isChecked', word: 'checked', opposite: 'unchecked', option: 'checked' },
	toBeDisabled: { what: 'isDisabled', word: 'disabled', opposite: 'enabled' },
	toBeEditable: { what: 'isEditable', word: 'editable', opposite: 'readonly', option: 'editable' },
	toBeEmpty: { what: 'isEmpty', word: 'empty', opposite: 'not empty' },
	toBeEnabled: { what: 'isEnabled', word: 'enabled', opposite: 'disabled', option: 'enabled' },
	toBeFocused: { what: 'isFocused', word: 'focused', opposite: 'inactive' },
	toBeHidden: { what: 'isHidden', word: 'hidden', opposite: 'visible', missing: true },
	toBeInViewport: { what: 'isInViewport', word: 'in viewport', opposite: 'viewport ratio 0' },
	toBeVisible: { what: 'visible', word: 'visible', opposite: 'hidden', missing: false, option: 'visible' },
};

/* Texts of one element; `asList`: a list is compared with all elements. */
const TEXTS = {
	toContainClass: { what: 'className', matches: containsClasses, asList: true },
	toContainText: { what: 'textContent', isPart: true, asList: true },
	toHaveAccessibleDescription: { what: 'accessibleDescription' },
	toHaveAccessibleName: { what: 'accessibleName' },
	toHaveClass: { what: 'className', asList: true },
	toHaveId: { what: 'getAttribute', name: 'id' },
	toHaveRole: { what: 'role' },
	toHaveText: { what: 'textContent', asList: true },
	toHaveValue: { what: 'inputValue', isRaw: true },
};

function containsClasses(expected) {
	const wanted = expected.split(/\s+/).filter(Boolean);
	return text => wanted.every(name => text.split(/\s+/).includes(name));
}

class Expectation {
	constructor(object, { isNot = false, message } = {}) {
		this.object = object;
		this.isNot = isNot;
		this.message = message;
		Object.defineProperty(this, 'not', { get: () => new this.constructor(object, { isNot: !isNot, message }), enumerable: false });
	}

	about(subject, call, note) {
		return { subject, call, note, isNot: this.isNot, message: this.message };
	}
}

class LocatorExpectation extends Expectation {
	async toHaveCount(expected, { timeout = defaults.expect } = {}) {
		await this.#until('toHaveCount(expected)', String(expected), timeout, async () => {
			const count = await this.#list('count');
			return { pass: count === expected, received: String(count) };
		});
	}

	async toHaveAttribute(name, ...rest) {
		const hasValue = typeof rest[0] === 'string' || rest[0] instanceof RegExp;
		const [value, { timeout = defaults.expect, ignoreCase } = {}] = hasValue ? rest : [undefined, rest[0]];
		const matches = hasValue ? textMatcher(value, { ignoreCase, isRaw: true }) : () => true;
		await this.#one('toHaveAttribute(name, expected)', { what: 'getAttribute', name }, hasValue ? shownValue(value) : 'have attribute', timeout,
			text => ({ pass: text !== null && matches(text), received: text === null ? `no attribute "${name}"` : shownValue(text) }));
	}

	async toHaveCSS(name, value, { timeout = defaults.expect } = {}) {
		const matches = textMatcher(value, { isRaw: true });
		await this.#one('toHaveCSS(name, expected)', { what: 'css', name }, shownValue(value), timeout,
			text => ({ pass: matches(text), received: shownValue(text) }));
	}

	async toHaveValues(values, { timeout = defaults.expect } = {}) {
		const matchers = values.map(value => textMatcher(value, { isRaw: true }));
		await this.#one('toHaveValues(expected)', { what: 'selectedValues' }, shownValue(values), timeout,
			texts => ({ pass: allMatched(texts, matchers), received: shownValue(texts) }));
	}

	async toMatchAriaSnapshot(template, { timeout = defaults.expect } = {}) {
		if (typeof template !== 'string')
			throw new Error('expect.toMatchAriaSnapshot: the template has to be a text');
		await this.#until('toMatchAriaSnapshot(expected)', `\n${template}`, timeout, async () => {
			if (await this.#list('count') === 0)
				return { never: true, received: NOT_FOUND };
			const text = await perform('expect.toMatchAriaSnapshot', 'ariaSnapshot', { ...this.#request, plain: true });
			return { pass: matchesAria(template, text), received: `\n${text}` };
		});
	}

	/* States: each takes the option of its name that asks for the opposite. */
	static {
		describeMembers(LocatorExpectation, 'expect(locator)');
		for (const [matcher, state] of Object.entries(STATES)) {
			LocatorExpectation.prototype[matcher] = async function (options = {}) {
				const wanted = options[state.option] ?? true;
				await this.#state(matcher, state, wanted, options.timeout ?? defaults.expect);
			};
		}
		for (const [matcher, how] of Object.entries(TEXTS)) {
			LocatorExpectation.prototype[matcher] = async function (expected, options = {}) {
				if (how.asList && Array.isArray(expected))
					await this.#texts(matcher, how, expected, options);
				else
					await this.#text(matcher, how, expected, options);
			};
		}
	}

	async #state(matcher, { what, word, opposite, missing }, wanted, timeout) {
		const [expected, other] = wanted ? [word, opposite] : [opposite, word];
		await this.#until(`${matcher}()`, expected, timeout, async () => {
			const values = await this.#single({ what });
			if (!values.length && missing === undefined)
				return { never: true, received: NOT_FOUND };
			const is = values.length ? Boolean(values[0]) : missing;
			return { pass: is === wanted, received: !values.length ? NOT_FOUND : is === wanted ? expected : other };
		});
	}

	async #text(matcher, { what, name, isPart, isRaw, matches }, expected, { timeout = defaults.expect, ignoreCase, useInnerText }) {
		const accepts = matches && typeof expected === 'string' ? matches(expected) : textMatcher(expected, { isPart, isRaw, ignoreCase });
		const asked = { what: useInnerText && what === 'textContent' ? 'innerText' : what, name };
		await this.#one(`${matcher}(expected)`, asked, isPart && typeof expected === 'string' ? `substring ${shownValue(expected)}` : shownValue(expected),
			timeout, text => ({ pass: accepts(text ?? ''), received: shownValue(text ?? '') }));
	}

	async #texts(matcher, { what, isPart, matches }, expected, { timeout = defaults.expect, ignoreCase, useInnerText }) {
		const asked = useInnerText && what === 'textContent' ? 'innerText' : what;
		const matchers = expected.map(item => matches ? matches(item) : textMatcher(item, { isPart, ignoreCase }));
		await this.#until(`${matcher}(expected)`, shownValue(expected), timeout, async () => {
			const texts = await this.#list(asked);
			return { pass: allMatched(texts, matchers, isPart), received: shownValue(texts) };
		});
	}

	/* The value of the one element; read(value) gives {pass, received}. */
	#one(call, asked, expected, timeout, read) {
		return this.#until(call, expected, timeout, async () => {
			const values = await this.#single(asked);
			return values.length ? read(values[0]) : { never: true, received: NOT_FOUND };
		});
	}

	async #single(asked) {
		const values = await this.#list(asked.what, asked.name);
		if (values.length > 1)
			throw new Failed(`expect.${asked.what}: strict mode violation: ${this.object} resolved to ${values.length} elements`);
		return values;
	}

	#list(what, name) {
		return perform('expect', 'list', { ...this.#request, what, name });
	}

	#until(call, expected, timeout, look) {
		return until(this.object, this.about('locator', call, `Locator:  ${this.object}`), expected, timeout, look);
	}

	get #request() {
		return { ...originOf(this.object), target: this.object.target };
	}
}

class PageExpectation extends Expectation {
	static {
		describeMembers(PageExpectation, 'expect(page)');
	}

	async toHaveTitle(expected, { timeout = defaults.expect } = {}) {
		const matches = textMatcher(expected, {});
		await until(this.object, this.about('page', 'toHaveTitle(expected)'), shownValue(expected), timeout, async () => {
			const title = await this.object.title();
			return { pass: matches(title), received: shownValue(title) };
		});
	}

	async toHaveURL(expected, { timeout = defaults.expect, ignoreCase } = {}) {
		const fold = text => ignoreCase && typeof text === 'string' ? text.toLowerCase() : text;
		const matches = urlMatcher(fold(expected), this.object.url());
		await until(this.object, this.about('page', 'toHaveURL(expected)'), shownValue(expected), timeout, async () => {
			const url = this.object.url();
			return { pass: Boolean(matches(fold(url))), received: shownValue(url) };
		});
	}
}

/* expect(async () => {...}).toPass() and expect.poll(): tried again until there is no failure. */
async function retried(attempt, timeout, intervals = [100, 250, 500, 1000]) {
	const end = timeout > 0 ? performance.now() + timeout : Infinity;
	for (let round = 0; ; round++) {
		try {
			return await attempt();
		} catch (failed) {
			const pause = intervals[Math.min(round, intervals.length - 1)];
			if (performance.now() + pause > end)
				throw new TimeoutError(`${failed?.message ?? failed}\n${logged(`Timeout ${timeout}ms exceeded while waiting on the predicate`)}`);
			await new Promise(resolve => setTimeout(resolve, pause));
		}
	}
}

class Expected extends ValueExpectation {
	static {
		describeMembers(Expected, 'expect(value)');
	}

	async toPass({ timeout = 0, intervals } = {}) {
		await retried(this.object, timeout, intervals);
	}
}

/* Each matcher of a value, tried with a new value each time. */
function polled(read, { timeout = defaults.expect, intervals, message } = {}, isNot = false) {
	return new Proxy({}, {
		get(target, name) {
			if (name === 'not')
				return polled(read, { timeout, intervals, message }, !isNot);
			if (typeof ValueExpectation.prototype[name] !== 'function')
				return undefined;
			return (...expected) => retried(async () => new Expected(await read(), { isNot, message })[name](...expected), timeout, intervals);
		},
	});
}

export function expect(object, message) {
	const how = { message: typeof message === 'string' ? message : message?.message };
	if (isLocator(object))
		return new LocatorExpectation(object, how);
	if (object instanceof Page)
		return new PageExpectation(object, how);
	return new Expected(object, how);
}

Object.assign(expect, patterns);
expect.poll = (read, options) => polled(read, typeof options === 'string' ? { message: options } : options);
expect.soft = expect;
