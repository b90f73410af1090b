/*
 * What frees a caller's function of two more round trips: it runs in the page's own world, between two rings of a bell,
 * events of a name that nobody else knows. At the first one the document begins to be watched; the second one can be
 * cancelled, and is where there has been no effect.
 */
function ring(event) {
	event.stopImmediatePropagation();
	if (!event.cancelable) {
		if (!isListening) /* else it still does: only document.open() removes listeners, and this one with them */
			listen();
		stopWatching();
		effects = new Effects(true);
	} else if (effects?.isUntouched()) {
		event.preventDefault();
		stopWatching();
	}
}

if (globalThis.browserdBell)
	window.addEventListener(globalThis.browserdBell, ring, true);
