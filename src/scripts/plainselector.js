/*
 * The selectors of the session tools: CSS as the browser itself parses it, in the document and its open shadow roots, or XPath when
 * it starts with `//`, `(//` or `xpath=`. The browser_* tools take Playwright's selectors and locators instead (selector.js,
 * locator.js, engines.js), where `>>`, quotes and :text() mean something and errors are worded as in Playwright. A selector of the
 * session tools means what it means in querySelectorAll(), and an error contains the browser's reason.
 */
import { rootsIn } from './cssquery.js';
import { nodesByXPath, queryAll, shortened } from './dom.js';
import { Failure } from './failure.js';
import { Obstacle } from './patience.js';
import { isElement, queryIn } from './raw.js';

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
	const nodes = nodesByXPath(expression, document);
	const other = nodes.find(node => !isElement(node));
	if (other)
		throw new TypeError(`it selects ${other.nodeName}, which is not an element`);
	return nodes;
}

/* Document order within each root; matches in shadow roots come after those outside. */
const matchesOfCSS = selector => rootsIn(document).flatMap(root => queryIn(root, selector));

export function matchesOf(selector) {
	const expression = xpathOf(selector);
	try {
		if (expression !== null)
			return matchesOfXPath(expression);
		return matchesOfCSS(selector.startsWith('css=') ? selector.slice('css='.length) : selector);
	} catch (error) {
		throw new Failure('INVALID_PARAMETERS', 'unusableSelector', { selector: quotedSelector(selector), error: reasonOf(error) });
	}
}

export function quotedSelector(selector) {
	return `"${shortened(selector, 200)}"`;
}

/* The Obstacle that no element matches, with the frames that were not searched. */
export function noMatch(selector) {
	const count = queryAll('iframe, frame').length;
	const frames = count === 0 ? undefined : count === 1 ? 'frame' : `${count} frames`;
	return new Obstacle({ reason: 'noMatch', selector: quotedSelector(selector), frames }, { code: 'ELEMENT_NOT_FOUND' });
}
