/*
 * The selectors of the session tools: CSS (open shadow roots are searched as well), or XPath when it starts with `//`,
 * `(//` or `xpath=`. The browser_* tools take the selectors of selector.js
 * instead.
 */
import { evaluateXPath, queryAll, shortened } from './dom.js';
import { Failure } from './failure.js';
import { queryIn, shadowOf } from './raw.js';

function xpathOf(selector) {
	if (selector.startsWith('xpath='))
		return selector.slice('xpath='.length);
	return selector.startsWith('//') || selector.startsWith('(//') ? selector : null;
}

/* The browser's reason without "Failed to execute 'x' on 'y': " in front. */
function reasonOf(error) {
	return error.message.replace(/^Failed to execute '[^']*' on '[^']*': /, '');
}

function matchesOfXPath(expression) {
	const found = evaluateXPath(expression, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
	const elements = [];
	for (let i = 0; i < found.snapshotLength; i++) {
		const node = found.snapshotItem(i);
		if (!(node instanceof Element))
			throw new TypeError(`it selects ${node.nodeName}, which is not an element`);
		elements.push(node);
	}
	return elements;
}

/* Elements that cannot have a shadow root, and make up most of a large page. */
const MAY_BE_HOST = ':not(:is(a, b, br, button, code, dd, dl, dt, em, form, head *, i, img, input, label, li, ol, option, ' +
	'script, select, strong, svg, svg *, table, tbody, td, textarea, th, thead, tr, ul))';

/* Document order within each root; matches in shadow roots come after those outside. */
function matchesOfCSS(selector, elements = [...queryAll(selector)], within = queryAll(MAY_BE_HOST)) {
	for (const element of within) {
		const root = shadowOf(element);
		if (root) {
			elements.push(...queryIn(root, selector));
			matchesOfCSS(selector, elements, queryIn(root, MAY_BE_HOST));
		}
	}
	return elements;
}

export function matchesOf(selector) {
	const expression = xpathOf(selector);
	try {
		if (expression !== null)
			return matchesOfXPath(expression);
		return matchesOfCSS(selector.startsWith('css=') ? selector.slice('css='.length) : selector);
	} catch (error) {
		throw new Failure('INVALID_PARAMETERS', `${quotedSelector(selector)} is not a usable selector: ${reasonOf(error)}`);
	}
}

export function quotedSelector(selector) {
	return `"${shortened(selector, 200)}"`;
}

export function frameHint() {
	const count = queryAll('iframe, frame').length;
	return count ? ` (not searched: ${count === 1 ? 'the frame' : `the ${count} frames`} in the page)` : '';
}
