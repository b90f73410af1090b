/* page.request: requests of the code itself, which the browser sends with the cookies of the session. */
import { bytesOf, fromBase64, toBase64 } from './bytes.js';
import { perform } from './channel.js';
import { HttpResponse, Request } from './exchange.js';
import { describeMembers } from './members.js';
import { addressOf, defaults } from './pages.js';

class APIResponse extends HttpResponse {
	#facts;
	#body;

	static {
		describeMembers(APIResponse, 'apiResponse');
	}

	constructor({ body, ...facts }) {
		super(facts, method => this.#read(method));
		this.#facts = facts;
		this.#body = fromBase64(body);
	}

	headers() {
		const headers = {};
		for (const { name, value } of this.#facts.headers) {
			const key = name.toLowerCase();
			headers[key] = key in headers ? `${headers[key]}${key === 'set-cookie' ? '\n' : ', '}${value}` : value;
		}
		return headers;
	}

	headersArray() {
		return this.#facts.headers.map(({ name, value }) => ({ name, value }));
	}

	async dispose() {
		this.#body = undefined;
	}

	#read(method) {
		if (!this.#body)
			throw new Error(`apiResponse.${method}: Response has been disposed`);
		return this.#body;
	}

	toJSON() {
		return { _type: 'APIResponse', _guid: this.url() };
	}
}

const isBytes = value => value instanceof Uint8Array || value instanceof ArrayBuffer;

function isJson(text) {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/* {bytes, type} of the option `data`. */
function dataBody(data, contentType) {
	if (isBytes(data))
		return { bytes: bytesOf(new Uint8Array(data)), type: 'application/octet-stream' };
	if (typeof data !== 'string')
		return { bytes: bytesOf(JSON.stringify(data)), type: 'application/json' };
	if (contentType?.startsWith('application/json'))
		return { bytes: bytesOf(isJson(data) ? data : JSON.stringify(data)), type: 'application/json' };
	return { bytes: bytesOf(data), type: 'application/octet-stream' };
}

const entriesOf = values => typeof values.entries === 'function' ? [...values.entries()] : Object.entries(values).filter(([, value]) => value !== undefined);

const quotedName = text => `"${String(text).replace(/[\r\n"]/g, c => `%${c.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`)}"`;

/* Fields of texts, or of files as {name, mimeType, buffer}. */
function multipartBody(api, fields) {
	const boundary = `----browserd${crypto.getRandomValues(new Uint32Array(4)).join('')}`;
	const parts = entriesOf(fields).flatMap(([name, value]) => {
		const isFile = typeof value === 'object' && value !== null;
		if (isFile && !isBytes(value.buffer))
			throw new Error(`${api}: the part "${name}" has to be a text, or {name, mimeType, buffer}`);
		const head = isFile ? `; filename=${quotedName(value.name)}\r\nContent-Type: ${value.mimeType || 'application/octet-stream'}` : '';
		return [bytesOf(`--${boundary}\r\nContent-Disposition: form-data; name=${quotedName(name)}${head}\r\n\r\n`),
			isFile ? bytesOf(new Uint8Array(value.buffer)) : bytesOf(String(value)), bytesOf('\r\n')];
	});
	const bytes = [...parts, bytesOf(`--${boundary}--\r\n`)].reduce((all, part) => bytesOf([...all, ...part]), []);
	return { bytes, type: `multipart/form-data; boundary=${boundary}` };
}

function bodyOf(api, { data, form, multipart }, contentType) {
	if ([data, form, multipart].filter(value => value !== undefined).length > 1)
		throw new Error(`${api}: Only one of 'data', 'form' or 'multipart' can be specified`);
	if (form !== undefined)
		return { bytes: bytesOf(new URLSearchParams(entriesOf(form).map(([name, value]) => [name, String(value)])).toString()), type: 'application/x-www-form-urlencoded' };
	if (multipart !== undefined)
		return multipartBody(api, multipart);
	return data === undefined || data === null ? {} : dataBody(data, contentType);
}

/* The address with its parameters. */
function requestAddress(api, url, params) {
	let address;
	try {
		address = new URL(url);
	} catch {
		throw new TypeError(`${api}: Invalid URL`);
	}
	if (!['http:', 'https:'].includes(address.protocol))
		throw new TypeError(`${api}: Protocol "${address.protocol}" not supported. Expected "http:"`);
	if (typeof params === 'string')
		address.search = params;
	else if (params !== undefined)
		entriesOf(params).forEach(([name, value]) => address.searchParams.append(name, String(value)));
	return address.href;
}

function headersOf(api, headers) {
	for (const [i, value] of Object.values(headers).entries()) {
		if (typeof value !== 'string')
			throw new Error(`${api}: headers[${i}].value: expected string, got ${typeof value}`);
	}
	return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/* What the operation of the server takes. `from` is the request of a page that is repeated; NULL: none. */
function describeRequest(api, url, options, from) {
	const headers = headersOf(api, options.headers ?? from?.headers() ?? {});
	const { maxRedirects, timeout = defaults.action, ignoreHTTPSErrors } = options;
	const repeated = from && options.data === undefined && options.form === undefined && options.multipart === undefined;
	const { bytes, type } = bodyOf(api, repeated ? { data: options.postData ?? from.postData() } : options, headers['content-type']);
	if (maxRedirects !== undefined && !(maxRedirects >= 0))
		throw new Error(`${api}: 'maxRedirects' must be greater than or equal to '0'`);
	if (type)
		headers['content-type'] ??= type;
	const method = (options.method ?? from?.method() ?? 'GET').toUpperCase();
	return { url: requestAddress(api, addressOf(url), options.params), method, headers, body: bytes && toBase64(bytes), maxRedirects, timeout, ignoreHTTPSErrors };
}

class APIRequestContext {
	static {
		describeMembers(APIRequestContext, 'apiRequestContext');
		for (const method of ['get', 'post', 'put', 'patch', 'delete', 'head']) {
			APIRequestContext.prototype[method] = function (url, options) {
				return this.#send(`apiRequestContext.${method}`, url, { ...options, method });
			};
		}
	}

	/* `wanted`: an address, or a request of a page. */
	fetch(wanted, options) {
		const isRequest = wanted instanceof Request;
		return this.#send('apiRequestContext.fetch', isRequest ? options?.url ?? wanted.url() : wanted, options ?? {}, isRequest ? wanted : null);
	}

	async #send(api, url, options, from = null) {
		if (typeof url !== 'string')
			throw new Error(`${api}: url: expected string, got ${typeof url}`);
		const request = describeRequest(api, url, options, from);
		const response = new APIResponse(await perform(api, 'fetch', request));
		if (options.failOnStatusCode && response.status() >= 400)
			throw new Error(`${api}: ${response.status()} ${response.statusText()}\nResponse text:\n${await response.text()}`);
		return response;
	}

	async dispose() {
	}

	toJSON() {
		return { _type: 'APIRequestContext' };
	}
}

export const apiRequests = new APIRequestContext();
