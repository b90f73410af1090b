/* `page`, and what is known of the pages without asking. */
import { fromBase64, screenshot } from './bytes.js';
import { perform, urlMatcher, withoutUndefined } from './channel.js';
import { theContext } from './context.js';
import { DocumentView } from './document.js';
import { addEventMethods, contextEmitter, Emitter, sourcesOf, waitForExchange } from './events.js';
import { Response } from './exchange.js';
import { expose } from './exposed.js';
import { Frame } from './frame.js';
import { Keyboard, Mouse } from './input.js';
import { ariaSnapshot } from './locator.js';
import { describeMembers } from './members.js';
import { addressOf, frames, frameStates, pages, states } from './pages.js';
import { apiRequests } from './request.js';
import { addRoute, removeRoute, removeRoutes } from './route.js';
import { checkedHeaders, initScript, mediaFeatures, printOptions } from './settings.js';

/* `list` has all pages that there are. */
export function takePages(list) {
	const alive = new Set(list.map(({ id }) => id));
	for (const [id, state] of states)
		state.closed ||= !alive.has(id);
	updatePages(list);
}

/* `list` has the pages that are new or have changed. */
export function updatePages(list) {
	for (const { id, frames: children, ...state } of list) {
		states.set(id, { ...state, frames: children.map(child => child.id) });
		if (!pages.has(id))
			pages.set(id, new Page(id));
		for (const { id: frame, ...facts } of children) {
			frameStates.set(frame, facts);
			if (!frames.has(frame))
				frames.set(frame, new Frame({ page: id, frame }));
		}
	}
}

/* The recording of a page: its file grows while the page is open. */
class Video {
	#path;

	static {
		describeMembers(Video, 'video');
	}

	constructor(path) {
		this.#path = path;
	}

	async path() {
		return this.#path;
	}

	toJSON() {
		return { _type: 'Video', path: this.#path };
	}
}

export class Page extends DocumentView {
	#id;
	#mainFrame;
	#timeouts = {};
	#media = {};
	#emitter;

	constructor(id) {
		super({ page: id }, 'page');
		this.#id = id;
		this.#mainFrame = new Frame({ page: id });
		Object.defineProperties(this, {
			keyboard: { value: new Keyboard(this) },
			mouse: { value: new Mouse(this) },
		});
		this.#emitter = new Emitter('page', sourcesOf(this), contextEmitter);
	}

	/* Goes on for the listeners of an earlier run. */
	resume() {
		this.#emitter.resume();
	}

	toJSON() {
		return { _type: 'Page', _guid: `page@${this.#id}` };
	}

	context() {
		return theContext;
	}

	get request() {
		return apiRequests;
	}

	async route(url, handler, options) {
		await addRoute('page.route', this.#id, url, handler, options);
	}

	async unroute(url, handler) {
		await removeRoute(this.#id, url, handler);
	}

	async unrouteAll(options) {
		await removeRoutes(this.#id, options);
	}

	async exposeFunction(name, callback) {
		await expose('page.exposeFunction', this.#id, name, callback, false);
	}

	async exposeBinding(name, callback) {
		await expose('page.exposeBinding', this.#id, name, callback, true);
	}

	/* Null unless the page is being recorded. */
	video() {
		const path = states.get(this.#id).video;
		return path === null ? null : new Video(path);
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

	mainFrame() {
		return this.#mainFrame;
	}

	frames() {
		return [this.#mainFrame, ...states.get(this.#id).frames.map(number => frames.get(number))];
	}

	/* By its name, or {name, url}. */
	frame(wanted) {
		const { name, url } = typeof wanted === 'string' ? { name: wanted } : wanted;
		if (name === undefined && url === undefined)
			throw new Error('Either name or url matcher should be specified');
		const matches = url === undefined ? () => true : urlMatcher(url, this.url());
		return this.frames().find(frame => name !== undefined ? frame.name() === name : matches(frame.url())) ?? null;
	}

	async goto(url, options) {
		if (typeof url !== 'string')
			throw new Error(`page.goto: url: expected string, got ${typeof url}`);
		return this.#navigate('goto', { url: addressOf(url) }, options);
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

	title() {
		return this.#ask('title', 'title');
	}

	async #navigate(how, args, options) {
		const timeout = this.timeoutOf(options, 'navigation');
		const answer = await this.#ask(how, 'navigate', { how, ...args, waitUntil: options?.waitUntil, timeout });
		return answer ? new Response(this, answer) : null;
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

	async ariaSnapshot(options) {
		return ariaSnapshot({ api: 'page.ariaSnapshot', page: this.#id }, options);
	}

	screenshot(options) {
		return screenshot({ api: 'page.screenshot', page: this.#id }, options);
	}

	/* Settings of earlier calls stay; null leaves one to the browser. */
	async emulateMedia(options = {}) {
		const settings = { ...this.#media, ...withoutUndefined(options) };
		await this.#ask('emulateMedia', 'media', mediaFeatures('page.emulateMedia', settings));
		this.#media = settings;
	}

	async pdf(options = {}) {
		return fromBase64(await this.#ask('pdf', 'pdf', { path: options.path, options: printOptions('page.pdf', options) }));
	}

	async setExtraHTTPHeaders(headers) {
		await this.#ask('setExtraHTTPHeaders', 'headers', { headers: checkedHeaders('page.setExtraHTTPHeaders', headers) });
	}

	async addInitScript(script, arg) {
		await this.#ask('addInitScript', 'initScript', { source: await initScript('page.addInitScript', script, arg) });
	}

	async setViewportSize({ width, height }) {
		await this.#ask('setViewportSize', 'resize', { width, height });
	}

	async close() {
		if (!states.get(this.#id).crashed)
			await this.#ask('close', 'close');
	}

	async bringToFront() {
		await this.#ask('bringToFront', 'bringToFront');
	}

	#ask(name, op, args) {
		return perform(`page.${name}`, op, { page: this.#id, ...args });
	}
}
