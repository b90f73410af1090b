/*
 * Whether an action has had an effect, and whether the document has come to rest after it. Effects are mutations,
 * values and the focus that change, scrolling.
 */
const EFFECT_EVENTS = ['input', 'change', 'focusin', 'focusout', 'scroll', 'toggle'];
const WATCHED = { subtree: true, childList: true, attributes: true, characterData: true };
let effects = null;

class Effects {
	constructor() {
		this.last = null; /* when the last one was seen */
		this.observer = new MutationObserver(() => this.note());
		this.observer.observe(document, WATCHED);
		for (const type of EFFECT_EVENTS)
			window.addEventListener(type, this, { capture: true, passive: true });
	}

	handleEvent(event) {
		if (event.isTrusted || event.type === 'input' || event.type === 'change')
			this.note();
	}

	note() {
		this.last = performance.now();
		this.wake?.();
	}

	end() {
		this.observer.disconnect();
		for (const type of EFFECT_EVENTS)
			window.removeEventListener(type, this, { capture: true });
		this.wake?.();
	}

	/* Resolves after the next effect, or `delay` ms. */
	next(delay) {
		return new Promise(resolve => {
			this.wake = resolve;
			setTimeout(resolve, delay);
		});
	}
}

exported.watchEffects = () => {
	effects?.end();
	effects = new Effects();
};

/*
 * {quiet, patience, touched}: resolves when no effect was seen for `quiet` ms, or after `patience` ms. Without any
 * effect, which `touched` says that there was elsewhere, it waits for one as long. {touched}: was there any.
 */
exported.comeToRest = async ({ quiet, patience, touched }) => {
	const start = performance.now();
	const watched = effects ??= new Effects();
	for (let now = start; ; now = performance.now()) {
		const rest = watched.last === null ? touched ? start + quiet : Infinity : watched.last + quiet;
		const until = Math.min(rest, start + patience);
		if (now >= until)
			break;
		await watched.next(until - now);
	}
	const seen = watched.last !== null;
	watched.end();
	effects = null;
	return { touched: seen };
};
