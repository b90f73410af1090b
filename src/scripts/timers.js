/*
 * Timers and frames. The browser numbers them in one row for all worlds of a document: scripts of browserd make them through
 * these functions, so that effects.js can tell how many the page has asked for, without the page seeing any of it.
 */
let ownTimers = 0;
let ownFrames = 0;

export function later(run, delay) {
	ownTimers++;
	return setTimeout(run, delay);
}

export function inNextFrame(run) {
	ownFrames++;
	return requestAnimationFrame(run);
}

/* How many the page has set so far. */
export function timersOfPage() {
	const id = later(() => {});
	clearTimeout(id);
	return id - ownTimers;
}

/* How many frames the page has asked for so far. */
export function framesOfPage() {
	const id = inNextFrame(() => {});
	cancelAnimationFrame(id);
	return id - ownFrames;
}
