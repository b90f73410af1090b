/* Calls of agents: one in a line. */
import { element, setAttribute, setText } from './dom.js';
import { OUTCOMES, SIGNS, duration, failureWords, seconds, serverNow, timeOfDay } from './words.js';

/* A call that has ended. It never changes. */
export function endedCall(call, { withTime = false } = {}) {
	const failed = call.outcome === 'failed';
	return element('li', { class: `call ${call.outcome}${call.step ? ' step' : ''}` },
		element('span', { class: 'sign', 'aria-hidden': 'true', title: call.tool, text: SIGNS[call.outcome] }),
		element('span', { class: 'line' }, element('bdi', { text: call.line }),
			element('span', { class: failed ? 'why' : 'hidden', text: failed ? ` ${failureWords(call.error)}` : ` ${OUTCOMES[call.outcome]}` })),
		element('span', { class: 'time' },
			withTime ? element('time', { datetime: new Date(call.began).toISOString(), text: timeOfDay(call.began) }) : null,
			element('span', { class: 'took', text: duration(call.ms) })));
}

/* A call that runs: {root, update(call), tick()}. */
function runningCall() {
	const line = element('bdi'), sign = element('span', { class: 'sign spinner', 'aria-hidden': 'true' }), where = element('span', { class: 'where' }), time = element('span', { class: 'took' });
	const root = element('li', { class: 'call running' },
		sign,
		element('span', { class: 'line' }, line, element('span', { class: 'hidden', text: ' runs' }), where),
		element('span', { class: 'time' }, time));
	let began = 0;
	const tick = () => setText(time, seconds(serverNow() - began));
	return {
		root,
		tick,
		update(call) {
			began = call.began;
			setText(line, call.line);
			setText(where, call.where ? `waits for ${call.where}` : '');
			setAttribute(sign, 'title', call.tool);
			tick();
		},
	};
}

/* The calls that run, in a list that keeps its elements: {root, update(calls), tick()}. */
export class RunningCalls {
	constructor(list) {
		this.list = list;
		this.parts = [];
	}

	update(calls) {
		while (this.parts.length > calls.length)
			this.parts.pop().root.remove();
		while (this.parts.length < calls.length) {
			const part = runningCall();
			this.parts.push(part);
			this.list.prepend(part.root);
		}
		calls.forEach((call, i) => this.parts[i].update(call));
	}

	tick() {
		for (const part of this.parts)
			part.tick();
	}
}
