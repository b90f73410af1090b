/*
 * {text, gone, timeout} -> {done, seen, isVisible}: waits until an element with the text is visible or, if `gone`, until none is.
 * After the time-out, `seen` is the last element that was checked (null: none) and `isVisible` whether it was visible.
 */
import { isVisible } from './area.js';
import { describe, inPage, scrollIntoView } from './dom.js';
import { follow } from './engines.js';
import { exported } from './exported.js';
import { Failure } from './failure.js';
import { clearCaches } from './operation.js';
import { Obstacle, Patience, patienceFor, tryUntil } from './patience.js';
import { matchesOf, noMatch } from './plainselector.js';
import { partInView } from './point.js';
import { previewOf } from './preview.js';
import { rectOf } from './raw.js';
import { elementByRef } from './refs.js';
import { findTarget } from './target.js';
import { movement, whyHidden } from './visibility.js';

/* The documents or elements in which texts are looked for: none while the target does not lead to an element. */
function scopesOf(target) {
	if (!target)
		return [document];
	try {
		const element = findTarget(target);
		return element instanceof Obstacle ? [] : [element];
	} catch (error) {
		if (error.code !== 'REF_NOT_FOUND')
			throw error;
		return []; /* the element was removed, and with it what is in it */
	}
}

/*
 * {texts: [{text, gone}], target, timeout} -> {done}: the index of the first text that is visible in the target, if there is one, or, with
 * `gone`, is not; a text that is null stands for the target itself. After the timeout {seen, isVisible} about the element of the first text.
 */
exported.waitForText = ({ texts, target, timeout }) => {
	const patience = new Patience(timeout);
	const elements = [];
	const isAsAwaited = ({ text, gone }, i) => {
		const scopes = scopesOf(target);
		const found = text === null ? scopes : follow([{ type: 'getBy', by: 'text', value: text }], scopes);
		const visible = found.find(isVisible);
		elements[i] = visible ?? found[0];
		return (visible !== undefined) !== gone;
	};
	const attempt = () => {
		clearCaches();
		const done = texts.findIndex(isAsAwaited);
		return done >= 0 ? { done } : new Obstacle(null);
	};
	const outcome = tryUntil(patience, attempt, () => new Failure('ELEMENT_NOT_FOUND'));
	const report = () => ({ seen: elements[0] ? previewOf(elements[0]) : null, isVisible: texts[0].gone });
	return outcome instanceof Promise ? outcome.catch(report) : outcome;
};

function attemptBox(target, patience) {
	const element = findTarget(target);
	if (element instanceof Obstacle)
		return element;
	const why = whyHidden(element);
	const obstacle = why ? new Obstacle(why) : movement(element, patience);
	if (obstacle)
		return Object.assign(obstacle, { subject: describe(element) });
	scrollIntoView(element, { block: 'nearest', inline: 'nearest', behavior: 'instant' });
	return inPage(rectOf(element));
}

/*
 * {target, timeout, elapsed} -> {x, y, width, height}: waits until the element is visible and stable, scrolls it into view, and
 * returns its box in the page's viewport, for screenshots.
 */
exported.prepareBox = request => {
	const patience = patienceFor(request);
	return tryUntil(patience, () => attemptBox(request.target, patience),
		() => patience.refusal('ELEMENT_NOT_CLICKABLE', 'scrolled into view'));
};

/* {ref}: scrolls the element and its frames if needed, and resolves when it is in view in the page. */
exported.bringIntoView = ({ ref }) => partInView(elementByRef(ref)).then(() => undefined);

/* The first visible match of a selector, or an Obstacle. */
function attemptVisible(selector) {
	const elements = matchesOf(selector);
	const seen = elements.find(element => !whyHidden(element));
	if (seen)
		return { element: describe(seen) };
	if (!elements.length)
		return noMatch(selector);
	return new Obstacle(whyHidden(elements[0]), { subject: describe(elements[0]) });
}

/* {target: {selector}, timeout, elapsed} -> {element}: waits until a matching element is visible, and describes it. */
exported.waitForSight = request => {
	const patience = patienceFor(request);
	const attempt = () => attemptVisible(request.target.selector.trim());
	return tryUntil(patience, attempt, () => patience.refusal('ELEMENT_NOT_FOUND', 'seen'));
};

/* {selector} -> how many elements match */
exported.countMatches = ({ selector }) => matchesOf(selector.trim()).length;

/* The present document, serialised as HTML. */
exported.html = () => {
	const { doctype, documentElement } = document;
	const head = doctype ? new XMLSerializer().serializeToString(doctype) + '\n' : '';
	return head + (documentElement?.outerHTML ?? '');
};
