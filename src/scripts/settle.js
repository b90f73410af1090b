/* Starts to observe the effects of an action (effects.js), and waits until the document is at rest after them. */
import { effects, keepWatching, listen, startWatching, stopWatching } from './effects.js';
import { exported } from './exported.js';
import { awaited } from './responses.js';
import { keepClosedRoot } from './roots.js';
import { shownPage } from './shown.js';
import { takeSnapshot } from './snapshot.js';

exported.watchEffects = () => {
	listen();
	const watched = startWatching(true);
	watched.compareValues(); /* the first time only records them */
	watched.watchFrame();
};

/* {isPending}: the document has asked for what is to be pasted, or has pasted it. */
exported.notePasting = ({ isPending }) => {
	if (!effects)
		return;
	effects.isPasting = isPending;
	effects.awaitIdle();
};

/* Records an effect that no document shows: a download has begun. */
exported.noteElsewhere = () => {
	if (effects) {
		effects.saving = null;
		effects.note();
	}
};

/*
 * Takes {patience, isWatched, effectElsewhere, skipFirstWait, scrolls, awaitsTimers, answers, responses, titleLimit, snapshot}. Resolves when the document is at rest, or after
 * `patience` ms, to the page's {url, title}. While there is no effect, it waits up to `patience` ms for one; `effectElsewhere` means that
 * another document already had an effect. With `skipFirstWait` it does not wait for a first effect, except for the next frames if
 * `scrolls` is set, and with `awaitsTimers` for timers that the action has set. `answers` means that workers or other processes may send messages to the page.
 * `responses`: how many of them scripts of this document have got since the last call, with `isWatched` since the action, or are about to get.
 *
 * With `snapshot`, the options of takeSnapshot(), the value has the snapshot as well, unless the document has frames.
 *
 * Resolves to {question} when the server has to answer Effects.question() first and then call goOn() with the same options.
 * Returns {isNew} when `isWatched` is set but this document has replaced the one that was observed.
 */
exported.comeToRest = options => {
	if (options.isWatched && !effects)
		return { isNew: true };
	listen();
	const watched = keepWatching();
	watched.scrolled ||= options.scrolls;
	watched.answers = options.answers || window.length > 0;
	watched.awaitIdle();
	watched.startAsking();
	awaited.expect(options.responses, options.isWatched ? watched.began : null, () => effects?.wake?.());
	return goToRest(options);
};

exported.goOn = options => effects ? goToRest(options) : { isNew: true };

exported.rootCandidates = () => effects?.candidates ?? [];
/* The document is moved to the end: a node that is listed twice would get no id the second time. */
exported.eventPath = () => [...effects?.path ?? []].filter(node => node !== document).concat(document);
exported.answerListeners = ({ types }) => effects?.answerListeners(types);

async function goToRest({ patience, effectElsewhere, skipFirstWait, awaitsTimers, titleLimit, snapshot }) {
	const start = performance.now();
	const until = start + patience;
	const watched = effects;
	const elsewhere = effectElsewhere ? start : null;
	let isCaughtUp = false;
	for (let now = start; !(skipFirstWait && watched.quietAt(elsewhere) === Infinity && watched.hasNothingPending(awaitsTimers)); now = performance.now()) {
		watched.findLateRoots();
		const question = skipFirstWait ? null : watched.question(elsewhere);
		if (question)
			return { question };
		const rest = Math.max(watched.restAt(elsewhere, until), awaited.restAt());
		if (now >= rest)
			break;
		if (now >= until && isCaughtUp) {
			watched.giveUp();
			break;
		}
		isCaughtUp = now >= until;
		await (isCaughtUp ? watched.catchUp() : watched.next(Math.min(rest, until) - now));
	}
	awaited.end();
	if (effects === watched)
		stopWatching();
	return { ...shownPage(titleLimit), ...snapshot && window.length === 0 && { snapshot: takeSnapshot(snapshot) } };
}

/* Registers the closed shadow root `root`, which the server found through CDP. */
exported.keepClosedRoot = root => {
	const isLate = keepClosedRoot(root);
	effects?.meetClosedRoot(isLate);
};
