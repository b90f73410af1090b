/* Where to press: a point at which the browser's own hit test finds the element, and what is there when none does. */
import {
	clientRects, describe, describeTag, elementsFromPoint, frameMap, frameOffset, holds, nearest, queryAll, scrollIntoView,
	topElementAt,
} from './dom.js';
import { exported } from './exported.js';
import { Obstacle } from './patience.js';
import { previewOf } from './preview.js';
import { flatParent, hasAttribute, rectOf, rootOf } from './raw.js';
import { knownRef } from './refs.js';
import { later } from './timers.js';
import { because, boxesOf, controlAround, isControl, whyHidden } from './visibility.js';

/* Ways to scroll, in the order of trying; the first is none at all. Headers and footers cover edges. */
const ALIGNMENTS = [null, 'center', 'end', 'start'];
/* Shares of a box: its middle, then the middles of its quarters, for elements that are covered in part. */
const SHARES = [[0.5, 0.5], [0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]];
const TRIED_BOXES = 4;
export const OUT_OF_SIGHT = 'outside the viewport, and scrolling does not bring it in';
/* Scrolling costs a layout, and people see it: one round of attempts in this many. */
const ROUNDS_PER_SCROLL = 4;

/* A part of the component whose shadow root `element` is in, and around it: what a person sees of that element. */
function isWrapper(node, element) {
	const root = rootOf(element);
	return root instanceof ShadowRoot && (node === root.host || rootOf(node) === root && holds(node, element));
}

const LEAST_SIDE = 8; /* CSS pixels: a field that is smaller shows no text */

function isTiny(element) {
	const { width, height } = rectOf(element);
	return width < LEAST_SIDE || height < LEAST_SIDE;
}

/* Whether keys that reach `element` write text, while what they write is drawn elsewhere. */
function isHiddenInput(element) {
	if (!(element instanceof HTMLTextAreaElement) && !element.isContentEditable && !element.editContext)
		return false;
	const style = getComputedStyle(element);
	return isTiny(element) || style.opacity === '0' || style.color === 'rgba(0, 0, 0, 0)';
}

/*
 * The box in which an editor draws the text of `element`, the field that takes its keys: code editors keep that field invisible, and
 * a person presses the text. Null when `element` is no such field.
 */
export function editorAround(element) {
	if (!isHiddenInput(element))
		return null;
	const editor = nearest(flatParent(element), node => !isTiny(node));
	return editor && !whyHidden(editor) && editor !== document.body && editor !== document.documentElement ? editor : null;
}

/*
 * Whether a press on `hit` counts as one on `target`: inside it, on its label, on the control around it, on the wrapper of the
 * component that it is a part of, or on the editor whose field it is; but not when another control in between would keep the press for
 * itself.
 */
export function reaches(hit, target) {
	if (holds(target, hit))
		return true;
	const around = controlAround(target), editor = editorAround(target);
	const operates = node => node === around || node === editor || isWrapper(node, target) ||
		node instanceof HTMLLabelElement && (node.control === target || holds(node, target));
	const taker = nearest(hit, node => operates(node) || isControl(node));
	return taker !== null && operates(taker);
}

export function intersection(a, b) {
	const left = Math.max(a.left, b.left), right = Math.min(a.right, b.right);
	const top = Math.max(a.top, b.top), bottom = Math.min(a.bottom, b.bottom);
	return right > left && bottom > top ? new DOMRect(left, top, right - left, bottom - top) : null;
}

/* The box around `box` where `map` takes it. */
function mapped(box, map) {
	const corners = [[box.left, box.top], [box.right, box.top], [box.left, box.bottom], [box.right, box.bottom]]
		.map(([x, y]) => map.transformPoint(new DOMPoint(x, y)));
	const left = Math.min(...corners.map(({ x }) => x)), top = Math.min(...corners.map(({ y }) => y));
	return new DOMRect(left, top, Math.max(...corners.map(({ x }) => x)) - left, Math.max(...corners.map(({ y }) => y)) - top);
}

/* What the windows of all documents around, as far as they can be seen from here, show of this one's; null: nothing. */
function visibleWindow() {
	let box = new DOMRect(0, 0, innerWidth, innerHeight), map = new DOMMatrix();
	for (let frame = window.frameElement; frame && box; frame = frame.ownerDocument.defaultView.frameElement) {
		const outer = frame.ownerDocument.defaultView;
		map = frameMap(frame).multiply(map);
		box = map.is2D && Math.abs(map.a * map.d - map.b * map.c) > Number.EPSILON ?
			intersection(box, mapped(new DOMRect(0, 0, outer.innerWidth, outer.innerHeight), map.inverse())) : box;
	}
	return box;
}

/* The labels of a control that a person can press instead of it. */
export function visibleLabels(element) {
	const labels = element instanceof HTMLFormElement ? [] : [...element.labels ?? []];
	return labels.filter(label => !whyHidden(label));
}

/* The one point at `place` of the element's box. */
function pointsAt(element, place) {
	const { x, y } = rectOf(element);
	return [{ x: x + place.x, y: y + place.y }];
}

/*
 * `view`: of this document's window, what is in view. The labels of a control and the editor around a field come last: the element
 * itself may be hidden behind its own drawing.
 */
function* pointsOf(element, view = visibleWindow()) {
	const boxes = view ? [element, ...visibleLabels(element), editorAround(element)].filter(Boolean).flatMap(boxesOf).map(box => intersection(box, view)).filter(Boolean)
		.slice(0, TRIED_BOXES) : [];
	for (const [across, down] of SHARES) {
		for (const box of boxes)
			yield { x: box.x + box.width * across, y: box.y + box.height * down };
	}
}

export function scrollTo(element, align) {
	const anchor = element instanceof HTMLAreaElement || !clientRects(element).length ? flatParent(element) : element;
	if (anchor)
		scrollIntoView(anchor, { block: align, inline: align, behavior: 'instant' });
}

/* The outermost element around `hit` that is not around `element` too: the overlay rather than a span in it. */
function overlayOf(hit, element) {
	let overlay = hit;
	nearest(hit, node => {
		if (holds(node, element))
			return true;
		overlay = node;
		return false;
	});
	return overlay;
}

/* Only an ancestor gets the mouse: something that lets it pass lies on top, or the element is cut off there. */
function whyOutOfReach(element, ancestor, { x, y }) {
	const stack = elementsFromPoint(x, y);
	const above = stack.slice(0, stack.indexOf(element) + 1).find(other => !holds(other, element));
	return above ? `covered by ${describe(above)}` : `clipped or covered inside its ancestor ${describeTag(ancestor)}`;
}

/* `hit` is what gets the mouse at `point`. */
function whyCovered(element, hit, point) {
	if (getComputedStyle(element).pointerEvents === 'none')
		return 'pointer-events: none keeps the mouse from it';
	const modal = [...queryAll('dialog:modal')].at(-1);
	if (modal && !holds(modal, element))
		return `covered by the modal ${describe(modal)}`;
	const inert = nearest(element, node => hasAttribute(node, 'inert'));
	if (inert)
		return because('inert', inert, element);
	if (holds(hit, element))
		return whyOutOfReach(element, hit, point);
	const overlay = overlayOf(hit, element);
	return (overlay === hit ? `covered by ${describe(hit)}` : `covered by ${describe(hit)} in ${describeTag(overlay)}`) + refHint(hit, overlay);
}

/* The ref by which what lies on top can be pressed itself. */
function refHint(hit, overlay) {
	let ref = null;
	nearest(hit, node => (ref = knownRef(node)) !== null || node === overlay);
	return ref ? ` (ref ${ref})` : '';
}

/* The same as an Obstacle. */
export function covered(element, hit, point) {
	const overlay = overlayOf(hit, element);
	const around = overlay === hit || holds(hit, element) ? '' : ` from ${previewOf(overlay)} subtree`;
	return new Obstacle(whyCovered(element, hit, point), { log: `${previewOf(hit)}${around} intercepts pointer events` });
}

const outOfSight = () => new Obstacle(OUT_OF_SIGHT, { log: 'element is outside of the viewport' });

/*
 * Why a press at `point` of the document in `frame` would not get there: something lies over `frame` or a frame around it, or a
 * window cuts it off, as far as they can be seen from here. Else null.
 */
function whyFrameMissed(point, frame = window.frameElement) {
	let at = new DOMPoint(point.x, point.y);
	for (; frame; frame = frame.ownerDocument.defaultView.frameElement) {
		at = frameMap(frame).transformPoint(at);
		const hit = topElementAt(at.x, at.y, frame.ownerDocument);
		if (!hit)
			return outOfSight();
		if (hit !== frame)
			return new Obstacle(`covered by ${describe(hit)}, which lies over ${describeTag(frame)}`,
				{ log: `${previewOf(hit)} intercepts pointer events` });
	}
	return null;
}

/* Null, or why a press at `point` would not reach `element`. */
function whyMissed(element, point) {
	const top = topElementAt(point.x, point.y);
	if (!top)
		return outOfSight();
	return reaches(top, element) ? whyFrameMissed(point) : covered(element, top, point);
}

/* The first of these points where `element` gets the mouse, or the first Obstacle; null when there are no points. */
function firstHit(element, points) {
	let obstacle = null;
	for (const point of points) {
		const missed = whyMissed(element, point);
		if (!missed)
			return point;
		obstacle ??= missed;
	}
	return obstacle;
}

/* A point of the viewport where `element` gets the mouse, or an Obstacle. `place`: the only one that will do, in its box. */
export function findPoint(element, round, place) {
	const alignments = round % ROUNDS_PER_SCROLL === 0 ? ALIGNMENTS : ALIGNMENTS.slice(0, 1);
	let obstacle = null;
	for (const align of alignments) {
		if (align)
			scrollTo(element, align);
		const hit = firstHit(element, place ? pointsAt(element, place) : pointsOf(element));
		if (hit && !(hit instanceof Obstacle))
			return hit;
		obstacle ??= hit;
	}
	return obstacle ?? outOfSight();
}

const VIEW_PATIENCE = 500; /* ms; what has no box never comes into view */

/*
 * A promise of the part of `element` that is in view in the page, past all frames around this one, those of other sites included:
 * null when it does not come into view, to which it is scrolled. Scrolling the frames of other processes takes its time.
 */
export function partInView(element) {
	return new Promise(resolve => {
		const timer = later(() => end(null), VIEW_PATIENCE);
		const observer = new IntersectionObserver(entries => {
			if (entries.at(-1).isIntersecting)
				end(entries.at(-1).intersectionRect);
			else
				scrollTo(element, 'center');
		});
		function end(rect) {
			clearTimeout(timer);
			observer.disconnect();
			resolve(rect);
		}
		observer.observe(element);
	});
}

/*
 * The same as findPoint() after documents of other sites around this one have found the points so far out of view or covered, which
 * cannot be seen from here: each time the element is brought to another place, and once it is there, points are taken from the part
 * that is in view.
 */
export class OuterSearch {
	constructor() {
		this.refusals = 0;
		this.part = undefined; /* DOMRect, null: none is in view, undefined: not known yet */
	}

	/* The point that was found last was refused. */
	refuse() {
		this.refusals++;
		this.part = undefined;
	}

	findPoint(element, place) {
		if (this.part === undefined) {
			scrollTo(element, ALIGNMENTS[1 + (this.refusals - 1) % (ALIGNMENTS.length - 1)]);
			const ends = partInView(element).then(part => { this.part = part; });
			return Object.assign(outOfSight(), { ends, isPassing: true });
		}
		if (!this.part) {
			this.refuse();
			return outOfSight();
		}
		if (place)
			return firstHit(element, pointsAt(element, place));
		const points = [...pointsOf(element, intersection(this.part, visibleWindow() ?? new DOMRect()))];
		/* Each round of places begins with another point: the middle may be what is covered. */
		const first = Math.floor((this.refusals - 1) / (ALIGNMENTS.length - 1)) % Math.max(1, points.length);
		return firstHit(element, [...points.slice(first), ...points.slice(0, first)]) ?? outOfSight();
	}
}

/* The middle of what is visible, whatever lies there. */
export function forcePoint(element) {
	if (!boxesOf(element).length)
		return new Obstacle(whyHidden(element) ?? 'it has no box');
	const [point] = pointsOf(element);
	if (point)
		return point;
	scrollTo(element, 'center');
	return pointsOf(element).next().value ?? outOfSight();
}

/*
 * The same for the document inside of the element `frame`, for documents that cannot see it themselves. With the `point`
 * of it that shall get the mouse, `obstacle` is what lies over it: {text, log}.
 */
exported.contentOrigin = ({ frame, point }) => {
	const { text, log } = point && whyFrameMissed(point, frame) || {};
	return { ...frameOffset(frameMap(frame)), obstacle: text && { text, log } };
};
