/* Requests of pages and their responses. */
import { bytesOf, fromBase64 } from './bytes.js';
import { perform } from './channel.js';
import { describeMembers } from './members.js';
import { frames, pageId, pages } from './pages.js';

export class Request {
	#facts;

	static {
		describeMembers(Request, 'request');
	}

	constructor(facts) {
		this.#facts = facts;
	}

	url() {
		return this.#facts.url;
	}

	method() {
		return this.#facts.method;
	}

	resourceType() {
		return this.#facts.resourceType;
	}

	headers() {
		return { ...this.#facts.headers };
	}

	async allHeaders() {
		return this.headers();
	}

	async headersArray() {
		return Object.entries(this.headers()).map(([name, value]) => ({ name, value }));
	}

	async headerValue(name) {
		return this.headers()[name.toLowerCase()] ?? null;
	}

	frame() {
		const { page, frame } = this.#facts;
		if (page === undefined)
			throw new Error('request.frame: the frame of this request is not known here');
		return frame === undefined || frame < 0 ? pages.get(page).mainFrame() : frames.get(frame);
	}

	isNavigationRequest() {
		return this.resourceType() === 'document';
	}

	postData() {
		return this.#facts.body ?? null;
	}

	postDataJSON() {
		const text = this.postData();
		if (text === null)
			return null;
		if (/^application\/x-www-form-urlencoded/.test(this.#facts.headers?.['content-type'] ?? ''))
			return Object.fromEntries(new URLSearchParams(text));
		return JSON.parse(text);
	}

	postDataBuffer() {
		const text = this.postData();
		return text === null ? null : bytesOf(text);
	}

	failure() {
		return this.#facts.error ? { errorText: this.#facts.error } : null;
	}

	toJSON() {
		return { _type: 'Request', _guid: `request@${this.#facts.number}` };
	}
}

/*
 * What the responses to requests of pages and to those of the code itself have in common. `facts` has url, status and statusText;
 * bytes(method) gives the body, or throws an error that names the method.
 */
export class HttpResponse {
	#facts;
	#bytes;

	constructor(facts, bytes) {
		this.#facts = facts;
		this.#bytes = bytes;
	}

	url() {
		return this.#facts.url;
	}

	status() {
		return this.#facts.status;
	}

	statusText() {
		return this.#facts.statusText;
	}

	ok() {
		return this.status() >= 200 && this.status() < 300;
	}

	async body() {
		return this.#bytes('body');
	}

	async text() {
		return new TextDecoder().decode(await this.#bytes('text'));
	}

	async json() {
		return JSON.parse(new TextDecoder().decode(await this.#bytes('json')));
	}
}

export class Response extends HttpResponse {
	#page;
	#facts;
	#body;

	static {
		describeMembers(Response, 'response');
	}

	constructor(page, facts) {
		super(facts, method => this.#read(method));
		this.#page = page;
		this.#facts = facts;
	}

	headers() {
		return { ...this.#facts.headers };
	}

	async allHeaders() {
		return this.headers();
	}

	async headerValue(name) {
		return this.headers()[name.toLowerCase()] ?? null;
	}

	request() {
		return new Request(this.#facts.request);
	}

	async #read(method) {
		this.#body ??= perform(`response.${method}`, 'body', { page: pageId(this.#page), number: this.#facts.request.number });
		const { text, base64 } = await this.#body;
		return base64 ? fromBase64(text) : bytesOf(text);
	}

	toJSON() {
		return { _type: 'Response', _guid: `response@${this.#facts.request.number}` };
	}
}
