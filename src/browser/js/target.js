/*
 * From what a caller names to the element: CSS (open shadow roots are searched as well), or XPath when it starts
 * with `//`, `(//` or `xpath=`.
 */
const NAMED_MATCHES = 3;
/* ms; several matches are seldom a passing state, and an answer that comes soon is worth more. */
const AMBIGUITY_PATIENCE = 500;

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

function matchesOf(selector) {
	const expression = xpathOf(selector);
	try {
		if (expression !== null)
			return matchesOfXPath(expression);
		return matchesOfCSS(selector.startsWith('css=') ? selector.slice('css='.length) : selector);
	} catch (error) {
		throw new Failure('INVALID_PARAMETERS', `${quotedSelector(selector)} is not a usable selector: ${reasonOf(error)}`);
	}
}

function quotedSelector(selector) {
	return `"${shortened(selector, 200)}"`;
}

function frameHint() {
	const count = queryAll('iframe, frame').length;
	return count ? ` (not searched: ${count === 1 ? 'the frame' : `the ${count} frames`} in the page)` : '';
}

/* The one that the steps of a locator lead to; it was there when they were resolved. */
function followedTarget(steps) {
	rememberNothing();
	const elements = follow(steps);
	if (elements.length > 1)
		throw severalMatches(steps, elements);
	return elements[0] ?? new Obstacle(`no element matches ${printSteps(steps)} any more`, { code: 'ELEMENT_NOT_FOUND' });
}

/* The one element that `target` names, or an Obstacle. Throws a Failure when it can never be one. */
function findTarget({ selector, ref, steps }) {
	if (ref !== undefined)
		return elementByRef(ref);
	if (steps !== undefined)
		return followedTarget(steps);
	const elements = matchesOf(selector.trim());
	if (elements.length === 1)
		return elements[0];
	if (!elements.length)
		return new Obstacle(`no element matches ${quotedSelector(selector)}${frameHint()}`, { code: 'ELEMENT_NOT_FOUND' });
	const named = elements.slice(0, NAMED_MATCHES).map(describe).join(', ');
	const more = elements.length > NAMED_MATCHES ? ', …' : '';
	const advice = 'give a selector that matches one';
	return new Obstacle(`${quotedSelector(selector)} matches ${elements.length} elements, ${advice}: ${named}${more}`,
		{ code: 'ELEMENT_NOT_FOUND', details: { matches: elements.length }, patience: AMBIGUITY_PATIENCE });
}
