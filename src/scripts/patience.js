/*
 * Trying until it works: an attempt gives a value, or an Obstacle that names what is in the way. The first attempt
 * is made at once and without a promise; later ones follow changes of the document, the end of the obstacle where
 * it is known, and timers, because style and layout change without a mutation.
 */
import { Failure } from './failure.js';
import { later } from './timers.js';

const BACK_OFF = [8, 16, 32, 64, 100]; /* ms; the last one repeats */
/* After a mutation, time for the script that is building the page to get on with it. */
const AFTER_MUTATION = 4; /* ms */

const TRIED_MAX = 100; /* changes of what is in the way that are told */
/* Obstacles in the words of a call log. */
const LOG_WORDS = [
	[/^hidden|^it has no box/, 'element is not visible'], [/^disabled/, 'element is not enabled'],
	[/^moving/, 'element is not stable'], [/^read-only|^not editable/, 'element is not editable'],
	[/^did not|^<|^element|^the page/, null],
];

export class Obstacle {
	/*
	 * subject: which element it concerns, in words. ends: a promise of its end. patience: ms that are enough for it.
	 * code, details: of the failure that it leads to, when not the operation's own. log: in the words of a call log.
	 */
	constructor(text, facts) {
		this.text = text;
		this.patience = Infinity;
		Object.assign(this, facts);
	}
}

/* {text, reached, gone}: `reached`: all else was as wanted, only the pointer did not get there. */
function entryOf({ text, log, code }) {
	const known = LOG_WORDS.find(([pattern]) => pattern.test(text));
	const words = log ?? (known ? known[1] ?? text : `element is ${text}`);
	return { text: words, reached: log !== undefined, gone: code === 'ELEMENT_NOT_FOUND' };
}

export class Patience {
	/* `elapsed`: ms of `timeout` that are gone already. `tells`: in the end it says what was in the way when. */
	constructor(timeout, elapsed = 0, tells = false) {
		this.tells = tells;
		this.timeout = timeout;
		this.since = performance.now() - elapsed;
		this.obstacles = [];
		this.tried = []; /* for the call log: what was in the way from when on */
		this.round = 0;
	}

	/* ms that the obstacle in the way may still last. */
	get left() {
		const most = Math.min(this.timeout, this.obstacles.at(-1)?.patience ?? Infinity);
		return Math.max(0, this.since + most - performance.now());
	}

	/* What only passes (`isPassing`) is none that the caller should learn of. */
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

	/* The Failure when time has run out: what is in the way now, and what was before. */
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

/* Whoever names an element by a selector of its own reads no call logs. */
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

/* The operation that is being tried in this document; starting another one, or giveUp(), ends it. */
let trying = null;

export function giveUp() {
	trying = null;
}

/* A promise of the value of `attempt()`, made after a pause. `refusal()` is the Failure when time has run out. */
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

/* The same, beginning at once: when that succeeds, the value itself is returned. */
export function tryUntil(patience, attempt, refusal) {
	const outcome = attempt();
	if (!(outcome instanceof Obstacle))
		return outcome;
	patience.note(outcome);
	return tryAgain(patience, attempt, refusal);
}
