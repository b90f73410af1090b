/*
 * Events of pages and of the context. While somebody listens, one operation for each source waits for what comes next,
 * and is asked again after each answer.
 */
import { ask, logged, matcherOf, perform, withTimeout } from './channel.js';
import { Request, Response } from './exchange.js';
import { describeMembers } from './members.js';
import { defaults, pageId, pages } from './pages.js';

const journalKinds = ['console', 'pageerror', 'request', 'response', 'requestfailed', 'requestfinished'];

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

	constructor(api, sources) {
		this.#api = api;
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
		return names.some(name => this.#listeners.get(name)?.length);
	}

	add(name, listener, once = false) {
		const found = this.#sources.find(({ names }) => names.includes(name));
		if (!found)
			throw new Error(`${this.#api}.on: the event "${name}" is not supported here`);
		this.#listeners.set(name, [...this.#listeners.get(name) ?? [], { listener, once }]);
		found.source.start();
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
	#facts;

	static {
		describeMembers(ConsoleMessage, 'consoleMessage');
	}

	constructor(facts) {
		this.#facts = facts;
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
		return new ConsoleMessage(facts);
	if (name === 'pageerror')
		return thrownError(facts.text);
	return name === 'response' ? new Response(page, facts) : new Request({ ...facts.request, error: facts.error });
}

/* The sources of a page. A dialog that somebody listens to is theirs to answer. */
export const sourcesOf = page => [
	{
		names: journalKinds,
		next: async state => {
			const { next, list } = await ask('observe', { page: pageId(page), from: state });
			return { state: next, events: list.map(event => [event.name, eventValue(page, event)]) };
		},
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

export const contextSources = [{
	names: ['page'],
	next: async state => {
		const { known, opened } = await ask('opened', { known: state });
		return { state: known, events: opened.map(id => ['page', pages.get(id)]) };
	},
}];
