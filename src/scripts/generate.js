/*
 * The locator that a person would write for an element, as steps (see locator.js): unique on the page, by what users
 * see where possible. Every way to name the element has a cost; costs of steps further left in a chain count more
 * often, so short chains win. When nothing is unique, an index makes it so.
 */
import { isVisible } from './area.js';
import { isContentEditable } from './dom.js';
import { follow, labelsAsTexts, testIdAttribute } from './engines.js';
import { exported } from './exported.js';
import { withoutUndefined } from './literals.js';
import { childrenOf, descriptionOf, keepingIcons, NAMED_BY_CONTENT, nameOf } from './names.js';
import { clearCaches } from './operation.js';
import { attributeOf, closest, hostOrParent, isElement, isFrameTag, isInside, parentNodeOf, tagOf } from './raw.js';
import { elementByRef } from './refs.js';
import { hasExplicitName, roleOf } from './roles.js';
import { elementText, plainSpace } from './text.js';

const STEP_COSTS = {
	testId: 1, otherTestId: 2, frameAttribute: 10, roleWithName: 100, placeholder: 120, label: 140, alt: 160, text: 180,
	title: 200, wholeText: 250, id: 500, role: 510, inputAttribute: 520, tag: 530, index: 10000, path: 10000000, exact: 5,
};
const LENGTH_FREE_COSTS = [50, 300]; /* between these a longer text costs more, up to 10 */
const LAST_INDEX = 5;
const LONG_TEXT = 80;
const SHORT_TEXT = 30;
const TEST_ATTRIBUTES = ['data-testid', 'data-test-id', 'data-test'];
const NAMED_TAGS = new Set(['button', 'form', 'fieldset', 'frame', 'iframe', 'input', 'map', 'meta', 'object', 'output',
	'param', 'select', 'textarea']);
const ALT_TAGS = new Set(['area', 'img', 'input']);
const FORM_TAGS = new Set(['input', 'select', 'textarea']);
const INTERACTIVE_CONTROLS = 'button, select, input, [role=button], [role=checkbox], [role=radio], a, [role=link]';

const chainCost = chain => chain.reduce((sum, step, i) => sum + step.cost * (chain.length - i), 0);
const cssString = text => '"' + text.replace(/["\\]/g, '\\$&') + '"';

class Candidates {
	constructor() {
		this.list = [];
	}

	/* `steps` are steps with their costs */
	add(...steps) {
		for (const { step, cost } of steps)
			this.list.push([{ step, cost: step.type === 'css' || step.type === 'filter' ? cost : lengthCost(step, cost) }]);
	}

	addFiltered(first, text, cost) {
		this.list.push([first, { step: { type: 'filter', hasText: text }, cost: lengthCost({ value: text }, cost) }]);
	}
}

function lengthCost(step, cost) {
	const [from, to] = LENGTH_FREE_COSTS;
	const text = (step.value?.regex ?? step.value ?? step.name ?? '') + (step.description ?? '');
	return cost > from && cost < to ? cost + Math.min(10, Math.trunc((text.length + 20) / 10)) : cost;
}

/* The first words of a text: whole words within `length`. */
function wordsWithin(text, length) {
	if (text.length <= length)
		return text;
	const match = /^(.*)\b(.+?)$/.exec(text.slice(0, length));
	return match ? match[1].trimEnd() : '';
}

/* Shorter texts that may stand for `text`: without a number at an end, which may change, or its first words. */
function textVariants(text) {
	const variants = [];
	const add = (variant, bonus) => variant && variants.push({ text: variant, bonus });
	const leading = /^([\d.,]+)[^.,\w]/.exec(text)?.[1].length;
	const trailing = /[^.,\w]([\d.,]+)$/.exec(text)?.[1].length;
	if (leading)
		addShortened(text.slice(leading).trimStart());
	if (trailing)
		addShortened(text.slice(0, -trailing).trimEnd());
	if (text.length <= SHORT_TEXT)
		add(text, 0);
	else {
		add(wordsWithin(text, LONG_TEXT), 0);
		add(wordsWithin(text, SHORT_TEXT), 1);
	}
	return variants.length ? variants : [{ text: text.slice(0, LONG_TEXT), bonus: 0 }];

	function addShortened(part) {
		const variant = wordsWithin(part, LONG_TEXT);
		add(variant, variant.length <= SHORT_TEXT ? 2 : 1);
	}
}

function addTexts(candidates, text, cost, stepOf) {
	candidates.add({ step: stepOf(text, true), cost: cost + STEP_COSTS.exact });
	for (const variant of textVariants(text))
		candidates.add({ step: stepOf(variant.text, undefined), cost: cost - variant.bonus });
}

const getByStep = by => (value, exact) => withoutUndefined({ type: 'getBy', by, value, exact });

/* An id with many changes between kinds of characters was made by a program and will change. */
function isGenerated(id) {
	const kinds = [...id].filter(character => character !== '-' && character !== '_').map(character =>
		/[a-z]/.test(character) ? 'a' : /[A-Z]/.test(character) ? 'A' : /\d/.test(character) ? '0' : '.');
	let changes = 0;
	for (let i = 1; i < kinds.length; i++) {
		const isCapital = kinds[i - 1] === 'A' && kinds[i] === 'a';
		changes += kinds[i] !== kinds[i - 1] && !isCapital ? 1 : 0;
	}
	return changes >= id.length / 4;
}

const idSelector = id => /^[a-zA-Z][a-zA-Z0-9\-_]+$/.test(id) ? '#' + id : `[id=${cssString(id)}]`;
const tagSelector = element => CSS.escape(tagOf(element));

function addTestIds(candidates, element) {
	for (const attribute of TEST_ATTRIBUTES) {
		const value = attribute === testIdAttribute ? null : attributeOf(element, attribute);
		if (value)
			candidates.add({ step: { type: 'css', value: `[${attribute}=${cssString(value)}]` }, cost: STEP_COSTS.otherTestId });
	}
	const value = attributeOf(element, testIdAttribute);
	if (value)
		candidates.add({ step: { type: 'getBy', by: 'testid', value }, cost: STEP_COSTS.testId });
}

/* Ways that need no text inside. */
function plainCandidates(element) {
	const candidates = new Candidates();
	const tag = tagOf(element);
	const css = (value, cost) => candidates.add({ step: { type: 'css', value }, cost });
	addTestIds(candidates, element);
	const id = attributeOf(element, 'id');
	if (id && !isGenerated(id))
		css(idSelector(id), STEP_COSTS.id);
	css(tagSelector(element), STEP_COSTS.tag);
	if (isFrameTag(tag)) {
		addAttributes(css, element, ['name', 'title'], STEP_COSTS.frameAttribute);
		return candidates.list;
	}
	addFieldTexts(candidates, element, tag);
	const role = roleOf(element);
	if (role && role !== 'none' && role !== 'presentation')
		candidates.add({ step: { type: 'role', role }, cost: STEP_COSTS.role });
	if (NAMED_TAGS.has(tag))
		addAttributes(css, element, ['name'], STEP_COSTS.inputAttribute);
	if (tag === 'input' || tag === 'textarea')
		addAttributes(css, element, ['type'], STEP_COSTS.inputAttribute);
	if (FORM_TAGS.has(tag) && element.type !== 'hidden')
		css(tag, STEP_COSTS.inputAttribute + 1);
	return candidates.list;
}

function addAttributes(css, element, names, cost) {
	for (const name of names) {
		const value = attributeOf(element, name);
		if (value && value !== 'hidden')
			css(`${tagSelector(element)}[${name}=${cssString(value)}]`, cost);
	}
}

function addFieldTexts(candidates, element, tag) {
	const placeholder = tag === 'input' || tag === 'textarea' ? attributeOf(element, 'placeholder') : null;
	if (placeholder)
		addTexts(candidates, placeholder, STEP_COSTS.placeholder, getByStep('placeholder'));
	for (const label of labelsAsTexts(element)) {
		const text = plainSpace(label);
		if (text)
			addTexts(candidates, text, STEP_COSTS.label, getByStep('label'));
	}
}

/* Ways by the name and the text inside; without `withText`, by a name that is none of that text. */
function textCandidates(element, isTarget, withText) {
	const candidates = new Candidates();
	const tag = tagOf(element);
	if (tag === 'select')
		return candidates.list;
	const text = withText ? plainSpace(elementText(element).full) : '';
	if (withText)
		addAttributeTexts(candidates, element, tag);
	if (text)
		addInnerText(candidates, text, { type: 'css', value: tagSelector(element) }, isTarget);
	const role = roleOf(element);
	if (!role || role === 'none' || role === 'presentation')
		return candidates.list;
	if (withText || isNamedOutside(element, role))
		addRoleTexts(candidates, element, role);
	if (withText && !hasReadableName(element))
		addFilters(candidates, { step: { type: 'role', role }, cost: STEP_COSTS.role }, text, isTarget);
	return candidates.list;
}

function addAttributeTexts(candidates, element, tag) {
	const title = attributeOf(element, 'title');
	if (title)
		addTexts(candidates, title, STEP_COSTS.title, getByStep('title'));
	const alt = ALT_TAGS.has(tag) ? attributeOf(element, 'alt') : null;
	if (alt)
		addTexts(candidates, alt, STEP_COSTS.alt, getByStep('alt'));
}

/* Is the name something else than the text inside, which may change? */
const isNamedOutside = (element, role) => !NAMED_BY_CONTENT.has(role) || hasExplicitName(element);

/* Names that are only icons in a private font mean nothing to a person. */
const hasReadableName = element => /^(?!\p{Co}+$)./su.test(nameOf(element));

/* The name; the description where the name is not enough. */
function addRoleTexts(candidates, element, role) {
	const roleStep = more => withoutUndefined({ type: 'role', role, ...more });
	const description = descriptionOf(element) || undefined;
	if (hasReadableName(element)) {
		addTexts(candidates, nameOf(element), STEP_COSTS.roleWithName, (name, exact) => roleStep({ name, exact }));
		if (description)
			addTexts(candidates, nameOf(element), STEP_COSTS.roleWithName + STEP_COSTS.exact + 1, (name, exact) => roleStep({ name, description, exact }));
	} else if (description)
		candidates.add({ step: roleStep({ description, exact: true }), cost: STEP_COSTS.role + 1 });
}

function addInnerText(candidates, text, tagStep, isTarget) {
	if (isTarget)
		addTexts(candidates, text, STEP_COSTS.text, getByStep('text'));
	addFilters(candidates, { step: tagStep, cost: STEP_COSTS.tag }, text, isTarget);
}

/* Having the text inside; the target also by being nothing but that text, or empty. */
function addFilters(candidates, first, text, isTarget) {
	for (const variant of text ? textVariants(text) : [])
		candidates.addFiltered(first, variant.text, STEP_COSTS.text - variant.bonus);
	if (isTarget && text.length <= LONG_TEXT)
		candidates.addFiltered(first, { regex: `^${escapeRegex(text)}$`, flags: '' }, STEP_COSTS.wholeText);
}

const escapeRegex = text => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

class LocatorGenerator {
	constructor(target) {
		this.target = target;
		this.known = [new Map(), new Map()];
	}

	/* The cheapest chain that leads to `element` alone, null when there is none. */
	chainTo(element, withText) {
		const known = this.known[withText ? 1 : 0];
		if (!known.has(element))
			known.set(element, this.findChain(element, withText));
		return known.get(element);
	}

	/* Only the target may be described by its ancestors; an ancestor itself is not described by further ones. */
	findChain(element, withText) {
		const isTarget = element === this.target;
		let best = null;
		for (const { chain, isText } of candidatesFor(element, isTarget, withText)) {
			const found = follow(chain.map(({ step }) => step), [document]);
			const index = found.indexOf(element);
			if (found.length === 1 && index === 0)
				return cheaperChain(best, chain);
			if (index < 0 || index > LAST_INDEX)
				continue;
			best = cheaperChain(best, withIndex(chain, index));
			if (isTarget)
				best = this.throughParents(chain, found, withText && !isText, best);
		}
		return best;
	}

	throughParents(chain, found, parentsByText, best) {
		for (let parent = hostOrParent(this.target); parent; parent = hostOrParent(parent)) {
			const inside = found.filter(other => other !== parent && isInside(parent, other));
			const index = inside.indexOf(this.target);
			if (inside.length > LAST_INDEX || index < 0 || inside.length > 1 && index === found.indexOf(this.target))
				continue;
			const inner = inside.length === 1 ? chain : withIndex(chain, index);
			if (chainCost([{ cost: 1 }, ...inner]) >= chainCost(best))
				continue;
			const outer = this.chainTo(parent, parentsByText);
			if (outer)
				best = cheaperChain(best, [...outer, ...inner]);
		}
		return best;
	}
}

const withIndex = (chain, index) => [...chain, { step: { type: 'nth', index }, cost: STEP_COSTS.index }];
const cheaperChain = (best, chain) => best && chainCost(best) <= chainCost(chain) ? best : chain;

/* Cheap ones first. */
function candidatesFor(element, isTarget, withText) {
	return [
		...textCandidates(element, isTarget, withText).map(chain => ({ chain, isText: true })),
		...plainCandidates(element).map(chain => ({ chain, isText: false })),
	].sort((a, b) => chainCost(a.chain) - chainCost(b.chain));
}

/* Any element is identified by its path, from the nearest ancestor whose id or classes make it one of a kind. */
function pathSteps(element) {
	let below = '';
	for (let at = element; at; at = hostOrParent(at)) {
		const parts = pathParts(at);
		for (const part of parts) {
			const steps = [{ type: 'css', value: part + below }];
			const found = follow(steps);
			if (found[0] === element)
				return found.length === 1 ? steps : [...steps, { type: 'nth', index: 0 }];
		}
		below = ` > ${parts.find(part => isOneAmongSiblings(at, part)) ?? parts.at(-1)}${below}`;
	}
	const steps = [{ type: 'css', value: below.slice(3) }];
	return [...steps, { type: 'nth', index: follow(steps).indexOf(element) }];
}

/* Its id, more and more of its classes, its tag, which always distinguishes it from its siblings. */
function pathParts(element) {
	const id = attributeOf(element, 'id');
	const parts = id ? [idSelector(id)] : [];
	let classes = '';
	for (const name of (attributeOf(element, 'class') ?? '').split(/\s+/).filter(name => name))
		parts.push(classes += '.' + CSS.escape(name));
	const siblings = childrenOf(parentNodeOf(element)).filter(isElement);
	const isFirst = siblings.find(other => tagOf(other) === tagOf(element)) === element;
	return [...parts, isFirst ? tagSelector(element) : `${tagSelector(element)}:nth-child(${siblings.indexOf(element) + 1})`];
}

const isOneAmongSiblings = (element, part) => part.startsWith('#') || part.startsWith('[') ||
	part.startsWith('.') && parentNodeOf(element).querySelectorAll(part).length === 1;

/* Two CSS steps in a row read as one selector. */
function joinedSteps(chain) {
	const steps = [];
	for (const { step } of chain) {
		const last = steps.at(-1);
		if (step.type === 'css' && last?.type === 'css')
			steps[steps.length - 1] = { type: 'css', value: `${last.value} ${step.value}` };
		else
			steps.push(step);
	}
	return steps;
}

/* Parts of what is clicked or chosen from are that itself, where it is there to see. */
function generatedFor(element) {
	if (FORM_TAGS.has(tagOf(element)) || isContentEditable(element))
		return element;
	const control = closest(element, INTERACTIVE_CONTROLS);
	return control && isVisible(control) ? control : element;
}

export function generateSteps(element) {
	if (element === document.documentElement)
		return [{ type: 'css', value: 'html' }];
	const target = generatedFor(element);
	return keepingIcons(() => {
		const chain = new LocatorGenerator(target).chainTo(target, true);
		return chain ? joinedSteps(chain) : pathSteps(target);
	});
}

/* {frame}: the same for the element that shows a frame. */
exported.generateFor = ({ frame }) => {
	clearCaches();
	return generateSteps(frame);
};

/* {steps} -> the steps of a locator for the first element that they lead to, undefined if there is none */
exported.generateForFirst = ({ steps }) => {
	clearCaches();
	const [first] = follow(steps);
	return first && generateSteps(first);
};

/* {ref} -> the steps of a locator for the element, to be printed by printLocator */
exported.generate = ({ ref }) => {
	clearCaches();
	return generateSteps(elementByRef(ref));
};
