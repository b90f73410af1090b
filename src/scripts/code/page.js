/* `page`, and what is known of the pages without asking. */
import { screenshot } from './bytes.js';
import { logged, matcherOf, perform, refuseOptions, TimeoutError, withTimeout, withoutUndefined } from './channel.js';
import { theContext } from './context.js';
import { addEventMethods, Emitter, Response, sourcesOf, waitForExchange } from './events.js';
import { Keyboard, Mouse } from './input.js';
import { ElementHandle, elementMethods, evaluateIn, Finder, JSHandle, requireText, waitForState } from './locator.js';
import { describeMembers } from './members.js';
import { defaults, pageId, pageIds, pages, states } from './pages.js';

export function updatePages(list) {
	for (const { id, ...state } of list) {
		states.set(id, state);
		if (!pages.has(id))
			pages.set(id, new Page(id));
	}
}

class Page extends Finder {
	#id;
	#timeouts = {};
	#emitter;

	constructor(id) {
		super(null, '');
		this.#id = id;
		pageIds.set(this, id);
		Object.defineProperties(this, {
			keyboard: { value: new Keyboard(this) },
			mouse: { value: new Mouse(this) },
		});
		this.#emitter = new Emitter('page', sourcesOf(this));
	}

	toJSON() {
		return { _type: 'Page', _guid: `page@${this.#id}` };
	}

	context() {
		return theContext;
	}

	url() {
		return states.get(this.#id).url;
	}

	isClosed() {
		return states.get(this.#id).closed;
	}

	viewportSize() {
		const { width, height } = states.get(this.#id);
		return width ? { width, height } : null;
	}

	setDefaultTimeout(timeout) {
		this.#timeouts.action = timeout;
		this.#timeouts.navigation ??= timeout;
	}

	setDefaultNavigationTimeout(timeout) {
		this.#timeouts.navigation = timeout;
	}

	/* The one of a method's options, or the page's own; undefined: the server's. */
	timeoutOf(options, kind = 'action') {
		return options?.timeout ?? this.#timeouts[kind];
	}

	async goto(url, options) {
		if (typeof url !== 'string')
			throw new Error(`page.goto: url: expected string, got ${typeof url}`);
		return this.#navigate('goto', { url }, options);
	}

	reload(options) {
		return this.#navigate('reload', {}, options);
	}

	goBack(options) {
		return this.#navigate('goBack', {}, options);
	}

	goForward(options) {
		return this.#navigate('goForward', {}, options);
	}

	async #navigate(how, args, options) {
		const timeout = this.timeoutOf(options, 'navigation');
		const answer = await this.#ask(how, 'navigate', { how, ...args, waitUntil: options?.waitUntil, timeout });
		return answer ? new Response(this, answer) : null;
	}

	title() {
		return this.#ask('title', 'title');
	}

	content() {
		return this.#look('content', () => (document.doctype ? new XMLSerializer().serializeToString(document.doctype) : '') +
			(document.documentElement?.outerHTML ?? ''));
	}

	async setContent(html, options) {
		await this.#look('setContent', text => {
			document.open();
			document.write(text);
			document.close();
		}, html);
		await this.#waitForLoad('setContent', options?.waitUntil, options);
	}

	async addStyleTag(options = {}) {
		return this.#addTag('addStyleTag', options.url ? 'link' : 'style', { rel: 'stylesheet', href: options.url }, options);
	}

	async addScriptTag(options = {}) {
		return this.#addTag('addScriptTag', 'script', { src: options.url, type: options.type ?? '' }, options);
	}

	async #addTag(name, tag, attributes, options) {
		refuseOptions(`page.${name}`, options, ['path']);
		if (options.url === undefined && options.content === undefined)
			throw new Error(`page.${name}: Provide an object with a \`url\`, \`path\` or \`content\` property`);
		const added = async ({ tag, attributes, content, wait }) => {
			const element = Object.assign(document.createElement(tag), attributes, { textContent: content });
			const loaded = new Promise((resolve, reject) => {
				element.onload = resolve;
				element.onerror = () => reject(new Error(`Failed to load ${attributes.src ?? attributes.href}`));
			});
			document.head.append(element);
			if (wait)
				await loaded;
			return element;
		};
		const argument = { tag, attributes: withoutUndefined(attributes), content: options.content ?? '', wait: Boolean(options.url) };
		return evaluateIn(this, `page.${name}`, added, argument, { handle: true });
	}

	evaluate(fn, arg) {
		return this.#look('evaluate', fn, arg);
	}

	evaluateHandle(fn, arg) {
		return evaluateIn(this, 'page.evaluateHandle', fn, arg, { handle: true });
	}

	async $(selector) {
		const [ref] = await this.#ask('$', 'list', { target: selector, what: 'refs' });
		return ref === undefined ? null : new ElementHandle(this, ref);
	}

	async $$(selector) {
		return (await this.#ask('$$', 'list', { target: selector, what: 'refs' })).map(ref => new ElementHandle(this, ref));
	}

	async $eval(selector, fn, arg) {
		const [ref] = await this.#ask('$eval', 'list', { target: selector, what: 'refs' });
		if (ref === undefined)
			throw new Error(`page.$eval: Failed to find element matching selector "${selector}"`);
		return evaluateIn(this, 'page.$eval', fn, arg, { target: ref });
	}

	$$eval(selector, fn, arg) {
		return evaluateIn(this, 'page.$$eval', fn, arg, { target: selector, all: true });
	}

	async waitForSelector(selector, options = {}) {
		const request = { api: 'page.waitForSelector', page: this.#id, target: selector, first: true };
		const found = await waitForState(request, { ...options, timeout: this.timeoutOf(options) });
		return found?.ref === undefined ? null : new ElementHandle(this, found.ref);
	}

	async waitForTimeout(timeout) {
		await this.#ask('waitForTimeout', 'sleep', { timeout });
	}

	async waitForLoadState(state = 'load', options) {
		await this.#waitForLoad('waitForLoadState', state, options);
	}

	/* Resolves with a handle's value where the function gives none; asks again whenever the document has changed. */
	async waitForFunction(fn, arg, options) {
		const timeout = this.timeoutOf(options) ?? defaults.action;
		const until = timeout ? performance.now() + timeout : Infinity;
		for (;;) {
			const value = await this.#look('waitForFunction', fn, arg);
			if (value)
				return new JSHandle(value);
			const left = until - performance.now();
			if (left <= 0)
				throw new TimeoutError(`page.waitForFunction: Timeout ${timeout}ms exceeded.`);
			await this.#ask('waitForFunction', 'change', { timeout: Math.min(left, 100) });
		}
	}

	async waitForURL(url, options) {
		const matches = matcherOf(url, this.url());
		const timeout = this.timeoutOf(options, 'navigation') ?? defaults.navigation;
		const shown = typeof url === 'string' ? `"${url}"` : String(url);
		await withTimeout(timeout, this.#untilAt(matches, url, options), `page.waitForURL: Timeout ${timeout}ms exceeded.\n` +
			logged(`waiting for navigation to ${shown} until "${options?.waitUntil ?? 'load'}"`));
	}

	async #untilAt(matches, url, options) {
		const wanted = typeof url === 'function' ? text => matches(new URL(text)) : matches;
		while (!wanted(this.url()))
			await this.#ask('waitForURL', 'moved', { from: this.url() });
		await this.#waitForLoad('waitForURL', options?.waitUntil, options);
	}

	waitForRequest(wanted, options) {
		return waitForExchange(this.#emitter, 'page.waitForRequest', 'request', wanted, { timeout: this.timeoutOf(options) }, this.url());
	}

	waitForResponse(wanted, options) {
		return waitForExchange(this.#emitter, 'page.waitForResponse', 'response', wanted, { timeout: this.timeoutOf(options) }, this.url());
	}

	static {
		describeMembers(Page, 'page');
		addEventMethods(Page.prototype, 'page', page => page.#emitter);
	}

	screenshot(options) {
		return screenshot({ api: 'page.screenshot', page: this.#id }, options);
	}

	async setViewportSize({ width, height }) {
		await this.#ask('setViewportSize', 'resize', { width, height });
	}

	async close() {
		await this.#ask('close', 'close');
	}

	async bringToFront() {
		await this.#ask('bringToFront', 'bringToFront');
	}

	async #waitForLoad(name, waitUntil = 'load', options) {
		if (waitUntil !== 'commit')
			await this.#ask(name, 'loaded', { waitUntil, timeout: this.timeoutOf(options, 'navigation') });
	}

	#look(name, fn, arg) {
		return evaluateIn(this, `page.${name}`, fn, arg, {});
	}

	#ask(name, op, args) {
		return perform(`page.${name}`, op, { page: this.#id, ...args });
	}
}

/* page.click(selector, ...): of several matches the first, unless `strict` is asked for. */
for (const [name, method] of Object.entries(elementMethods)) {
	Page.prototype[name] = async function (selector, ...args) {
		const api = `page.${name}`;
		requireText({ api }, 'selector', selector);
		const options = args.at(-1);
		return method({ api, page: pageId(this), target: selector, first: !options?.strict }, ...args);
	};
}
