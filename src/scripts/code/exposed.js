/* Functions of a caller's code that pages can call. They stay when a run has ended, and with them this document. */
import { perform } from './channel.js';
import { frames, pages } from './pages.js';
import { packValue, unpackValue } from './values.js';

const exposed = new Map(); /* by page number, undefined for those of all pages: {callback, wantsSource} by name */

function refuseSecond(api, page, name) {
	const places = new Map([[page, ''], [undefined, ' in the browser context']]);
	if (page === undefined) {
		for (const other of exposed.keys())
			places.set(other, other === undefined ? '' : ' in one of the pages');
	}
	for (const [place, where] of places) {
		if (exposed.get(place)?.has(name))
			throw new Error(`${api}: Function "${name}" has been already registered${where}`);
	}
}

/* `page` is undefined for a function of all pages. With `wantsSource`, its first argument is {context, page, frame}. */
export async function expose(api, page, name, callback, wantsSource) {
	if (typeof name !== 'string')
		throw new Error(`${api}: name: expected string, got ${typeof name}`);
	refuseSecond(api, page, name);
	exposed.set(page, exposed.get(page) ?? new Map());
	exposed.get(page).set(name, { callback, wantsSource });
	try {
		await perform(api, 'expose', { page, name });
	} catch (error) {
		exposed.get(page).delete(name);
		throw error;
	}
}

/* What a page has sent is its own choice. */
function argumentsOf(text) {
	const list = unpackValue(JSON.parse(text), []);
	if (!Array.isArray(list))
		throw new Error('the arguments are no list');
	return list;
}

async function called({ name, page, frame, arguments: text }) {
	const entry = exposed.get(page)?.get(name) ?? exposed.get(undefined)?.get(name);
	if (!entry)
		throw new Error(`Function "${name}" is not exposed`);
	const owner = pages.get(page);
	const source = { context: owner.context(), page: owner, frame: frame < 0 ? owner.mainFrame() : frames.get(frame) };
	return entry.callback(...entry.wantsSource ? [source] : [], ...argumentsOf(text));
}

const answer = (call, value, threw) =>
	perform('page.exposeFunction', 'answerCall', { call, value: JSON.stringify(packValue(value, () => undefined)), threw });

/* A page has called: {call, name, page, frame, arguments: text}. */
export async function takeCall(event) {
	try {
		await answer(event.call, await called(event), false);
	} catch (thrown) {
		await answer(event.call, thrown, true).catch(() => {});
	}
}
