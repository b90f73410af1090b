/* From a target, a ref or a locator or a selector, to its one element. */
const REF = /^(?:f\d+)?e\d+$/;
const LISTED_MATCHES = 10;
const PREVIEW_TEXT = 50;
const PREVIEW_ATTRIBUTES = 500;
const PREVIEW_BOOLEANS = new Set(['checked', 'disabled', 'multiple', 'readonly', 'selected']);
const CLOSED_TAGS = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source',
	'track', 'wbr']);

const cut = (text, length) => text.length > length ? text.slice(0, length - 1) + '…' : text;

/* <button id="save">Save</button>, on one line. */
function previewOf(element) {
	const tag = tagOf(element);
	const attributes = [...attributesOf(element)].filter(({ name }) => name !== 'style').map(({ name, value }) =>
		!value && PREVIEW_BOOLEANS.has(name) ? ` ${name}` : ` ${name}="${value}"`).sort((a, b) => a.length - b.length);
	const opening = cut(attributes.join('').replace(/\n/g, '↵').replace(/\t/g, '⇆'), PREVIEW_ATTRIBUTES);
	return CLOSED_TAGS.has(tag) ? `<${tag}${opening}/>` : `<${tag}${opening}>${previewText(element)}</${tag}>`;
}

function previewText(element) {
	const children = [];
	for (let child = firstOf(element); child; child = nextOf(child))
		children.push(child);
	const isShort = children.length <= 5 && children.every(child => typeOfNode(child) === TEXT);
	const text = isShort ? textOf(element) : children.length ? '…' : '';
	return cut(text.replace(/\n/g, '↵').replace(/\t/g, '⇆'), PREVIEW_TEXT);
}

/* "strict mode violation": what they are, and how to name each. */
function severalMatches(steps, elements) {
	const lines = elements.slice(0, LISTED_MATCHES).map((element, i) =>
		`\n    ${i + 1}) ${previewOf(element)} aka ${printSteps(generateSteps(element))}`);
	if (elements.length > LISTED_MATCHES)
		lines.push('\n    ...');
	const locator = printSteps(steps);
	return new Failure('ELEMENT_AMBIGUOUS', `strict mode violation: ${locator} resolved to ${elements.length} elements:` +
		`${lines.join('')}\n`, { locator, matches: elements.length });
}

function oneOf(elements, steps, target) {
	if (elements.length > 1)
		throw severalMatches(steps, elements);
	if (!elements.length)
		throw new Failure('ELEMENT_NOT_FOUND', `"${target ?? printSteps(steps)}" does not match any elements.`);
	return elements[0];
}

/* The element that `target` names in this document; frames are not entered. */
function resolveOne(target) {
	if (REF.test(target))
		return elementByRef(target);
	const steps = parseTarget(target);
	if (steps.some(step => step.type === 'frame'))
		throw new Failure('INVALID_SELECTOR', `"${target}" leads into a frame.`);
	return oneOf(follow(steps), steps, target);
}

/*
 * {target | steps, refPrefix} -> {ref, steps, locator}: the element's ref, the steps of its locator as the caller wrote it
 * (for a ref: the steps that generate() gives), and these as text. When it lies in a frame: {frame: ref of the frame's
 * element, outer: the steps so far, steps: what to resolve in the frame}. With `list`, all that match: {list}, see
 * elements.js.
 */
exported.resolve = ({ target, steps, refPrefix = '', list }) => {
	rememberNothing();
	if (target !== undefined && REF.test(target)) {
		const element = elementByRef(target);
		const generated = generateSteps(element);
		return { ref: target, steps: generated, locator: printSteps(generated) };
	}
	const all = steps ?? parseTarget(target);
	const at = all.findIndex(step => step.type === 'frame');
	if (at < 0 && list)
		return { list: allMatches(follow(all), list, refPrefix) };
	if (at < 0)
		return { ref: refOf(oneOf(follow(all), all, target), refPrefix), steps: all, locator: printSteps(all) };
	if (at === 0)
		throw new Failure('INVALID_SELECTOR', 'Selector cannot start with entering frame, select the iframe first');
	const outer = all.slice(0, at);
	const frame = oneOf(follow(outer), outer, target);
	if (!/^i?frame$/.test(tagOf(frame)))
		throw new Failure('INVALID_SELECTOR', `Selector "${selectorOf(outer)}" resolved to ${previewOf(frame)}, <iframe> was expected`);
	if (at === all.length - 1)
		throw new Failure('INVALID_SELECTOR', 'Selector cannot end with entering frame, while parsing selector ' +
			`${selectorOf(outer)} >> internal:control=enter-frame`);
	return { frame: refOf(frame, refPrefix), outer, steps: all.slice(at + 1) };
};

const selectorOf = steps => steps.map(step => step.type === 'css' ? step.value : printSteps([step])).join(' >> ');

/* {ref} -> {text}: the element in one line, for messages */
exported.preview = ({ ref }) => ({ text: previewOf(elementByRef(ref)) });
