/*
 * Resolves a target to its one element. A target is a ref, or the steps of a locator or selector (locator.js); the session tools
 * have their own selectors (plainselector.js). findTarget() returns an Obstacle if waiting may help; the other functions fail.
 */
import { describe } from './dom.js';
import { follow } from './engines.js';
import { Failure } from './failure.js';
import { generateSteps } from './generate.js';
import { printSteps } from './locatorprint.js';
import { clearCaches } from './operation.js';
import { Obstacle } from './patience.js';
import { notePlace } from './place.js';
import { matchesOf, noMatch, quotedSelector } from './plainselector.js';
import { previewOf } from './preview.js';
import { elementByRef } from './refs.js';

export const REF = /^(?:f\d+)?[e@]\d+$/; /* or handle, refs.js */
const LISTED_MATCHES = 10;
const NAMED_MATCHES = 3;
/* ms; several matches rarely become one, so an early failure is better. */
const AMBIGUITY_PATIENCE = 500;

/* The Failure "strict mode violation", with a description and a locator of each match. */
function severalMatches(steps, elements) {
	const lines = elements.slice(0, LISTED_MATCHES).map((element, i) =>
		`\n    ${i + 1}) ${previewOf(element)} aka ${printSteps(generateSteps(element))}`);
	if (elements.length > LISTED_MATCHES)
		lines.push('\n    ...');
	return new Failure('ELEMENT_AMBIGUOUS', 'strictMode',
		{ locator: printSteps(steps), matches: elements.length, shown: lines.join('') + '\n' });
}

export function oneOf(elements, steps, target) {
	if (elements.length > 1)
		throw severalMatches(steps, elements);
	if (!elements.length)
		throw new Failure('ELEMENT_NOT_FOUND', 'notMatching', { target: target ?? printSteps(steps) });
	return elements[0];
}

/* The element that the resolved steps of a locator lead to; it existed when they were resolved. */
function followedTarget(steps) {
	clearCaches();
	const elements = follow(steps);
	if (elements.length > 1)
		throw severalMatches(steps, elements);
	return elements[0] ?? new Obstacle({ reason: 'noMatchAnyMore', locator: printSteps(steps) }, { code: 'ELEMENT_NOT_FOUND' });
}

/* The one element that `target` names, or an Obstacle. Throws a Failure if it can never name one. */
export function findTarget(target) {
	const found = foundTarget(target);
	if (!(found instanceof Obstacle))
		notePlace(found);
	return found;
}

function foundTarget({ selector, ref, steps }) {
	if (ref !== undefined)
		return elementByRef(ref);
	if (steps !== undefined)
		return followedTarget(steps);
	const elements = matchesOf(selector.trim());
	if (elements.length === 1)
		return elements[0];
	if (!elements.length)
		return noMatch(selector);
	const named = elements.slice(0, NAMED_MATCHES).map(describe), matches = elements.length;
	return new Obstacle({
		reason: 'severalMatches', selector: quotedSelector(selector), matches, elements: matches > NAMED_MATCHES ? [...named, '…'] : named,
	}, { code: 'ELEMENT_NOT_FOUND', matches, patience: AMBIGUITY_PATIENCE });
}
