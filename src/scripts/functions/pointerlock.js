/*
 * Runs in the isolated world of every document before the page's scripts. A headless browser moves the pointer that a page has locked
 * back to the middle, takes that for a movement, and moves it back again, without end; clicks hang meanwhile. This listener releases the
 * pointer after the page's own listeners have run, which the page sees as a user who presses Escape, and reports it to the server.
 */
export default () => window.addEventListener('pointerlockchange', () => {
	if (!document.pointerLockElement)
		return;
	globalThis.browserdReport('pointer');
	setTimeout(() => document.exitPointerLock());
}, true);
