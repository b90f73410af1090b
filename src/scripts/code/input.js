/* page.keyboard and page.mouse. */
import { perform } from './channel.js';
import { requireText } from './locator.js';
import { describeMembers } from './members.js';
import { pageId } from './pages.js';

export class Keyboard {
	#page;

	constructor(page) {
		this.#page = page;
	}

	static {
		describeMembers(Keyboard, 'keyboard');
	}

	press(key) {
		return this.#key('press', key);
	}

	down(key) {
		return this.#key('down', key);
	}

	up(key) {
		return this.#key('up', key);
	}

	type(text, options) {
		return this.#do('type', { text: requireText({ api: 'keyboard.type' }, 'text', text), delay: options?.delay });
	}

	insertText(text) {
		return this.#do('insertText', { text: requireText({ api: 'keyboard.insertText' }, 'text', text) });
	}

	#key(how, key) {
		return this.#do(how, { key: requireText({ api: `keyboard.${how}` }, 'key', key) });
	}

	async #do(how, args) {
		await perform(`keyboard.${how}`, 'keyboard', { page: pageId(this.#page), how, ...args });
	}
}

export class Mouse {
	#page;

	constructor(page) {
		this.#page = page;
	}

	static {
		describeMembers(Mouse, 'mouse');
	}

	move(x, y, { steps = 1 } = {}) {
		return this.#do('move', { x, y, steps });
	}

	down({ button = 'left', clickCount = 1 } = {}) {
		return this.#do('down', { button, count: clickCount });
	}

	up({ button = 'left', clickCount = 1 } = {}) {
		return this.#do('up', { button, count: clickCount });
	}

	wheel(deltaX, deltaY) {
		return this.#do('wheel', { x: deltaX, y: deltaY });
	}

	async click(x, y, { button = 'left', clickCount = 1 } = {}) {
		await this.move(x, y);
		for (let i = 1; i <= clickCount; i++) {
			await this.down({ button, clickCount: i });
			await this.up({ button, clickCount: i });
		}
	}

	dblclick(x, y, options) {
		return this.click(x, y, { ...options, clickCount: 2 });
	}

	async #do(how, args) {
		await perform(`mouse.${how}`, 'mouse', { page: pageId(this.#page), how, ...args });
	}
}
