/*
 * Timers and frames. The browser numbers them in one row for all worlds of a document: whoever makes one here does it
 * through these, so that settle.js can tell how many the page has asked for, without the page seeing any of it.
 */
let ownTimers = 0;
let ownFrames = 0;

function later(run, delay) {
	ownTimers++;
	return setTimeout(run, delay);
}

function inNextFrame(run) {
	ownFrames++;
	return requestAnimationFrame(run);
}

/* How many the page has set so far. */
function timersOfPage() {
	const id = later(() => {});
	clearTimeout(id);
	return id - ownTimers;
}

/* How many frames the page has asked for so far. */
function framesOfPage() {
	const id = inNextFrame(() => {});
	cancelAnimationFrame(id);
	return id - ownFrames;
}
