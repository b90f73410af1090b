/* page.context(): the session's cookies and pages. */
import { perform } from './channel.js';
import { addEventMethods, contextEmitter } from './events.js';
import { expose } from './exposed.js';
import { describeMembers } from './members.js';
import { checkedHeaders, initScript } from './settings.js';
import { pages } from './pages.js';
import { apiRequests } from './request.js';
import { addRoute, removeRoute, removeRoutes } from './route.js';

/* The recording of the session's calls, which browser_start_tracing begins as well. It has snapshots and pictures in any case. */
class Tracing {
	static {
		describeMembers(Tracing, 'tracing');
	}

	async start() {
		await perform('tracing.start', 'startTracing', {});
	}

	async startChunk() {
		await perform('tracing.startChunk', 'startTracing', { chunk: true });
	}

	async stop({ path } = {}) {
		await perform('tracing.stop', 'stopTracing', { path });
	}

	async stopChunk({ path } = {}) {
		await perform('tracing.stopChunk', 'stopTracing', { path, chunk: true });
	}
}

const tracing = new Tracing();

class Context {
	#permissions = new Map(); /* by origin: names */

	static {
		describeMembers(Context, 'browserContext');
		addEventMethods(Context.prototype, 'browserContext', () => contextEmitter);
	}

	get request() {
		return apiRequests;
	}

	async route(url, handler, options) {
		await addRoute('browserContext.route', undefined, url, handler, options);
	}

	async unroute(url, handler) {
		await removeRoute(undefined, url, handler);
	}

	async unrouteAll(options) {
		await removeRoutes(undefined, options);
	}

	async exposeFunction(name, callback) {
		await expose('browserContext.exposeFunction', undefined, name, callback, false);
	}

	async exposeBinding(name, callback) {
		await expose('browserContext.exposeBinding', undefined, name, callback, true);
	}

	/* Goes on for the listeners of an earlier run. */
	resume() {
		contextEmitter.resume();
	}

	get tracing() {
		return tracing;
	}

	pages() {
		return [...pages.values()].filter(page => !page.isClosed());
	}

	async newPage() {
		return pages.get(await perform('browserContext.newPage', 'newPage', {}));
	}

	async cookies(urls = []) {
		const cookies = await perform('browserContext.cookies', 'cookies', { urls: [urls].flat() });
		return cookies.map(({ name, value, domain, path, expires, httpOnly, secure, sameSite = 'Lax' }) =>
			({ name, value, domain, path, expires, httpOnly, secure, sameSite }));
	}

	async addCookies(cookies) {
		await perform('browserContext.addCookies', 'addCookies', { cookies });
	}

	/* Those that {name, domain, path}, texts or RegExps, name; without them all. */
	async clearCookies(options = {}) {
		const wanted = Object.entries(options).filter(([, value]) => value !== undefined);
		if (!wanted.length) {
			await perform('browserContext.clearCookies', 'clearCookies', {});
			return;
		}
		const fits = (text, value) => value instanceof RegExp ? text.search(value) >= 0 : text === value;
		const cookies = (await this.cookies()).filter(cookie => wanted.every(([name, value]) => fits(cookie[name], value)));
		const expired = cookies.map(({ name, domain, path, secure }) => ({ name, value: '', domain, path, secure, expires: 1 }));
		await perform('browserContext.clearCookies', 'addCookies', { cookies: expired });
	}

	/* Those granted before stay. */
	async grantPermissions(permissions, { origin } = {}) {
		const granted = new Set([...this.#permissions.get(origin) ?? [], ...permissions]);
		await perform('browserContext.grantPermissions', 'grantPermissions', { permissions: [...granted], origin: origin && new URL(origin).origin });
		this.#permissions.set(origin, granted);
	}

	async clearPermissions() {
		this.#permissions.clear();
		await perform('browserContext.clearPermissions', 'clearPermissions', {});
	}

	async setGeolocation(place) {
		const limits = { latitude: 90, longitude: 180 };
		for (const [name, limit] of Object.entries(place ? limits : {})) {
			if (typeof place[name] !== 'number')
				throw new Error(`browserContext.setGeolocation: geolocation.${name}: expected float, got ${typeof place[name]}`);
			if (Math.abs(place[name]) > limit)
				throw new Error(`browserContext.setGeolocation: geolocation.${name}: precondition -${limit} <= ${name.toUpperCase()} <= ${limit} failed.`);
		}
		if (place?.accuracy < 0)
			throw new Error('browserContext.setGeolocation: geolocation.accuracy: precondition 0 <= ACCURACY failed.');
		const { latitude, longitude, accuracy = 0 } = place ?? {};
		await perform('browserContext.setGeolocation', 'geolocation', place ? { place: { latitude, longitude, accuracy } } : {});
	}

	async setOffline(offline) {
		if (typeof offline !== 'boolean')
			throw new Error(`browserContext.setOffline: offline: expected boolean, got ${typeof offline}`);
		await perform('browserContext.setOffline', 'offline', { offline });
	}

	/* {cookies, origins}; `path`: a file that gets it as well. */
	async storageState({ path } = {}) {
		return perform('browserContext.storageState', 'storageState', { path });
	}

	async setExtraHTTPHeaders(headers) {
		await perform('browserContext.setExtraHTTPHeaders', 'headers', { headers: checkedHeaders('browserContext.setExtraHTTPHeaders', headers) });
	}

	async addInitScript(script, arg) {
		await perform('browserContext.addInitScript', 'initScript', { source: await initScript('browserContext.addInitScript', script, arg) });
	}

	setDefaultTimeout(timeout) {
		for (const page of pages.values())
			page.setDefaultTimeout(timeout);
	}

	setDefaultNavigationTimeout(timeout) {
		for (const page of pages.values())
			page.setDefaultNavigationTimeout(timeout);
	}

	toJSON() {
		return { _type: 'BrowserContext' };
	}
}

export const theContext = new Context();
