/*
 * The last check of a click: its mouse events are sent in one burst, so whether they hit is judged where they arrive.
 * Listeners on the window see them before the page's elements do. When the first one would reach something else than
 * the target, the page gets none of them; the element moved or was covered at the last moment, and C tries again.
 *
 * C is told at once, through the binding browserdTell() of this world: the reply to a call would not leave a document
 * that the click ends, and a call sent along with the events is overtaken by them.
 */
import { reaches } from './point.js';
import { later } from './timers.js';

const FIRST_EVENT = 'pointerdown';
const LATER_EVENTS = ['mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'];
export const IN_FRONT = { capture: true, passive: false };
export let arrival = null;

const passOn = event => arrival?.fate === 'unseen' && event.isTrusted && arrival.judge(event);

class Arrival {
	/* `refused(hit, point)` is told what the press would have reached. */
	constructor(target, presses, refused) {
		this.target = target;
		this.presses = presses; /* still to come */
		this.refused = refused;
		this.fate = 'unseen';
		/* It stays. Adding it again changes nothing, unless document.open() has removed it. */
		window.addEventListener(FIRST_EVENT, passOn, IN_FRONT);
	}

	/* Later events of a press that was blocked; what scripts and keys make is none of its business. */
	handleEvent(event) {
		if (!event.isTrusted || event.detail === 0 && event.type === 'click')
			return;
		this.stop(event);
		if (event.type === 'mouseup' && --this.presses === 0)
			later(() => this.end()); /* the click comes in the same turn */
	}

	stop(event) {
		event.preventDefault();
		event.stopImmediatePropagation();
	}

	/* When the first event would hit something else, it and all that follow are for no one. */
	judge(event) {
		const hit = event.composedPath()[0];
		if (!(hit instanceof Element) || reaches(hit, this.target)) {
			this.fate = 'arrived';
		} else {
			this.fate = 'blocked';
			this.stop(event);
			this.refused(hit, { x: event.clientX, y: event.clientY });
			for (const type of LATER_EVENTS)
				window.addEventListener(type, this, IN_FRONT);
		}
		globalThis.browserdTell('press ' + this.fate);
	}

	/* From here on all events pass. */
	end() {
		if (this.fate === 'blocked') {
			for (const type of LATER_EVENTS)
				window.removeEventListener(type, this, IN_FRONT);
		}
		if (arrival === this)
			arrival = null;
	}
}

/* From now on the press at `aimed` is watched; the parameters are those of Arrival. */
export function awaitArrival(target, presses, aimed, refused) {
	arrival = new Arrival(target, presses, refused);
	arrival.aimed = aimed;
}
