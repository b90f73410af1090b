/*
 * Retries an attempt until it succeeds or times out. An attempt returns a value, or an Obstacle that says why it failed.
 * The first attempt runs at once and without a promise. Later ones run after a mutation of the document, when the
 * obstacle's `ends` settles, and on timers, because style and layout can change without a mutation.
 */
import { Failure } from './failure.js';
import { later } from './timers.js';

const BACK_OFF = [8, 16, 32, 64, 100]; /* ms; the last one repeats */
/* Delay of an attempt after a mutation, so that a script that is building the page can continue first. */
const AFTER_MUTATION = 4; /* ms */

const TRIED_MAX = 100; /* entries of the call log */
export class Obstacle {
	/*
	 * `why` says what is in the way, {reason, ...facts}, by the reasons of base/reasons.h. The options are: subject, a description
	 * of the element; ends, a promise that settles when the obstacle may be gone; patience, the most ms to wait for that; code and
	 * matches of the failure, if not the operation's own; hit, the elements that the call log names; isPassing, see Patience.note().
	 */
	constructor(why, options) {
		this.why = why;
		this.patience = Infinity;
		Object.assign(this, options);
	}
}

const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export class Patience {
	/* `elapsed`: ms of `timeout` that have already passed. `hasCallLog`: the failure contains the entries of the call log. */
	constructor(timeout, elapsed = 0, hasCallLog = false) {
		this.hasCallLog = hasCallLog;
		this.timeout = timeout;
		this.since = performance.now() - elapsed;
		this.obstacles = [];
		this.tried = []; /* entries of the call log, with the ms from which on each obstacle held */
		this.round = 0;
	}

	/* ms for which the present obstacle may still last. */
	get left() {
		const most = Math.min(this.timeout, this.obstacles.at(-1)?.patience ?? Infinity);
		return Math.max(0, this.since + most - performance.now());
	}

	/* Records an obstacle. One that is only an intermediate step of the attempt (`isPassing`) delays it but is not reported. */
	note(obstacle) {
		if (obstacle.isPassing) {
			this.ends = obstacle.ends;
			return;
		}
		this.ends = obstacle.ends;
		const others = this.obstacles.filter(known => !isSame(known.why, obstacle.why));
		this.obstacles = [...others, obstacle];
		const entry = { ...obstacle.why, ...obstacle.hit }, { at, ...last } = this.tried.at(-1) ?? {};
		if (!isSame(last, entry) && this.tried.length < TRIED_MAX)
			this.tried.push({ ...entry, at: performance.now() - this.since });
	}

	pause() {
		const delay = BACK_OFF[Math.min(this.round++, BACK_OFF.length - 1)];
		return changeOrTimeout(Math.min(delay, this.left), this.ends);
	}

	/* The Failure of a time-out: it names the present obstacle and the earlier ones. */
	refusal(code, done) {
		const { why, subject, matches, patience, code: ownCode } = this.obstacles.at(-1);
		return new Failure(ownCode ?? code, 'actionTimeout', {
			waited: Math.round(Math.min(this.timeout, patience)), done, subject, why, matches,
			before: this.obstacles.slice(0, -1).map(obstacle => obstacle.why), tried: this.hasCallLog ? this.tried : undefined,
		});
	}
}

/* Callers that give a selector get failures without a call log. */
export const patienceFor = ({ timeout, elapsed, target }) => new Patience(timeout, elapsed, target.selector === undefined);

export function changeOrTimeout(delay, ends) {
	return new Promise(resolve => {
		let timer = later(done, delay);
		const observer = new MutationObserver(() => {
			clearTimeout(timer);
			timer = later(done, Math.min(delay, AFTER_MUTATION));
			observer.disconnect();
		});
		function done() {
			clearTimeout(timer);
			observer.disconnect();
			resolve();
		}
		observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
		ends?.then(done, done);
	});
}

/* The operation that is being retried in this document. Starting another one or calling giveUp() ends it. */
let trying = null;

export function giveUp() {
	trying = null;
}

/* Repeats `attempt()`, with a pause before each try, and resolves to its value. On a time-out it throws refusal(). */
export async function tryAgain(patience, attempt, refusal) {
	trying = patience;
	while (patience.left > 0) {
		await patience.pause();
		if (trying !== patience)
			throw new Failure('BROWSER_ERROR', 'actionGivenUp');
		const outcome = attempt();
		if (!(outcome instanceof Obstacle))
			return outcome;
		patience.note(outcome);
	}
	throw refusal();
}

/* Like tryAgain(), but with a first attempt at once, whose value is returned without a promise if it succeeds. */
export function tryUntil(patience, attempt, refusal) {
	const outcome = attempt();
	if (!(outcome instanceof Obstacle))
		return outcome;
	patience.note(outcome);
	return tryAgain(patience, attempt, refusal);
}
