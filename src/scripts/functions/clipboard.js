/*
 * Gives the documents of a browser context a clipboard of their own. All contexts of a browser would share the browser's, so nothing is
 * written to that or read from it: this takes every copy, cut and paste of the document before its own listeners, gives them an event with
 * other data, and does what the browser does when they leave it to the browser.
 *
 * Runs in the isolated world of every document before the page's scripts. The texts are with browserd: `browserdReport` sends
 * "clipboard write JSON" and "clipboard read NUMBER", which is answered by a call of browserdClipboard.answer(NUMBER, JSON). One answer
 * serves that request and those before. The JSON is a list of [MIME type, text].
 *
 * `grants`: {read, write, origin, channel}, what the page may do with navigator.clipboard (pageclipboard.js), whose events have the
 * name `channel`. `origin`: which may, '' for all.
 */
export default grants => {
	if (globalThis.browserdClipboard) {
		globalThis.browserdClipboard.setGrants(grants);
		return;
	}

	const waiting = new Map(); // of each request a function, or the id by which the page knows it
	let last = 0;

	function read(asker) {
		waiting.set(++last, asker);
		globalThis.browserdReport(`clipboard read ${last}`);
	}

	function write(items) {
		globalThis.browserdReport(`clipboard write ${JSON.stringify(items)}`);
	}

	/* ---- copying ---- */

	const isTextControl = node => node instanceof HTMLTextAreaElement || node instanceof HTMLInputElement;

	function textOf(control) {
		if (control.type === 'password')
			return '';
		return control.selectionStart === null ? String(getSelection()) : control.value.slice(control.selectionStart, control.selectionEnd);
	}

	function htmlOf(selection) {
		const holder = document.implementation.createHTMLDocument('').body;
		for (let i = 0; i < selection.rangeCount; i++)
			holder.append(selection.getRangeAt(i).cloneContents());
		return holder.innerHTML;
	}

	function selected(target) {
		if (isTextControl(target)) {
			const text = textOf(target);
			return text ? [['text/plain', text]] : [];
		}
		const selection = getSelection(), text = String(selection);
		return text ? [['text/plain', text], ['text/html', htmlOf(selection)]] : [];
	}

	const itemsOf = data => [...data.types].filter(type => type !== 'Files').map(type => [type, data.getData(type)]);

	/* The page's own listeners get this event in place of the browser's. Firefox gives it data of its own, which can be written as well. */
	function eventOf(type, items) {
		const event = new ClipboardEvent(type, { clipboardData: new DataTransfer(), bubbles: true, cancelable: true, composed: true });
		for (const [name, text] of items)
			event.clipboardData.setData(name, text);
		return event;
	}

	function take(event) {
		event.stopImmediatePropagation();
		event.preventDefault();
		return event.composedPath()[0];
	}

	function onCopy(event) {
		if (!event.isTrusted)
			return;
		const target = take(event), own = eventOf(event.type, []), items = target.dispatchEvent(own) ? null : itemsOf(own.clipboardData);
		const found = items ?? selected(target);
		if (items || found.length)
			write(found);
		if (!items && found.length && event.type === 'cut')
			document.execCommand('delete');
	}

	/* ---- pasting ---- */

	function sanitized(html) {
		const holder = document.implementation.createHTMLDocument('').createElement('div');
		holder.setHTML(html);
		return holder.innerHTML;
	}

	function insertHtml(html) {
		try {
			return document.execCommand('insertHTML', false, sanitized(html));
		} catch {
			return false; // an older browser, or a policy of the page
		}
	}

	function insert(target, data) {
		const text = data.getData('text/plain'), html = data.getData('text/html');
		if (!isTextControl(target) && html && insertHtml(html))
			return;
		if (text)
			document.execCommand('insertText', false, target instanceof HTMLInputElement ? text.replace(/[\r\n]+/g, ' ') : text);
	}

	function onPaste(event) {
		if (!event.isTrusted)
			return;
		const target = take(event);
		globalThis.browserd?.notePasting({ isPending: true });
		read(items => {
			const own = eventOf('paste', items);
			if (target.isConnected && target.dispatchEvent(own))
				insert(target, own.clipboardData);
			globalThis.browserd?.notePasting({ isPending: false });
		});
	}

	/* ---- navigator.clipboard ---- */

	function allows(name) {
		return grants[name] && (!grants.origin || grants.origin === location.origin) &&
			(document.featurePolicy?.allowsFeature(`clipboard-${name}`) ?? true);
	}

	function answerPage(message) {
		dispatchEvent(new CustomEvent(`${grants.channel}-answer`, { detail: JSON.stringify(message) }));
	}

	function onRequest(event) {
		const { id, items } = JSON.parse(event.detail);
		if (!allows(items ? 'write' : 'read')) {
			answerPage({ ids: [id] });
		} else if (items) {
			write(items.map(([type, text]) => [String(type), String(text)]));
			answerPage({ ids: [id], items: [] });
		} else {
			read(id);
		}
	}

	function answer(number, text) {
		const items = JSON.parse(text), ids = [];
		for (const [asked, asker] of [...waiting]) {
			if (asked > number)
				continue;
			waiting.delete(asked);
			if (typeof asker === 'function')
				asker(items);
			else
				ids.push(asker);
		}
		if (ids.length)
			answerPage({ ids, items });
	}

	function setGrants(given) {
		grants = given;
		if (grants.channel) // adding a listener again has no effect
			addEventListener(grants.channel, onRequest);
	}

	const first = { capture: true };
	addEventListener('copy', onCopy, first);
	addEventListener('cut', onCopy, first);
	addEventListener('paste', onPaste, first);
	globalThis.browserdClipboard = { setGrants, answer };
	setGrants(grants);
};
