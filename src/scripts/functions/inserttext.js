/*
 * Inserts a text where the document, or a frame in it, has the focus, as an input method does: for Firefox, which cannot be asked for that.
 * Returns whether something has taken it, or the window of the frame that has the focus where this world does not reach into it.
 */
export default function (text) {
	for (let at = document; ;) {
		let active = at.activeElement;
		while (active?.shadowRoot?.activeElement)
			active = active.shadowRoot.activeElement;
		const inner = active?.contentDocument;
		if (!inner)
			return active?.contentWindow ?? at.execCommand('insertText', false, text);
		at = inner;
	}
}
