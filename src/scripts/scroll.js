/* Scrolling the page or an element, as tools ask for it. */
import { describe, describeTag, inPage, nearest, topElementAt } from './dom.js';
import { exported } from './exported.js';
import { Failure } from './failure.js';
import { intersection, OUTSIDE_VIEWPORT, partInView, scrollTo } from './point.js';
import { rectOf } from './raw.js';
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

const canScroll = element => {
	const { x, y } = scrollRange(element);
	return x > 0 || y > 0;
};

/* What scrolls when the wheel turns over `element`. */
function scrollerAround(element) {
	return nearest(element, canScroll) ?? rootScroller();
}

/* The page scrolls as a whole, or what lies in its middle does. */
function scrollerOfPage() {
	const root = rootScroller();
	return canScroll(root) ? root : scrollerAround(topElementAt(innerWidth / 2, innerHeight / 2) ?? root);
}

function scrollState(scroller) {
	const { x, y } = scrollRange(scroller);
	return { left: Math.round(scroller.scrollLeft), top: Math.round(scroller.scrollTop), width: x, height: y,
		element: scroller === rootScroller() ? 'the page' : describeTag(scroller) };
}

async function scrollRest(scroller) {
	const position = () => `${scroller.scrollLeft} ${scroller.scrollTop}`;
	let last = position();
	for (let still = 0, frames = 0; still < SCROLL_REST_FRAMES && frames < SCROLL_FRAMES_MAX; frames++) {
		await nextFrame();
		still = position() === last ? still + 1 : 0;
		last = position();
	}
	return scrollState(scroller);
}

const scrollerFor = ref => ref === undefined ? scrollerOfPage() : scrollerAround(elementByRef(ref));

/*
 * {ref}: brings the element into view; without one, looks at the page only. -> the state of what a turn of the wheel scrolls there,
 * and the point for it, {left, top, width, height, element, x, y, offset}: `width` and `height` are how far it can be scrolled.
 */
exported.scrollPlace = async ({ ref }) => {
	const scroller = scrollerFor(ref);
	if (ref === undefined)
		return { ...scrollState(scroller), ...inPage(centreOf(scroller)) };
	const element = elementByRef(ref);
	const part = await partInView(element);
	if (!part)
		throw new Failure('ELEMENT_NOT_CLICKABLE', 'notScrolledIntoView', { element: describe(element), why: whyHidden(element) ?? OUTSIDE_VIEWPORT });
	return { ...scrollState(scroller), ...inPage({ x: part.x + part.width / 2, y: part.y + part.height / 2 }) };
};

function centreOf(scroller) {
	const whole = new DOMRect(0, 0, innerWidth, innerHeight);
	const box = scroller === rootScroller() ? whole : intersection(rectOf(scroller), whole) ?? whole;
	return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/* {ref} -> the state of the same as scrollPlace(), when it does not move any more. */
exported.scrolled = ({ ref }) => scrollRest(scrollerFor(ref));

const ENDS = { top: { top: 0 }, bottom: { top: Infinity }, left: { left: 0 }, right: { left: Infinity } };

/* {ref, to}: scrolls to that end of what scrolls there; `to` is "view": the element to the middle of all that is around it. */
exported.scrollToEnd = ({ ref, to }) => {
	const scroller = scrollerFor(ref);
	if (to === 'view') {
		scrollTo(ref === undefined ? scroller : elementByRef(ref), 'center');
		return scrollRest(scroller);
	}
	const { left = scroller.scrollLeft, top = scroller.scrollTop } = ENDS[to];
	scroller.scrollTo({ left: Math.min(left, scroller.scrollWidth), top: Math.min(top, scroller.scrollHeight), behavior: 'instant' });
	return scrollRest(scroller);
};
