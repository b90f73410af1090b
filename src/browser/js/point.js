/* Where to press: a point at which the browser's own hit test finds the element, and what is there when none does. */

/* Ways to scroll, in the order of trying; the first is none at all. Headers and footers cover edges. */
const ALIGNMENTS = [null, 'center', 'end', 'start'];
/* Shares of a box: its middle, then the middles of its quarters, for elements that are covered in part. */
const SHARES = [[0.5, 0.5], [0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]];
const TRIED_BOXES = 4;
const OUT_OF_SIGHT = 'outside the viewport, and scrolling does not bring it in';
/* Scrolling costs a layout, and people see it: one round of attempts in this many. */
const ROUNDS_PER_SCROLL = 4;

/*
 * Whether a press on `hit` counts as one on `target`: inside it, on its label, or on the control around it; but not
 * when another control in between would keep the press for itself.
 */
function reaches(hit, target) {
	if (holds(target, hit))
		return true;
	const around = controlAround(target);
	const operates = node => node === around ||
		node instanceof HTMLLabelElement && (node.control === target || holds(node, target));
	const taker = nearest(hit, node => operates(node) || isControl(node));
	return taker !== null && operates(taker);
}

function insideViewport(box) {
	const left = Math.max(0, box.left), right = Math.min(innerWidth, box.right);
	const top = Math.max(0, box.top), bottom = Math.min(innerHeight, box.bottom);
	return right > left && bottom > top ? new DOMRect(left, top, right - left, bottom - top) : null;
}

function* pointsOf(element) {
	const boxes = boxesOf(element).map(insideViewport).filter(Boolean).slice(0, TRIED_BOXES);
	for (const [across, down] of SHARES) {
		for (const box of boxes)
			yield { x: box.x + box.width * across, y: box.y + box.height * down };
	}
}

function scrollTo(element, align) {
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
	return overlay === hit ? `covered by ${describe(hit)}` : `covered by ${describe(hit)} in ${describeTag(overlay)}`;
}

/* The same as an Obstacle. */
function covered(element, hit, point) {
	const overlay = overlayOf(hit, element);
	const around = overlay === hit || holds(hit, element) ? '' : ` from ${previewOf(overlay)} subtree`;
	return new Obstacle(whyCovered(element, hit, point), { log: `${previewOf(hit)}${around} intercepts pointer events` });
}

/* What lies over `frame` at `point` of its document, or over a frame around it, as far as they can be seen from here. */
function whyFrameCovered(point, frame = window.frameElement) {
	let at = new DOMPoint(point.x, point.y);
	for (; frame; frame = frame.ownerDocument.defaultView.frameElement) {
		at = frameMap(frame).transformPoint(at);
		const hit = topElementAt(at.x, at.y, frame.ownerDocument);
		if (hit && hit !== frame)
			return new Obstacle(`covered by ${describe(hit)}, which lies over ${describeTag(frame)}`,
				{ log: `${previewOf(hit)} intercepts pointer events` });
	}
	return null;
}

const outOfSight = () => new Obstacle(OUT_OF_SIGHT, { log: 'element is outside of the viewport' });

/* Null, or why a press at `point` would not reach `element`. */
function whyMissed(element, point) {
	const top = topElementAt(point.x, point.y);
	if (!top)
		return outOfSight();
	return reaches(top, element) ? whyFrameCovered(point) : covered(element, top, point);
}

/* A point of the viewport where `element` gets the mouse, or an Obstacle. */
function findPoint(element, round) {
	const alignments = round % ROUNDS_PER_SCROLL === 0 ? ALIGNMENTS : ALIGNMENTS.slice(0, 1);
	let obstacle = null;
	for (const align of alignments) {
		if (align)
			scrollTo(element, align);
		for (const point of pointsOf(element)) {
			const missed = whyMissed(element, point);
			if (!missed)
				return point;
			obstacle ??= missed;
		}
	}
	return obstacle ?? outOfSight();
}

/* The middle of what is visible, whatever lies there. */
function forcePoint(element) {
	if (!boxesOf(element).length)
		return new Obstacle(whyHidden(element) ?? 'it has no box');
	const [point] = pointsOf(element);
	if (point)
		return point;
	scrollTo(element, 'center');
	return pointsOf(element).next().value ?? outOfSight();
}
