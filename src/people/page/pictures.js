/*
 * Live pictures of sessions on canvases. Only those that are on the screen are asked for. What a picture is made of, and how it is drawn, is
 * picture.js.
 */
const whenLoaded = import('/view/picture.js').catch(() => null); /* a server without pictures shows everything else */

export class Pictures {
	constructor(send) {
		this.send = send;
		this.shown = new Set();
		this.seen = new IntersectionObserver(entries => {
			for (const { target, isIntersecting } of entries)
				this.find(target)?.setSeen(isIntersecting);
		}, { rootMargin: '100px' });
	}

	find(canvas) {
		return [...this.shown].find(each => each.canvas === canvas);
	}

	/* Begins to show the session with that key: {end()}. */
	show(canvas, key, large, changed = () => {}) {
		const shown = new Shown(canvas, key, large, this.send, changed);
		this.shown.add(shown);
		this.seen.observe(canvas);
		return {
			end: () => {
				this.seen.unobserve(canvas);
				this.shown.delete(shown);
				shown.end();
			},
		};
	}

	/* After a new connection. */
	renew() {
		for (const shown of this.shown)
			shown.renew();
	}

	async takeBinary(buffer) {
		const module = await whenLoaded;
		const number = module?.pictureNumber(buffer);
		for (const shown of this.shown)
			if (shown.picture?.number === number)
				shown.picture.take(buffer);
	}

	takeMessage(message) {
		for (const shown of this.shown)
			if (shown.picture?.number === message.as)
				shown.takeMessage(message);
	}
}

class Shown {
	constructor(canvas, key, large, send, changed) {
		Object.assign(this, { canvas, key, large, changed, picture: null, isSeen: false, ended: false });
		whenLoaded.then(module => {
			if (!module || this.ended)
				return;
			this.picture = new module.Picture(canvas, send);
			if (this.isSeen)
				this.renew();
			changed(this.picture);
		});
	}

	setSeen(seen) {
		if (seen === this.isSeen)
			return;
		this.isSeen = seen;
		if (seen)
			this.renew();
		else
			this.picture?.unwatch();
	}

	renew() {
		if (this.isSeen)
			this.picture?.watch(this.key, { large: this.large });
	}

	takeMessage(message) {
		this.picture.message(message);
		this.changed(this.picture, message);
	}

	end() {
		this.ended = true;
		this.picture?.unwatch();
	}
}
