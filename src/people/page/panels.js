/* A row of tabs, of which one panel is shown. Arrow keys, Home and End move between them (ARIA Authoring Practices, "Tabs"). */
import { element, setAttribute } from './dom.js';

export class Panels {
	/* `parts`: [{id, name, root}]. */
	constructor(label, parts, chosen = () => {}) {
		this.chosen = chosen;
		this.tabs = parts.map(({ id, name, root }) => ({
			id,
			panel: element('div', { class: 'panel', role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}`, tabindex: '0' }, root),
			button: element('button', { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}`, on: { click: () => this.choose(id) } },
				element('span', { text: name }), element('span', { class: 'badge', hidden: true })),
		}));
		const list = element('div', { class: 'tabs', role: 'tablist', 'aria-label': label, on: { keydown: event => this.onKey(event) } },
			...this.tabs.map(tab => tab.button));
		this.root = element('div', { class: 'panels' }, list, ...this.tabs.map(tab => tab.panel));
		this.choose(parts[0].id, false);
	}

	choose(id, focuses = true) {
		this.current = id;
		for (const tab of this.tabs) {
			const isChosen = tab.id === id;
			setAttribute(tab.button, 'aria-selected', String(isChosen));
			tab.button.tabIndex = isChosen ? 0 : -1;
			tab.panel.hidden = !isChosen;
			if (isChosen && focuses)
				tab.button.focus();
		}
		this.chosen(id);
	}

	onKey(event) {
		const at = this.tabs.findIndex(tab => tab.id === this.current), count = this.tabs.length;
		const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + count, Home: 0, End: count - 1 }[event.key];
		if (to === undefined)
			return;
		event.preventDefault();
		this.choose(this.tabs[to % count].id);
	}

	/* The number behind the name of a tab; 0 hides it. */
	count(id, number, words) {
		const badge = this.tabs.find(tab => tab.id === id).button.lastElementChild;
		badge.hidden = !number;
		badge.textContent = number || '';
		setAttribute(badge, 'aria-label', number ? words : null);
	}
}
