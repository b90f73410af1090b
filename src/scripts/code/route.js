/* Routes: requests of pages that a caller's code answers. They stay when a run has ended, and with them this document. */
import { bytesOf, fromBase64, toBase64 } from './bytes.js';
import { perform, resolvedGlob, urlMatcher, withoutUndefined } from './channel.js';
import { Request } from './exchange.js';
import { describeMembers } from './members.js';
import { defaults } from './pages.js';
import { apiRequests } from './request.js';

const routes = new Map(); /* by number: {page, url, handler, left: calls that it is for, active: promises of its calls} */
const routed = new Map(); /* requests that wait for an answer, by number: {request, facts, original} */
let lastNumber = 0;

const TYPES = {
	css: 'text/css', gif: 'image/gif', htm: 'text/html', html: 'text/html', ico: 'image/x-icon', jpeg: 'image/jpeg', jpg: 'image/jpeg',
	js: 'text/javascript', json: 'application/json', mjs: 'text/javascript', mp4: 'video/mp4', pdf: 'application/pdf', png: 'image/png',
	svg: 'image/svg+xml', txt: 'text/plain', wasm: 'application/wasm', webm: 'video/webm', webp: 'image/webp', woff: 'font/woff',
	woff2: 'font/woff2', xml: 'application/xml', zip: 'application/zip',
};

const typeOfFile = path => TYPES[/\.(\w+)$/.exec(path)?.[1].toLowerCase()] ?? 'application/octet-stream';

const lowerCased = headers => Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]));

class Route {
	#number;
	#request;
	#handled = false;

	static {
		describeMembers(Route, 'route');
	}

	constructor(number, request) {
		this.#number = number;
		this.#request = request;
	}

	request() {
		return this.#request;
	}

	isHandled() {
		return this.#handled;
	}

	async fulfill(options = {}) {
		await this.#handle('fulfill', 'fulfillRoute', async () => {
			const { status, headers, bytes } = await fulfilment(options);
			headers['content-length'] = String(bytes.length);
			const list = Object.entries(headers).flatMap(([name, value]) => value.split('\n').map(part => ({ name, value: part })));
			return { status, headers: list, body: toBase64(bytes) };
		});
		routed.delete(this.#number);
	}

	async continue(options = {}) {
		await this.#handle('continue', 'continueRoute', ({ facts, known }) => changes({ ...facts, ...overridden(options, facts) }, known));
		routed.delete(this.#number);
	}

	async fallback(options = {}) {
		const isWaiting = await this.#handle('fallback', 'fallBackRoute', ({ facts, known }) => {
			const args = changes(Object.assign(facts, overridden(options, facts)), known);
			Object.assign(known, facts);
			return args;
		});
		if (!isWaiting)
			routed.delete(this.#number);
	}

	async abort(reason = 'failed') {
		await this.#handle('abort', 'abortRoute', () => ({ reason: String(reason) }));
		routed.delete(this.#number);
	}

	fetch(options) {
		return apiRequests.fetch(this.#request, options);
	}

	toJSON() {
		return { _type: 'Route', _guid: `route@${this.#number}` };
	}

	/* One answer: after a failure there may be another. `argsOf` gives the arguments of the operation. */
	async #handle(method, operation, argsOf) {
		if (this.#handled)
			throw new Error('Route is already handled!');
		this.#handled = true;
		try {
			const args = await argsOf(routed.get(this.#number));
			return await perform(`route.${method}`, operation, { request: this.#number, ...args });
		} catch (error) {
			this.#handled = false;
			throw error;
		}
	}
}

async function fulfilment({ response, status, headers, body, json, contentType, path }) {
	let type = contentType;
	let bytes;
	if (json !== undefined) {
		if (body !== undefined)
			throw new Error('Can specify either body or json parameters');
		bytes = bytesOf(JSON.stringify(json));
		type ??= 'application/json';
	} else if (body !== undefined) {
		bytes = bytesOf(body);
	} else if (path !== undefined) {
		bytes = fromBase64(await perform('route.fulfill', 'readFile', { path: String(path) }));
		type ??= typeOfFile(path);
	} else {
		bytes = response ? await response.body() : bytesOf('');
	}
	const fields = lowerCased(headers ?? response?.headers());
	if (contentType !== undefined || !fields['content-type'] && type !== undefined)
		fields['content-type'] = type;
	return { status: status ?? response?.status() ?? 200, headers: fields, bytes };
}

/* The facts that the options of continue() and fallback() replace. */
function overridden({ url, method, headers, postData }, facts) {
	if (url !== undefined && new URL(url).protocol !== new URL(facts.url).protocol)
		throw new Error('New URL must have same protocol as overridden URL');
	const bytes = postData === undefined ? undefined :
		typeof postData === 'string' || postData instanceof Uint8Array ? bytesOf(postData) : bytesOf(JSON.stringify(postData));
	return withoutUndefined({
		url, method, headers: headers && lowerCased(withoutUndefined(headers)),
		body: bytes && new TextDecoder().decode(bytes), base64: bytes && toBase64(bytes),
	});
}

/* What the operations of the server take. `known` are the facts that it has already. */
function changes(facts, known) {
	const other = name => facts[name] === known[name] ? undefined : facts[name];
	const headers = other('headers');
	return {
		url: other('url'), method: other('method'), body: other('base64'), set: headers,
		removed: headers && Object.keys(known.headers).filter(name => !(name in headers)),
	};
}

/* A request of a page has come to a route: {route, request: numbers, page, frame, url, method, headers, body, resourceType}; the type is null if it is not known yet. */
export async function takeRouted({ route: number, request: id, ...given }) {
	if (!routed.has(id)) {
		const resourceType = given.resourceType ?? await perform('page.route', 'requestType', { request: id });
		const facts = { ...given, resourceType };
		routed.set(id, { request: new Request(facts), facts, known: { ...facts } });
	}
	const { request, facts, known } = routed.get(id);
	/* Routes of other owners that were asked before may have changed them. */
	facts.headers = known.headers = lowerCased(given.headers);
	const route = new Route(id, request);
	const entry = routes.get(number);
	if (!entry || !entry.matches(given.url)) {
		await route.fallback().catch(() => {});
		return;
	}
	if (--entry.left === 0)
		await forget([[number, entry]]);
	const call = callHandler(entry, route, request);
	entry.active.add(call);
	await call;
	entry.active.delete(call);
}

/* A request whose handler throws before it has answered fails. */
async function callHandler({ handler }, route, request) {
	try {
		await handler(route, request);
	} catch {
		if (!route.isHandled())
			await route.abort().catch(() => {});
	}
}

/* With a base address, patterns are relative to it. */
const globOf = url => defaults.baseURL ? resolvedGlob(url, defaults.baseURL) : url;

/* `page` is undefined for routes of all pages. */
export async function addRoute(api, page, url, handler, { times } = {}) {
	if (typeof url !== 'string' && typeof url !== 'function' && !(url instanceof RegExp))
		throw new Error(`${api}: url: expected string, RegExp or function, got ${url === null ? 'null' : typeof url}`);
	const number = ++lastNumber;
	const isGlob = typeof url === 'string';
	const entry = { page, url, handler, left: times ?? Infinity, active: new Set(), matches: isGlob ? () => true : urlMatcher(url) };
	routes.set(number, entry);
	try {
		await perform(api, 'route', { page, number, pattern: isGlob ? globOf(url) : undefined });
	} catch (error) {
		routes.delete(number);
		throw error;
	}
}

async function forget(entries) {
	for (const [number] of entries)
		routes.delete(number);
	if (entries.length)
		await perform('page.unroute', 'unroute', { numbers: entries.map(([number]) => number) });
}

const isSameUrl = (a, b) => a === b || a instanceof RegExp && b instanceof RegExp && a.source === b.source && a.flags === b.flags;

export async function removeRoute(page, url, handler) {
	await forget([...routes].filter(([, entry]) =>
		entry.page === page && isSameUrl(entry.url, url) && (!handler || entry.handler === handler)));
}

/* `behavior` "wait": also waits until the handlers that have been called have ended. */
export async function removeRoutes(page, { behavior } = {}) {
	const entries = [...routes].filter(([, entry]) => entry.page === page);
	await forget(entries);
	if (behavior === 'wait')
		await Promise.all(entries.flatMap(([, entry]) => [...entry.active]));
}
