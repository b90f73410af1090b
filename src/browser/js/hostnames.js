/*
 * What HTML and SVG themselves offer as an element's name (accname 2E; HTML-AAM "accessible name computations by HTML
 * element", SVG-AAM 8). Undefined: they offer nothing, the computation goes on.
 */
const BUTTON_WORDS = { __proto__: null, submit: 'Submit', reset: 'Reset' };
const NO_LABEL_INPUTS = new Set(['button', 'submit', 'reset']);

/*
 * The labels of a control. `element.labels` walks the whole document for each control that is asked, so the labels of
 * a root are sorted by their controls once in an operation.
 */
let labelsOfRoot = new Map();

function labelsOf(element) {
	const root = rootOf(element);
	let index = labelsOfRoot.get(root);
	if (!index)
		labelsOfRoot.set(root, index = indexLabels(root));
	return index.get(element) ?? [];
}

function indexLabels(root) {
	const index = new Map();
	for (const label of queryIn(root, 'label')) {
		const { control } = label;
		if (!index.has(control))
			index.set(control, []);
		index.get(control).push(label);
	}
	return index;
}

function nativeText(element, walk, seen) {
	const tag = tagOf(element);
	if (spaceOf(element) === SVG_SPACE)
		return svgText(element, walk, seen);
	const offer = NATIVE_OFFERS[tag];
	return offer ? offer(element, walk, seen) : undefined;
}

const titleOf = element => attributeOf(element, 'title') ?? '';
const firstText = (...texts) => texts.find(text => text && text.trim()) ?? '';

/* The labels' text; undefined without a label. `seen` ends rings of labels that contain each other's controls. */
function labelText(element, walk, seen) {
	const labels = walk.referenced && !walk.nested ? [] : labelsOf(element);
	if (!labels.length)
		return undefined;
	const target = walk.label ? walk.target : element;
	return labels.map(label => alternative(label,
		{ label: true, target, hidden: isHiddenFromAria(label), lenders: walk.lenders }, seen))
		.filter(text => text).join(' ');
}

function inputText(element, walk, seen) {
	const type = element.type;
	if (NO_LABEL_INPUTS.has(type))
		return firstText(element.value, BUTTON_WORDS[type], titleOf(element));
	const labels = labelText(element, walk, seen);
	if (labels !== undefined)
		return labels;
	if (type === 'image')
		return firstText(attributeOf(element, 'alt'), titleOf(element), 'Submit');
	if (type === 'file')
		return 'Choose File';
	return fieldText(element, PLACEHOLDER_TYPES.has(type));
}

const fieldText = (element, hasPlaceholder) =>
	firstText(titleOf(element), hasPlaceholder && attributeOf(element, 'placeholder'));

/* A child of the tag names its parent: legend, figcaption, caption. Hidden ones as well. */
function childText(element, tag, walk, seen) {
	for (let child = firstOf(element); child; child = nextOf(child)) {
		if (isElement(child) && tagOf(child) === tag)
			return alternative(child, { ...walk, referenced: true, nested: true, content: false, hidden: isHiddenFromAria(child) }, seen);
	}
	return undefined;
}

function svgText(element, walk, seen) {
	for (let child = firstOf(element); child; child = nextOf(child)) {
		if (isElement(child) && tagOf(child) === 'title' && spaceOf(child) === SVG_SPACE)
			return alternative(child, { ...walk, referenced: true, nested: true, content: false, hidden: true }, seen);
	}
	return undefined;
}

const NATIVE_OFFERS = {
	__proto__: null,
	area: element => firstText(attributeOf(element, 'alt'), titleOf(element)),
	button: labelText,
	fieldset: (element, walk, seen) => childText(element, 'legend', walk, seen) ?? titleOf(element),
	figure: (element, walk, seen) => childText(element, 'figcaption', walk, seen) ?? titleOf(element),
	img: element => firstText(attributeOf(element, 'alt'), titleOf(element)),
	input: inputText,
	meter: labelText,
	output: (element, walk, seen) => labelText(element, walk, seen) ?? titleOf(element),
	progress: labelText,
	select: (element, walk, seen) => labelText(element, walk, seen) ?? titleOf(element),
	table: (element, walk, seen) => childText(element, 'caption', walk, seen) ?? (attributeOf(element, 'summary') || undefined),
	textarea: (element, walk, seen) => labelText(element, walk, seen) ?? fieldText(element, true),
};
