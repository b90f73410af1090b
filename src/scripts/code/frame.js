/* The frames of a page. */
import { perform } from './channel.js';
import { DocumentView } from './document.js';
import { describeMembers } from './members.js';
import { addressOf, frames, frameStates, originOf, pageOf, states } from './pages.js';

export class Frame extends DocumentView {
	#number; /* undefined: the main frame */

	static {
		describeMembers(Frame, 'frame');
	}

	constructor(origin) {
		super(origin, 'frame');
		this.#number = origin.frame;
	}

	toJSON() {
		return { _type: 'Frame', _guid: `frame@${originOf(this).page}.${this.#number ?? 'main'}` };
	}

	page() {
		return pageOf(this);
	}

	name() {
		return this.#number === undefined ? '' : frameStates.get(this.#number).name;
	}

	url() {
		return this.#number === undefined ? this.page().url() : frameStates.get(this.#number).url;
	}

	isDetached() {
		return this.#number !== undefined && !this.#siblings.includes(this.#number);
	}

	parentFrame() {
		if (this.#number === undefined || this.isDetached())
			return null;
		const { parent } = frameStates.get(this.#number);
		return parent < 0 ? this.page().mainFrame() : frames.get(parent);
	}

	childFrames() {
		const own = this.#number ?? -1;
		return this.#siblings.filter(number => frameStates.get(number).parent === own).map(number => frames.get(number));
	}

	/* As for a page; the answer of a child frame's server is not known here. */
	async goto(url, options) {
		if (this.#number === undefined)
			return this.page().goto(url, options);
		await perform('frame.goto', 'navigateFrame', {
			...originOf(this), url: addressOf(String(url)), waitUntil: options?.waitUntil, timeout: this.page().timeoutOf(options, 'navigation'),
		});
		return null;
	}

	get #siblings() {
		return states.get(originOf(this).page).frames;
	}
}
