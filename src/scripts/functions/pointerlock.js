/*
 * Runs in the isolated world of every document before the page's scripts. A headless browser moves the pointer that a page has locked
 * back to the middle, takes that for a movement, and moves it back again, without end; clicks hang meanwhile. So the pointer is
 * released after the page has heard of it, as when the user presses Escape, and the server is told.
 */
export default () => window.addEventListener('pointerlockchange', () => {
	if (!document.pointerLockElement)
		return;
	globalThis.browserdReport('pointer');
	setTimeout(() => document.exitPointerLock());
}, true);
