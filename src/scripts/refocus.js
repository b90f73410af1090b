/*
 * A document in a window that had no focus keeps its active element, and browsers report that this one gets the focus when the window does. In
 * Firefox the window gets the focus with the first input, and what the input does comes later.
 */
import { activeElement, hasWindowFocus } from './dom.js';

export class Refocus {
	constructor() {
		this.element = hasWindowFocus() ? null : activeElement();
	}

	/* Whether this focusin event is of the window's return, which happens once. */
	takes(element) {
		const isReturn = element === this.element;
		this.element = null;
		return isReturn;
	}
}
