/*
 * Keys in a text of several lines whose timers settling does not wait for. Editors set a dozen of them with each key, for the blinking
 * caret and for highlights. The result of a key that only moves the caret does not depend on them. That of another key is taken not to
 * when all patience was spent on a key of the same kind in the same text, and nothing came of its timers.
 */
import { isContentEditable } from './dom.js';
import { attributeOf, matches } from './raw.js';

const CARET_KEYS = /^(?:Arrow(?:Left|Right|Up|Down)|Home|End|PageUp|PageDown|Shift|Control|Alt|Meta)$/;
const CHOOSES = '[aria-haspopup]:not([aria-haspopup=false]), [aria-controls], [aria-activedescendant]'; /* keys may choose from a list */
const WORD_KEY = /^(?:[\p{L}\p{N} ]|Backspace|Delete)$/u;
const KINDS_MAX = 50; /* kinds of keys that are known of a text */

function holdsLines(element) {
	if (!(element instanceof Element) || matches(element, CHOOSES))
		return false;
	const role = attributeOf(element, 'role');
	if (role && role !== 'textbox' || attributeOf(element, 'aria-multiline') === 'false')
		return false;
	return element instanceof HTMLTextAreaElement || isContentEditable(element) || attributeOf(element, 'aria-multiline') === 'true';
}

/* By text: the kinds of keys on whose timers all patience was spent in vain. */
const vainKinds = new WeakMap();

/* Letters, digits and what deletes them are of one kind; any other key is of its own, because it may open a list (@, /, Control+Space). */
function keyKind({ key, ctrlKey, altKey, metaKey }) {
	const isWord = WORD_KEY.test(key) && !ctrlKey && !altKey && !metaKey;
	return isWord ? 'word' : [ctrlKey, altKey, metaKey, key].join();
}

/* A key that was pressed in a text of several lines. */
class LineKey {
	constructor(event) {
		this.text = event.composedPath()[0];
		this.kind = keyKind(event);
		this.movesCaret = CARET_KEYS.test(event.key);
	}

	get isInVain() {
		return vainKinds.get(this.text)?.has(this.kind) === true;
	}

	setInVain(isInVain) {
		const kinds = vainKinds.get(this.text) ?? new Set();
		if (!isInVain)
			kinds.delete(this.kind);
		else if (kinds.size < KINDS_MAX)
			kinds.add(this.kind);
		vainKinds.set(this.text, kinds);
	}
}

/* The LineKey of a keydown event, or null when it is not pressed in such a text. */
export const lineKeyOf = event => holdsLines(event.composedPath()[0]) ? new LineKey(event) : null;
