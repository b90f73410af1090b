/* The states of elements as the rows of an outline (outline.js) have them. */
import { isAriaHidden } from './contents.js';
import { focusedElement } from './dom.js';
import { ariaOf } from './names.js';
import { MARK_FOCUS } from './outlinetext.js';
import { attributeOf, hasAttribute, hostOrParent, tagOf } from './raw.js';
import {
	busyOf, checkedOf, collapsedOf, currentOf, expandedOf, hasOwnSummary, invalidOf, isPopoverOpen, levelOf, pressedOf, rangeOf, readonlyOf, requiredOf, selectedOf, setOf, sortOf,
} from './states.js';

const stateWord = (name, value) => value === true ? ` ${name}` : value ? ` ${name}=${value}` : '';

/* Of a frame, what is in it says where the focus is. */
export function stateWords({ element, tag, role, bare: isBare, disabled, isActive, isEditable, isFrame, isSaid }) {
	const focus = isActive && !isFrame && tag !== 'body' ? MARK_FOCUS + 'active' : '';
	if (isBare && !disabled && !TAGS_WITH_STATES.has(tag))
		return focus;
	return stateWord('checked', checkedOf(element, role)) + stateWord('disabled', disabled || ariaOf(element, 'aria-disabled') === 'true') +
		(role === 'summary' || tag === 'details' ? openWord(element) : popoverWord(element) || stateWord('expanded', expandedOf(element, role)) + stateWord('collapsed', collapsedOf(element, role))) +
		focus + stateWord('invalid', invalidOf(element, 'textbox')) + stateWord('pressed', pressedOf(element, role)) +
		stateWord('selected', !isSaid && selectedOf(element, role)) + stateWord('aria-hidden', isAriaHidden(element)) +
		stateWord('current', currentOf(element)) + stateWord('sort', sortOf(element, role)) + stateWord('busy', busyOf(element)) +
		stateWord('required', requiredOf(element, role)) + stateWord('readonly', readonlyOf(element, role)) + stateWord('editable', isEditable && role !== 'textbox') + rangeWords(rangeOf(element, tag, role)) +
		stateWord('activedescendant', isActiveDescendant(element)) + stateWord('file', opensFiles(element, tag)) +
		(role === 'treeitem' ? stateWord('level', levelOf(element, role)) : '');
}

/* Tags of elements whose states do not need an attribute. */
const TAGS_WITH_STATES = setOf('details label option summary');

/* Of a <details> with a summary, that says it. */
function openWord(element) {
	const details = tagOf(element) === 'details' ? element : hostOrParent(element);
	return details === element && hasOwnSummary(details) ? '' : details.open ? ' expanded' : ' collapsed';
}

function popoverWord(element) {
	const isOpen = isPopoverOpen(element);
	return isOpen === null ? '' : isOpen ? ' expanded' : ' collapsed';
}

const rangeWords = ({ min, max }) => (min === null ? '' : ` min=${min}`) + (max === null ? '' : ` max=${max}`);

/* What the element with the focus names as the one that keys are for. */
function isActiveDescendant(element) {
	if (!hasAttribute(element, 'id'))
		return false;
	const focused = focusedElement();
	return focused !== null && attributeOf(focused, 'aria-activedescendant') === attributeOf(element, 'id');
}

/* A click opens the system's window for choosing files. */
const opensFiles = (element, tag) => tag === 'input' && element.type === 'file' || tag === 'label' && element.control?.type === 'file';
