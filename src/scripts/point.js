/* Finds the point to press: one at which the browser's hit test returns the element, or an Obstacle that names what is there instead. */
import {
	clientRects, describe, describeTag, elementsFromPoint, frameMap, frameOffset, holds, nearest, queryAll, scrollIntoView,
	topElementAt,
} from './dom.js';
import { exported } from './exported.js';
import { Obstacle } from './patience.js';
import { previewOf } from './preview.js';
import { attributeOf, clientLeftOf, clientTopOf, flatParent, hasAttribute, queryIn, rectOf, rootOf } from './raw.js';
import { shownRef } from './refs.js';
import { later } from './timers.js';
import { boxesOf, controlAround, isControl, whyHidden, withCause } from './visibility.js';

/* Scroll alignments in the order of trying; null means not to scroll. Several are tried because fixed headers and footers cover the edges. */
const ALIGNMENTS = [null, 'center', 'end', 'start'];
/* Points of a box as shares of its size: its middle, then the middles of its quarters, for elements that are partly covered. */
const POINT_FRACTIONS = [[0.5, 0.5], [0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]];
const TRIED_BOXES = 4;
export const OUTSIDE_VIEWPORT = { reason: 'outsideViewport' };
/* Only one round of attempts in this many scrolls, because scrolling costs a layout and is visible to users. */
const ROUNDS_PER_SCROLL = 4;
export const ROUND_WITHOUT_SCROLLING = 1;

/* Whether `node` is the host of the shadow root that contains `element`, or contains `element` within that root. */
function isWrapper(node, element) {
	const root = rootOf(element);
	return root instanceof ShadowRoot && (node === root.host || rootOf(node) === root && holds(node, element));
}

const FIELD_SIDE_MIN = 8; /* CSS pixels; a smaller field shows no text */

function isTiny(element) {
	const { width, height } = rectOf(element);
	return width < FIELD_SIDE_MIN || height < FIELD_SIDE_MIN;
}

/* Whether `element` takes text from the keyboard but is invisible, because an editor draws the text elsewhere. */
function isHiddenInput(element) {
	if (!(element instanceof HTMLTextAreaElement) && !element.isContentEditable && !element.editContext)
		return false;
	const style = getComputedStyle(element);
	return isTiny(element) || style.opacity === '0' || style.color === 'rgba(0, 0, 0, 0)';
}

/*
 * The element in which an editor draws the text that is typed into the hidden field `element`. Code editors keep the field that has
 * the focus invisible, and users press the drawn text. Null if `element` is not such a field.
 */
export function editorAround(element) {
	if (!isHiddenInput(element))
		return null;
	const editor = nearest(flatParent(element), node => !isTiny(node));
	return editor && !whyHidden(editor) && editor !== document.body && editor !== document.documentElement ? editor : null;
}

/*
 * Whether a press on `hit` counts as a press on `target`. That is the case inside of it, on its label, on the control around it, on
 * the wrapper of its component and on the editor that it is the hidden field of, unless another control in between takes the press.
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

/* The bounding box of `box` after the transform `map`. */
function mapped(box, map) {
	const corners = [[box.left, box.top], [box.right, box.top], [box.left, box.bottom], [box.right, box.bottom]]
		.map(([x, y]) => map.transformPoint(new DOMPoint(x, y)));
	const left = Math.min(...corners.map(({ x }) => x)), top = Math.min(...corners.map(({ y }) => y));
	return new DOMRect(left, top, Math.max(...corners.map(({ x }) => x)) - left, Math.max(...corners.map(({ y }) => y)) - top);
}

/* The part of this window that is visible in the windows of all same-origin ancestor frames; null if none is. */
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

/* The visible labels of a control, which users can press instead of it. */
export function visibleLabels(element) {
	const labels = element instanceof HTMLFormElement ? [] : [...element.labels ?? []];
	return labels.filter(label => !whyHidden(label));
}

/* The single point at the offset `place` in the element's padding box. */
function pointsAt(element, place) {
	const { x, y } = rectOf(element);
	return [{ x: x + clientLeftOf(element) + place.x, y: y + clientTopOf(element) + place.y }];
}

/* A tree item whose branch is open contains the items of the branch: a press on it means its label, which is above these. */
function boxesToPress(element) {
	const inner = attributeOf(element, 'role') === 'treeitem' ? queryIn(element, '[role=treeitem]') : [];
	const top = Math.min(...[...inner].flatMap(boxesOf).map(box => box.top));
	const { left, right, top: start } = rectOf(element);
	return top > start && top < Infinity ? [new DOMRect(left, start, right - left, top - start)] : boxesOf(element);
}

/*
 * Candidate points to press; `view` is the visible part of this document's window. The labels of a control and the editor around a
 * field are candidates too, after the element's own boxes, because a page may hide a control behind its own rendering of it.
 */
function* pointsOf(element, view = visibleWindow()) {
	const boxes = view ? [element, ...visibleLabels(element), editorAround(element)].filter(Boolean).flatMap(boxesToPress).map(box => intersection(box, view)).filter(Boolean)
		.slice(0, TRIED_BOXES) : [];
	for (const [across, down] of POINT_FRACTIONS) {
		for (const box of boxes)
			yield { x: box.x + box.width * across, y: box.y + box.height * down };
	}
}

export function scrollTo(element, align) {
	const anchor = element instanceof HTMLAreaElement || !clientRects(element).length ? flatParent(element) : element;
	if (anchor)
		scrollIntoView(anchor, { block: align, inline: align, behavior: 'instant' });
}

/* The outermost ancestor of `hit` that does not contain `element`: the whole overlay rather than a span in it. */
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

/*
 * The reason when the hit test returns an ancestor of `element`: an element with pointer-events: none lies on top, or the ancestor
 * clips `element`.
 */
function whyOutOfReach(element, ancestor, { x, y }) {
	const stack = elementsFromPoint(x, y);
	const above = stack.slice(0, stack.indexOf(element) + 1).find(other => !holds(other, element));
	return above ? { reason: 'covered', by: describe(above) } : { reason: 'clipped', ancestor: describeTag(ancestor) };
}

/* The reason why the hit test at `point` returns `hit` instead of `element`. */
function whyCovered(element, hit, point) {
	if (getComputedStyle(element).pointerEvents === 'none')
		return { reason: 'noPointerEvents' };
	const modal = queryAll('dialog:modal').at(-1);
	if (modal && !holds(modal, element))
		return { reason: 'coveredByModal', by: describe(modal) };
	const inert = nearest(element, node => hasAttribute(node, 'inert'));
	if (inert)
		return withCause({ reason: 'inert' }, inert, element);
	if (holds(hit, element))
		return whyOutOfReach(element, hit, point);
	const overlay = overlayOf(hit, element);
	return { reason: 'covered', by: describe(hit), inside: overlay === hit ? undefined : describeTag(overlay), ref: refOfCover(hit, overlay) };
}

/* The ref of the covering element, if a snapshot has shown one, so that the caller can press that element. */
function refOfCover(hit, overlay) {
	let ref = null;
	nearest(hit, node => (ref = shownRef(node)) !== null || node === overlay);
	return ref ?? undefined;
}

/* The Obstacle with the reason of whyCovered(). */
export function covered(element, hit, point) {
	const overlay = overlayOf(hit, element);
	const subtree = overlay === hit || holds(hit, element) ? undefined : previewOf(overlay);
	return new Obstacle(whyCovered(element, hit, point), { hit: { hit: previewOf(hit), subtree } });
}

const outOfSight = () => new Obstacle(OUTSIDE_VIEWPORT);

/*
 * The Obstacle that keeps a press at `point` of the document in `frame` from that document: an element covers `frame` or one of its
 * ancestor frames, or a window clips it. Null if nothing does; only same-origin ancestor frames are checked.
 */
function whyFrameMissed(point, frame = window.frameElement) {
	let at = new DOMPoint(point.x, point.y);
	for (; frame; frame = frame.ownerDocument.defaultView.frameElement) {
		at = frameMap(frame).transformPoint(at);
		const hit = topElementAt(at.x, at.y, frame.ownerDocument);
		if (!hit)
			return outOfSight();
		if (hit !== frame)
			return new Obstacle({ reason: 'frameCovered', by: describe(hit), frame: describeTag(frame) }, { hit: { hit: previewOf(hit) } });
	}
	return null;
}

/* The Obstacle that keeps a press at `point` from `element`, or null. */
function whyMissed(element, point) {
	const top = topElementAt(point.x, point.y);
	if (!top)
		return outOfSight();
	return reaches(top, element) ? whyFrameMissed(point) : covered(element, top, point);
}

/* The first of `points` at which a press reaches `element`, else the first Obstacle; null if there are no points. */
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

/* A point of the viewport at which a press reaches `element`, or an Obstacle. `place`: the only offset in its box that is tried. */
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

const VIEW_PATIENCE = 500; /* ms; an element without a box never comes into view */

/*
 * Scrolls `element` into view and resolves to the part of it that is visible in the page's viewport, clipped by all ancestor frames,
 * cross-site ones included; null if it does not come into view. It is asynchronous because frames of other processes scroll later.
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
 * Continues findPoint() after cross-site ancestor frames, which this document cannot inspect, refused its points as covered or out of
 * view. Each refusal scrolls the element to another alignment; points are then taken from the part that is in view.
 */
export class OuterSearch {
	constructor() {
		this.refusals = 0;
		this.part = undefined; /* the DOMRect in view; null: none is in view; undefined: not known yet */
	}

	/* Called when an ancestor frame refused the last point. */
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
		/* Each round of alignments begins with another point, because the middle may be covered. */
		const first = Math.floor((this.refusals - 1) / (ALIGNMENTS.length - 1)) % Math.max(1, points.length);
		return firstHit(element, [...points.slice(first), ...points.slice(0, first)]) ?? outOfSight();
	}
}

/* The middle of the visible part of `element`, without a hit test. */
export function forcePoint(element, place) {
	if (!boxesOf(element).length)
		return new Obstacle(whyHidden(element) ?? { reason: 'noBox' });
	const candidate = () => place ? pointsAt(element, place).find(isInWindow) : pointsOf(element).next().value;
	const point = candidate();
	if (point)
		return point;
	scrollTo(element, 'center');
	return candidate() ?? outOfSight();
}

const isInWindow = ({ x, y }) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;

/*
 * The frameOffset() of the document inside the element `frame`, for documents that cannot inspect their parent. If `point` of that
 * document is given, `obstacle` says what keeps a press from it: {why, hit} of an Obstacle.
 */
exported.contentOrigin = ({ frame, point }) => {
	const { why, hit } = point && whyFrameMissed(point, frame) || {};
	return { ...frameOffset(frameMap(frame)), obstacle: why && { why, hit } };
};
