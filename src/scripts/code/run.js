/* The run itself: {run(code, facts)} calls the function with the page that is the current one and returns how it ended. */
import { answered, connect } from './channel.js';
import { theContext } from './context.js';
import { expect } from './expect.js';
import { takeCall } from './exposed.js';
import { textOfThrown } from './members.js';
import { defaultExport } from './module.js';
import { takePages, updatePages } from './page.js';
import { defaults, pages } from './pages.js';
import { takeRouted } from './route.js';
import { exported } from '../exported.js';

/* In each document of the page, frames included: what sends without asking the network stack, and what leads out. */
for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', 'open'])
	delete globalThis[name];
globalThis.name = '';

/* What a program outside of a page does not have, and a caller's code must not take for the page's. */
const HIDDEN_NAMES = ['window', 'self', 'document', 'location', 'history', 'alert', 'confirm', 'prompt', 'open', 'frames', 'parent', 'top',
	'browserd', 'browserdAsk'];

function compiled(code, page) {
	return new Function('page', 'expect', ...HIDDEN_NAMES, `return (${code}\n)`)(page, expect);
}

function textOf(thrown) {
	try {
		return textOfThrown(thrown);
	} catch {
		return 'an error that has no text';
	}
}

async function ended(code, page) {
	try {
		const __fn__ = compiled(code, page);
		return { value: JSON.stringify(await __fn__(page)) };
	} catch (thrown) {
		return { threw: textOf(thrown) };
	}
}

async function prepared(source, page) {
	try {
		await (await defaultExport(source))({ page });
		return {};
	} catch (thrown) {
		return { threw: textOf(thrown instanceof Error ? thrown.message : thrown) };
	}
}

/* A long text comes as pieces that begin with +, and a last one that begins with a dot. No piece ends within a surrogate pair. */
function sendPieces(text, size, sendText) {
	if (text.length <= size)
		return sendText(text);
	for (let at = 0, end; at < text.length; at = end) {
		end = at + size;
		if (/[\ud800-\udbff]/.test(text[end - 1] ?? ''))
			end--;
		sendText((end < text.length ? '+' : '.') + text.slice(at, end));
	}
}

exported.run = async (code, { pages: known, isModule, ...facts }) => {
	const sendText = globalThis.browserdAsk;
	const send = message => {
		const text = JSON.stringify(message);
		const size = text.length * 3 > facts.longest ? new TextEncoder().encode(text).length : 0;
		if (size > facts.longest)
			throw new RangeError(`${size} bytes are too many at a time: ${facts.longest} can pass`);
		sendPieces(text, facts.pieceSize, sendText);
	};
	connect(send);
	Object.assign(defaults, facts);
	takePages(known);
	for (const source of [theContext, ...pages.values()])
		source.resume();
	const end = await (isModule ? prepared : ended)(code, pages.get(facts.current));
	try {
		send({ end });
	} catch (tooLong) {
		send({ end: { threw: textOf(tooLong) } });
	}
};

exported.answer = answer => {
	if (answer.pages)
		updatePages(answer.pages);
	answered(answer);
};

exported.routed = ({ pages: known, ...event }) => {
	if (known)
		updatePages(known);
	takeRouted(event);
};

exported.called = ({ pages: known, ...event }) => {
	if (known)
		updatePages(known);
	takeCall(event);
};

globalThis.browserd = exported;
