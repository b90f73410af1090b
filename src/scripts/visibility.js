/*
 * Actionability checks: whether an element is visible, enabled and stable. Each function returns null, or what is in the way, as
 * {reason, ...facts} (base/reasons.h).
 */
import { areaBoxes } from './area.js';
import { animationsOf, clientRects, createRange, describeTag, documentAnimations, isDocumentHidden, nearest, timeline } from './dom.js';
import { Obstacle } from './patience.js';
import {
	attributeOf, closest, flatParent, FRAGMENT, hasAttribute, hostOrParent, matches, rawCheckVisibility, rectOf, rootOf,
	tagOf,
} from './raw.js';
import { inNextFrame } from './timers.js';

/* `why` with the element `cause` of it, unless that is `element` itself. */
export function withCause(why, cause, element) {
	return cause === element ? why : { ...why, on: describeTag(cause) };
}

function hiddenAncestor(element) {
	const undisplayed = nearest(element, node => getComputedStyle(node).display === 'none');
	if (undisplayed)
		return withCause({ reason: 'hidden', style: 'display: none' }, undisplayed, element);
	const details = nearest(element, node => tagOf(node) === 'details' && !hasAttribute(node, 'open'));
	if (details)
		return { reason: 'inClosedDetails', details: describeTag(details) };
	const host = nearest(element, node => !flatParent(node) && hostOrParent(node));
	if (host)
		return { reason: 'notSlotted', host: describeTag(hostOrParent(host)) };
	return { reason: 'hidden', style: 'content-visibility' };
}

function textBoxes(element) {
	const range = createRange();
	const nodes = element instanceof HTMLSlotElement ? element.assignedNodes({ flatten: true }) : [element];
	return nodes.flatMap(node => {
		range.selectNodeContents(node);
		return [...range.getClientRects()];
	});
}

/* The non-empty boxes of the element; inline content has one for each line. */
export function boxesOf(element) {
	let boxes = [...clientRects(element)];
	if (element instanceof HTMLAreaElement)
		boxes = areaBoxes(element);
	else if (!boxes.length && getComputedStyle(element).display === 'contents')
		boxes = textBoxes(element);
	return boxes.filter(box => box.width > 0 && box.height > 0);
}

export function whyHidden(element) {
	if (rawCheckVisibility.call(element, { visibilityProperty: true }) && boxesOf(element).length)
		return null;
	if (element instanceof HTMLAreaElement)
		return boxesOf(element).length ? null : { reason: 'mapWithoutImage' };
	const style = getComputedStyle(element);
	if (style.display !== 'contents' && !rawCheckVisibility.call(element))
		return hiddenAncestor(element);
	if (style.visibility !== 'visible')
		return { reason: 'hidden', style: `visibility: ${style.visibility}` };
	if (boxesOf(element).length)
		return null;
	const { width, height } = rectOf(element);
	return { reason: 'zeroSize', width: Math.round(width), height: Math.round(height) };
}

const CONTROL_TAGS = new Set(['button', 'input', 'select', 'textarea', 'option', 'summary']);
const CONTROL_ROLES = new Set(['button', 'link', 'menuitem', 'option', 'tab']);

export function isControl(element) {
	const tag = tagOf(element);
	return CONTROL_TAGS.has(tag) || tag === 'a' && hasAttribute(element, 'href') ||
		CONTROL_ROLES.has(attributeOf(element, 'role'));
}

/* The control that a press on `element` would operate: itself, or the button, link or field around it. */
export function controlAround(element) {
	return nearest(element, isControl);
}

export function whyDisabled(element) {
	const control = controlAround(element) ?? element;
	if (matches(control, ':disabled')) {
		const group = hasAttribute(control, 'disabled') ? null : closest(control, 'fieldset:disabled, optgroup:disabled');
		return withCause({ reason: 'disabled', group: group ? describeTag(group) : undefined }, control, element);
	}
	const node = nearest(element, candidate => attributeOf(candidate, 'aria-disabled') === 'true');
	return node && withCause({ reason: 'disabled', attribute: 'aria-disabled' }, node, element);
}

/* Animated properties that cannot move the element away from under the pointer. */
const STILL_PROPERTIES = new Set(['offset', 'easing', 'composite', 'computedOffset', 'opacity', 'color', 'accentColor',
	'caretColor', 'backgroundColor', 'backgroundImage', 'backgroundPositionX', 'backgroundPositionY', 'backgroundSize',
	'borderTopColor', 'borderRightColor', 'borderBottomColor', 'borderLeftColor', 'borderTopLeftRadius',
	'borderTopRightRadius', 'borderBottomLeftRadius', 'borderBottomRightRadius', 'boxShadow', 'outlineColor',
	'outlineOffset', 'outlineWidth', 'textDecorationColor', 'textShadow', 'filter', 'backdropFilter', 'fill', 'stroke',
	'fillOpacity', 'strokeOpacity', 'strokeWidth', 'strokeDashoffset', 'stopColor', 'visibility']);

/* ms until the animation has ended; Infinity when it never does. */
function remainingTime(animation) {
	const { endTime } = animation.effect.getComputedTiming();
	const distance = animation.playbackRate < 0 ? animation.currentTime : endTime - animation.currentTime;
	return distance / Math.abs(animation.playbackRate);
}

/* Whether the animation moves by itself: one with a scroll timeline does not. */
function moves(animation) {
	return animation.playState === 'running' && animation.timeline instanceof DocumentTimeline && animation.effect &&
		animation.effect.getKeyframes().some(frame => Object.keys(frame).some(name => !STILL_PROPERTIES.has(name)));
}

/* Share of its size by which an element may move between two checks so that a press at its middle still hits it. */
const MOVEMENT_MAX = 0.25;
/* ms between the two checks: at least a frame, and short enough that a short animation cannot complete a cycle. */
const CHECK_INTERVAL_MIN = 10, CHECK_INTERVAL_MAX = 100;
let lastCheck = { element: null, time: 0, box: null };

/* Whether an endless animation kept the element in place since the last check; false while that is not known. */
function staysInPlace(element) {
	const before = lastCheck;
	const time = timeline().currentTime;
	const known = before.element === element && time - before.time <= CHECK_INTERVAL_MAX;
	if (known && time - before.time < CHECK_INTERVAL_MIN)
		return false;
	const box = rectOf(element);
	lastCheck = { element, time, box };
	return known &&
		Math.abs(box.x + box.width / 2 - before.box.x - before.box.width / 2) <= MOVEMENT_MAX * box.width &&
		Math.abs(box.y + box.height / 2 - before.box.y - before.box.height / 2) <= MOVEMENT_MAX * box.height;
}

export function nextFrame() {
	return new Promise(resolve => inNextFrame(resolve));
}

/* Queries the document and the shadow roots around the element, which is faster than querying each ancestor. */
function anyAnimations(element) {
	for (let node = element; node; node = rootOf(node).host) {
		if (rootOf(node).nodeType === FRAGMENT ? rootOf(node).getAnimations().length : documentAnimations().length)
			return true;
	}
	return false;
}

/*
 * An Obstacle while an animation moves the element. An animation that does not end in time is tolerated if it keeps the
 * element in place (pulsing or turning). Nothing moves in a hidden document. Motion by scripts is not checked here, because
 * that would cost two frames; arrival.js checks the press on arrival.
 */
export function movement(element, patience) {
	if (isDocumentHidden() || !anyAnimations(element))
		return null;
	let animation;
	const moved = nearest(element, node => animation = animationsOf(node).find(moves));
	if (!moved)
		return null;
	const why = withCause({ reason: 'moving', cause: 'animation' }, moved, element);
	if (remainingTime(animation) <= patience.left)
		return new Obstacle(why, { ends: animation.finished });
	return !animation.pending && staysInPlace(element) ? null : new Obstacle(why, { ends: nextFrame() });
}
