/*
 * Whether an action has had an effect, and whether the document has come to rest after it: docs/settling.md says by
 * which rule.
 *
 * Effects are mutations, also in other documents of the page, values and the focus that change, scrolling. Timers that
 * the page sets are a debt until an effect comes that may be theirs: of one set by the action nothing but its number can
 * be seen, and no delay.
 */
const INPUT_EVENTS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'keydown', 'keyup', 'beforeinput', 'input', 'change'];
const VALUE_EVENTS = ['input', 'change'];
const EFFECT_EVENTS = ['focusin', 'scroll', 'toggle'];
const HEARD_EVENTS = new Set([...INPUT_EVENTS, ...VALUE_EVENTS, ...EFFECT_EVENTS]);
const WATCHED = { subtree: true, childList: true, attributes: true, characterData: true };
const STEADY = 8; /* a node that has changed so often has a clock of its own */
const LINKS = 3; /* tasks that set timers, of those that nothing ends: so many that it is no coincidence */
const FRAME_PATIENCE = 200; /* ms for the first one; a page that is not drawn has none */
const QUIET = 12; /* ms without an effect: long enough for what scripts do in the next frame */
const COSMETIC = /color|shadow|fill|stroke|background|outline|filter/; /* nothing follows from their animations */
const FRAMES_AHEAD = 60; /* that are watched before anybody asks whether it is at rest */
const FIELDS = 'input, select, textarea';
const FIELDS_MAX = 500; /* whose values are compared */
let effects = null;
/* What this page was found to do on and on, and how much of it there was when an action was over last. */
const endless = { timers: false, frames: false };
let left = null;
let ownDoing = false;

const hear = event => effects?.hear(event);

/*
 * They stay: to add and remove them costs 150 µs, as the browser keeps account of where there are any. Adding them again
 * changes nothing, unless document.open() has removed them.
 */
let isListening = false;

function listen() {
	isListening = true;
	for (const type of HEARD_EVENTS)
		window.addEventListener(type, hear, { capture: true, passive: true });
}

/* Whoever watches now is told; there is one at a time. */
const mutations = new MutationObserver(records => effects?.noteMutations(records));

const heldBy = field => field.type === 'checkbox' || field.type === 'radio' ? field.checked : field.value;

/* The document of a window and those of its frames, as far as they are of the same origin. */
function documentsIn(view) {
	let own;
	try {
		own = view.document;
	} catch {
		return [];
	}
	const documents = [own];
	for (let i = 0; i < view.length; i++)
		documents.push(...documentsIn(view[i]));
	return documents;
}

function documentsInSight() {
	if (window.length === 0 && window.parent === window) /* most pages, at once */
		return [document];
	let top = window;
	while (top.frameElement)
		top = top.parent;
	return documentsIn(top);
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
		this.framesRun = null; /* not counted yet: to ask the browser for a frame wakes it up */
		/* What the page does by itself while nobody acts: then only timers of the action's own events are its. */
		this.restless = { timers: endless.timers || left !== null && this.timers > left.timers, frames: endless.frames };
		this.frame = null;     /* that was asked for and has not come */
		for (const each of documentsInSight())
			mutations.observe(each, WATCHED);
	}

	end() {
		left = { timers: this.timers, frames: this.framesRun === null ? left?.frames ?? Infinity : framesOfPage() };
		mutations.disconnect();
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
			this.framesRun = framesOfPage();
			this.isLaidOut = true;
			this.beginTask('frame');
		});
	}

	/* Somebody waits for it now. */
	startAsking() {
		this.askedAt = performance.now();
		this.framesLeft = Infinity;
		if (this.frame === null)
			this.watchFrame();
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
		if (this.task === 'input' || !this.restless.timers)
			this.debt += timers - this.timers;
		this.links += this.task !== 'input' && timers > this.timers;
		this.timers = timers;
	}

	hear(event) {
		if (INPUT_EVENTS.includes(event.type))
			this.noteInput(event);
		if (VALUE_EVENTS.includes(event.type))
			this.noteValue();
		else if (EFFECT_EVENTS.includes(event.type) && event.isTrusted && !this.isOwn(event))
			this.note();
	}

	/* Of several keys the last one counts: timers of those before are mostly taken back. */
	noteInput(event) {
		this.beginTask('input');
		if (event.type === 'click' && event.composedPath().some(savesFile))
			this.saving = event;
		if (event.type === 'keydown') {
			this.countTimers();
			this.debt = 0;
		}
		if (event.type === 'keydown' || event.type === 'pointerdown')
			this.pressed = event.type === 'keydown' ? null : event.composedPath()[0];
	}

	/* What a press does by itself, whatever the page makes of it. */
	isOwn({ type, target }) {
		if (ownDoing)
			return true;
		if (this.pressed === null)
			return false;
		const takesFocus = target instanceof Element && (editable(target) || target instanceof HTMLSelectElement);
		return type === 'scroll' || type === 'focusin' && !takesFocus && holds(target, this.pressed);
	}

	noteMutations(records) {
		const news = this.newsOf(new Set(records.map(record => record.target)));
		if (news.length === 0)
			return;
		this.isLaidOut = isDocumentHidden();
		this.note(news.some(node => (rootDocumentOf(node) ?? node) === document));
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
		this.values = new Map(Array.from(queryAll(FIELDS)).slice(0, FIELDS_MAX).map(field => [field, heldBy(field)]));
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
		return documentAnimations().filter(animation => {
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
		const records = mutations.takeRecords();
		if (records.length)
			this.noteMutations(records);
		return this.quietAt(null) === Infinity && !this.isSaving();
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
		return this.isSet ? 0 : Infinity;
	}

	/* When it will be at rest if nothing more happens; Infinity: something will, or has to. */
	restAt(touched, until) {
		this.countTimers();
		this.compareValues();
		const quiet = this.quietAt(touched);
		if (quiet === Infinity || !this.isIdle || this.fromStart && this.debt > 0 || this.isSaving())
			return Infinity;
		if (this.fromStart && this.needsFrame())
			return this.isDrawn ? Infinity : this.askedAt + FRAME_PATIENCE;
		const [animation] = this.animations(until);
		if (!animation)
			return quiet;
		this.awaitEnd(animation);
		return Infinity;
	}

	/* Time was over first. What goes on and on did not come from the action. */
	giveUp() {
		endless.timers ||= this.links >= LINKS;
		endless.frames ||= framesOfPage() > this.framesRun;
	}

	/* Resolves after the next effect or frame, or `delay` ms. */
	next(delay) {
		return new Promise(resolve => {
			this.wake = resolve;
			later(resolve, Math.round(delay)); /* whole ms; who is woken too early looks again */
		});
	}
}

/* What an action sets and focuses in here is its own doing; the effects are what the page makes of it. */
function asOwnDoing(act) {
	ownDoing = true;
	try {
		return act();
	} finally {
		ownDoing = false;
		effects?.noteValue();
	}
}

function stopWatching() {
	effects?.end();
	effects = null;
}

exported.watchEffects = () => {
	listen();
	stopWatching();
	effects = new Effects(true);
	effects.rememberValues();
	effects.watchFrame();
};

/* What no document shows: a file is being saved. */
exported.noteElsewhere = () => {
	if (effects) {
		effects.saving = null;
		effects.note();
	}
};

/*
 * {patience, touched, glances, titleLimit}: resolves when the document is at rest, or after `patience` ms, to what it shows
 * then: {url, title}. Without any effect, which `touched` says that there was elsewhere, it waits for one as long; with
 * `glances` not at all.
 */
exported.comeToRest = options => resting = comeToRest(options);
let resting = null; /* the last of these promises */

async function comeToRest({ patience, touched, glances, titleLimit }) {
	const start = performance.now();
	const until = start + patience;
	listen();
	const watched = effects ??= new Effects(false);
	watched.awaitIdle();
	watched.startAsking();
	const elsewhere = touched ? start : null;
	for (let now = start; !(glances && watched.quietAt(elsewhere) === Infinity && !watched.isSaving()); now = performance.now()) {
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
	return shownPage(titleLimit);
}
