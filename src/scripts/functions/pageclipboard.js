/*
 * Runs in the page's own world where the page was granted navigator.clipboard: that works with the clipboard of the browser context
 * (clipboard.js) instead of the browser's. Only texts can be copied. A page that changes this only harms itself: what it may do is
 * checked in the isolated world.
 *
 * `channel`: the name of the events between the two. `names`: the permissions that are granted, 'clipboard-read' and 'clipboard-write'.
 */
export default (channel, names) => {
	if (!navigator.clipboard)
		return; // not a secure context
	const { addEventListener: listen, dispatchEvent: send } = EventTarget.prototype, { parse, stringify } = JSON;
	const waiting = new Map();
	let last = 0;

	listen.call(window, `${channel}-answer`, event => {
		const { ids, items } = parse(event.detail);
		for (const id of ids) {
			waiting.get(id)?.(items);
			waiting.delete(id);
		}
	});

	function ask(method, message) {
		return new Promise((done, fail) => {
			const id = ++last, what = method.startsWith('write') ? 'Write' : 'Read';
			waiting.set(id, items => items ? done(items) : fail(new DOMException(
				`Failed to execute '${method}' on 'Clipboard': ${what} permission denied.`, 'NotAllowedError')));
			send.call(window, new CustomEvent(channel, { detail: stringify({ ...message, id }) }));
		});
	}

	async function textsOf(item) {
		const texts = [];
		for (const type of item.types) {
			if (!type.startsWith('text/') && !type.startsWith('web '))
				throw new DOMException(`Type ${type} not supported on write.`, 'NotAllowedError');
			texts.push([type, await (await item.getType(type)).text()]);
		}
		return texts;
	}

	const methods = {
		async writeText(text) {
			await ask('writeText', { items: [['text/plain', String(text)]] });
		},
		async readText() {
			return (await ask('readText')).find(([type]) => type === 'text/plain')?.[1] ?? '';
		},
		async write(items) {
			await ask('write', { items: (await Promise.all([...items].map(textsOf))).flat() });
		},
		async read() {
			const items = (await ask('read')).filter(([type]) => ClipboardItem.supports(type));
			return items.length ? [new ClipboardItem(Object.fromEntries(items.map(([type, text]) => [type, new Blob([text], { type })])))] : [];
		},
	};
	for (const [name, value] of Object.entries(methods))
		Object.defineProperty(Clipboard.prototype, name, { value, configurable: true, enumerable: true, writable: true });

	const { query } = Permissions.prototype;
	Object.defineProperty(Permissions.prototype, 'query', {
		async value(description) {
			const status = await query.apply(this, arguments);
			if (names.includes(description?.name))
				Object.defineProperty(status, 'state', { value: 'granted' });
			return status;
		}, configurable: true, enumerable: true, writable: true,
	});
};
