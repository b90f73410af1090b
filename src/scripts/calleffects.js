/*
 * A caller's function runs in the page's own world between watchCall() and endCall(). Both calls are sent together with
 * the function's, so they cost no extra round trip, and they run in the isolated world, where the page cannot see them.
 * An event from the function's wrapper in the place of watchCall() would save 0.4 ms of processor time for each call, but pages that
 * replace dispatchEvent() would hear it.
 */
import { effects, isListening, listen, startWatching, stopWatching } from './effects.js';
import { exported } from './exported.js';
import { shownPage } from './shown.js';

exported.watchCall = () => {
	if (!isListening) /* only document.open() removes the listeners, so they are not added for each call */
		listen();
	startWatching(true).beginTask('input');
};

/* Returns the page's {url, title} if there was no effect. Otherwise returns null and keeps observing. */
exported.endCall = ({ titleLimit }) => {
	if (!effects?.isWithoutEffect() || effects.hasScrolled())
		return null;
	stopWatching();
	return shownPage(titleLimit);
};
