/*
 * Mouse, touch, keyboard and clipboard of the person, for the page in a picture. Keys go to a text field that nobody sees, so that input methods
 * and on-screen keyboards work: what they compose comes as text, everything else as the key that it is.
 */
import { announce, element } from './dom.js';

const MODIFIERS = { altKey: 1, ctrlKey: 2, metaKey: 4, shiftKey: 8 };
const BUTTONS = ['left', 'middle', 'right'];
const CLICK_TIME = 500, CLICK_DISTANCE = 5; /* of presses that count as one click more: milliseconds, CSS pixels */
const LINE = 40, PAGE = 600; /* CSS pixels, of a wheel that counts in lines or pages */
const IS_MAC = /^mac/i.test(navigator.platform);
const REFUSALS = {
	control: 'You do not have control of this session.', agent: 'The agent finishes its step.', full: 'The page does not keep up with you.',
	stale: 'The page has changed. Look at it, and try again.', gone: 'The page is not there any more.',
};

const modifiersOf = event => Object.entries(MODIFIERS).reduce((sum, [name, bit]) => sum + (event[name] ? bit : 0), 0);

export class Input {
	constructor(canvas, picture, send) {
		Object.assign(this, { canvas, picture, send, move: null, presses: { count: 0, time: 0, x: 0, y: 0 }, choice: null, composes: false });
		this.field = element('textarea', {
			class: 'keyboard', 'aria-label': 'Keyboard of the page. Control and F6 together leave it.', autocapitalize: 'off', autocomplete: 'off',
			spellcheck: 'false',
		});
		this.controller = null;
	}

	begin() {
		this.controller = new AbortController();
		const { signal } = this.controller, on = (target, type, listener, options = {}) => target.addEventListener(type, listener, { signal, ...options });
		on(this.canvas, 'pointermove', event => this.onMove(event));
		on(this.canvas, 'pointerdown', event => this.onPress(event));
		on(this.canvas, 'pointerup', event => this.onRelease(event));
		on(this.canvas, 'pointercancel', event => this.onRelease(event));
		on(this.canvas, 'wheel', event => this.onWheel(event), { passive: false });
		on(this.canvas, 'contextmenu', event => event.preventDefault());
		on(this.field, 'keydown', event => this.onKeyDown(event));
		on(this.field, 'keyup', event => this.onKeyUp(event));
		on(this.field, 'compositionstart', () => this.composes = true);
		on(this.field, 'compositionupdate', event => this.compose(event.data));
		on(this.field, 'compositionend', event => this.endComposing(event.data));
		on(this.field, 'input', event => this.onInput(event));
		on(this.field, 'paste', event => this.onPaste(event));
		on(this.picture, 'message', ({ detail }) => this.onMessage(detail));
		this.canvas.after(this.field);
		this.canvas.dataset.input = '';
		this.field.focus({ preventScroll: true });
	}

	end() {
		this.controller?.abort();
		this.controller = null;
		this.closeChoice();
		this.field.remove();
		delete this.canvas.dataset.input;
	}

	/* Moves wait for the next frame, or for what comes after them. */
	emit(event) {
		const events = this.move ? [this.move, event] : [event];
		this.move = null;
		this.sendEvents(events);
	}

	sendEvents(events) {
		this.send({ type: 'input', as: this.picture.number, picture: this.picture.shown, events });
	}

	/* ---- mouse and touch ---- */

	at(event) {
		return { ...this.picture.pointAt(event.clientX, event.clientY), modifiers: modifiersOf(event) };
	}

	onMove(event) {
		if (!this.move)
			requestAnimationFrame(() => {
				if (this.move && this.controller)
					this.sendEvents([this.move]);
				this.move = null;
			});
		this.move = { kind: 'move', ...this.at(event) };
	}

	countPress({ timeStamp, clientX, clientY, button }) {
		const last = this.presses;
		const goesOn = button === last.button && timeStamp - last.time < CLICK_TIME && Math.hypot(clientX - last.x, clientY - last.y) < CLICK_DISTANCE;
		this.presses = { count: goesOn ? last.count % 3 + 1 : 1, time: timeStamp, x: clientX, y: clientY, button };
		return this.presses.count;
	}

	onPress(event) {
		event.preventDefault();
		this.field.focus({ preventScroll: true });
		this.closeChoice();
		if (!BUTTONS[event.button])
			return;
		try {
			this.canvas.setPointerCapture(event.pointerId);
		} catch {
			/* the pointer has gone, or a script made the event */
		}
		this.move = { kind: 'move', ...this.at(event) };
		this.emit({ kind: 'press', ...this.at(event), button: BUTTONS[event.button], count: this.countPress(event) });
	}

	onRelease(event) {
		if (BUTTONS[event.button])
			this.emit({ kind: 'release', ...this.at(event), button: BUTTONS[event.button], count: Math.max(this.presses.count, 1) });
	}

	onWheel(event) {
		event.preventDefault();
		const unit = [1, LINE, PAGE][event.deltaMode];
		this.emit({ kind: 'wheel', ...this.at(event), dx: event.deltaX * unit, dy: event.deltaY * unit });
	}

	/* ---- keys ---- */

	/* The page's browser runs elsewhere, and not on a Mac: what people know as Command is Control there. */
	modifiers(event) {
		const all = modifiersOf(event);
		return IS_MAC && event.metaKey ? all - MODIFIERS.metaKey | MODIFIERS.ctrlKey : all;
	}

	key(event, down) {
		const typed = event.key.length === 1 || [...event.key].length === 1;
		const isAltGraph = event.getModifierState('AltGraph'), all = this.modifiers(event);
		const modifiers = isAltGraph && typed ? all & MODIFIERS.shiftKey : all;
		const key = IS_MAC && event.key === 'Meta' ? 'Control' : event.key;
		return {
			kind: 'key', down, key, code: IS_MAC ? event.code.replace(/^Meta/, 'Control') : event.code, keyCode: event.keyCode, location: event.location, modifiers,
			text: down && typed ? event.key : down && event.key === 'Enter' ? '\r' : '',
		};
	}

	/* Keys of an input method come as text. That of pasting stays here: the event that follows has the text. */
	isOfField(event) {
		return event.isComposing || event.keyCode === 229 || ['Dead', 'Process', 'Unidentified'].includes(event.key) ||
			((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'v') || (event.shiftKey && event.key === 'Insert');
	}

	onKeyDown(event) {
		if (event.ctrlKey && event.key === 'F6') {
			event.preventDefault();
			this.field.blur();
			return;
		}
		if (this.isOfField(event))
			return;
		event.preventDefault();
		this.emit(this.key(event, true));
	}

	onKeyUp(event) {
		if (this.isOfField(event))
			return;
		event.preventDefault();
		this.emit(this.key(event, false));
	}

	/* ---- texts ---- */

	compose(text) {
		this.emit({ kind: 'compose', text, start: text.length, end: text.length });
	}

	endComposing(text) {
		this.composes = false;
		this.field.value = '';
		this.emit(text ? { kind: 'text', text } : { kind: 'compose', text: '', start: 0, end: 0 });
	}

	press(key, code, keyCode) {
		for (const down of [true, false])
			this.emit({ kind: 'key', down, key, code, keyCode, location: 0, modifiers: 0, text: '' });
	}

	/* What an on-screen keyboard does without keys. */
	onInput(event) {
		if (this.composes || event.isComposing)
			return;
		if (event.inputType === 'deleteContentBackward')
			this.press('Backspace', 'Backspace', 8);
		else if (event.inputType === 'insertText' && event.data)
			this.emit({ kind: 'text', text: event.data });
		this.field.value = '';
	}

	onPaste(event) {
		event.preventDefault();
		const text = event.clipboardData.getData('text/plain');
		if (text)
			this.emit({ kind: 'paste', text });
	}

	/* ---- what the page answers ---- */

	onMessage(message) {
		if (message.type === 'copied')
			this.copy(message.text);
		else if (message.type === 'choice')
			this.openChoice(message);
		else if (message.type === 'refused' && message.about === 'input')
			announce(REFUSALS[message.why] ?? 'The page did not get that.');
	}

	async copy(text) {
		try {
			await navigator.clipboard.writeText(text);
		} catch { /* without TLS there is no such function */
			this.field.value = text;
			this.field.select();
			document.execCommand('copy');
			this.field.value = '';
		}
	}

	/* A list that the browser would show in a window of its own, in place of that. */
	openChoice({ number, box, options }) {
		this.closeChoice();
		const list = element('select', { class: 'choice', 'aria-label': 'List of the page', size: Math.min(Math.max(options.length, 2), 12) });
		options.forEach(({ label, group, disabled, selected }, index) => {
			const option = element('option', { text: group ? `${group}: ${label}` : label, value: index, disabled });
			option.selected = selected;
			list.append(option);
		});
		const choose = () => {
			this.emit({ kind: 'choose', number, index: Number(list.value) });
			this.closeChoice();
		};
		list.addEventListener('click', choose);
		list.addEventListener('keydown', event => {
			if (event.key === 'Enter')
				choose();
			else if (event.key === 'Escape')
				this.closeChoice();
		});
		this.canvas.after(list);
		this.choice = list;
		this.place(list, box);
		list.focus({ preventScroll: true });
	}

	place(list, [x, y, width, height]) {
		const drawn = this.picture.box(), scale = drawn.width / this.picture.width;
		Object.assign(list.style, {
			position: 'fixed', left: `${drawn.left + x * scale}px`, top: `${drawn.top + (y + height) * scale}px`, minWidth: `${width * scale}px`,
		});
	}

	closeChoice() {
		const list = this.choice;
		this.choice = null;
		if (!list)
			return;
		list.remove();
		this.field.focus({ preventScroll: true });
	}
}
