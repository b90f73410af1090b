/* Scrolling the page or an element, as tools ask for it. */
import { describe, describeTag, holds, inPage, nearest, topElementAt } from './dom.js';
import { effects } from './effects.js';
import { exported } from './exported.js';
import { Failure } from './failure.js';
import { childrenOf } from './names.js';
import { intersection, OUTSIDE_VIEWPORT, partInView, scrollTo } from './point.js';
import { flatParent, isElement, isFrameTag, rectOf, tagOf } from './raw.js';
import { elementByRef } from './refs.js';
import { nextFrame, whyHidden } from './visibility.js';

const SCROLL_REST_FRAMES = 3; /* without a change, after which scrolling has ended */
const SCROLL_FRAMES_MAX = 60;
const SCROLLING = /auto|scroll|overlay/;

function rootScroller() {
	return document.scrollingElement ?? document.documentElement;
}

/* How far `element` can be scrolled, {x, y}. Whether a user may scroll the page's own root, its overflow decides as well. */
function scrollRange(element) {
	const { overflowX, overflowY } = getComputedStyle(element);
	const isRoot = element === rootScroller();
	const range = (overflow, size, shown) => (isRoot ? !/hidden|clip/.test(overflow) : SCROLLING.test(overflow)) ? Math.max(0, size - shown) : 0;
	return {
		x: range(overflowX, element.scrollWidth, element.clientWidth),
		y: range(overflowY, element.scrollHeight, element.clientHeight),
	};
}

/* Whether `element` can be scrolled in a direction that `along` has, {x, y}. */
function canScroll(element, along) {
	const { x, y } = scrollRange(element);
	return along.x && x > 0 || along.y && y > 0;
}

const ANY = { x: true, y: true };
const ENDS = { top: { top: 0 }, bottom: { top: Infinity }, left: { left: 0 }, right: { left: Infinity } };
const alongOf = ({ x, y, to }) => to in ENDS ? { x: 'left' in ENDS[to], y: 'top' in ENDS[to] } : x || y ? { x, y } : ANY;

/* What scrolls when the wheel turns over `element`. */
function scrollerAround(element, along) {
	return nearest(element, node => canScroll(node, along)) ?? rootScroller();
}

const areaOf = ({ width, height }) => width * height;

/* What scrolls in `element` and takes at least half of its area: a grid often has its rows in such a box, below the header. */
function scrollerIn(element, along) {
	const half = areaOf(rectOf(element)) / 2;
	for (const todo = [element]; half > 0 && todo.length;) {
		for (const child of childrenOf(todo.pop())) {
			if (!isElement(child) || areaOf(rectOf(child)) < half)
				continue;
			if (canScroll(child, along))
				return child;
			todo.push(child);
		}
	}
	return null;
}

/* The page scrolls as a whole, or what lies in its middle does. */
function scrollerOfPage(along) {
	const root = rootScroller();
	return canScroll(root, along) ? root : scrollerAround(topElementAt(innerWidth / 2, innerHeight / 2) ?? root, along);
}

function scrollerFor(element, along) {
	if (!element)
		return scrollerOfPage(along);
	return canScroll(element, along) ? element : scrollerIn(element, along) ?? scrollerAround(element, along);
}

/*
 * The elements that the call may scroll, with their positions before it. The first one is what the caller means. The others lie around
 * the point where the wheel turns; Chromium scrolls the innermost of those.
 */
let watched = { frame: null, places: [] };

function watchScrolling(scroller, top) {
	const around = [];
	nearest(top, node => canScroll(node, ANY) && around.push(node) && false);
	const places = [...new Set([scroller, ...around, rootScroller()])].map(element => ({ element, left: element.scrollLeft, top: element.scrollTop }));
	watched = { frame: top && isFrameTag(tagOf(top)) ? describeTag(top) : null, places };
}

const placesNow = () => watched.places.map(({ element }) => `${element.scrollLeft} ${element.scrollTop}`).join();

/* Resolves when nothing of it moves any more, to what has moved: see exported.scrolled(). */
async function scrollRest() {
	let last = placesNow();
	for (let still = 0, frames = 0; still < SCROLL_REST_FRAMES && frames < SCROLL_FRAMES_MAX; frames++) {
		await nextFrame();
		const now = placesNow();
		still = now === last ? still + 1 : 0;
		last = now;
	}
	const { places, frame } = watched;
	watched = { frame: null, places: [] };
	const place = places.find(({ element, left, top }) => element.scrollLeft !== left || element.scrollTop !== top);
	const elsewhere = place ? undefined : [...effects?.scrollers ?? []].find(isElement);
	const element = place?.element ?? elsewhere ?? places[0]?.element ?? rootScroller();
	const { x, y } = scrollRange(element);
	return {
		left: Math.round(element.scrollLeft), top: Math.round(element.scrollTop), width: x, height: y,
		moved: place && { x: Math.round(element.scrollLeft - place.left), y: Math.round(element.scrollTop - place.top) },
		element: element === rootScroller() ? 'the page' : describeTag(element), isElsewhere: elsewhere !== undefined, frame,
	};
}

/* {ref, x, y}: brings the element into view, and prepares a turn of the wheel there. -> the point for it, {x, y, offset} */
exported.scrollPlace = async ({ ref, x, y }) => {
	const element = ref ? elementByRef(ref) : null;
	const scroller = scrollerFor(element, alongOf({ x, y }));
	let point = centreOf(scroller);
	if (element) {
		const part = await partInView(holds(element, scroller) ? scroller : element);
		if (!part)
			throw new Failure('ELEMENT_NOT_CLICKABLE', 'notScrolledIntoView', { element: describe(element), why: whyHidden(element) ?? OUTSIDE_VIEWPORT });
		point = { x: part.x + part.width / 2, y: part.y + part.height / 2 };
	}
	watchScrolling(scroller, topElementAt(point.x, point.y));
	return inPage(point);
};

function centreOf(scroller) {
	const whole = new DOMRect(0, 0, innerWidth, innerHeight);
	const box = scroller === rootScroller() ? whole : intersection(rectOf(scroller), whole) ?? whole;
	return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/*
 * What has scrolled since scrollPlace(), when nothing moves any more: {element, left, top, width, height, moved: {x, y}, isElsewhere, frame}.
 * `width` and `height` are how far it can be scrolled. Without `moved`, nothing at the place has scrolled: with `isElsewhere` the page has
 * scrolled `element` instead, as grids do with their header or other half. `frame` is the frame at the place, which scrolls by itself.
 */
exported.scrolled = () => scrollRest();

/* {ref, to}: scrolls to that end of what scrolls there; `to` is "view": the element to the middle of all that is around it. */
exported.scrollToEnd = ({ ref, to }) => {
	const element = ref ? elementByRef(ref) : null;
	const scroller = to === 'view' ? scrollerAround(flatParent(element) ?? element, ANY) : scrollerFor(element, alongOf({ to }));
	watchScrolling(scroller, element);
	if (to === 'view')
		scrollTo(element, 'center');
	else {
		const { left = scroller.scrollLeft, top = scroller.scrollTop } = ENDS[to];
		scroller.scrollTo({ left: Math.min(left, scroller.scrollWidth), top: Math.min(top, scroller.scrollHeight), behavior: 'instant' });
	}
	return scrollRest();
};
