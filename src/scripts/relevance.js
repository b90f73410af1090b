/* Decides which listeners of a page may have run because of an action, for effects.js. */
import { attributeOf } from './raw.js';
import { anyClosed, closedRoots } from './roots.js';

/* Event types that input does not cause directly, and those that need a pointer or a key. */
const ENVIRONMENT_TYPES = /^(?:load|DOMContentLoaded|beforeunload|unload|page|message|popstate|hashchange|storage|online|offline|error|unhandled|rejection|resize|orientation|visibility|readystate|language|freeze|resume|(?:before|after)print|animation|transition|webkit)/;
const POINTER_TYPES = /^(?:pointer|mouse|touch|gotpointer|lostpointer|click|dblclick|auxclick|contextmenu|wheel|drag|drop)/;
const HOVER_TYPES = /^(?:pointer|mouse)(?:move|rawupdate|over|enter|out|leave)$/;
const KEY_TYPES = /^(?:key|composition|beforeinput|input|text)/;

/* Whether scripts may run at the node without a listener, or with listeners that cannot be listed. */
export function runsUnlistedScripts(node) {
	if (!(node instanceof Element))
		return false;
	return anyClosed && closedRoots.has(node) || node instanceof HTMLAnchorElement && /^\s*javascript:/i.test(attributeOf(node, 'href') ?? '');
}

/* Whether events of `types` may have caused an event of type `type`; '*' is any. */
export function leadsTo(types, type) {
	const isKey = types.has('keydown'), isPointer = [...types].some(each => POINTER_TYPES.test(each));
	if (ENVIRONMENT_TYPES.test(type))
		return false;
	if (POINTER_TYPES.test(type))
		return isPointer && (HOVER_TYPES.test(type) || types.has('pointerdown') || types.has('click') || types.has('dragstart'));
	return !KEY_TYPES.test(type) || isKey || types.has('input');
}
