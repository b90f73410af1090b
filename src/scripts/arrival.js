/*
 * The last check of a click. Its mouse events are sent in one burst, so the hit test is repeated when they arrive, in
 * capturing listeners on the window, which run before those of the page's elements. If the first event would reach another
 * element than the target, because the target moved or was covered, all events are blocked and the server retries.
 *
 * The result is sent through the binding browserdReport() of this world. The reply to a call would be lost if the click
 * navigates, and the events would overtake a call that is sent along with them.
 */
import { reaches } from './point.js';
import { later } from './timers.js';

const FIRST_EVENT = 'pointerdown';
const LATER_EVENTS = ['mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'];
export const CAPTURING = { capture: true, passive: false };
export let arrival = null;

const checkFirstEvent = event => arrival?.result === 'unseen' && event.isTrusted && arrival.check(event);

class Arrival {
	/* `refused(hit, point)` is called with the element that the press would have reached. */
	constructor(target, presses, refused) {
		this.target = target;
		this.presses = presses; /* presses that have not arrived yet */
		this.refused = refused;
		this.result = 'unseen';
		/* The listener is never removed. Adding it again has no effect unless document.open() removed it. */
		window.addEventListener(FIRST_EVENT, checkFirstEvent, CAPTURING);
	}

	/* Blocks the later events of a blocked press. Events from scripts and keys are ignored. */
	handleEvent(event) {
		if (!event.isTrusted || event.detail === 0 && event.type === 'click')
			return;
		this.stop(event);
		if (event.type === 'mouseup' && --this.presses === 0)
			later(() => this.end()); /* the click event follows in the same task */
	}

	stop(event) {
		event.preventDefault();
		event.stopImmediatePropagation();
	}

	/* If the first event would hit another element, it and all following events are blocked. */
	check(event) {
		const hit = event.composedPath()[0];
		if (!(hit instanceof Element) || reaches(hit, this.target)) {
			this.result = 'arrived';
		} else {
			this.result = 'blocked';
			this.stop(event);
			this.refused(hit, { x: event.clientX, y: event.clientY });
			for (const type of LATER_EVENTS)
				window.addEventListener(type, this, CAPTURING);
		}
		globalThis.browserdReport('press ' + this.result);
	}

	/* Lets all further events pass. */
	end() {
		if (this.result === 'blocked') {
			for (const type of LATER_EVENTS)
				window.removeEventListener(type, this, CAPTURING);
		}
		if (arrival === this)
			arrival = null;
	}
}

/* Starts to check the press at `clickPoint`; for the parameters see Arrival. */
export function awaitArrival(target, presses, clickPoint, refused) {
	arrival = new Arrival(target, presses, refused);
	arrival.clickPoint = clickPoint;
}
