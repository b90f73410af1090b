/*
 * Drag and drop as the page sees it: whether it has begun to drag something, whether it takes what is held over it. Both
 * show in an event's end, which is read off the event that our listener, the first one, has kept.
 */
import { IN_FRONT } from './arrival.js';
import { exported } from './exported.js';

const WATCHED_DRAGS = ['dragstart', 'dragover'];
let lastDrag = null;

function keepDrag(event) {
	if (event.isTrusted)
		lastDrag = event;
}

export function watchDrags() {
	lastDrag = null;
	for (const type of WATCHED_DRAGS)
		window.addEventListener(type, keepDrag, IN_FRONT);
}

/* {type}: did the page prevent what the browser does with the last such event; null when there was none. */
exported.dragPrevented = ({ type }) => lastDrag?.type === type ? lastDrag.defaultPrevented : null;
