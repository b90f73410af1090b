/*
 * The responses that scripts of the document have got. Firefox reports the end of a request from another process, so where the processor is
 * busy the document gets the response later than the server hears of it. The document's timeline has an entry as soon as it has got it.
 */
import { QUIET } from './effects.js';

const BY_SCRIPTS = new Set(['fetch', 'xmlhttprequest']);
const PATIENCE = 500; /* ms; what a worker asked for never comes to the document */
const TIMES_MAX = 1000; /* of the last responses that are kept */

class AwaitedResponses {
	constructor() {
		this.observer = null;
		this.times = []; /* at which responses ended */
		this.seenAt = 0; /* when the last entry came */
		this.expected = 0;
		this.since = 0;
		this.until = 0;
		this.onResponse = null;
	}

	note(entries) {
		const ends = entries.filter(entry => BY_SCRIPTS.has(entry.initiatorType)).map(entry => entry.responseEnd);
		if (ends.length === 0)
			return;
		this.times = [...this.times, ...ends].slice(-TIMES_MAX);
		this.seenAt = performance.now();
		this.onResponse?.();
	}

	/*
	 * Begins with the entries that the timeline keeps: 250, unless the page decides otherwise. Where it was full before the first call, the
	 * responses until then are not among them, and are awaited in vain.
	 */
	observe() {
		this.observer = new PerformanceObserver(list => this.note(list.getEntries()));
		this.observer.observe({ type: 'resource', buffered: true });
	}

	/* Awaits so many responses that ended after `since`, a time of the timeline; null: after the last end(). `onResponse` is called when some have come. */
	expect(count, since, onResponse) {
		this.expected = count;
		this.onResponse = onResponse;
		this.since = since ?? this.since;
		this.until = performance.now() + PATIENCE;
		if (count > 0 && !this.observer)
			this.observe();
	}

	/* The time at which the document has had time to use the last of them, or at which they are no longer awaited. */
	restAt() {
		if (this.expected === 0)
			return 0;
		return this.times.filter(time => time >= this.since).length < this.expected ? this.until : this.seenAt + QUIET;
	}

	end() {
		this.since = performance.now();
		this.onResponse = null;
	}
}

export const awaited = new AwaitedResponses();
