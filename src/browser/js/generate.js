/*
 * The locator that a person would write for an element, as steps (see locator.js): unique on the page, by what users
 * see where possible. Every way to name the element has a cost; costs of steps further left in a chain count more
 * often, so short chains win. When nothing is unique, an index makes it so.
 */
const COST = {
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
const AIMED_AT = 'button, select, input, [role=button], [role=checkbox], [role=radio], a, [role=link]';

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
	const text = step.value?.regex ?? step.value ?? step.name ?? '';
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
	candidates.add({ step: stepOf(text, true), cost: cost + COST.exact });
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
			candidates.add({ step: { type: 'css', value: `[${attribute}=${cssString(value)}]` }, cost: COST.otherTestId });
	}
	const value = attributeOf(element, testIdAttribute);
	if (value)
		candidates.add({ step: { type: 'getBy', by: 'testid', value }, cost: COST.testId });
}

/* Ways that need no text inside. */
function plainCandidates(element) {
	const candidates = new Candidates();
	const tag = tagOf(element);
	const css = (value, cost) => candidates.add({ step: { type: 'css', value }, cost });
	addTestIds(candidates, element);
	const id = attributeOf(element, 'id');
	if (id && !isGenerated(id))
		css(idSelector(id), COST.id);
	css(tagSelector(element), COST.tag);
	if (tag === 'iframe' || tag === 'frame') {
		addAttributes(css, element, ['name', 'title'], COST.frameAttribute);
		return candidates.list;
	}
	addFieldTexts(candidates, element, tag);
	const role = roleOf(element);
	if (role && role !== 'none' && role !== 'presentation') {
		candidates.add({ step: { type: 'role', role }, cost: COST.role });
		if (tag !== 'select' && isNamedOutside(element, role))
			addRoleWithName(candidates, element, role);
	}
	if (NAMED_TAGS.has(tag))
		addAttributes(css, element, ['name'], COST.inputAttribute);
	if (tag === 'input' || tag === 'textarea')
		addAttributes(css, element, ['type'], COST.inputAttribute);
	if (FORM_TAGS.has(tag) && element.type !== 'hidden')
		css(tag, COST.inputAttribute + 1);
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
		addTexts(candidates, placeholder, COST.placeholder, getByStep('placeholder'));
	for (const label of labelsAsTexts(element)) {
		const text = plainSpace(label);
		if (text)
			addTexts(candidates, text, COST.label, getByStep('label'));
	}
}

/* Ways by the text inside, or the name. */
function textCandidates(element, isTarget) {
	const candidates = new Candidates();
	const tag = tagOf(element);
	if (tag === 'select')
		return candidates.list;
	const title = attributeOf(element, 'title');
	if (title)
		addTexts(candidates, title, COST.title, getByStep('title'));
	const alt = ALT_TAGS.has(tag) ? attributeOf(element, 'alt') : null;
	if (alt)
		addTexts(candidates, alt, COST.alt, getByStep('alt'));
	const role = roleOf(element);
	const hasRole = role && role !== 'none' && role !== 'presentation';
	addInnerText(candidates, element, isTarget, hasRole ? role : '');
	if (hasRole && !isNamedOutside(element, role))
		addRoleWithName(candidates, element, role);
	return candidates.list;
}

/* Is the name something else than the text inside, which may change? */
const isNamedOutside = (element, role) => !NAMED_BY_CONTENT.has(role) || hasExplicitName(element);

/* Names that are only icons in a private font tell a person nothing. */
function addRoleWithName(candidates, element, role) {
	const name = nameOf(element);
	if (name && !/^\p{Co}+$/u.test(name))
		addTexts(candidates, name, COST.roleWithName, (text, exact) => withoutUndefined({ type: 'role', role, name: text, exact }));
}

function addInnerText(candidates, element, isTarget, role) {
	const text = plainSpace(elementText(element).full);
	if (!text)
		return;
	if (isTarget)
		addTexts(candidates, text, COST.text, getByStep('text'));
	for (const variant of textVariants(text)) {
		candidates.addFiltered({ step: { type: 'css', value: tagSelector(element) }, cost: COST.tag }, variant.text, COST.text - variant.bonus);
		if (role)
			candidates.addFiltered({ step: { type: 'role', role }, cost: COST.role }, variant.text, COST.text - variant.bonus);
	}
	if (isTarget && text.length <= LONG_TEXT)
		addWholeText(candidates, element, role, { regex: `^${escapeRegex(text)}$`, flags: '' });
}

function addWholeText(candidates, element, role, text) {
	candidates.addFiltered({ step: { type: 'css', value: tagSelector(element) }, cost: COST.tag }, text, COST.wholeText);
	if (role)
		candidates.addFiltered({ step: { type: 'role', role }, cost: COST.role }, text, COST.wholeText);
}

const escapeRegex = text => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

class LocatorGenerator {
	constructor(target) {
		this.target = target;
		this.known = new Map();
	}

	/* The cheapest chain that leads to `element` alone, null when there is none. */
	chainTo(element, withText) {
		const key = withText ? 1 : 0;
		const known = this.known.get(element) ?? [];
		this.known.set(element, known);
		if (known[key] === undefined)
			known[key] = this.findChain(element, withText);
		return known[key];
	}

	findChain(element, withText) {
		const isTarget = element === this.target;
		const texts = withText ? textCandidates(element, isTarget) : [];
		const plain = plainCandidates(element);
		let best = this.choose(document, element, [...texts, ...plain]);
		best = this.throughParents(element, isTarget ? [...texts, ...plain] : plain, withText && !texts.length, best);
		return isTarget && texts.length ? this.throughParents(element, plain, withText, best) : best;
	}

	throughParents(element, all, parentsByText, best) {
		const candidates = all.filter(chain => !best || chainCost(chain) < chainCost(best));
		let inParent = candidates[0];
		for (let parent = hostOrParent(element); inParent && parent; parent = hostOrParent(parent)) {
			const outer = this.chainTo(parent, parentsByText);
			if (!outer || best && chainCost([...outer, ...inParent]) >= chainCost(best))
				continue;
			inParent = this.choose(parent, element, candidates);
			if (inParent && (!best || chainCost([...outer, ...inParent]) < chainCost(best)))
				best = [...outer, ...inParent];
		}
		return best;
	}

	/* The cheapest candidate that finds only `element` in `scope`; for the target, one with an index if need be. */
	choose(scope, element, candidates) {
		let indexed = null;
		for (const chain of candidates.toSorted((a, b) => chainCost(a) - chainCost(b))) {
			const found = follow(chain.map(({ step }) => step), [scope]);
			const index = found.indexOf(element);
			if (index === 0 && found.length === 1)
				return chain;
			if (!indexed && index >= 0 && index <= LAST_INDEX && element === this.target)
				indexed = [...chain, { step: { type: 'nth', index }, cost: COST.index }];
		}
		return indexed;
	}
}

/* Any element can be told by its path. */
function pathSteps(element) {
	const path = [];
	for (let at = element; at; at = hostOrParent(at)) {
		const selector = pathPart(at);
		path.unshift(selector);
		const value = path.join(' > ');
		const found = follow([{ type: 'css', value }]);
		if (found.length === 1 && found[0] === element)
			return [{ type: 'css', value }];
	}
	return [{ type: 'css', value: path.join(' > ') }];
}

function pathPart(element) {
	const tag = tagSelector(element);
	const parent = parentNodeOf(element);
	const twins = parent ? childrenOf(parent).filter(isElement) : [];
	const isOnly = twins.filter(other => tagOf(other) === tagOf(element)).length <= 1;
	return isOnly ? tag : `${tag}:nth-child(${twins.indexOf(element) + 1})`;
}

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

function generateSteps(element) {
	if (element === document.documentElement)
		return [{ type: 'css', value: 'html' }];
	const target = closest(element, AIMED_AT) ?? element;
	const chain = new LocatorGenerator(target).chainTo(target, true);
	return chain ? joinedSteps(chain) : pathSteps(target);
}

/* {ref} -> the steps of a locator for the element, to be printed by printLocator */
exported.generate = ({ ref }) => {
	rememberNothing();
	return generateSteps(elementByRef(ref));
};
