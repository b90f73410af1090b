/*
 * A caller's function runs in the page's own world, between two calls of these. They travel along with it, and so cost no
 * round trip of their own; the page sees neither of them.
 */
import { effects, isListening, listen, startWatching, stopWatching } from './effects.js';
import { exported } from './exported.js';
import { shownPage } from './shown.js';

exported.watchCall = () => {
	if (!isListening) /* else it still does: only document.open() removes listeners */
		listen();
	startWatching(true).beginTask('input');
};

/* What the document shows, where there has been no effect: {url, title}. Otherwise it is still watched. */
exported.endCall = ({ titleLimit }) => {
	if (!effects?.isUntouched() || effects.hasScrolled())
		return null;
	stopWatching();
	return shownPage(titleLimit);
};
