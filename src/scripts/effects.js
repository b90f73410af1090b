/*
 * The effects that an action has on the document, and when it will be at rest after them: docs/settling.md says by which
 * rule. settle.js waits for it.
 *
 * Effects are mutations, also in other documents of the page, values and the focus that change, scrolling. Timers that
 * the page sets are a debt until an effect comes that may be theirs: of one set by the action nothing but its number can
 * be seen, and no delay.
 */
import { movesCaret } from './caret.js';
import { animationsIn, documentAnimations, holds, isDocumentHidden, queryAll, scrollingElement, timeline } from './dom.js';
import { afterOwnDoing, isOwnDoing } from './owndoing.js';
import { hasAttribute, isElement, queryIn, rootDocumentOf } from './raw.js';
import { leadsTo, runsByItself } from './relevance.js';
import { closedRootCandidates, documentsInSight, eachShadowRoot } from './roots.js';
import { hasMoved, knownScrollers, noteScroller, SCROLLERS_MAX } from './scrollwatch.js';
import { IdleTicks, isTick, Ticks } from './ticks.js';
import { framesOfPage, inNextFrame, later, timersOfPage } from './timers.js';
import { editable } from './typing.js';

const INPUT_EVENTS = [
	'pointermove', 'pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'keydown', 'keyup', 'beforeinput', 'input', 'change',
	'dragstart', 'drop',
];
const VALUE_EVENTS = ['input', 'change'];
const EFFECT_EVENTS = ['focusin', 'scroll', 'toggle'];
const HEARD_EVENTS = new Set([...INPUT_EVENTS, 'focusout', ...EFFECT_EVENTS]);
const ROOT_EVENTS = ['change', ...EFFECT_EVENTS]; /* that do not leave a shadow root, or not always */
const WATCHED = { subtree: true, childList: true, attributes: true, characterData: true, attributeOldValue: true, characterDataOldValue: true };
const STEADY = 8; /* a node that has changed so often has a clock of its own */
const LINKS = 3; /* tasks that set timers, of those that nothing ends: so many that it is no coincidence */
const FRAME_PATIENCE = 200; /* ms for the first one; a page that is not drawn has none */
const QUIET = 12; /* ms without an effect: long enough for what scripts do in the next frame */
const COSMETIC = /color|shadow|fill|stroke|background|outline|filter/; /* nothing follows from their animations */
const FRAMES_ENOUGH = 2; /* for the effects of an event that no script of the page has heard */
const LINGER = 100; /* ms for an effect, where scripts ran and left nothing that can be seen */
const ROOTS_EACH = 50; /* ms between two looks for shadow roots that elements got later */
const PATH_MAX = 100; /* nodes whose listeners are asked for */
const FRAMES_AHEAD = 60; /* that are watched before anybody asks whether it is at rest */
const FIELDS = 'input, select, textarea';
const FIELDS_MAX = 500; /* whose values are compared */
export let effects = null;
/* What this page was found to do on and on, and how much of it there was when an action was over last. */
const endless = { timers: false, frames: false };
let left = null;
let idleTicks = null; /* IdleTicks, between two actions */

const hear = event => effects?.hear(event);

/*
 * They stay: to add and remove them costs 150 µs, as the browser keeps account of where there are any. Adding them again
 * changes nothing, unless document.open() has removed them.
 */
export let isListening = false;

export function listen() {
	isListening = true;
	for (const type of HEARD_EVENTS)
		window.addEventListener(type, hear, { capture: true, passive: true });
}

/* Whoever watches now is told; there is one at a time. */
const mutations = new MutationObserver(records => effects?.noteMutations(records));

const heldBy = field => field.type === 'checkbox' || field.type === 'radio' ? field.checked : field.value;

function listenIn(root) {
	for (const type of ROOT_EVENTS)
		root.addEventListener(type, hear, { capture: true, passive: true });
}

const savesFile = node => node instanceof HTMLAnchorElement && hasAttribute(node, 'download');

class Effects {
	/* `fromStart`: the action is still to come. Otherwise the document is new, and its timers are its own business. */
	constructor(fromStart) {
		this.fromStart = fromStart;
		this.last = null;      /* when the last effect was seen */
		this.isSet = false;    /* a value was set, which is the action's own doing */
		this.isIdle = true;    /* all tasks that were due at the last effect have run */
		this.isLaidOut = true; /* a frame has come since the last mutation */
		this.debt = 0;         /* timers that have been set and have had no effect */
		this.links = 0;        /* tasks other than the action's own that have set timers */
		this.task = null;      /* 'input', 'frame', 'effect': what is known of the one that runs */
		this.began = timeline().currentTime ?? 0;
		this.changes = new WeakMap(); /* of each node */
		this.values = null;    /* of fields, by field; null: what they have now shall be taken for granted */
		this.pressed = null;   /* the last press was on it; null: it was a key */
		this.awaited = new WeakSet(); /* animations */
		this.saving = null;    /* the click on a link whose file is to be saved, until that has begun */
		this.isDrawn = false;
		this.framesLeft = FRAMES_AHEAD;
		this.timers = timersOfPage();
		this.hasClock = this.timers > 0; /* a timer from before may be one */
		this.framesRun = null; /* not counted yet: to ask the browser for a frame wakes it up */
		/* What the page does by itself while nobody acts: then only timers of the action's own events are its. */
		this.restless = { timers: endless.timers || left !== null && this.timers > left.timers, frames: endless.frames };
		this.frame = null;     /* that was asked for and has not come */
		this.drawn = 0;        /* frames since somebody waits */
		this.roots = new Set(); /* shadow roots that are observed */
		this.ticks = new Ticks();
		this.ticksOver = 0;    /* which end of them has been confirmed */
		this.isOwing = false;  /* timers were set since the action began */
		this.ownTimers = 0;    /* set by events of the action */
		this.path = new Set(); /* nodes that events of the action came through */
		this.types = new Set(); /* of these events */
		this.scrolled = false; /* or it may have been */
		this.movesCaret = false; /* scripts/caret.js: the last key did nothing else */
		this.heard = null;     /* whether a listener of the page was there for them; null: not known */
		this.askedRootsAt = -Infinity; /* when closed ones were asked for */
		this.candidates = [];
		this.askedListeners = false;
		idleTicks?.end();
		for (const each of documentsInSight())
			mutations.observe(each, WATCHED);
		this.findRoots();
	}

	/* Returns whether there are new ones. */
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

	/* Elements that have been there for a while may get a root, which is no mutation. */
	findLateRoots() {
		if (performance.now() < this.rootsAt + ROOTS_EACH || !this.findRoots())
			return;
		this.noteNewRoot();
	}

	noteNewRoot() {
		this.debt = Math.max(0, this.debt - 1);
		this.note(false);
	}

	/* `isLate`: its host has been there without it. */
	meetClosedRoot(isLate) {
		if (this.findRoots() && isLate)
			this.noteNewRoot();
	}

	end() {
		left = { timers: this.timers, frames: this.framesRun === null ? left?.frames ?? Infinity : framesOfPage() };
		mutations.disconnect();
		idleTicks = new IdleTicks([...documentsInSight(), ...this.roots]);
		if (this.frame !== null)
			cancelAnimationFrame(this.frame);
		this.wake?.();
	}

	countFrames() {
		this.framesRun = framesOfPage();
		this.restless.frames ||= left !== null && this.framesRun > left.frames;
	}

	/* From the first effect on at the latest. Where it is asked for before the page can, it comes first in its frame. */
	watchFrame() {
		if (this.framesRun === null)
			this.countFrames();
		this.frame = inNextFrame(() => {
			this.frame = null;
			if (--this.framesLeft > 0)
				this.watchFrame();
			this.isDrawn = true;
			this.drawn++;
			this.framesRun = framesOfPage();
			this.isLaidOut = true;
			this.beginTask('frame');
		});
	}

	/* Somebody waits for it now. */
	startAsking() {
		this.askedAt = performance.now();
		this.drawn = 0;
		this.framesLeft = Infinity;
		if (this.frame === null)
			this.watchFrame();
	}

	/* What was begun and has not ended gives way: that an event is being handled is certain. */
	beginInput() {
		if (this.task !== null)
			this.countTimers();
		this.beginTask('input');
		this.task = 'input';
	}

	/* Its end comes ahead of the timers and messages that are due already. */
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
		if (this.task === 'input' || !this.restless.timers)
			this.debt += this.task === 'tick' ? Math.max(0, set - 1) : set; /* the first one takes the place of the one that has fired */
		this.links += this.task !== 'input' && set > 0;
		if (set > 0)
			this.ticks.continueByTimers();
		this.timers = timers;
	}

	hear(event) {
		if (INPUT_EVENTS.includes(event.type))
			this.noteInput(event);
		if (event.type === 'focusin' || event.type === 'focusout')
			this.notePath(event);
		if (event.type === 'scroll')
			noteScroller(event.composedPath()[0]);
		if (VALUE_EVENTS.includes(event.type))
			this.noteValue();
		else if (EFFECT_EVENTS.includes(event.type) && event.isTrusted && !this.isOwn(event))
			this.note();
		if (event.type === 'scroll' && event.isTrusted)
			this.beginInput(); /* what its listeners set comes from the action */
	}

	/* Of several keys the last one counts: timers of those before are mostly taken back. */
	noteInput(event) {
		this.beginInput();
		this.notePath(event);
		if (event.type === 'click' && event.composedPath().some(savesFile))
			this.saving = event;
		if (event.type === 'keydown') {
			this.countTimers();
			this.debt = 0;
		}
		if (event.type !== 'keyup')
			this.movesCaret = event.type === 'keydown' && movesCaret(event);
		if (event.type === 'keydown' || event.type === 'pointerdown')
			this.pressed = event.type === 'keydown' ? null : event.composedPath()[0];
	}

	notePath(event) {
		this.types.add(event.type);
		for (const node of event.composedPath()) {
			if (node !== window)
				this.path.add(node);
		}
	}

	/* What a press does by itself, whatever the page makes of it. */
	isOwn({ type, target }) {
		if (isOwnDoing)
			return true;
		if (this.pressed === null)
			return false;
		const takesFocus = target instanceof Element && (editable(target) || target instanceof HTMLSelectElement);
		return type === 'scroll' || type === 'focusin' && !takesFocus && holds(target, this.pressed);
	}

	noteMutations(records) {
		const isAlone = this.task === null; /* no event and no frame led to it */
		for (const record of records)
			this.observeAdded(record);
		this.isOwing ||= this.ownTimers > 0 || this.debt > 0;
		if (this.task !== 'input' && this.isOwing) /* other tasks are not told apart that sharply */
			this.ticks.note(records, performance.now());
		if (isAlone && (this.hasClock || this.answers) && records.every(isTick)) {
			this.beginTask('tick');
			return;
		}
		const news = this.newsOf(new Set(records.map(record => record.target)));
		if (news.length === 0)
			return;
		this.isLaidOut = isDocumentHidden();
		this.note(news.some(node => (rootDocumentOf(node) ?? node) === document));
	}

	observeAdded({ addedNodes }) {
		for (const node of addedNodes) {
			if (isElement(node))
				eachShadowRoot(node, root => this.observeRoot(root));
		}
	}

	/* Those of the nodes, which have changed, that have no clock of their own. */
	newsOf(nodes) {
		return [...nodes].filter(node => {
			const count = (this.changes.get(node) ?? 0) + 1;
			this.changes.set(node, count);
			return count <= STEADY;
		});
	}

	rememberValues() {
		const fields = Array.from(queryAll(FIELDS));
		for (const root of this.roots)
			fields.push(...queryIn(root, FIELDS));
		this.values = new Map(fields.slice(0, FIELDS_MAX).map(field => [field, heldBy(field)]));
	}

	/* No event tells that a script has set the value of a field. */
	compareValues() {
		const former = this.values;
		this.rememberValues();
		const changed = [...this.values.keys()].filter(field => former?.has(field) && former.get(field) !== this.values.get(field));
		if (this.newsOf(changed).length > 0)
			this.note();
	}

	/* `isHere`: in this document, whose timers may have led to it. */
	note(isHere = true) {
		if (isHere && this.task === null && this.debt > 0)
			this.debt--;
		this.beginTask('effect');
		if (this.framesRun === null) /* which frames were asked for before is not known: the next one has to come */
			this.isLaidOut = isDocumentHidden();
		if (this.frame === null && this.framesLeft > 0)
			this.watchFrame();
		this.awaitIdle();
		this.last = performance.now();
	}

	noteValue() {
		this.awaitIdle();
		this.isSet = true;
		this.values = null;
	}

	/* Messages that scripts send to themselves come before it. */
	awaitIdle() {
		if (!this.isIdle)
			return;
		this.isIdle = false;
		scheduler.postTask(() => {
			this.isIdle = true;
			this.wake?.();
		}, { priority: 'background' });
	}

	/* Those that the action has started, that end before `until` and may have consequences. */
	animations(until) {
		const running = documentAnimations();
		for (const root of this.roots)
			running.push(...animationsIn(root));
		return running.filter(animation => {
			const { endTime } = animation.effect?.getComputedTiming() ?? { endTime: Infinity };
			const rest = endTime - (animation.currentTime ?? 0);
			return animation.playState === 'running' && rest < until - performance.now() &&
				(animation.startTime ?? Infinity) >= this.began && !COSMETIC.test(animation.transitionProperty);
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
		return !this.isLaidOut || !this.restless.frames && framesOfPage() > this.framesRun;
	}

	/* Nothing has been seen so far, also of what has just happened. */
	isUntouched() {
		this.beginTask('input');
		const records = mutations.takeRecords();
		if (records.length)
			this.noteMutations(records);
		return this.quietAt(null) === Infinity && !this.isSaving();
	}

	/*
	 * Scroll events come with the next frame. Too many elements are not compared: only the one that scrolls the window, and
	 * those that have been scrolled while somebody watched.
	 */
	hasScrolled() {
		const elements = queryAll('*');
		const scrollers = elements.length <= SCROLLERS_MAX ? [...elements] : [...knownScrollers].map(known => known.deref());
		this.scrolled = [scrollingElement(), ...scrollers].filter(element => element && hasMoved(element)).length > 0;
		return this.scrolled;
	}

	/* Nothing is to be waited for, where effects are not waited for. */
	hasOnlyGlanced() {
		const isFrameDue = this.scrolled && this.drawn < FRAMES_ENOUGH && performance.now() < this.askedAt + FRAME_PATIENCE;
		return !isFrameDue && !this.isSaving();
	}

	isSaving() {
		return this.saving?.defaultPrevented === false;
	}

	/* The page has never asked for a timer or a frame: nothing in it goes on by itself. */
	isStill() {
		return this.timers === 0 && framesOfPage() === 0;
	}

	/*
	 * When it has been quiet for long enough; `touched`: when an effect came that cannot be seen here, or null. Values alone,
	 * and a new document that is still, are quiet once the tasks that are due have run.
	 */
	quietAt(touched) {
		if (this.last !== null)
			return this.last + QUIET;
		if (touched !== null)
			return !this.fromStart && this.isStill() ? 0 : touched + QUIET;
		return this.isSet ? 0 : this.quietUnseen();
	}

	/* The same where no effect has been seen. */
	quietUnseen() {
		if (this.isUnheard())
			return 0;
		return this.heard && !this.answers && this.debt === 0 ? this.askedAt + LINGER : Infinity;
	}

	/*
	 * No script of the page was there for the action's events, and so none has set a timer then. On a page that sets timers
	 * all the time, one of these may run before the end of the event's task is seen, and be taken for the event's.
	 */
	isUnheard() {
		return this.heard === false && (this.ownTimers === 0 || this.restless.timers);
	}

	/* When it will be at rest if nothing more happens; Infinity: something will, or has to. */
	restAt(touched, until) {
		this.countTimers();
		this.compareValues();
		const moved = this.movesCaret && this.askedAt ? this.askedAt + LINGER : Infinity;
		let quiet = this.quietAt(touched);
		if (quiet === Infinity)
			quiet = moved;
		if (this.fromStart && this.debt > 0 && !this.isUnheard())
			quiet = Math.max(quiet, moved);
		if (quiet === Infinity || !this.isIdle || this.isSaving())
			return Infinity;
		if (this.fromStart && this.needsFrame())
			return this.isDrawn ? Infinity : this.askedAt + FRAME_PATIENCE;
		const [animation] = this.animations(until);
		if (!animation)
			return Math.max(quiet, this.ticksEnd());
		this.awaitEnd(animation);
		return Infinity;
	}

	/* A page that was held up has steps that are late: timers that were due run before one that is set now. */
	ticksEnd() {
		const { until } = this.ticks;
		if (until === 0 || performance.now() < until || this.ticksOver === until)
			return until;
		later(() => {
			this.ticksOver = until;
			this.wake?.();
		}, 0);
		return Infinity;
	}

	/* Time was over first. What goes on and on did not come from the action. */
	giveUp() {
		this.ticks.giveUp(performance.now());
		endless.timers ||= this.links >= LINKS;
		endless.frames ||= framesOfPage() > this.framesRun;
	}

	/*
	 * What C has to find out before it is known how long to wait: 'roots', the closed shadow roots of `candidates`; 'listeners',
	 * those of the nodes in `path`.
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
		const isUnseen = this.last === null && touched === null && !this.isSet;
		if (!isUnseen || this.askedListeners || this.path.size === 0 || !this.isIdle)
			return null;
		if (this.drawn < FRAMES_ENOUGH && performance.now() < this.askedAt + FRAME_PATIENCE)
			return null;
		this.askedListeners = true;
		if (this.path.size <= PATH_MAX && ![...this.path].some(runsByItself))
			return 'listeners';
		this.heard = true;
		return null;
	}

	/* `types`: of the listeners that the page has there. */
	answerListeners(types) {
		this.heard = types.some(type => leadsTo(this.types, type));
	}

	/* Resolves after the next effect or frame, or `delay` ms. */
	next(delay) {
		return new Promise(resolve => {
			this.wake = resolve;
			later(resolve, Math.round(delay)); /* whole ms; who is woken too early looks again */
		});
	}
}

afterOwnDoing(() => effects?.noteValue());

export function stopWatching() {
	effects?.end();
	effects = null;
}

/* Watches from now on, `fromStart` or not, instead of what was watched so far. */
export function startWatching(fromStart) {
	stopWatching();
	effects = new Effects(fromStart);
	return effects;
}

/* Watches the document until it is at rest, from now on or from the beginning of the action. */
export function keepWatching() {
	return effects ?? startWatching(false);
}
