/* Watching an action's effects (effects.js), and waiting until the document has come to rest after them. */
import { effects, keepWatching, listen, startWatching, stopWatching } from './effects.js';
import { exported } from './exported.js';
import { keepClosedRoot } from './roots.js';
import { shownPage } from './shown.js';

exported.watchEffects = () => {
	listen();
	const watched = startWatching(true);
	watched.rememberValues();
	watched.watchFrame();
};

/* What no document shows: a file is being saved. */
exported.noteElsewhere = () => {
	if (effects) {
		effects.saving = null;
		effects.note();
	}
};

export let resting = null; /* resolves when the document is at rest that comeToRest() was asked about last */
let reachRest = null;

/*
 * {patience, isWatched, touched, glances, scrolls, answers, titleLimit}: resolves when the document is at rest, or after `patience`
 * ms, to what it shows then: {url, title}. Without any effect, which `touched` says that there was elsewhere, it waits for one as
 * long; with `glances` not at all, or with `scrolls` for the next frames. `answers`: workers and other processes may answer the page.
 *
 * {question} is what has to be answered first, Effects.question(); then goOn() is to be called with the same options. {isNew}: the
 * document that was watched (`isWatched`) has been replaced by this one, and the caller does not know yet.
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
	resting = new Promise(resolve => { reachRest = resolve });
	return goToRest(options);
};

exported.goOn = options => effects ? goToRest(options) : { isNew: true };

exported.rootCandidates = () => effects?.candidates ?? [];
/* The document, which may be in the path already, comes last: a node that is listed twice has no id the second time. */
exported.eventPath = () => [...effects?.path ?? []].filter(node => node !== document).concat(document);
exported.answerListeners = ({ types }) => effects?.answerListeners(types);

async function goToRest({ patience, touched, glances, titleLimit }) {
	const start = performance.now();
	const until = start + patience;
	const watched = effects;
	const elsewhere = touched ? start : null;
	for (let now = start; !(glances && watched.quietAt(elsewhere) === Infinity && watched.hasOnlyGlanced()); now = performance.now()) {
		watched.findLateRoots();
		const question = glances ? null : watched.question(elsewhere);
		if (question)
			return { question };
		const rest = watched.restAt(elsewhere, until);
		if (now >= rest)
			break;
		if (now >= until) {
			watched.giveUp();
			break;
		}
		await watched.next(Math.min(rest, until) - now);
	}
	if (effects === watched)
		stopWatching();
	reachRest();
	return shownPage(titleLimit);
}

/* `root` is a closed shadow root that C has found. */
exported.keepClosedRoot = root => {
	const isLate = keepClosedRoot(root);
	effects?.meetClosedRoot(isLate);
};
