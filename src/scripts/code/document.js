/* What a page and a frame have in common: a document, and the elements in it. The methods of a page are those of its main frame. */
import { textOfFile } from './bytes.js';
import { logged, perform, TimeoutError, urlMatcher, withTimeout, withoutUndefined } from './channel.js';
import { drag, elementMethods, ElementHandle, evaluateIn, Finder, JSHandle, requireText, waitForState } from './locator.js';
import { defaults, originOf, pageOf } from './pages.js';
import { lineOf } from './settings.js';

export class DocumentView extends Finder {
	#label; /* "page" or "frame", in messages */

	constructor(origin, label) {
		super(origin, '');
		this.#label = label;
	}

	title() {
		return this.#look('title', () => document.title);
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
		if (options.url === undefined && options.path === undefined && options.content === undefined)
			throw new Error(`${this.#api(name)}: Provide an object with a \`url\`, \`path\` or \`content\` property`);
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
		const argument = { tag, attributes: withoutUndefined(attributes), content: await this.#tagContent(name, tag, options), wait: Boolean(options.url) };
		return evaluateIn(this, this.#api(name), added, argument, { handle: true });
	}

	/* A text in the document says from which file it comes. */
	async #tagContent(name, tag, { url, path, content }) {
		if (url !== undefined || path === undefined)
			return url === undefined ? content : '';
		const place = `# sourceURL=${lineOf(path)}`;
		const text = await textOfFile(this.#api(name), path);
		return tag === 'script' ? `${text}\n//${place}` : `${text}\n/*${place.replaceAll('*/', '')}*/`;
	}

	evaluate(fn, arg) {
		return this.#look('evaluate', fn, arg);
	}

	evaluateHandle(fn, arg) {
		return evaluateIn(this, this.#api('evaluateHandle'), fn, arg, { handle: true });
	}

	async $(selector) {
		const [ref] = await this.#ask('$', 'list', { target: selector, what: 'refs' });
		return ref === undefined ? null : new ElementHandle(originOf(this), ref);
	}

	async $$(selector) {
		return (await this.#ask('$$', 'list', { target: selector, what: 'refs' })).map(ref => new ElementHandle(originOf(this), ref));
	}

	async $eval(selector, fn, arg) {
		const [ref] = await this.#ask('$eval', 'list', { target: selector, what: 'refs' });
		if (ref === undefined)
			throw new Error(`${this.#api('$eval')}: Failed to find element matching selector "${selector}"`);
		return evaluateIn(this, this.#api('$eval'), fn, arg, { target: ref });
	}

	$$eval(selector, fn, arg) {
		return evaluateIn(this, this.#api('$$eval'), fn, arg, { target: selector, all: true });
	}

	async waitForSelector(selector, options = {}) {
		const request = { api: this.#api('waitForSelector'), ...originOf(this), target: selector, first: !options.strict };
		const found = await waitForState(request, { ...options, timeout: pageOf(this).timeoutOf(options) });
		return found?.ref === undefined ? null : new ElementHandle(originOf(this), found.ref);
	}

	async waitForTimeout(timeout) {
		await this.#ask('waitForTimeout', 'sleep', { timeout });
	}

	async waitForLoadState(state = 'load', options) {
		await this.#waitForLoad('waitForLoadState', state, options);
	}

	/* Resolves with a handle's value where the function gives none; asks again whenever the document has changed. */
	async waitForFunction(fn, arg, options) {
		const timeout = pageOf(this).timeoutOf(options) ?? defaults.action;
		const until = timeout ? performance.now() + timeout : Infinity;
		for (;;) {
			const value = await this.#look('waitForFunction', fn, arg);
			if (value)
				return new JSHandle(value);
			const left = until - performance.now();
			if (left <= 0)
				throw new TimeoutError(`${this.#api('waitForFunction')}: Timeout ${timeout}ms exceeded.`);
			await this.#ask('waitForFunction', 'change', { timeout: Math.min(left, 100) });
		}
	}

	async waitForURL(url, options) {
		const matches = urlMatcher(url, this.url());
		const timeout = pageOf(this).timeoutOf(options, 'navigation') ?? defaults.navigation;
		const shown = typeof url === 'string' ? `"${url}"` : String(url);
		await withTimeout(timeout, this.#untilAt(matches, options), `${this.#api('waitForURL')}: Timeout ${timeout}ms exceeded.\n` +
			logged(`waiting for navigation to ${shown} until "${options?.waitUntil ?? 'load'}"`));
	}

	async #untilAt(matches, options) {
		while (!matches(this.url()))
			await this.#ask('waitForURL', 'moved', { from: this.url() });
		await this.#waitForLoad('waitForURL', options?.waitUntil, options);
	}

	async dragAndDrop(source, target, options) {
		for (const [name, value] of [['source', source], ['target', target]])
			requireText({ api: this.#api('dragAndDrop') }, name, value);
		const first = !options?.strict;
		await drag({ api: this.#api('dragAndDrop'), ...originOf(this), target: source, first }, { ...originOf(this), target, first }, options);
	}

	async #waitForLoad(name, waitUntil = 'load', options) {
		if (waitUntil !== 'commit')
			await this.#ask(name, 'loaded', { waitUntil, timeout: pageOf(this).timeoutOf(options, 'navigation') });
	}

	#look(name, fn, arg) {
		return evaluateIn(this, this.#api(name), fn, arg, {});
	}

	#ask(name, op, args) {
		return perform(this.#api(name), op, { ...originOf(this), ...args });
	}

	#api(name) {
		return `${this.#label}.${name}`;
	}

	/* page.click(selector, ...): of several matches the first, unless `strict` is asked for. */
	static {
		for (const [name, method] of Object.entries(elementMethods)) {
			DocumentView.prototype[name] = async function (selector, ...args) {
				const api = this.#api(name);
				requireText({ api }, 'selector', selector);
				const options = args.at(-1);
				return method({ api, ...originOf(this), target: selector, first: !options?.strict }, ...args);
			};
		}
	}
}
