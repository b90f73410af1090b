/*
 * Taking over and handing back, what the agent asks for, and dialogs of the page. While this viewer has control, mouse and keyboard go to the
 * page (input.js).
 */
import { element, setHidden, setText } from './dom.js';
import { counted } from './words.js';

const whenInputLoaded = import('/view/input.js').catch(() => null);

const REASONS = { login: 'The agent needs you to log in', captcha: 'The agent needs you to solve a captcha', decision: 'The agent needs a decision', other: 'The agent asks for you' };

/* What an agent asks for. It stays the same element as long as it is the same question, so that what is being typed stays. */
class Ask {
	constructor(control) {
		this.control = control;
		this.number = 0;
		this.heading = element('h2');
		this.message = element('p', { class: 'message' });
		this.buttons = element('p', { class: 'buttons' });
		this.root = element('section', { class: 'ask', hidden: true, 'aria-label': 'The agent asks' }, this.heading, this.message, this.buttons);
	}

	update(ask, mayAct) {
		setHidden(this.root, !ask);
		if (!ask || ask.number === this.number)
			return;
		this.number = ask.number;
		setText(this.heading, REASONS[ask.reason] ?? REASONS.other);
		setText(this.message, ask.message);
		this.buttons.replaceChildren(...mayAct ? this.answers(ask) : []);
	}

	answers({ number, choices }) {
		/* Who has done it in the page hands it back, which is the same answer. */
		const answer = (outcome, text) => outcome === 'done' && this.control.isMine ? this.control.send('return') :
			this.control.send('answer', { number, outcome, text });
		const button = (text, outcome, given, className) => element('button', { type: 'button', class: className, text, on: { click: () => answer(outcome, given) } });
		return [
			...choices?.length ? choices.map(choice => button(choice, 'answered', choice, 'primary')) : [button('Done', 'done', undefined, 'primary')],
			button('Decline', 'declined'),
		];
	}
}

const HEADINGS = { beforeunload: 'The page asks whether it may be left', chooser: 'The page asks for a file' };

/* The person's own files are on another machine, so the page gets none from here. */
const CHOOSER = { type: 'chooser', message: 'Files cannot be given from here. Close it, or hand back and let the agent give one.' };

/* The dialog (alert, confirm, prompt) or file chooser that blocks the page. */
class PageDialog {
	constructor(control) {
		this.control = control;
		this.shown = '';
		this.heading = element('h2');
		this.message = element('p', { class: 'message' });
		this.text = element('input', { type: 'text', 'aria-label': 'Answer', autocomplete: 'off' });
		this.accept = element('button', { type: 'submit', class: 'primary', text: 'OK' });
		this.dismiss = element('button', { type: 'button', text: 'Cancel', on: { click: () => this.answer(false) } });
		this.hint = element('p', { class: 'hint', text: 'Take over to answer it.' });
		this.form = element('form', {
			on: {
				submit: event => {
					event.preventDefault();
					this.answer(true);
				},
			},
		}, this.text, element('p', { class: 'buttons' }, this.accept, this.dismiss));
		this.root = element('section', { class: 'dialog', hidden: true, role: 'alertdialog', 'aria-label': 'Dialog of the page' }, this.heading, this.message, this.form, this.hint);
	}

	answer(accept) {
		this.control.send('dialog', { tab: this.tab, accept, text: this.kind === 'prompt' ? this.text.value : undefined });
	}

	update(tab, isMine) {
		const dialog = tab?.chooser ? CHOOSER : tab?.dialog, shown = dialog ? JSON.stringify([tab.id, dialog]) : '';
		setHidden(this.root, !dialog);
		setHidden(this.form, !isMine);
		setHidden(this.hint, isMine);
		if (shown === this.shown)
			return;
		this.shown = shown;
		if (!dialog)
			return;
		this.tab = tab.id;
		this.kind = dialog.type;
		setText(this.heading, HEADINGS[dialog.type] ?? `The page shows a dialog (${dialog.type})`);
		setText(this.message, dialog.message);
		setHidden(this.text, dialog.type !== 'prompt');
		setHidden(this.accept, dialog.type === 'chooser');
		setHidden(this.dismiss, dialog.type === 'alert');
		this.text.value = '';
	}
}

export class Control {
	constructor(session) {
		this.session = session;
		this.isMine = false;
		this.input = null;
		this.words = element('p', { class: 'control-words' });
		this.take = element('button', { type: 'button', class: 'primary', text: 'Take over', on: { click: () => this.send('take', { from: this.isOthers }) } });
		this.return = element('button', { type: 'button', class: 'primary', text: 'Hand back', on: { click: () => this.send('return') } });
		this.ask = new Ask(this);
		this.pageDialog = new PageDialog(this);
		this.dialog = this.pageDialog.root;
		this.bar = element('div', { class: 'control', hidden: true }, this.words, this.take, this.return);
		this.root = element('div', {}, this.ask.root, this.bar);
	}

	send(type, more = {}) {
		this.session.send({ type, key: this.session.key, ...more });
	}

	update(card, tabs) {
		const { control, asks } = card ?? {}, mayAct = Boolean(card?.mayAct);
		this.isMine = Boolean(control?.taken && control.mine);
		this.isOthers = Boolean(control?.taken && !control.mine);
		setHidden(this.bar, !mayAct && !control?.taken);
		setHidden(this.take, !mayAct || this.isMine);
		setHidden(this.return, !this.isMine);
		setText(this.take, this.isOthers ? 'Take over from them' : 'Take over');
		setText(this.words, this.describe(control));
		this.ask.update(asks?.[0], mayAct);
		this.pageDialog.update(tabs.find(tab => tab.dialog || tab.chooser), this.isMine);
		this.updateInput();
	}

	describe(control) {
		if (!control?.taken)
			return 'Take over to use the page yourself. Calls of the agent wait meanwhile.';
		const waiting = control.waiting ? ` ${counted(control.waiting, 'call')} of the agent ${control.waiting === 1 ? 'waits' : 'wait'}.` : '';
		if (!this.isMine)
			return `${control.name || 'Another person'} has control.${waiting}`;
		return control.agentActs ? 'You have control as soon as the agent has finished its step.' :
			`You have control: mouse and keyboard go to the page.${waiting}`;
	}

	onPicture(picture) {
		this.picture = picture;
		this.updateInput();
	}

	/* input.js makes the canvas take mouse and keyboard. */
	async updateInput() {
		const module = await whenInputLoaded;
		if (!module || !this.picture)
			return;
		this.input ??= new module.Input(this.session.canvas, this.picture, message => this.session.send(message));
		if (this.isMine === Boolean(this.began))
			return;
		this.began = this.isMine;
		if (this.isMine)
			this.input.begin();
		else
			this.input.end();
	}

	end() {
		this.isMine = false;
		this.updateInput();
	}
}
