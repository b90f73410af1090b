/*
 * One live picture of a session on a canvas. The server sends pictures as binary messages (people/pictures.h): each has the number of its picture
 * on this page, its own number, to which input refers, and the size of the page in CSS pixels. Pictures come in the size that the canvas has on
 * the screen, and the next one when the last was drawn.
 */
const KIND = 1, LARGE_RATE = 15, THUMBNAIL_RATE = 1; /* pictures a second */
const RESIZE_PAUSE = 200; /* milliseconds in which the size has to stay the same */
/* The canvas may get its height by the shape of the picture, which is rounded: to ask for each pixel would never come to an end. */
const TOLERANCE = 16; /* pixels */

let lastNumber = 0;

/* The number of the picture that a binary message is for; 0: it is none. */
export function pictureNumber(buffer) {
	const view = new DataView(buffer);
	return view.byteLength > 16 && view.getUint8(0) === KIND ? view.getUint32(4) : 0;
}

/*
 * Fires `message` with what the server says of it, and `drawn`. `state`: '' until the server has said it. `width` and `height` are those of the
 * page, `shown` the number of the picture that is drawn; 0: none.
 */
export class Picture extends EventTarget {
	constructor(canvas, send) {
		super();
		Object.assign(this, { canvas, send, asked: undefined, number: ++lastNumber, key: null, large: false, state: '', shown: 0, width: 0, height: 0, timer: 0 });
		this.sizes = new ResizeObserver(() => this.onSize());
		this.onVisibility = () => this.sendWatch();
	}

	/* The session with this key is shown from now on, also after a new connection. */
	watch(key, { large = false } = {}) {
		if (this.key === null) {
			this.sizes.observe(this.canvas);
			document.addEventListener('visibilitychange', this.onVisibility);
		}
		Object.assign(this, { key, large, shown: 0 });
		this.asked = undefined;
		this.sendWatch();
	}

	unwatch() {
		if (this.key === null)
			return;
		this.sizes.disconnect();
		document.removeEventListener('visibilitychange', this.onVisibility);
		clearTimeout(this.timer);
		this.key = null;
		this.send({ type: 'unwatch', as: this.number });
	}

	onSize() {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.sendWatch(), RESIZE_PAUSE);
	}

	/* A page that nobody sees needs no pictures. */
	sendWatch() {
		if (this.key === null)
			return;
		const { width, height } = this.canvas.getBoundingClientRect(), ratio = devicePixelRatio;
		const wanted = document.visibilityState === 'hidden' ? null : { width: Math.ceil(width * ratio), height: Math.ceil(height * ratio) };
		if (this.isAsked(wanted))
			return;
		this.asked = wanted;
		const about = { as: this.number, key: this.key, rate: this.large ? LARGE_RATE : THUMBNAIL_RATE };
		this.send(wanted ? { type: 'watch', ...about, ...wanted } : { type: 'unwatch', as: this.number });
	}

	isAsked(wanted) {
		const { asked } = this, isNear = name => Math.abs(wanted[name] - asked[name]) <= TOLERANCE;
		return wanted && asked ? isNear('width') && isNear('height') : wanted === asked;
	}

	/* A binary message for this picture. */
	async take(buffer) {
		const view = new DataView(buffer), number = view.getUint32(8), key = this.key;
		const bitmap = await createImageBitmap(new Blob([new Uint8Array(buffer, view.getUint8(1))], { type: 'image/jpeg' })).catch(() => null);
		if (bitmap && key === this.key && number >= this.shown)
			this.draw(bitmap, number, view.getUint16(12), view.getUint16(14));
		bitmap?.close();
		this.send({ type: 'seen', as: this.number, picture: number });
	}

	draw(bitmap, number, width, height) {
		const { canvas } = this;
		if (canvas.width !== bitmap.width || canvas.height !== bitmap.height)
			Object.assign(canvas, { width: bitmap.width, height: bitmap.height });
		canvas.getContext('2d').drawImage(bitmap, 0, 0);
		Object.assign(this, { shown: number, width: width || bitmap.width, height: height || bitmap.height });
		canvas.dataset.picture = number;
	}

	/* A JSON message for this picture. */
	message(message) {
		if (message.type === 'picture')
			this.state = message.state;
		this.dispatchEvent(new CustomEvent('message', { detail: message }));
	}

	/* The box of what is drawn, in CSS pixels of this page: the canvas may have another shape (object-fit: contain). */
	box() {
		const { left, top, width, height } = this.canvas.getBoundingClientRect(), { canvas } = this;
		const scale = Math.min(width / canvas.width, height / canvas.height);
		return { left: left + (width - canvas.width * scale) / 2, top: top + (height - canvas.height * scale) / 2, width: canvas.width * scale, height: canvas.height * scale };
	}

	/* A point of this page as one of the page in the picture. Beside it, the nearest one. */
	pointAt(clientX, clientY) {
		const { left, top, width, height } = this.box();
		const within = (n, size) => Math.min(Math.max(n, 0), Math.max(size - 1, 0));
		return { x: within((clientX - left) / width * this.width, this.width), y: within((clientY - top) / height * this.height, this.height) };
	}
}
