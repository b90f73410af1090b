/* One session, large: its picture, tabs and dialogs; its calls, console, requests and text; and taking over. */
import { KeyedList, element, insertAfter, setAttribute, setHidden, setText } from './dom.js';
import { Control } from './control.js';
import { Panels } from './panels.js';
import { RunningCalls, endedCall } from './calls.js';
import { STATES, counted, duration } from './words.js';
import { stateOf } from './grid.js';

const CALLS_KEPT = 200, MESSAGES_KEPT = 300, REQUESTS_KEPT = 300; /* in the lists; the oldest go */

const WHY_NO_SNAPSHOT = {
	working: 'A call of the agent runs. The text follows when it has ended.',
	dialog: 'A dialog is open, and the page does not answer until it is closed.',
	gone: 'The session has no page at the moment.',
	large: 'The page is too large to be read.',
	unanswered: 'The page did not answer.',
};

/* Adds to the top of a list, and removes what is beyond the limit at its end. */
function addOnTop(list, root, after, most) {
	insertAfter(list, root, after);
	while (list.children.length > most)
		list.lastElementChild.remove();
}

class CallsPanel {
	constructor() {
		this.list = element('ol', { class: 'calls timeline' });
		this.empty = element('p', { class: 'empty small', text: 'No call has been made yet.' });
		this.root = element('div', {}, this.empty, this.list);
		this.running = new RunningCalls(this.list);
	}

	take({ running, calls }) {
		if (running)
			this.running.update(running);
		for (const call of calls ?? [])
			addOnTop(this.list, endedCall(call, { withTime: true }), this.list.children[this.running.parts.length - 1], CALLS_KEPT);
		setHidden(this.empty, this.list.children.length > 0);
	}
}

class ConsolePanel {
	constructor() {
		this.list = element('ol', { class: 'console' });
		this.empty = element('p', { class: 'empty small', text: 'The page has written nothing to the console.' });
		this.root = element('div', {}, this.empty, this.list);
		this.errors = 0;
	}

	clear() {
		this.list.replaceChildren();
		this.errors = 0;
		setHidden(this.empty, false);
	}

	take(messages) {
		for (const { level, text, at } of messages) {
			this.errors += level === 'error';
			addOnTop(this.list, element('li', { class: `message ${level}` },
				element('span', { class: 'level', text: level }),
				element('bdi', { class: 'text', text }),
				at ? element('bdi', { class: 'place', text: at }) : null), null, MESSAGES_KEPT);
		}
		setHidden(this.empty, this.list.children.length > 0);
	}
}

class RequestsPanel {
	constructor() {
		this.rows = new Map(); /* by number */
		this.body = element('tbody');
		this.empty = element('p', { class: 'empty small', text: 'The page has made no requests yet.' });
		this.table = element('table', { hidden: true },
			element('caption', { class: 'hidden', text: 'Requests of the page, the newest first' }),
			element('thead', {}, element('tr', {},
				...['Status', 'Method', 'Address', 'Type', 'Time'].map(text => element('th', { scope: 'col', text })))),
			this.body);
		this.root = element('div', { class: 'requests' }, this.empty, this.table);
	}

	clear() {
		this.rows.clear();
		this.body.replaceChildren();
		setHidden(this.empty, false);
		setHidden(this.table, true);
	}

	get failed() {
		return [...this.rows.values()].filter(row => row.dataset.failed).length;
	}

	take(requests) {
		for (const request of requests) {
			const former = this.rows.get(request.n), row = this.row(request);
			if (former)
				former.replaceWith(row);
			else
				this.body.prepend(row);
			this.rows.set(request.n, row);
		}
		for (const n of this.rows.keys()) {
			if (this.rows.size <= REQUESTS_KEPT)
				break;
			this.rows.get(n).remove();
			this.rows.delete(n);
		}
		setHidden(this.empty, this.rows.size > 0);
		setHidden(this.table, this.rows.size === 0);
	}

	row({ method, url, type, status, error, ms }) {
		const failed = Boolean(error) || status >= 400;
		return element('tr', { 'data-failed': failed || null },
			element('td', { class: 'status', text: error ? 'failed' : status ?? '…', title: error }),
			element('td', { text: method }),
			element('td', { class: 'url', title: url }, element('bdi', { text: url })),
			element('td', { text: type }),
			element('td', { class: 'took', text: ms === undefined ? '' : duration(ms) }));
	}
}

class TextPanel {
	constructor(ask) {
		this.status = element('p', { class: 'empty small', role: 'status' });
		this.text = element('pre', { class: 'text', hidden: true });
		this.root = element('div', {}, element('button', { type: 'button', text: 'Read again', on: { click: ask } }), this.status, this.text);
	}

	waits() {
		setText(this.status, 'Reading the page …');
	}

	take({ text, why }) {
		setText(this.status, text === null || text === undefined ? WHY_NO_SNAPSHOT[why] ?? 'The page cannot be read.' : text ? '' : 'The page is empty.');
		setHidden(this.text, !text);
		if (text)
			setText(this.text, text);
	}
}

class TabStrip {
	constructor(select) {
		this.select = select;
		this.list = element('ul', { class: 'page-tabs', 'aria-label': 'Tabs of the session' });
		this.root = element('div', { class: 'page-tabs-row' }, this.list);
		this.parts = new KeyedList(this.list, key => this.make(key));
	}

	make(key) {
		const title = element('bdi');
		const button = element('button', { type: 'button', on: { click: () => this.select(key) } }, title);
		return { root: element('li', {}, button), button, title };
	}

	update(tabs, mayselect) {
		this.parts.arrange(tabs.map(tab => tab.id));
		for (const tab of tabs) {
			const { button, title } = this.parts.get(tab.id);
			setText(title, `${tab.title || tab.url}${tab.crashed ? ' (crashed)' : ''}`);
			setAttribute(button, 'aria-current', tab.current ? 'page' : null);
			setAttribute(button, 'title', tab.url);
			button.disabled = !tab.current && !mayselect;
		}
	}
}

export class Session {
	/* `asked`: the key or the id of the session. */
	constructor(root, asked, send, pictures) {
		Object.assign(this, { asked, key: null, send, pictures, shown: null, tabs: [], card: null });
		this.title = element('h1');
		this.address = element('bdi');
		this.state = element('span', { class: 'state' });
		this.gone = element('p', { class: 'notice', hidden: true, role: 'status' });
		this.strip = new TabStrip(tab => this.send({ type: 'tab', key: this.key, tab }));
		this.canvas = element('canvas', { class: 'picture', width: 1280, height: 800, tabindex: '-1', role: 'img', 'aria-label': 'Live picture of the page' });
		this.standIn = element('p', { class: 'stand-in' });
		this.stage = element('div', { class: 'stage' }, this.canvas, this.standIn);
		this.control = new Control(this, pictures);
		this.calls = new CallsPanel();
		this.console = new ConsolePanel();
		this.requests = new RequestsPanel();
		this.text = new TextPanel(() => this.askForText());
		this.panels = new Panels('About the session', [
			{ id: 'calls', name: 'Calls', root: this.calls.root },
			{ id: 'console', name: 'Console', root: this.console.root },
			{ id: 'requests', name: 'Requests', root: this.requests.root },
			{ id: 'text', name: 'Text', root: this.text.root },
		], id => this.onPanel(id));
		root.replaceChildren(element('div', { class: 'session' },
			element('div', { class: 'title-row' },
				element('a', { class: 'back', href: '#/', text: '← All sessions' }),
				this.title, this.state),
			element('p', { class: 'address' }, this.address),
			this.gone, this.control.root,
			element('div', { class: 'columns' },
				element('section', { class: 'live', 'aria-label': 'Page' }, this.strip.root, this.control.dialog, this.stage),
				this.panels.root)));
	}

	/* After a new connection, too: what was shown begins anew. */
	ask() {
		this.calls.list.replaceChildren();
		this.calls.running.parts = [];
		this.console.clear();
		this.requests.clear();
		this.send({ type: 'open', key: this.asked });
	}

	askForText() {
		this.text.waits();
		this.send({ type: 'snapshot' });
	}

	onPanel(id) {
		if (id === 'text' && this.text)
			this.askForText();
	}

	onPicture(picture, message) {
		this.control.onPicture(picture, message);
		if (message?.type === 'picture')
			setAttribute(this.stage, 'data-picture', message.state);
	}

	take(message) {
		if (message.type === 'refused' && message.about === 'open')
			this.finish('This session is not there any more.');
		else if (message.type === 'opened')
			this.begin(message.key);
		else if (message.key !== this.key)
			return;
		else if (message.type === 'session')
			this.takeChanges(message);
		else if (message.type === 'snapshot')
			this.text.take(message);
	}

	begin(key) {
		this.key = key;
		setHidden(this.gone, true);
		this.shown ??= this.pictures.show(this.canvas, key, true, (picture, message) => this.onPicture(picture, message));
	}

	takeChanges(message) {
		if (message.ended) {
			this.finish('This session has ended.');
			return;
		}
		if (message.page !== undefined) {
			this.console.clear();
			this.requests.clear();
		}
		if (message.tabs)
			this.tabs = message.tabs;
		if (message.card)
			this.card = message.card;
		this.calls.take(message);
		this.console.take(message.console ?? []);
		this.requests.take(message.requests ?? []);
		this.update();
	}

	update() {
		const current = this.tabs.find(tab => tab.current), state = this.card ? stateOf(this.card) : 'idle';
		setText(this.title, current?.title || current?.url || 'Session');
		setText(this.address, current?.url ?? '');
		setText(this.state, STATES[state]);
		setAttribute(this.state.closest('.session'), 'data-state', state);
		this.control.update(this.card, this.tabs);
		this.strip.update(this.tabs, this.control.isMine);
		document.title = `${this.title.textContent} – browserd`;
		this.panels.count('console', this.console.errors, counted(this.console.errors, 'error'));
		this.panels.count('requests', this.requests.failed, `${this.requests.failed} failed`);
	}

	/* The session has ended or was not found: `words` say so in place of its picture. */
	finish(words) {
		setText(this.gone, words);
		setHidden(this.gone, false);
		setText(this.state, 'Ended');
		setAttribute(this.state.closest('.session'), 'data-state', 'ended');
		this.control.update(null, []);
		this.shown?.end();
		this.shown = null;
	}

	tick() {
		this.calls.running.tick();
	}

	/* The person goes elsewhere. */
	end() {
		this.control.end();
		this.shown?.end();
		this.send({ type: 'close' });
		document.title = 'browserd';
	}
}
