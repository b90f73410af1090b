/*
 * Trying until it works: an attempt gives a value, or an Obstacle that names what is in the way. The first attempt
 * is made at once and without a promise; later ones follow changes of the document, the end of the obstacle where
 * it is known, and timers, because style and layout change without a mutation.
 */
const BACK_OFF = [8, 16, 32, 64, 100]; /* ms; the last one repeats */
/* After a mutation, time for the script that is building the page to get on with it. */
const AFTER_MUTATION = 4; /* ms */

class Obstacle {
	/*
	 * subject: which element it concerns, in words. ends: a promise of its end. patience: ms that are enough for it.
	 * code, details: of the failure that it leads to, when not the operation's own.
	 */
	constructor(text, facts) {
		this.text = text;
		this.patience = Infinity;
		Object.assign(this, facts);
	}
}

class Patience {
	/* `elapsed`: ms of `timeout` that are gone already. */
	constructor(timeout, elapsed = 0) {
		this.timeout = timeout;
		this.since = performance.now() - elapsed;
		this.obstacles = [];
		this.round = 0;
	}

	/* ms that the obstacle in the way may still last. */
	get left() {
		const most = Math.min(this.timeout, this.obstacles.at(-1)?.patience ?? Infinity);
		return Math.max(0, this.since + most - performance.now());
	}

	note(obstacle) {
		const others = this.obstacles.filter(known => known.text !== obstacle.text);
		this.obstacles = [...others, obstacle];
	}

	pause() {
		const delay = BACK_OFF[Math.min(this.round++, BACK_OFF.length - 1)];
		return changeOrTimeout(Math.min(delay, this.left), this.obstacles.at(-1)?.ends);
	}

	/* The Failure when time has run out: what is in the way now, and what was before. */
	refusal(code, done) {
		const last = this.obstacles.at(-1);
		const names = this.obstacles.map(obstacle => obstacle.text);
		const before = names.length > 1 ? ` (before that: ${names.slice(0, -1).join('; ')})` : '';
		const what = last.subject ? `${last.subject} could not be ${done}` : `nothing was ${done}`;
		const waited = Math.round(Math.min(this.timeout, last.patience));
		return new Failure(last.code ?? code, `Timeout ${waited} ms exceeded, ${what}: ${last.text}${before}`,
			{ obstacles: names, ...last.details });
	}
}

function changeOrTimeout(delay, ends) {
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

function giveUp() {
	trying = null;
}

/* A promise of the value of `attempt()`, made after a pause. `refusal()` is the Failure when time has run out. */
async function tryAgain(patience, attempt, refusal) {
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
function tryUntil(patience, attempt, refusal) {
	const outcome = attempt();
	if (!(outcome instanceof Obstacle))
		return outcome;
	patience.note(outcome);
	return tryAgain(patience, attempt, refusal);
}
