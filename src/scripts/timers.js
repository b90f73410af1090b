/*
 * Timers and frames. The browser numbers them in one sequence for all worlds of a document. The page scripts create theirs
 * through these functions, so that subtracting them gives the number that the page created, without touching its objects.
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

/* The number of timers that the page has set so far. */
export function timersOfPage() {
	const id = later(() => {});
	clearTimeout(id);
	return id - ownTimers;
}

/* The number of frames that the page has requested so far. */
export function framesOfPage() {
	const id = inNextFrame(() => {});
	cancelAnimationFrame(id);
	return id - ownFrames;
}
