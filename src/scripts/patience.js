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
/* Maps texts of obstacles to the wording of call logs; null keeps the text. */
const LOG_WORDS = [
	[/^hidden|^it has no box/, 'element is not visible'], [/^disabled/, 'element is not enabled'],
	[/^moving/, 'element is not stable'], [/^read-only|^not editable/, 'element is not editable'],
	[/^did not|^<|^element|^the page/, null],
];

export class Obstacle {
	/*
	 * The optional facts are: subject, a description of the element; ends, a promise that settles when the obstacle may be
	 * gone; patience, the most ms to wait for that; code and details of the failure, if not the operation's own; log, the
	 * text for the call log; isPassing, see Patience.note().
	 */
	constructor(text, facts) {
		this.text = text;
		this.patience = Infinity;
		Object.assign(this, facts);
	}
}

/* An entry of the call log, {text, reached, gone}. `reached`: all other checks passed, only the hit test failed. */
function entryOf({ text, log, code }) {
	const known = LOG_WORDS.find(([pattern]) => pattern.test(text));
	const words = log ?? (known ? known[1] ?? text : `element is ${text}`);
	return { text: words, reached: log !== undefined, gone: code === 'ELEMENT_NOT_FOUND' };
}

export class Patience {
	/* `elapsed`: ms of `timeout` that have already passed. `tells`: the failure contains the entries of the call log. */
	constructor(timeout, elapsed = 0, tells = false) {
		this.tells = tells;
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
		const others = this.obstacles.filter(known => known.text !== obstacle.text);
		this.obstacles = [...others, obstacle];
		const entry = entryOf(obstacle);
		if (this.tried.at(-1)?.text !== entry.text && this.tried.length < TRIED_MAX)
			this.tried.push({ at: performance.now() - this.since, ...entry });
	}

	pause() {
		const delay = BACK_OFF[Math.min(this.round++, BACK_OFF.length - 1)];
		return changeOrTimeout(Math.min(delay, this.left), this.ends);
	}

	/* The Failure of a time-out: it names the present obstacle and the earlier ones. */
	refusal(code, done) {
		const last = this.obstacles.at(-1);
		const names = this.obstacles.map(obstacle => obstacle.text);
		const before = names.length > 1 ? ` (before that: ${names.slice(0, -1).join('; ')})` : '';
		const what = last.subject ? `${last.subject} could not be ${done}` : `nothing was ${done}`;
		const waited = Math.round(Math.min(this.timeout, last.patience));
		return new Failure(last.code ?? code, `Timeout ${waited} ms exceeded, ${what}: ${last.text}${before}`,
			{ obstacles: names, tried: this.tells ? this.tried : undefined, ...last.details });
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
			throw new Failure('BROWSER_ERROR', 'the action was given up');
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
