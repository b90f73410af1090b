/*
 * Collects the effects that an action has on the document and computes when the document will be at rest after them.
 * docs/settling.md defines the rule; settle.js waits for the result.
 *
 * Effects are mutations in any document of the page, changes of field values, focus changes and scrolling. A timer that the page sets counts as pending
 * until an effect appears that it may have caused: scripts in this world can count the page's timers, but cannot read their delays or see them fire.
 */
import { lineKeyOf } from './caret.js';
import { animationsIn, documentAnimations, elementCount, holds, isDocumentHidden, queryAll, scrollingElement, timeline } from './dom.js';
import { changedFields, fieldValues } from './fieldvalues.js';
import { isOverlayRecord } from './overlay.js';
import { afterOwnChange, isOwnChange } from './ownchanges.js';
import { firstElementOf, hasAttribute, isElement, rootDocumentOf, textOf } from './raw.js';
import { Refocus } from './refocus.js';
import { leadsTo, runsUnlistedScripts } from './relevance.js';
import { closedRootCandidates, documentsInSight, eachShadowRoot } from './roots.js';
import { hasMoved, knownScrollers, mayScroll, noteScroller, SCROLLERS_MAX, Scrolling } from './scrollwatch.js';
import { IdleTicks, isTick, Ticks } from './ticks.js';
import { framesOfPage, inNextFrame, later, timersOfPage } from './timers.js';
import { editable } from './typing.js';

const INPUT_EVENTS = [
	'pointermove', 'pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'keydown', 'keyup', 'beforeinput', 'input', 'change',
	'dragstart', 'drop',
];
const VALUE_EVENTS = ['input', 'change'];
const EFFECT_EVENTS = ['focusin', 'scroll', 'scrollend', 'toggle'];
const OBSERVED_EVENTS = new Set([...INPUT_EVENTS, 'focusout', ...EFFECT_EVENTS]);
const ROOT_EVENTS = ['change', ...EFFECT_EVENTS]; /* not always composed, so each shadow root needs listeners */
const WATCHED = { subtree: true, childList: true, attributes: true, characterData: true, attributeOldValue: true, characterDataOldValue: true };
const CLOCK_CHANGES = 8; /* changes of a node after which it counts as a clock */
const ENDLESS_TASKS = 3; /* tasks that set timers during one action; so many mean that the page sets timers endlessly */
const FRAME_PATIENCE = 1000; /* ms to wait for a frame: a busy machine draws late */
const HIDDEN_FRAME_PATIENCE = 200; /* ms to wait for a frame of a hidden document, which may get none */
const CLOCK_ERROR = 1; /* ms; the start of an animation in the current frame may be given up to 0.1 ms before the frame's time */
const CATCH_UP = 100; /* ms, at most, for tasks that were due when the patience ended */
export const QUIET = 12; /* ms without an effect: long enough for what scripts do in the next frame */
const COSMETIC = /color|shadow|fill|stroke|background|outline|filter/; /* transitions of these properties change neither layout nor actionability */
const FRAMES_ENOUGH = 2; /* frames to wait for effects of an event before asking whether the page has listeners for it */
const LISTENER_PAUSE = 100; /* ms to wait for an effect after listeners of the page ran without a visible one */
const ROOTS_EACH = 50; /* ms between two searches for shadow roots that were attached to existing elements */
const PATH_MAX = 100; /* nodes of the event path whose listeners are requested */
const FRAMES_AHEAD = 60; /* frames that are observed at most between watchEffects() and comeToRest() */
export let effects = null;
/* Timers and frames that never stop on this page, and their counts when the last action ended. */
const endless = { timers: false, frames: false };
let countsAtEnd = null;
let idleTicks = null; /* the IdleTicks that observe the page between two actions */

const noteEvent = event => effects?.noteEvent(event);

/*
 * The listeners are never removed: adding and removing them costs 150 µs each time, because the browser tracks which
 * nodes have listeners. Adding them again has no effect unless document.open() removed them.
 */
export let isListening = false;

export function listen() {
	isListening = true;
	for (const type of OBSERVED_EVENTS)
		window.addEventListener(type, noteEvent, { capture: true, passive: true });
}

/* One observer serves all instances, because at most one Effects is active at a time. */
const mutations = new MutationObserver(records => effects?.noteMutations(records));

function listenIn(root) {
	for (const type of ROOT_EVENTS)
		root.addEventListener(type, noteEvent, { capture: true, passive: true });
}

const drawsEmpty = ({ type, attributeName, target }) => type === 'attributes' && (attributeName === 'style' || attributeName === 'class') &&
	firstElementOf(target) === null && textOf(target) === '';

const savesFile = node => node instanceof HTMLAnchorElement && hasAttribute(node, 'download');

class Effects {
	/* `fromStart`: the action has not begun yet. If false, the document is new, and the timers of its loading are not awaited. */
	constructor(fromStart) {
		this.fromStart = fromStart;
		this.last = null;      /* time of the last effect, or null */
		this.lastContent = null; /* the same for effects that change more than how an empty element is drawn, as a caret that blinks */
		this.hasSetValue = false; /* the action itself set a value or the focus */
		this.isIdle = true;    /* all tasks that were queued at the last effect have run */
		this.isLaidOut = true; /* a frame was drawn since the last mutation */
		this.pendingTimers = 0; /* timers that were set and to which no effect has been attributed yet */
		this.timerTasks = 0;   /* tasks, other than those of the action's events, that set timers */
		this.task = null;      /* the kind of the running task: 'input', 'frame', 'effect' or 'tick'; null: not known */
		this.began = timeline().currentTime ?? 0;
		this.changes = new WeakMap(); /* number of changes by node */
		this.values = null;    /* values by field; null: the next comparison only records the present values */
		this.pressed = null;   /* the target of the last pointer press; null if the last press was a key */
		this.awaited = new WeakSet(); /* animations whose end is already awaited */
		this.saving = null;    /* the click event on a link with a download attribute, until the download has begun */
		this.isPasting = false; /* the document waits for what is to be pasted (functions/clipboard.js) */
		this.isDrawn = false;
		this.refocus = new Refocus();
		this.framesLeft = FRAMES_AHEAD;
		this.timers = timersOfPage();
		this.hasClock = this.timers > 0; /* a timer that was set before the action may drive a clock */
		this.framesRun = null; /* counted at the first effect, because counting requests a frame, which wakes the renderer */
		/* Whether the page sets timers or requests frames without any action. Then only timers that were set in the action's own events count. */
		this.activeBefore = { timers: endless.timers || countsAtEnd !== null && this.timers > countsAtEnd.timers, frames: endless.frames };
		this.frame = null;     /* the id of the requested frame, until it comes */
		this.drawn = 0;        /* frames drawn since comeToRest() was called */
		this.roots = new Set(); /* the observed shadow roots */
		this.ticks = new Ticks();
		this.passedTick = 0;   /* the last value of ticks.until that has passed */
		this.hasSetTimers = false; /* timers were set since the action began */
		this.ownTimers = 0;    /* timers that were set in events of the action */
		this.path = new Set(); /* nodes on the paths of the action's events */
		this.types = new Set(); /* types of these events */
		this.scrolled = false; /* the action scrolled, or may have scrolled */
		this.scrolling = new Scrolling();
		this.scrollers = new Set(); /* elements and documents that have scrolled, the first SCROLLERS_MAX */
		this.lineKey = null;   /* the last key, if it was pressed in a text of several lines (caret.js) */
		this.hasEdited = false; /* and it has edited that text */
		this.hasListener = null; /* whether the page has a listener for the action's events; null: not known */
		this.askedRootsAt = -Infinity; /* when the closed shadow roots were last requested */
		this.candidates = [];
		this.askedListeners = false;
		idleTicks?.end();
		for (const each of documentsInSight())
			mutations.observe(each, WATCHED);
		this.findRoots();
	}

	/* Observes all shadow roots that can be reached, and returns whether some are new. */
	findRoots() {
		const known = this.roots.size;
		this.rootsAt = performance.now();
		for (const each of documentsInSight())
			eachShadowRoot(each, root => this.observeRoot(root));
		return this.roots.size > known;
	}

	observeRoot(root) {
		if (this.roots.has(root))
			return;
		this.roots.add(root);
		mutations.observe(root, WATCHED);
		listenIn(root);
	}

	/* A script may attach a shadow root to an existing element, which causes no mutation record. */
	findLateRoots() {
		if (performance.now() < this.rootsAt + ROOTS_EACH || !this.findRoots())
			return;
		this.noteNewRoot();
	}

	noteNewRoot() {
		this.pendingTimers = Math.max(0, this.pendingTimers - 1);
		this.note(false);
	}

	/* `isLate`: the root was attached after its host had been seen without one, so it is an effect. */
	meetClosedRoot(isLate) {
		if (this.findRoots() && isLate)
			this.noteNewRoot();
	}

	end() {
		countsAtEnd = { timers: this.timers, frames: this.framesRun === null ? countsAtEnd?.frames ?? Infinity : framesOfPage() };
		mutations.disconnect();
		idleTicks = new IdleTicks([...documentsInSight(), ...this.roots]);
		if (this.frame !== null)
			cancelAnimationFrame(this.frame);
		this.wake?.();
	}

	countFrames() {
		this.framesRun = framesOfPage();
		this.activeBefore.frames ||= countsAtEnd !== null && this.framesRun > countsAtEnd.frames;
	}

	/*
	 * Requests a callback in the next frame, at the first effect at the latest. A callback that is requested before those of
	 * the page also runs before them in that frame. What they post (React's scheduler renders in a message task) is awaited.
	 */
	watchFrame() {
		if (this.framesRun === null)
			this.countFrames();
		this.frame = inNextFrame(() => {
			this.frame = null;
			if (--this.framesLeft > 0)
				this.watchFrame();
			this.isDrawn = true;
			this.drawn++;
			if (this.needsFrame())
				this.awaitIdle();
			this.framesRun = framesOfPage();
			this.isLaidOut = true;
			this.beginTask('frame');
		});
	}

	/* comeToRest() waits from now on, so frames are observed without a limit. */
	startAsking() {
		this.askedAt = performance.now();
		this.framesUntil = this.askedAt + (isDocumentHidden() ? HIDDEN_FRAME_PATIENCE : FRAME_PATIENCE);
		this.drawn = 0;
		this.framesLeft = Infinity;
		if (this.frame === null)
			this.watchFrame();
	}

	/* Replaces the kind of a task that is still open: it is certain that an event is being handled now. */
	beginInput() {
		if (this.task !== null)
			this.countTimers();
		this.beginTask('input');
		this.task = 'input';
	}

	/* The user-blocking priority runs endTask() before timers and messages that are already due. */
	beginTask(kind) {
		if (this.task !== null)
			return;
		this.countTimers();
		this.task = kind;
		scheduler.postTask(() => this.endTask(), { priority: 'user-blocking' });
	}

	endTask() {
		this.countTimers();
		this.task = null;
		this.wake?.();
	}

	countTimers() {
		const timers = timersOfPage();
		const set = timers - this.timers;
		if (this.task === 'input')
			this.ownTimers += set;
		if (this.task === 'input' || !this.activeBefore.timers)
			this.pendingTimers += this.task === 'tick' ? Math.max(0, set - 1) : set; /* the first new timer replaces the one that fired */
		this.timerTasks += this.task !== 'input' && set > 0;
		if (set > 0)
			this.ticks.continueByTimers();
		this.timers = timers;
	}

	noteEvent(event) {
		if (INPUT_EVENTS.includes(event.type))
			this.noteInput(event);
		if (event.type === 'focusin' || event.type === 'focusout')
			this.notePath(event);
		if (event.type === 'scroll' || event.type === 'scrollend')
			this.noteScroll(event);
		if (VALUE_EVENTS.includes(event.type))
			this.noteValue();
		else if (EFFECT_EVENTS.includes(event.type) && event.isTrusted && !this.isOwn(event))
			this.note();
		if (event.type === 'scroll' && event.isTrusted)
			this.beginInput(); /* timers that scroll listeners set are attributed to the action */
	}

	noteScroll(event) {
		const [scroller] = event.composedPath();
		noteScroller(scroller);
		if (event.type === 'scrollend')
			this.scrolling.end(scroller);
		else if (event.isTrusted && !this.isOwn(event)) {
			this.scrolling.begin(scroller);
			if (this.scrollers.size < SCROLLERS_MAX)
				this.scrollers.add(scroller);
		}
	}

	/* Each keydown resets the count of pending timers: a page usually cancels the timers of earlier keys when the next key arrives. */
	noteInput(event) {
		this.beginInput();
		this.notePath(event);
		if (event.type === 'click' && event.composedPath().some(savesFile))
			this.saving = event;
		if (event.type === 'keydown') {
			this.countTimers();
			this.pendingTimers = 0;
		}
		if (event.type === 'keydown' || event.type === 'pointerdown') {
			this.pressed = event.type === 'keydown' ? null : event.composedPath()[0];
			this.lineKey = event.type === 'keydown' ? lineKeyOf(event) : null;
			this.hasEdited = false;
		} else if (event.type !== 'keyup')
			this.hasEdited = true;
	}

	notePath(event) {
		this.types.add(event.type);
		for (const node of event.composedPath()) {
			if (node !== window)
				this.path.add(node);
		}
	}

	/* Whether the event is a default action of the press (scrolling, focus on a non-field), and so occurs on any page. */
	isOwn({ type, target }) {
		if (isOwnChange || type === 'focusin' && this.refocus.takes(target))
			return true;
		if (this.pressed === null)
			return false;
		const takesFocus = target instanceof Element && (editable(target) || target instanceof HTMLSelectElement);
		return type === 'scroll' || type === 'scrollend' || type === 'focusin' && !takesFocus && holds(target, this.pressed);
	}

	noteMutations(all) {
		const records = all.filter(record => !isOverlayRecord(record));
		if (records.length === 0)
			return;
		const isAlone = this.task === null; /* neither an event nor a frame caused these mutations */
		for (const record of records)
			this.observeAdded(record);
		this.hasSetTimers ||= this.ownTimers > 0 || this.pendingTimers > 0;
		if (this.task !== 'input' && this.hasSetTimers) /* the kinds of other tasks are not reliable enough to exclude them */
			this.ticks.note(records, performance.now());
		if (isAlone && (this.hasClock || this.answers) && records.every(isTick)) {
			this.beginTask('tick');
			return;
		}
		const news = this.newsOf(new Set(records.map(record => record.target)));
		if (news.length === 0)
			return;
		this.isLaidOut = isDocumentHidden();
		this.note(news.some(node => (rootDocumentOf(node) ?? node) === document), !records.every(drawsEmpty));
	}

	observeAdded({ addedNodes }) {
		for (const node of addedNodes) {
			if (isElement(node))
				eachShadowRoot(node, root => this.observeRoot(root));
		}
	}

	/* Counts a change for each node, and returns the nodes that have not changed more than CLOCK_CHANGES times. */
	newsOf(nodes) {
		return [...nodes].filter(node => {
			const count = (this.changes.get(node) ?? 0) + 1;
			this.changes.set(node, count);
			return count <= CLOCK_CHANGES;
		});
	}

	/* A script that sets the value of a field causes neither an event nor a mutation, so the values are compared. */
	compareValues() {
		const former = this.values;
		this.values = fieldValues(this.roots);
		if (this.newsOf(changedFields(former, this.values)).length > 0)
			this.note();
	}

	/* Records an effect. `isHere`: it is in this document, whose timers may have caused it. For `isContent` see `lastContent`. */
	note(isHere = true, isContent = true) {
		if (isHere && this.task === null && this.pendingTimers > 0)
			this.pendingTimers--;
		this.beginTask('effect');
		if (this.framesRun === null) /* the page may have requested a frame before counting began, so wait for the next one */
			this.isLaidOut = isDocumentHidden();
		if (this.frame === null && this.framesLeft > 0)
			this.watchFrame();
		this.awaitIdle();
		this.last = performance.now();
		if (isContent)
			this.lastContent = this.last;
	}

	noteValue() {
		this.awaitIdle();
		this.hasSetValue = true;
		this.values = null;
	}

	/* A background task runs after the messages and timers that are already queued. */
	awaitIdle() {
		if (!this.isIdle)
			return;
		this.isIdle = false;
		scheduler.postTask(() => {
			this.isIdle = true;
			this.wake?.();
		}, { priority: 'background' });
	}

	/* The running animations that the action started, that end before `until` and that are not cosmetic. */
	animations(until) {
		const running = documentAnimations();
		for (const root of this.roots)
			running.push(...animationsIn(root));
		return running.filter(animation => {
			const { endTime } = animation.effect?.getComputedTiming() ?? { endTime: Infinity };
			const rest = endTime - (animation.currentTime ?? 0);
			return animation.playState === 'running' && rest < until - performance.now() &&
				(animation.startTime ?? Infinity) >= this.began - CLOCK_ERROR && !COSMETIC.test(animation.transitionProperty);
		});
	}

	awaitEnd(animation) {
		const end = () => {
			this.last = performance.now();
			this.wake?.();
		};
		if (!this.awaited.has(animation))
			animation.finished.then(end, end);
		this.awaited.add(animation);
	}

	needsFrame() {
		return !this.isLaidOut || !this.activeBefore.frames && framesOfPage() > this.framesRun;
	}

	/* Whether no effect has been seen, pending mutation records included. */
	isWithoutEffect() {
		this.beginTask('input');
		this.noteMutations(mutations.takeRecords());
		return this.quietAt(null) === Infinity && !this.isSaving() && this.pendingTimers === 0;
	}

	/*
	 * Scroll events arrive only with the next frame, so scroll positions are compared instead. In a document with more than
	 * SCROLLERS_MAX elements, only the scrolling element and those whose scroll events were seen before are compared.
	 */
	hasScrolled() {
		const scrollers = elementCount() <= SCROLLERS_MAX ? queryAll('*').filter(mayScroll) : [...knownScrollers].map(known => known.deref());
		this.scrolled = [scrollingElement(), ...scrollers].filter(element => element && hasMoved(element)).length > 0;
		return this.scrolled;
	}

	/*
	 * Whether a call with `skipFirstWait` may end: neither a frame that may show scrolling nor a download is pending, nor, with
	 * `awaitsTimers`, a timer.
	 */
	hasNothingPending(awaitsTimers) {
		const isFrameDue = this.scrolled && this.drawn < FRAMES_ENOUGH && performance.now() < this.framesUntil;
		return !isFrameDue && !this.isSaving() && !(awaitsTimers && this.pendingTimers > 0);
	}

	isSaving() {
		return this.saving?.defaultPrevented === false;
	}

	/* Whether the page has never set a timer or requested a frame: nothing in it changes by itself. */
	isStill() {
		return this.timers === 0 && framesOfPage() === 0;
	}

	/*
	 * The time at which the document has been quiet for long enough. `touched` is the time of an effect outside this
	 * document, or null. If only values changed, or if a new document is still, it is quiet once the queued tasks have run.
	 */
	quietAt(touched) {
		if (this.last !== null)
			return Math.max(this.last, touched ?? 0) + QUIET;
		if (touched !== null)
			return !this.fromStart && this.isStill() ? 0 : touched + QUIET;
		return this.hasSetValue ? 0 : this.quietUnseen();
	}

	/* The quiet time when no effect has been seen. */
	quietUnseen() {
		if (this.hasNoListener())
			return 0;
		return this.hasListener && !this.answers && this.pendingTimers === 0 ? this.askedAt + LISTENER_PAUSE : Infinity;
	}

	/*
	 * Whether the page has no listener for the action's events, so that none of its timers belong to the action. On a page
	 * that sets timers all the time, another task may run before the end of the event's task is seen, so timers that are
	 * attributed to the event are not trusted there.
	 */
	hasNoListener() {
		return this.hasListener === false && (this.ownTimers === 0 || this.activeBefore.timers);
	}

	/* The time at which the document is at rest if nothing more happens; Infinity while something is pending. */
	restAt(touched, until) {
		this.countTimers();
		this.compareValues();
		const keyed = this.lineKeyEnd();
		let quiet = this.quietAt(touched);
		if (quiet === Infinity)
			quiet = keyed;
		if (this.fromStart && this.pendingTimers > 0 && !this.hasNoListener())
			quiet = Math.max(quiet, keyed);
		if (quiet === Infinity || !this.isIdle || this.isSaving() || this.isPasting || this.scrolling.isUnderWay())
			return Infinity;
		if (this.fromStart && this.needsFrame())
			return this.isDrawn ? Infinity : this.framesUntil;
		const [animation] = this.animations(until);
		if (!animation)
			return Math.max(quiet, this.ticksEnd());
		this.awaitEnd(animation);
		return Infinity;
	}

	/* The time from which the timers of the last key no longer count; Infinity: they count as long as there is patience. */
	lineKeyEnd() {
		if (!this.lineKey || !this.askedAt)
			return Infinity;
		if (this.lineKey.movesCaret && !this.hasEdited)
			return this.askedAt + LISTENER_PAUSE;
		return this.lineKey.isInVain ? Math.max(this.askedAt, this.lastContent) + LISTENER_PAUSE : Infinity;
	}

	/*
	 * The expected end of the steps that recur. Steps of a busy page may be late, so once that time has passed, a new timer
	 * confirms it: timers that are already due run before it.
	 */
	ticksEnd() {
		const { until } = this.ticks;
		if (until === 0 || performance.now() < until || this.passedTick === until)
			return until;
		later(() => {
			this.passedTick = until;
			this.wake?.();
		}, 0);
		return Infinity;
	}

	/* The patience ran out first: what still recurs is attributed to the page, not to the action. */
	giveUp() {
		this.ticks.giveUp(performance.now());
		this.lineKey?.setInVain(this.lastContent < this.askedAt + LISTENER_PAUSE);
		endless.timers ||= this.timerTasks >= ENDLESS_TASKS;
		endless.frames ||= framesOfPage() > this.framesRun;
	}

	/*
	 * A document that was busy until the patience ended has not run the timers that were due meanwhile. Resolves when they have run, so
	 * that their effects and the requests that they begin count. A page that never rests does not hold it up.
	 */
	catchUp() {
		return new Promise(resolve => {
			scheduler.postTask(resolve, { priority: 'background' });
			later(resolve, CATCH_UP);
		});
	}

	/*
	 * What the server has to look up through CDP before the wait can go on: 'roots' for the closed shadow roots of
	 * `candidates`, 'listeners' for the event listeners of the nodes in `path`, or null.
	 */
	question(touched) {
		if (!this.fromStart)
			return null;
		if (performance.now() >= this.askedRootsAt + ROOTS_EACH) {
			this.askedRootsAt = performance.now();
			this.candidates = closedRootCandidates(documentsInSight(), this.path);
			if (this.candidates.length > 0)
				return 'roots';
		}
		const isUnseen = this.last === null && touched === null && !this.hasSetValue;
		if (!isUnseen || this.askedListeners || this.path.size === 0 || !this.isIdle)
			return null;
		if (this.drawn < FRAMES_ENOUGH && performance.now() < this.framesUntil)
			return null;
		this.askedListeners = true;
		if (this.path.size <= PATH_MAX && ![...this.path].some(runsUnlistedScripts))
			return 'listeners';
		this.hasListener = true;
		return null;
	}

	/* `types`: the event types of the page's listeners on the nodes in `path`. */
	answerListeners(types) {
		this.hasListener = types.some(type => leadsTo(this.types, type));
	}

	/* Resolves when a task that was observed ends or an awaited animation finishes, or after `delay` ms. */
	next(delay) {
		return new Promise(resolve => {
			this.wake = resolve;
			later(resolve, Math.round(delay)); /* timers take whole ms; the caller checks again after an early wake-up */
		});
	}
}

afterOwnChange(() => effects?.noteValue());

export function stopWatching() {
	effects?.end();
	effects = null;
}

/* Replaces the active Effects by a new one; for `fromStart` see its constructor. */
export function startWatching(fromStart) {
	stopWatching();
	effects = new Effects(fromStart);
	return effects;
}

/* The active Effects of the action, or a new one for a document that was loaded during it. */
export function keepWatching() {
	return effects ?? startWatching(false);
}
