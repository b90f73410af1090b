/*
 * Carries out steps (see locator.js): from a set of starting points to the elements that they lead to. All selectors and locators of
 * the browser_* tools end here; CSS among them goes to cssquery.js.
 */
import { isVisible } from './area.js';
import { isHiddenFromAria } from './contents.js';
import { inDocumentOrder, queryCSS, rootsIn } from './cssquery.js';
import { nodesByXPath } from './dom.js';
import { Failure } from './failure.js';
import { labelsOf } from './labels.js';
import { descriptionOf, LABELLED_TAGS, nameOfHidden, namesOf } from './names.js';
import { attributeOf, elementsByIds, isElement, queryIn, tagOf, visitIn } from './raw.js';
import { roleOf } from './roles.js';
import { checkedOf, EXPANDED_ROLES, isDisabled, levelOf, pressedOf, selectedOf, STATE_ROLES } from './states.js';
import { elementText, isSmallest, plainSpace, textBodyMatcher, textMatcher } from './text.js';

/* A string against a string or regular expression, as the getBy methods compare. */
function valueMatcher(wanted, exact) {
	if (typeof wanted !== 'string') {
		const expression = new RegExp(wanted.regex, wanted.flags.replace(/[gy]/g, ''));
		return value => expression.test(value);
	}
	if (exact)
		return value => value === wanted;
	const lower = wanted.toLowerCase();
	return value => value.toLowerCase().includes(lower);
}

function elementsIn(scope) {
	const elements = [];
	for (const root of rootsIn(scope))
		visitIn(root, '*', element => elements.push(element));
	return elements;
}

function queryText(scope, matcher) {
	const elements = elementsIn(scope).filter(element => isSmallest(element, matcher));
	if (isElement(scope) && isSmallest(scope, matcher))
		elements.unshift(scope);
	return elements;
}

/* The texts that label a control: aria-labelledby, or aria-label, or its <label>s. */
export function labelsAsTexts(element) {
	const referenced = elementsByIds(element, 'aria-labelledby');
	if (referenced.length)
		return referenced.map(other => elementText(other).full);
	const label = attributeOf(element, 'aria-label');
	if (label !== null && label.trim())
		return [label];
	if (!LABELLED_TAGS.has(tagOf(element)))
		return [];
	return labelsOf(element).map(other => elementText(other).full);
}

function queryLabel(scope, { value, exact }) {
	const wanted = typeof value === 'string' && exact ? plainSpace(value) : value;
	const matcher = valueMatcher(wanted, exact);
	return elementsIn(scope).filter(element => labelsAsTexts(element).some(text => matcher(plainSpace(text))));
}

const BY_ATTRIBUTE = { __proto__: null, alt: 'alt', placeholder: 'placeholder', title: 'title' };
/* Set ahead of the scripts where the settings name another. */
export const testIdAttribute = globalThis.browserdTestIdAttribute ?? 'data-testid';

function queryAttribute(scope, name, matcher) {
	return rootsIn(scope).flatMap(root => queryIn(root, `[${name}]`))
		.filter(element => matcher(attributeOf(element, name)));
}

function queryGetBy(scope, step) {
	if (step.by === 'text')
		return queryText(scope, textMatcher(step.value, step.exact));
	if (step.by === 'label')
		return queryLabel(scope, step);
	if (step.by === 'testid')
		return queryAttribute(scope, testIdAttribute, valueMatcher(step.value, true));
	return queryAttribute(scope, BY_ATTRIBUTE[step.by], valueMatcher(step.value, step.exact));
}

function queryRole(scope, step) {
	const role = step.role.toLowerCase();
	for (const [state, roles] of Object.entries(STATE_ROLES)) {
		if (step[state] !== undefined && !roles.has(role))
			throw new Failure('INVALID_SELECTOR', 'roleAttributeUnsupported', { attribute: state, roles: [...roles].map(name => `"${name}"`) });
	}
	return elementsIn(scope).filter(element => (roleOf(element) ?? '') === role && hasRoleStates(element, step));
}

function hasRoleStates(element, step) {
	if (!step.includeHidden && isHiddenFromAria(element))
		return false;
	const names = step.name === undefined ? [] : step.includeHidden ? [nameOfHidden(element)] : namesOf(element);
	if (step.name !== undefined && !names.some(name => roleTextMatches(name, step.name, step)))
		return false;
	if (step.description !== undefined && !roleTextMatches(descriptionOf(element), step.description, step))
		return false;
	return Object.entries(ROLE_STATE_VALUES).every(([state, valueOf]) => step[state] === undefined ||
		valueOf(element, roleOf(element)) === step[state]);
}

function roleTextMatches(text, wanted, { exact }) {
	return valueMatcher(typeof wanted === 'string' ? plainSpace(wanted) : wanted, exact)(text);
}

const ROLE_STATE_VALUES = {
	__proto__: null,
	checked: checkedOf, disabled: element => isDisabled(element), expanded: expandedState, level: levelOf, pressed: pressedOf,
	selected: selectedOf,
};

/* expanded: false finds what is collapsed, not what cannot expand. */
function expandedState(element, role) {
	const value = EXPANDED_ROLES.has(role) ? attributeOf(element, 'aria-expanded') : null;
	return value === 'true' ? true : value === 'false' ? false : undefined;
}

function queryXPath(scope, expression) {
	const inner = isElement(scope) && expression.startsWith('/') ? '.' + expression : expression;
	try {
		return nodesByXPath(inner, scope).filter(isElement);
	} catch (error) {
		throw new Failure('INVALID_SELECTOR', 'invalidExpression', { error: error.message });
	}
}

const STEP_QUERIES = {
	__proto__: null,
	attribute: (scope, { name, value }) => queryAttribute(scope, name, text => text === value),
	chain: (scope, { steps }) => follow(steps, [scope]),
	css: (scope, { value }) => checkedQuery(() => queryCSS(value, scope)),
	getBy: queryGetBy,
	role: queryRole,
	text: (scope, { body }) => queryText(scope, textBodyMatcher(body)),
	xpath: (scope, { value }) => queryXPath(scope, value),
};

function checkedQuery(query) {
	try {
		return query();
	} catch (error) {
		if (error instanceof DOMException)
			throw new Failure('INVALID_SELECTOR', 'invalidExpression', { error: error.message });
		throw error;
	}
}

function passesFilter(element, step) {
	if (step.visible !== undefined && isVisible(element) !== step.visible)
		return false;
	if (step.hasText !== undefined && !textMatcher(step.hasText)(element))
		return false;
	if (step.hasNotText !== undefined && textMatcher(step.hasNotText)(element))
		return false;
	if (step.has && !follow(step.has, [element]).length)
		return false;
	return !(step.hasNot && follow(step.hasNot, [element]).length);
}

/* From `scopes` by all the steps. Frames are the caller's. */
export function follow(steps, scopes = [document]) {
	let elements = scopes;
	for (const step of steps)
		elements = followStep(step, elements, scopes);
	return elements;
}

function followStep(step, elements, scopes) {
	switch (step.type) {
	case 'nth':
		return elements.filter((element, i) => isElement(element) && i === (step.index < 0 ? elements.length : 0) + step.index);
	case 'filter':
		return elements.filter(element => isElement(element) && passesFilter(element, step));
	case 'and': {
		const others = new Set(follow(step.steps, scopes));
		return elements.filter(element => others.has(element));
	}
	case 'or':
		return inDocumentOrder(new Set([...elements, ...follow(step.steps, scopes)]));
	default: {
		const found = new Set(elements.flatMap(scope => STEP_QUERIES[step.type](scope, step)));
		return elements.length > 1 ? inDocumentOrder(found) : [...found];
	}
	}
}
