/*
 * Runs a caller's function or expression in the page's world, which may have changed anything: that only costs the page its own
 * answer. This is a method of an object whose `read` gives the value of the caller's text, which stands in front of this function: there
 * it sees no name of this one, and its lines have the numbers that the caller expects in the console. The object's `element` is given
 * when the caller named one. The result is one text, which costs less than a list: 'f' or 'e' for a function or another
 * expression, 'v' or 'x' for a value or why it cannot be printed, and that. Where the page has broken what prints it, the result is
 * { value, called } for the browser to print. Some libraries make lists print themselves as texts: not here. All of it is compiled
 * for each call, so it is short.
 */
export default async function () {
	const { read, element } = this;
	let called = 'e', value = read(element);
	if (typeof value === 'function') {
		called = 'f';
		value = element ? value(element) : value();
	}
	value = await value;
	function show(key, v) {
		if (Array.isArray(this[key]))
			v = this[key];
		return v instanceof Node ? 'ref: <Node>' : v === window ? 'ref: <Window>' : v;
	}
	try {
		return called + 'v' + (JSON.stringify(value, show, 2) ?? 'undefined');
	} catch (e) {
		try {
			JSON.stringify(0, show);
		} catch {
			return { value, called };
		}
		return called + 'x' + e.message;
	}
};
