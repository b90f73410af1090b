/*
 * Effects that come again and again: clocks of the page, and animations by timers. An interval leaves a trace when it is
 * set and none when it fires, so what tells them apart are the changes themselves.
 */
import { dataOf, TEXT, typeOfNode } from './raw.js';

const TICK_GAP_MAX = 100; /* ms between two steps of an animation */
const TICK_FIRST = 60; /* ms for the second step, where the first one was a matter of style */
const TICK_AFTER = 20; /* ms that a step may be late */
const TICKING_MAX = 500; /* nodes */
const BURST_GAP = 50; /* ms, at most, between mutations that belong to the same tick */
const PERIODS = 2; /* of equal length between three ticks: then the node is a clock */
const PERIOD_SLACK = 0.25; /* of a period, that the next one may differ by; at least BURST_GAP */
const IDLE_MUTATIONS_MAX = 2000; /* that are observed between two actions */
const CHANGED = { subtree: true, childList: true, attributes: true, characterData: true };
const NUMBERS = /[-+]?(?:\d[\d.,:]*|\.\d+)(?:e[-+]?\d+)?/gi;
const GEOMETRY = new Set(['style', 'transform', 'width', 'height', 'x', 'y', 'cx', 'cy', 'r', 'd', 'points', 'value']);
/* Nodes that were found to change for longer than any action had patience. */
const clocks = new WeakSet();

/* Styles are spelled anew when a script sets one. */
const withoutNumbers = text => text.replace(NUMBERS, '#').replace(/[\s;]+/g, '');

/* Do they differ in numbers alone? That is how counters, times and positions change. */
function differInNumbers(former, now) {
	if (typeof former !== 'string' || typeof now !== 'string')
		return false;
	const words = withoutNumbers(former);
	return words.includes('#') && words === withoutNumbers(now);
}

const valueNow = ({ target, attributeName, attributeNamespace }) => Element.prototype.getAttributeNS.call(target, attributeNamespace, attributeName);

/* {former, now}: a text before and after the mutation; undefined where it is another kind of change. */
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

/* A step of a clock or counter: it says nothing about whether an action's own effect has come. */
export function isTick(record) {
	const { former, now } = textsOf(record);
	return clocks.has(record.target) || differInNumbers(former, now);
}

const isGeometry = ({ type, attributeName }) => type === 'attributes' && GEOMETRY.has(attributeName);

/* The nodes that change in tasks of their own, each with its pace. */
export class Ticks {
	constructor() {
		this.nodes = new Map();
		this.latest = 0; /* when one has changed */
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

	/* The task of the last step has set a timer for the next one: timers are counted, so nobody has to guess when it comes. */
	continueByTimers() {
		for (const node of this.nodes.values()) {
			if (node.last === this.latest)
				Object.assign(node, { until: 0, goesOn: false, isChain: true });
		}
	}

	/* When the next step would have come. */
	get until() {
		let until = 0;
		for (const node of this.nodes.values())
			until = Math.max(until, node.until);
		return until;
	}

	/* Those that still go on are clocks. */
	giveUp(now) {
		for (const [node, { until, goesOn }] of this.nodes) {
			if (goesOn && now < until)
				clocks.add(node);
		}
	}
}

/*
 * Mutations between two actions. A node that changes in a steady rhythm then is a clock, whatever it shows: blinking signs,
 * words that take turns.
 */
export class IdleTicks {
	constructor(roots) {
		this.nodes = new Map(); /* {began, last: ms, first and last mutation of the tick; period: ms since the tick before; periods: so many of that length} */
		this.left = IDLE_MUTATIONS_MAX;
		this.observer = new MutationObserver(records => this.note(records, performance.now()));
		for (const root of roots)
			this.observer.observe(root, CHANGED);
	}

	end() {
		this.observer.disconnect();
	}

	note(records, now) {
		for (const target of new Set(records.map(record => record.target)))
			this.noteMutation(target, now);
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
			clocks.add(node);
		if (this.nodes.has(node) || this.nodes.size < TICKING_MAX)
			this.nodes.set(node, { began: now, last: now, period, periods });
	}
}
