/*
 * Recognises recurring changes: clocks of the page, and animations that are driven by timers. Setting an interval can be
 * observed, but its firing cannot, so recurring changes are recognised by their content and timing.
 */
import { isOverlayRecord } from './overlay.js';
import { dataOf, firstElementOf, isAttached, isElement, TEXT, textOf, typeOfNode } from './raw.js';

const TICK_GAP_MAX = 100; /* ms between two steps of an animation */
const TICK_FIRST = 60; /* ms to wait for a second step after a change of geometry */
const TICK_AFTER = 20; /* ms by which a step may be late */
const TICKING_MAX = 500; /* nodes that are tracked */
const BURST_GAP = 50; /* ms, at most, between mutations that belong to the same tick */
const PERIODS = 2; /* equal periods in a row (between three ticks) that make a node a clock */
const PERIOD_SLACK = 0.25; /* share of a period by which the next one may differ; the tolerance is at least BURST_GAP */
const IDLE_MUTATIONS_MAX = 2000; /* mutation records processed between two actions, to bound the cost */
const CHANGED = { subtree: true, childList: true, attributes: true, characterData: true };
const NUMBERS = /[-+]?(?:\d[\d.,:]*|\.\d+)(?:e[-+]?\d+)?/gi;
const GEOMETRY = new Set(['style', 'transform', 'width', 'height', 'x', 'y', 'cx', 'cy', 'r', 'd', 'points', 'value']);
/* Nodes that change steadily, independent of any action. */
const clocks = new WeakSet();
const clockList = []; /* the first ones, as WeakRefs */

function addClock(node) {
	if (!clocks.has(node) && clockList.length < TICKING_MAX)
		clockList.push(new WeakRef(node));
	clocks.add(node);
}

/* The clocks of the document, as far as they are listed. */
export const tickingNodes = () => clockList.map(reference => reference.deref()).filter(node => node && isAttached(node));

/* Of the nodes whose text changes between actions, the texts that they had, without numbers. */
const usualTexts = new WeakMap();
const USUAL_MAX = 16; /* texts of a node */
const USUAL_LENGTH = 200;

/* The text of a node that has nothing but text, as usualTexts has it; null for others. */
function patternOf(node) {
	if (typeOfNode(node) === TEXT)
		return withoutNumbers(dataOf(node)).slice(0, USUAL_LENGTH);
	return isElement(node) && firstElementOf(node) === null ? withoutNumbers(textOf(node)).slice(0, USUAL_LENGTH) : null;
}

function noteText(node) {
	const pattern = patternOf(node), texts = usualTexts.get(node) ?? new Set();
	if (pattern === null || texts.size === USUAL_MAX)
		return;
	texts.add(pattern);
	usualTexts.set(node, texts);
}

/* Whether it changes its text between actions, and shows one that it had there. */
export const showsUsualText = node => usualTexts.get(node)?.has(patternOf(node)) === true;

/* White space and semicolons are ignored, because setting a style property reserialises the attribute. */
const withoutNumbers = text => text.replace(NUMBERS, '#').replace(/[\s;]+/g, '');

/* Whether two texts differ in numbers only, as counters, times and positions do. */
function differInNumbers(former, now) {
	if (typeof former !== 'string' || typeof now !== 'string')
		return false;
	const words = withoutNumbers(former);
	return words.includes('#') && words === withoutNumbers(now);
}

const valueNow = ({ target, attributeName, attributeNamespace }) => Element.prototype.getAttributeNS.call(target, attributeNamespace, attributeName);

/* The text before and after the mutation as {former, now}; both are undefined for other kinds of change. */
function textsOf(record) {
	const { type, target, oldValue, removedNodes, addedNodes } = record;
	if (type === 'attributes')
		return { former: oldValue, now: valueNow(record) };
	if (type === 'characterData')
		return { former: oldValue, now: dataOf(target) };
	const [removed, added] = [removedNodes[0], addedNodes[0]];
	const isText = removedNodes.length === 1 && addedNodes.length === 1 && typeOfNode(removed) === TEXT && typeOfNode(added) === TEXT;
	return isText ? { former: dataOf(removed), now: dataOf(added) } : {};
}

/* Whether the mutation is a step of a clock or counter, and so no evidence of an action's effect. */
export function isTick(record) {
	const { former, now } = textsOf(record);
	return clocks.has(record.target) || differInNumbers(former, now);
}

const isGeometry = ({ type, attributeName }) => type === 'attributes' && GEOMETRY.has(attributeName);

/* The nodes that change outside of input events during an action, and the pace of each. */
export class Ticks {
	constructor() {
		this.nodes = new Map();
		this.latest = 0; /* time of the last change of any node */
	}

	note(records, now) {
		for (const record of records) {
			const { target } = record;
			const former = this.nodes.get(target);
			if (clocks.has(target) || former?.last === now || !former && this.nodes.size === TICKING_MAX)
				continue;
			const gap = now - (former?.last ?? -Infinity);
			const goesOn = gap <= TICK_GAP_MAX && !former.isChain;
			const wait = goesOn ? 2 * gap + TICK_AFTER : isGeometry(record) ? TICK_FIRST : 0;
			this.latest = now;
			this.nodes.set(target, { last: now, until: now + wait, goesOn, isChain: former?.isChain });
		}
	}

	/* Called when the task of the last step set a timer for the next one: Effects counts that timer, so no time need be estimated. */
	continueByTimers() {
		for (const node of this.nodes.values()) {
			if (node.last === this.latest)
				Object.assign(node, { until: 0, goesOn: false, isChain: true });
		}
	}

	/* The time by which the next step of every node would have come; 0 if none is expected. */
	get until() {
		let until = 0;
		for (const node of this.nodes.values())
			until = Math.max(until, node.until);
		return until;
	}

	/* Nodes that still change when an action's patience ends are clocks. */
	giveUp(now) {
		for (const [node, { until, goesOn }] of this.nodes) {
			if (goesOn && now < until)
				addClock(node);
		}
	}
}

/*
 * Observes mutations between two actions. A node that changes at a steady rate then is a clock, whatever its content:
 * blinking text and rotating words, for example.
 */
export class IdleTicks {
	constructor(roots) {
		/*
		 * By node: began and last, the times of the first and last mutation of the tick; period, ms since the previous tick;
		 * periods, the number of periods in a row of that length.
		 */
		this.nodes = new Map();
		this.left = IDLE_MUTATIONS_MAX;
		this.observer = new MutationObserver(records => this.note(records.filter(record => !isOverlayRecord(record)), performance.now()));
		for (const root of roots)
			this.observer.observe(root, CHANGED);
	}

	end() {
		this.observer.disconnect();
	}

	note(records, now) {
		for (const target of new Set(records.map(record => record.target)))
			this.noteMutation(target, now);
		for (const target of new Set(records.filter(({ type }) => type !== 'attributes').map(record => record.target)))
			noteText(target);
		this.left -= records.length;
		if (this.left <= 0)
			this.end();
	}

	noteMutation(node, now) {
		const former = this.nodes.get(node) ?? { began: -Infinity, last: -Infinity, period: Infinity, periods: 0 };
		if (now - former.last <= BURST_GAP) {
			former.last = now;
			return;
		}
		const period = now - former.began;
		const isSteady = Math.abs(period - former.period) <= Math.max(BURST_GAP, period * PERIOD_SLACK);
		const periods = isSteady ? former.periods + 1 : 1;
		if (periods >= PERIODS)
			addClock(node);
		if (this.nodes.has(node) || this.nodes.size < TICKING_MAX)
			this.nodes.set(node, { began: now, last: now, period, periods });
	}
}
