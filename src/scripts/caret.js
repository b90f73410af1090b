/*
 * Keys that only move the caret in a text of several lines. Editors set timers after each of them, for the blinking caret
 * and for highlights. The action's result does not depend on these timers, so settling does not wait for them.
 */
import { isContentEditable } from './dom.js';
import { attributeOf, hasAttribute } from './raw.js';

const CARET_KEYS = /^(?:Arrow(?:Left|Right|Up|Down)|Home|End|PageUp|PageDown|Shift|Control|Alt|Meta)$/;
const CHOOSES = ['aria-haspopup', 'aria-controls', 'aria-activedescendant']; /* with these, arrow keys may choose from a list */

function holdsLines(element) {
	if (!(element instanceof Element) || CHOOSES.some(name => hasAttribute(element, name)))
		return false;
	const role = attributeOf(element, 'role');
	if (role && role !== 'textbox' || attributeOf(element, 'aria-multiline') === 'false')
		return false;
	return element instanceof HTMLTextAreaElement || isContentEditable(element) || attributeOf(element, 'aria-multiline') === 'true';
}

export const movesCaret = event => CARET_KEYS.test(event.key) && holdsLines(event.composedPath()[0]);
