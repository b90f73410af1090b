/*
 * Frames that input to the page does not reach: those whose documents another process has, where the engine sends input to each document itself.
 * The answers hold a window, by which the engine knows the frame.
 */
import { frameMap, focusedElement, topElementAt } from './dom.js';
import { exported } from './exported.js';

/*
 * Of the frame below the point {x, y}, where this world does not reach its document: [window, a, b, c, d, e, f, width, height], the map from this
 * document's viewport to that of the frame, and the size of that; or null.
 */
exported.frameUnder = ({ x, y }) => {
	let map = new DOMMatrix();
	for (let page = document; page;) {
		const point = map.transformPoint(new DOMPoint(x, y)), frame = topElementAt(point.x, point.y, page);
		if (!frame?.contentWindow)
			return null;
		map = frameMap(frame).inverse().multiply(map);
		const { a, b, c, d, e, f } = map;
		page = frame.contentDocument;
		if (!page && Number.isFinite(a))
			return [frame.contentWindow, a, b, c, d, e, f, frame.clientWidth, frame.clientHeight];
	}
	return null;
};

/* Where the focus is, down to the innermost document that this world reaches: its element. */
function innermostFocus() {
	let focused = focusedElement();
	while (focused?.contentDocument) {
		focused = focused.contentDocument.activeElement;
		while (focused?.shadowRoot?.activeElement)
			focused = focused.shadowRoot.activeElement;
	}
	return focused;
}

/* The window of the frame that has the focus, or null. */
exported.focusedFrame = () => innermostFocus()?.contentWindow ?? null;

/* Inserts a text where the focus is, as an input method does; the window of a frame that has it in place of that. */
exported.insertText = ({ text }) => {
	const focused = innermostFocus();
	if (focused?.contentWindow)
		return focused.contentWindow;
	(focused?.ownerDocument ?? document).execCommand('insertText', false, text);
	return null;
};

/* At a point of this page's viewport: [the window that the element there shows, or null, the window that it lies in], or null. */
exported.frameAt = ({ x, y }) => {
	let map = new DOMMatrix();
	for (let page = document; ;) {
		const point = map.transformPoint(new DOMPoint(x, y)), found = topElementAt(point.x, point.y, page);
		if (!found?.contentDocument)
			return found && [found.contentWindow ?? null, page.defaultView];
		map = frameMap(found).inverse().multiply(map);
		page = found.contentDocument;
	}
};
