/*
 * Events of pages and of the context. While somebody listens, one operation for each source waits for what comes next,
 * and is asked again after each answer.
 */
import { ask, logged, matcherOf, perform, withTimeout } from './channel.js';
import { Request, Response } from './exchange.js';
import { describeMembers } from './members.js';
import { defaults, frames, pageId, pages, states } from './pages.js';

const journalKinds = ['console', 'pageerror', 'request', 'response', 'requestfailed', 'requestfinished'];
const documentKinds = ['close', 'crash', 'domcontentloaded', 'framenavigated', 'frameattached', 'framedetached', 'load'];
/* Events of a page that listeners of the context get as well. */
const sharedKinds = ['console', 'dialog', 'request', 'response', 'requestfailed', 'requestfinished'];

/*
 * Runs while `wanted()`; next(state) asks for what comes after `state`, and gives {state, events: [[name, value]...], handled?};
 * what `handled` promises has to come before it goes on. stop() is called when the last listener was removed.
 */
class Source {
	#next;
	#stop;
	#wanted;
	#emit;
	#runs = false;

	constructor({ next, stop = () => {} }, wanted, emit) {
		this.#next = next;
		this.#stop = stop;
		this.#wanted = wanted;
		this.#emit = emit;
	}

	start() {
		if (!this.#runs)
			this.#run();
	}

	async #run() {
		this.#runs = true;
		try {
			for (let state; this.#wanted();) {
				const { state: after, events, handled } = await this.#next(state);
				state = after;
				for (const [name, value] of events)
					this.#emit(name, value);
				await handled;
			}
			await this.#stop();
		} catch {
			/* the page is gone */
		}
		this.#runs = false;
	}
}

/* Listeners by name, in the order in which they came. */
export class Emitter {
	#listeners = new Map();
	#sources;
	#api;
	#above;

	/* `above`: the context's, for a page. */
	constructor(api, sources, above) {
		this.#api = api;
		this.#above = above;
		this.#sources = sources.map(({ names, ...source }) =>
			({ names, source: new Source(source, () => this.#has(names), (...event) => this.emit(...event)) }));
	}

	/* Goes on for the listeners of an earlier run. */
	resume() {
		for (const { names, source } of this.#sources) {
			if (this.#has(names))
				source.start();
		}
	}

	#has(names) {
		return names.some(name => this.#listeners.get(name)?.length) ||
			Boolean(this.#above?.#has(names.filter(name => sharedKinds.includes(name))));
	}

	add(name, listener, once = false) {
		const found = this.#sources.find(({ names }) => names.includes(name));
		if (!found)
			throw new Error(`${this.#api}.on: the event "${name}" is not supported here`);
		this.#listeners.set(name, [...this.#listeners.get(name) ?? [], { listener, once }]);
		found.source.start();
		if (this === contextEmitter && sharedKinds.includes(name))
			resumePages(pages.values());
	}

	remove(name, listener) {
		this.#listeners.set(name, (this.#listeners.get(name) ?? []).filter(entry => entry.listener !== listener));
	}

	emit(name, value) {
		for (const { listener, once } of this.#listeners.get(name) ?? []) {
			if (once)
				this.remove(name, listener);
			try {
				Promise.resolve(listener(value)).catch(() => {});
			} catch {
				/* an error of a listener ends nothing */
			}
		}
		if (sharedKinds.includes(name))
			this.#above?.emit(name, value);
	}

	/* The first value that `accepts`, at most for that long. */
	wait(name, { accepts = () => true, timeout, failure }) {
		let listener;
		const found = new Promise((resolve, reject) => {
			listener = async value => {
				try {
					if (await accepts(value))
						resolve(value);
				} catch (error) {
					reject(error);
				}
			};
			this.add(name, listener);
		});
		return withTimeout(timeout, found, failure).finally(() => this.remove(name, listener));
	}
}

/* What pages and the context have in common; `emitterOf(object)` is theirs. */
export function addEventMethods(prototype, api, emitterOf) {
	const methods = {
		on(name, listener) {
			emitterOf(this).add(name, listener);
			return this;
		},
		once(name, listener) {
			emitterOf(this).add(name, listener, true);
			return this;
		},
		off(name, listener) {
			emitterOf(this).remove(name, listener);
			return this;
		},
		waitForEvent(name, how) {
			const accepts = typeof how === 'function' ? how : how?.predicate;
			return waitForOne(emitterOf(this), `${api}.waitForEvent`, name, `event "${name}"`, accepts, how?.timeout ?? this.timeoutOf?.());
		},
	};
	Object.assign(prototype, methods, { addListener: methods.on, removeListener: methods.off });
}

async function waitForOne(emitter, api, name, shown, accepts, timeout = defaults.action) {
	return emitter.wait(name, {
		accepts, timeout, failure: `${api}: Timeout ${timeout}ms exceeded while waiting for event "${name}"\n${logged(`waiting for ${shown}`)}`,
	});
}

/* A request or a response, by its address (text with *, RegExp) or by a function. */
export function waitForExchange(emitter, api, name, wanted, { timeout } = {}, base) {
	const matches = typeof wanted === 'function' ? wanted : exchange => matcherOf(wanted, base)(exchange.url());
	return waitForOne(emitter, api, name, `${name} ${typeof wanted === 'string' ? `"${wanted}"` : String(wanted)}`, matches, timeout);
}

class Dialog {
	#page;
	#facts;
	#answered;

	static {
		describeMembers(Dialog, 'dialog');
	}

	constructor(page, facts, answered) {
		this.#page = page;
		this.#facts = facts;
		this.#answered = answered;
	}

	page() {
		return this.#page;
	}

	type() {
		return this.#facts.type;
	}

	message() {
		return this.#facts.message;
	}

	accept(text) {
		return this.#answer('accept', true, text);
	}

	dismiss() {
		return this.#answer('dismiss', false);
	}

	async #answer(how, accept, text) {
		await perform(`dialog.${how}`, 'answerDialog', { page: pageId(this.#page), accept, text });
		this.#answered();
	}
}

class ConsoleMessage {
	#page;
	#facts;

	static {
		describeMembers(ConsoleMessage, 'consoleMessage');
	}

	constructor(page, facts) {
		this.#page = page;
		this.#facts = facts;
	}

	page() {
		return this.#page;
	}

	type() {
		return this.#facts.type;
	}

	text() {
		return this.#facts.text;
	}

	toString() {
		return this.text();
	}
}

/* A file that a page saves. */
class Download {
	#page;
	#facts;

	static {
		describeMembers(Download, 'download');
	}

	constructor(page, facts) {
		this.#page = page;
		this.#facts = facts;
	}

	page() {
		return this.#page;
	}

	url() {
		return this.#facts.url;
	}

	suggestedFilename() {
		return this.#facts.name;
	}

	async path() {
		const { path, failure } = await this.#perform('path', 'downloadEnd');
		if (failure)
			throw new Error(`download.path: ${failure}`);
		return path;
	}

	async failure() {
		const { failure } = await this.#perform('failure', 'downloadEnd');
		return failure ?? null;
	}

	async saveAs(path) {
		await this.#perform('saveAs', 'saveDownload', { path: String(path) });
	}

	async cancel() {
		await this.#perform('cancel', 'cancelDownload');
	}

	#perform(method, operation, more) {
		return perform(`download.${method}`, operation, { number: this.#facts.number, ...more });
	}
}

/* What was thrown: its name, its message, and the lines below. */
function thrownError(text) {
	const [, name, message] = /^(?:(\w*Error): )?(.*?)(?=\n {4}at |$)/s.exec(text);
	return Object.defineProperties(new Error(message), {
		name: { value: name ?? 'Error' },
		stack: { value: text },
	});
}

function eventValue(page, { name, ...facts }) {
	if (name === 'console')
		return new ConsoleMessage(page, facts);
	if (name === 'pageerror')
		return thrownError(facts.text);
	return name === 'response' ? new Response(page, facts) : new Request({ ...facts.request, error: facts.error });
}

const DOMCONTENTLOADED = 2; /* of the load states of a document */
const LOAD = 4;

/* Events of the main frame's document: its load states since `before`. */
function* loadEvents(page, before, after) {
	const reached = after.states & ~(before && before.commits === after.commits ? before.states : 0);
	if (reached & DOMCONTENTLOADED)
		yield ['domcontentloaded', page];
	if (reached & LOAD)
		yield ['load', page];
}

/* What has happened to the frames between two lists of {frame: number, -1 for the main frame, commits, states, url}. */
function* documentEvents(page, before, after) {
	const objectOf = number => number < 0 ? page.mainFrame() : frames.get(number);
	const old = new Map(before.map(entry => [entry.frame, entry]));
	const left = new Set(after.map(entry => entry.frame));
	for (const { frame } of before) {
		if (!left.has(frame))
			yield ['framedetached', objectOf(frame)];
	}
	for (const entry of after) {
		const known = old.get(entry.frame);
		if (!known)
			yield ['frameattached', objectOf(entry.frame)];
		if (entry.commits > (known?.commits ?? 0) || known && known.url !== entry.url)
			yield ['framenavigated', objectOf(entry.frame)];
	}
	const isMain = ({ frame }) => frame < 0;
	yield* loadEvents(page, before.find(isMain), after.find(isMain));
}

const reportedEnds = new WeakSet(); /* pages whose end was an event */

/* The end of the page is the last of its events. */
async function nextDocuments(page, state) {
	if (reportedEnds.has(page))
		throw new Error('the page is gone');
	try {
		const list = await ask('documents', { page: pageId(page), seen: state && JSON.stringify(state) });
		return { state: list, events: state ? [...documentEvents(page, state, list)] : [] };
	} catch (error) {
		const { closed, crashed } = states.get(pageId(page));
		if (!closed && !crashed)
			throw error;
		reportedEnds.add(page);
		return { events: [[crashed ? 'crash' : 'close', page]] };
	}
}

const openedLately = new WeakSet(); /* pages whose events are wanted from their beginning */

function resumePages(some) {
	for (const page of some)
		page.resume();
}

/* The sources of a page. A dialog that somebody listens to is theirs to answer. */
export const sourcesOf = page => [
	{
		names: journalKinds,
		next: async state => {
			const { next, list } = await ask('observe', { page: pageId(page), from: state ?? (openedLately.has(page) ? 0 : undefined) });
			return { state: next, events: list.map(event => [event.name, eventValue(page, event)]) };
		},
	},
	{
		names: documentKinds,
		next: state => nextDocuments(page, state),
	},
	{
		names: ['dialog'],
		next: async () => {
			const facts = await ask('dialog', { page: pageId(page) });
			let answered;
			const handled = new Promise(resolve => {
				answered = resolve;
			});
			return { events: [['dialog', new Dialog(page, facts, answered)]], handled };
		},
		stop: () => ask('leaveDialogs', { page: pageId(page) }),
	},
	{
		names: ['download'],
		next: async state => {
			const { next, list } = await ask('downloads', { page: pageId(page), from: state });
			return { state: next, events: list.map(facts => ['download', new Download(page, facts)]) };
		},
	},
	{
		names: ['popup'],
		next: async state => {
			const { known, opened } = await ask('opened', { known: state });
			return { state: known, events: opened.map(id => ['popup', pages.get(id)]) };
		},
	},
];

/* That of the context. Pages that open while somebody listens have their sources as well. */
export const contextEmitter = new Emitter('browserContext', [{
	names: ['page', ...sharedKinds],
	next: async state => {
		const { known, opened } = await ask('opened', { known: state });
		const list = opened.map(id => pages.get(id));
		for (const page of list)
			openedLately.add(page);
		resumePages(list);
		return { state: known, events: list.map(page => ['page', page]) };
	},
}]);
