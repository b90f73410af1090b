/* Recordings: the list of them, and one replayed, the video beside the calls. */
import { address } from './access.js';
import { announce, element, setAttribute, setText } from './dom.js';
import { OUTCOMES, SIGNS, counted, duration, failureWords } from './words.js';

const STATES = { running: 'is being made', incomplete: 'incomplete', cut: 'cut off' };

document.head.append(element('link', { rel: 'stylesheet', href: '/view/replay.css' }));

const addressOf = (key, name) => address(`recordings/${key}/${name}`); /* keys and names need no escaping */
const sizeWords = bytes => bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
const clock = ms => `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;
const when = ms => element('time', { datetime: new Date(ms).toISOString(), text: new Date(ms).toLocaleString() });
const nameOf = recording => recording.title || recording.url || `Session ${recording.session}`;

async function ask(where, read, options = {}) {
	const answer = await fetch(where, { cache: 'no-store', ...options });
	if (!answer.ok)
		throw new Error((await answer.json().catch(() => ({}))).error ?? `The server answered ${answer.status}.`);
	return read(answer);
}

const list = () => ask(address('recordings'), answer => answer.json());

function showProblem(root, error) {
	root.replaceChildren(element('p', { class: 'empty', role: 'alert', text: error.message }));
}

/* ---- removal ---- */

const remove = key => ask(address(`recordings/${key}`), answer => answer.json(), { method: 'DELETE' });

/* The first press asks, the second one deletes. */
function deleteButton(recording, done) {
	const button = element('button', { type: 'button', class: 'quiet delete', text: 'Delete', 'aria-label': `Delete ${nameOf(recording)}` });
	const reset = () => {
		button.dataset.sure = '';
		setText(button, 'Delete');
		setAttribute(button, 'aria-label', `Delete ${nameOf(recording)}`);
	};
	button.addEventListener('blur', reset);
	button.addEventListener('click', async () => {
		if (!button.dataset.sure) {
			button.dataset.sure = 'yes';
			setText(button, 'Delete for good');
			setAttribute(button, 'aria-label', `Delete ${nameOf(recording)} for good`);
			return;
		}
		button.disabled = true;
		try {
			await remove(recording.key);
			announce('The recording was deleted.');
			done();
		} catch (error) {
			button.disabled = false;
			reset();
			announce(error.message);
		}
	});
	return button;
}

/* ---- the list ---- */

function facts(recording) {
	const parts = [when(recording.began)];
	if (recording.ended)
		parts.push(duration(recording.ended - recording.began));
	parts.push(counted(recording.calls, 'call'));
	if (recording.bytes)
		parts.push(sizeWords(recording.bytes));
	if (STATES[recording.state])
		parts.push(element('strong', { text: STATES[recording.state] }));
	return element('p', { class: 'facts' }, ...parts.flatMap((part, i) => i ? [' · ', part] : [part]));
}

function listed(recording, act, again) {
	const item = element('li', { class: 'recording' },
		element('div', { class: 'what' },
			element('h2', {}, element('a', { href: `#/recordings/${encodeURIComponent(recording.key)}` }, element('bdi', { text: nameOf(recording) }))),
			recording.title && recording.url ? element('p', { class: 'address' }, element('bdi', { text: recording.url })) : null,
			facts(recording)),
		act && recording.state !== 'running' ? deleteButton(recording, again) : null);
	return item;
}

export async function showRecordings(root) {
	try {
		const { recordings, act } = await list();
		const again = () => showRecordings(root);
		root.replaceChildren(element('h1', { text: 'Recordings' }), recordings.length ?
			element('ul', { class: 'recordings' }, ...recordings.map(recording => listed(recording, act, again))) :
			element('p', { class: 'empty', text: 'No session has been recorded. The server records all sessions if its operator wants it, or those for which an agent asks for it.' }));
	} catch (error) {
		showProblem(root, error);
	}
}

/* ---- one recording ---- */

/* The lines of the timeline; the last one of a recording that was cut off may be incomplete. */
function parseTimeline(text) {
	const lines = [];
	for (const line of text.split('\n'))
		try {
			lines.push(JSON.parse(line));
		} catch {
			/* incomplete, or the end of the text */
		}
	return lines;
}

/* {calls: [{at, end, ...}], notes, videos: [{file, from, to}]} in the order of their beginnings. */
function readTimeline(lines) {
	const calls = new Map(), videos = new Map(), notes = [];
	for (const line of lines)
		if (line.kind === 'call')
			calls.set(line.call, line);
		else if (line.kind === 'end' && calls.has(line.call))
			Object.assign(calls.get(line.call), { end: line.at, outcome: line.outcome, error: line.error });
		else if (line.kind === 'video')
			videos.set(line.file, { file: line.file, from: line.at, to: Infinity });
		else if (line.kind === 'videoEnd' && videos.has(line.file))
			videos.get(line.file).to = line.at;
		else if (line.kind === 'note')
			notes.push(line);
	const inOrder = values => [...values].sort((a, b) => (a.at ?? a.from) - (b.at ?? b.from));
	return { calls: inOrder(calls.values()), notes, videos: inOrder(videos.values()) };
}

/* The video that shows the current tab at that time: what the last call before it said, as long as that is recorded; else any other. */
function videoAt({ calls, videos }, at) {
	const recorded = videos.filter(video => video.from <= at && at < video.to);
	let shown = null;
	for (const call of calls)
		if (call.video && (call.end ?? call.at) <= at)
			shown = call.video;
	return recorded.find(video => video.file === shown) ?? recorded[0] ?? null;
}

/*
 * Plays the videos of a recording as one: `at` is the time after its beginning, in milliseconds. `changed` is called whenever it has
 * changed. Where nothing is recorded, it goes on with the next video.
 */
class Player {
	constructor(key, timeline, changed) {
		this.key = key;
		this.timeline = timeline;
		this.changed = changed;
		this.current = null;
		this.at = this.zero = 0;
		this.video = element('video', { controls: true, playsinline: true, preload: 'auto', 'aria-label': 'Video of the session' });
		this.video.muted = true;
		for (const type of ['timeupdate', 'seeked'])
			this.video.addEventListener(type, () => this.follow());
		this.video.addEventListener('ended', () => this.next());
		this.video.addEventListener('error', () => this.next());
	}

	follow() {
		if (!this.current || this.loading)
			return;
		this.at = Math.round(this.zero + this.video.currentTime * 1000); /* as in the timeline: 1.001 * 1000 is less than 1001 */
		const wanted = videoAt(this.timeline, this.at);
		if (wanted && wanted !== this.current && !this.video.seeking)
			this.load(wanted, this.at, !this.video.paused);
		this.changed(this.at);
	}

	next() {
		const after = this.current ? this.current.from : -1;
		const end = this.current?.to ?? 0;
		const next = this.timeline.videos.find(video => video.from > after && video.to > end);
		if (next)
			this.load(next, Math.max(next.from, Math.min(end, next.to)), true);
	}

	seek(at) {
		const wanted = videoAt(this.timeline, at) ?? this.timeline.videos.find(video => video.from >= at) ?? this.timeline.videos.at(-1);
		if (!wanted)
			return;
		this.at = at;
		if (wanted === this.current)
			this.video.currentTime = Math.max(0, (at - this.zero) / 1000);
		else
			this.load(wanted, at, !this.video.paused);
		this.changed(at);
	}

	async load(video, at, play) {
		this.current = video;
		this.loading = video;
		this.video.src = addressOf(this.key, video.file);
		try {
			await this.whenKnown();
			if (this.loading !== video)
				return;
			this.zero = this.zeroOf(video);
			this.video.currentTime = Math.min(Math.max(0, (at - this.zero) / 1000), this.video.duration || 0);
			this.loading = null;
			if (play)
				await this.video.play();
		} catch {
			if (this.loading === video)
				this.loading = null; /* 'error' goes on */
		}
	}

	/* When the video begins: its first frame comes up to a second after the browser was asked, and its last one when the recording ends. */
	zeroOf(video) {
		const length = this.video.duration * 1000;
		return Number.isFinite(length) && video.to !== Infinity ? Math.max(video.from, video.to - length) : video.from;
	}

	/* A video that was cut off does not say how long it is: its end is looked for. */
	async whenKnown() {
		await new Promise((known, failed) => {
			this.video.addEventListener('loadedmetadata', known, { once: true });
			this.video.addEventListener('error', failed, { once: true });
		});
		if (this.video.duration !== Infinity)
			return;
		await new Promise(known => {
			this.video.addEventListener('durationchange', known, { once: true });
			setTimeout(known, 3000);
			this.video.currentTime = 1e9;
		});
	}
}

/* ---- the calls ---- */

function callItem(call, seek) {
	const outcome = call.outcome ?? 'cancelled';
	const words = element('span', { class: 'words' }, element('bdi', { text: call.line || call.tool }),
		element('span', { class: outcome === 'failed' ? 'why' : 'hidden', text: ` ${outcome === 'failed' ? failureWords(call.error) : OUTCOMES[outcome]}` }));
	const content = [element('span', { class: 'at', text: clock(call.at) }),
		element('span', { class: 'sign', 'aria-hidden': 'true', text: SIGNS[outcome] ?? '' }), words,
		call.end ? element('span', { class: 'took', text: duration(call.end - call.at) }) : null];
	const root = element('li', { class: `moment ${outcome}${call.step ? ' step' : ''}`, title: call.tool },
		seek ? element('button', { type: 'button', on: { click: () => seek(call.at) } }, ...content) : element('p', {}, ...content));
	return { root, at: call.at };
}

function noteItem(note) {
	return { root: element('li', { class: 'moment note' },
		element('p', {}, element('span', { class: 'at', text: clock(note.at) }), element('span', { class: 'words', text: note.text }))), at: note.at };
}

/* The list of calls and notes; mark(at) shows which call is the current one. */
class Moments {
	constructor({ calls, notes }, seek) {
		this.items = [...calls.map(call => callItem(call, seek)), ...notes.map(noteItem)].sort((a, b) => a.at - b.at);
		this.root = element('ol', { class: 'moments', 'aria-label': 'Calls', tabindex: '0' }, ...this.items.map(item => item.root));
		this.current = null;
	}

	mark(at) {
		const found = this.items.findLast(item => item.at <= at) ?? null;
		if (found === this.current)
			return;
		setAttribute(this.current?.root ?? this.root, 'aria-current', null);
		this.current = found;
		if (!found)
			return;
		setAttribute(found.root, 'aria-current', 'true');
		this.reveal(found.root);
	}

	/* The list scrolls, and nothing around it. */
	reveal(item) {
		const above = item.offsetTop - this.root.offsetTop, below = above + item.offsetHeight;
		if (above < this.root.scrollTop || below > this.root.scrollTop + this.root.clientHeight)
			this.root.scrollTop = above - this.root.clientHeight / 3;
	}
}

function downloads(recording) {
	const names = recording.kinds?.includes('trace') && recording.state !== 'running' ? ['trace.zip'] : [];
	return names.map(name => element('a', { class: 'button', href: addressOf(recording.key, name), download: '', text: 'Download the trace' }));
}

export async function showReplay(root, key) {
	try {
		const [{ recordings, act }, text] = await Promise.all([list(), ask(addressOf(key, 'timeline.jsonl'), answer => answer.text())]);
		const recording = recordings.find(one => one.key === key) ?? { key, calls: 0, state: '', began: 0 };
		const timeline = readTimeline(parseTimeline(text));
		const player = timeline.videos.length ? new Player(key, timeline, at => moments.mark(at)) : null;
		const moments = new Moments(timeline, player ? at => player.seek(at) : null);
		const back = () => { location.hash = '#/recordings'; };
		root.replaceChildren(element('div', { class: 'replay' },
			element('p', {}, element('a', { href: '#/recordings', text: 'All recordings' })),
			element('h1', {}, element('bdi', { text: nameOf(recording) })),
			recording.began ? facts(recording) : null,
			element('div', { class: 'actions' }, ...downloads(recording), act && recording.state !== 'running' ? deleteButton(recording, back) : null),
			element('div', { class: 'stage' },
				player ? player.video : element('p', { class: 'empty', text: 'This session was recorded without a video.' }),
				moments.root)));
		player?.seek(0);
		player?.video.pause();
	} catch (error) {
		showProblem(root, error);
	}
}
