/*
 * Runs in the page's own world, where `listenersOf` (Chromium's getEventListeners()) knows what the page listens for.
 * Answers the events of pageworld.js: about listeners, for each range a digit, 1 for presses, 2 for drags, 4 for drops; about internals, what
 * they say, as JSON. The page can see and break all of this, which costs it marks in its own snapshot.
 *
 * `name` is one for events that the page does not know.
 */
export default (name, listenersOf) => {
	const TYPES_MAX = 30;
	const VALUE_LENGTH = 1000;
	const KINDS = [
		['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'touchstart', 'touchend', 'dblclick', 'contextmenu'],
		['dragstart', 'drag'],
		['drop', 'dragover', 'dragenter'],
	];

	function below(host, way) {
		return way.split('/').slice(1).reduce((at, numbers) => numbers.split('.').reduce((node, number) => node.childNodes[number],
			at.shadowRoot), host);
	}

	/* A node that listens for dozens of types is the root of a framework, which hears everything that happens below. */
	function digitOf(node) {
		const listeners = listenersOf(node);
		if (Object.keys(listeners).length > TYPES_MAX)
			return 0;
		return KINDS.reduce((digit, types, i) => types.some(type => Object.hasOwn(listeners, type)) ? digit | 1 << i : digit, 0);
	}

	const { addEventListener: listen, dispatchEvent: send } = EventTarget.prototype;
	const { stringify } = JSON, { ownKeys, getOwnPropertyDescriptor } = Reflect;

	/* What a custom element says of itself by its ElementInternals, by attribute: {role, 'aria-valuenow'}. Null: it has none in a property. */
	function internalsIn(element) {
		const internals = ownKeys(element).map(key => getOwnPropertyDescriptor(element, key).value).find(value => value instanceof ElementInternals);
		if (!internals)
			return null;
		const said = {};
		for (const property in ElementInternals.prototype) {
			const value = /^(?:role$|aria)/.test(property) ? internals[property] : null;
			if (typeof value === 'string')
				said[property.replace('aria', 'aria-').toLowerCase()] = value.slice(0, VALUE_LENGTH);
		}
		return said;
	}

	function answer(about, write) {
		listen.call(window, `${name}-${about}`, event => {
			event.stopImmediatePropagation();
			const nodes = event.getTargetRanges().map(range => range.startContainer);
			for (const entry of event.data.split(' ').filter(text => text)) {
				const [index, way] = entry.split(':');
				nodes[index] = below(nodes[index], way);
			}
			send.call(window, new InputEvent(`${name}-answer`, { data: write(nodes) }));
		}, true);
	}
	answer('listeners', nodes => nodes.map(digitOf).join(''));
	answer('internals', nodes => stringify(nodes.map(internalsIn)));
};
