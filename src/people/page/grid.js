/* All sessions as cards, a page of them at a time. */
import { KeyedList, announce, element, insertAfter, setAttribute, setHidden, setText } from './dom.js';
import { RunningCalls, endedCall } from './calls.js';
import { STATES, counted } from './words.js';

const PAGE = 24; /* cards */

const sessionAddress = key => `#/session/${encodeURIComponent(key)}`;

/* What a card or a session says about itself in a word: the state of the session, or that a person is in it. */
export function stateOf(card) {
	if (card.control?.taken)
		return card.control.mine ? 'person' : 'other';
	return card.asks?.length ? 'asking' : card.state;
}

class Card {
	constructor(key, pictures) {
		this.canvas = element('canvas', { class: 'picture', width: 320, height: 200, 'aria-hidden': 'true' });
		this.state = element('span', { class: 'state' });
		this.title = element('a', { href: sessionAddress(key) });
		this.address = element('bdi');
		this.facts = element('p', { class: 'facts' });
		this.asks = element('p', { class: 'asks', hidden: true });
		this.calls = element('ol', { class: 'calls' });
		this.running = new RunningCalls(this.calls);
		this.ended = new Map();
		this.root = element('li', {},
			element('article', { class: 'card' },
				element('div', { class: 'frame' }, this.canvas, element('span', { class: 'stand-in', 'aria-hidden': 'true' })),
				element('div', { class: 'about' },
					element('h2', {}, this.title),
					element('p', { class: 'address' }, this.address),
					element('p', { class: 'facts-row' }, this.state, this.facts),
					this.asks, this.calls)));
		this.card = this.root.firstElementChild;
		this.shown = pictures.show(this.canvas, key, false, (picture, message) => this.onPicture(message));
	}

	onPicture(message) {
		if (message?.type === 'picture')
			setAttribute(this.card, 'data-picture', message.state);
	}

	update(card) {
		const state = stateOf(card);
		setText(this.title, card.title || (card.url === 'about:blank' ? 'Empty page' : card.url));
		setText(this.address, card.url);
		setText(this.state, STATES[state]);
		setAttribute(this.card, 'data-state', state);
		setText(this.facts, [card.dialog ? 'a dialog is open' : '', counted(card.tabs, 'tab'), card.engine ?? ''].filter(Boolean).join(' · '));
		const [ask] = card.asks ?? [];
		setHidden(this.asks, !ask);
		if (ask)
			setText(this.asks, ask.message);
		this.updateCalls(card);
	}

	updateCalls(card) {
		const kept = new Set(card.last.map(call => call.n));
		for (const [n, root] of this.ended)
			if (!kept.has(n)) {
				root.remove();
				this.ended.delete(n);
			}
		this.running.update(card.running);
		for (const call of card.last)
			if (!this.ended.has(call.n)) {
				const root = endedCall(call);
				this.ended.set(call.n, root);
				insertAfter(this.calls, root, this.calls.children[card.running.length - 1]);
			}
	}

	end() {
		this.shown.end();
	}
}

export class Grid {
	constructor(root, send, pictures) {
		this.send = send;
		this.from = 0;
		this.total = 0;
		this.cards = new Map(); /* by key, as they were received */
		this.list = element('ul', { class: 'cards' });
		this.empty = element('p', { class: 'empty', hidden: true, text: 'No session is open. One appears here as soon as an agent begins.' });
		this.range = element('span', { class: 'range' });
		this.before = element('button', { type: 'button', text: 'Previous', on: { click: () => this.go(this.from - PAGE) } });
		this.after = element('button', { type: 'button', text: 'Next', on: { click: () => this.go(this.from + PAGE) } });
		this.pages = element('nav', { class: 'pages', 'aria-label': 'Pages of sessions', hidden: true }, this.before, this.range, this.after);
		this.count = element('p', { class: 'count' });
		this.parts = new KeyedList(this.list, key => new Card(key, pictures));
		this.asking = new Set();
		root.replaceChildren(element('div', { class: 'title-row' }, element('h1', { text: 'Sessions' }), this.count), this.empty, this.list, this.pages);
	}

	ask() {
		this.send({ type: 'list', from: this.from, count: PAGE });
	}

	go(from) {
		this.from = Math.max(0, from);
		this.ask();
		document.getElementById('main').focus();
		window.scrollTo(0, 0);
	}

	take(message) {
		if (message.type !== 'cards' || message.from !== this.from)
			return;
		for (const card of message.cards)
			this.cards.set(card.key, card);
		if (message.keys)
			this.arrange(message);
		for (const card of message.cards)
			this.parts.get(card.key)?.update(card);
		this.announceAsking(message.cards);
	}

	arrange({ keys, total }) {
		this.total = total;
		if (!keys.length && this.from) {
			this.go(this.from - PAGE);
			return;
		}
		const known = keys.filter(key => this.cards.has(key));
		this.parts.arrange(known);
		for (const key of known)
			this.parts.get(key).update(this.cards.get(key));
		const kept = new Set(keys);
		for (const key of this.cards.keys())
			if (!kept.has(key))
				this.cards.delete(key);
		setHidden(this.empty, total > 0);
		setText(this.count, total ? counted(total, 'session') : '');
		setHidden(this.pages, total <= PAGE);
		setText(this.range, `${this.from + 1} – ${this.from + keys.length} of ${total}`);
		this.before.disabled = this.from === 0;
		this.after.disabled = this.from + keys.length >= total;
	}

	announceAsking(cards) {
		for (const card of cards) {
			const asks = Boolean(card.asks?.length);
			if (asks && !this.asking.has(card.key))
				announce(`${card.title || card.url} asks for you: ${card.asks[0].message}`);
			if (asks)
				this.asking.add(card.key);
			else
				this.asking.delete(card.key);
		}
	}

	tick() {
		for (const part of this.parts.parts.values())
			part.running.tick();
	}

	end() {
		this.send({ type: 'list', from: 0, count: 0 });
		this.parts.arrange([]);
	}
}
