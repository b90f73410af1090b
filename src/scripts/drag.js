/*
 * Drag and drop from the page's side: whether a drag has begun, and whether the element below accepts it. Both depend on
 * whether listeners prevented the event, so the first listener keeps the event and its state is read after the dispatch.
 */
import { CAPTURING } from './arrival.js';
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
		window.addEventListener(type, keepDrag, CAPTURING);
}

exported.watchDrags = () => {
	watchDrags();
};

/* {type} -> whether the page prevented the default action of the last event of this type; null if there was none */
exported.dragPrevented = ({ type }) => lastDrag?.type === type ? lastDrag.defaultPrevented : null;
