import { connect, whoAmI } from './access.js';

/*
 * The socket to the server. It is opened again, after longer and longer pauses, until the server says that the login has ended. While the
 * page is hidden the server is told, and sends nothing.
 */
const FIRST_PAUSE = 500, LONGEST_PAUSE = 15000; /* milliseconds */
const LOGIN_ENDED = 4001; /* status code of the server's close message */

export class Connection {
	/* `on`: message(object), binary(ArrayBuffer), state('connecting' | 'open' | 'lost' | 'login'). */
	constructor(on) {
		this.on = on;
		this.pause = FIRST_PAUSE;
		this.wanted = false;
		this.socket = null;
		this.timer = 0;
		document.addEventListener('visibilitychange', () => this.sendVisibility());
		window.addEventListener('online', () => this.hurry());
	}

	/* `session`: the id of the one that will be shown, if it is known: the login is then one that may see it. */
	open(session) {
		this.session = session;
		this.wanted = true;
		this.pause = FIRST_PAUSE;
		this.connect();
	}

	close() {
		this.wanted = false;
		clearTimeout(this.timer);
		this.socket?.close();
		this.socket = null;
	}

	send(message) {
		if (this.socket?.readyState === WebSocket.OPEN)
			this.socket.send(JSON.stringify(message));
	}

	sendVisibility() {
		this.send({ type: 'visible', visible: document.visibilityState !== 'hidden' });
	}

	connect() {
		clearTimeout(this.timer);
		const socket = connect(this.session);
		socket.binaryType = 'arraybuffer';
		this.socket = socket;
		this.on.state('connecting');
		socket.addEventListener('message', event => this.take(socket, event.data));
		socket.addEventListener('close', event => this.onClose(socket, event.code));
	}

	take(socket, data) {
		if (socket !== this.socket)
			return;
		if (typeof data !== 'string') {
			this.on.binary(data);
			return;
		}
		const message = JSON.parse(data);
		if (message.type === 'hello') {
			this.pause = FIRST_PAUSE;
			this.on.state('open');
			if (document.visibilityState === 'hidden')
				this.sendVisibility();
		}
		this.on.message(message);
	}

	async onClose(socket, code) {
		if (socket !== this.socket || !this.wanted)
			return;
		this.socket = null;
		if (code === LOGIN_ENDED || await this.isLoggedOut()) {
			this.wanted = false;
			this.on.state('login');
			return;
		}
		if (!this.wanted || this.socket)
			return;
		this.on.state('lost');
		this.timer = setTimeout(() => this.connect(), this.pause * (0.75 + Math.random() / 2));
		this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
	}

	/* A handshake that is refused looks like a server that is not there. */
	async isLoggedOut() {
		try {
			return await whoAmI(this.session) === null;
		} catch {
			return false;
		}
	}

	hurry() {
		if (this.wanted && !this.socket)
			this.connect();
	}
}
