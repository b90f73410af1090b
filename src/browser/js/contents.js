/*
 * What CSS does to text and visibility, remembered for the length of one operation: styles do not change while a
 * script runs. rememberNothing() starts an operation.
 */
let shownElements = new Map();
let hiddenFromAria = new Map();
let pseudoContents = new Map();

function rememberNothing() {
	shownElements = new Map();
	hiddenFromAria = new Map();
	pseudoContents = new Map();
	pseudoRoots.clear();
	elementTexts = new Map();
	forgetRoles();
	forgetNames();
}

const styleOf = element => getComputedStyle(element);

const UNRENDERED_TAGS = new Set(['style', 'script', 'noscript', 'template']);
const RENDERED = { visibilityProperty: true };

/* Is it laid out and not made invisible? aria-hidden plays no part. */
function isShown(element) {
	let shown = shownElements.get(element);
	if (shown === undefined)
		shownElements.set(element, shown = computeShown(element, tagOf(element)));
	return shown;
}

function computeShown(element, tag) {
	if (UNRENDERED_TAGS.has(tag))
		return false;
	if (tag === 'option' && !rawCheckVisibility.call(element))
		return isShownOption(element);
	if (rawCheckVisibility.call(element, RENDERED))
		return true;
	return styleOf(element).display === 'contents' && isShownWithoutBox(element);
}

/* The entries of a closed drop-down list have no boxes in the page. */
function isShownOption(option) {
	const list = closest(option, 'select');
	return list !== null && isShown(list);
}

/* `display: contents`: the element is what its parent is, unless an ancestor is gone or `visibility` says otherwise. */
function isShownWithoutBox(element) {
	if (styleOf(element).visibility !== 'visible')
		return false;
	let parent = flatParent(element);
	if (parent && tagOf(parent) === 'details' && !parent.open && tagOf(element) !== 'summary')
		return false;
	while (parent && styleOf(parent).display === 'contents')
		parent = flatParent(parent);
	return parent !== null && rawCheckVisibility.call(parent) && styleOf(parent).contentVisibility !== 'hidden';
}

/* accname 2A: not rendered, or an aria-hidden="true" is here or above. */
function isHiddenFromAria(element) {
	return !isShown(element) || isUnderAriaHidden(element);
}

function isUnderAriaHidden(element) {
	let hidden = hiddenFromAria.get(element);
	if (hidden !== undefined)
		return hidden;
	const parent = flatParent(element);
	hidden = isAriaHidden(element) || parent !== null && isUnderAriaHidden(parent);
	hiddenFromAria.set(element, hidden);
	return hidden;
}

const isAriaHidden = element => attributeOf(element, 'aria-hidden')?.toLowerCase() === 'true';

/*
 * Which elements may have ::before or ::after: asking each for its computed style would be the dearest part of a
 * snapshot, so each root's style sheets are read for rules that have one. What cannot be read counts as "may".
 */
const pseudoRoots = new Map();
const PSEUDO = /::?(before|after)\b/;
const PSEUDO_PARTS = /::?(?:before|after)\b/g;

const mayHavePseudo = (element, tag, candidates) => candidates === true || candidates?.has(element) || tag === 'q';

/* Of the tree of `root`: a set of elements, true for any, null for none. */
function pseudoCandidates(root) {
	let candidates = pseudoRoots.get(root);
	if (candidates === undefined)
		pseudoRoots.set(root, candidates = readPseudoRules(root));
	return candidates;
}

function readPseudoRules(root) {
	const selectors = [];
	const sheets = [...root.styleSheets ?? [], ...root.adoptedStyleSheets ?? []];
	if (!sheets.every(sheet => collectPseudoRules(sheet, selectors)))
		return true;
	if (!selectors.length)
		return null;
	if (root !== document)
		return true;
	try {
		return new Set(queryAll(selectors.join(',')));
	} catch {
		return true;
	}
}

/* False when the rules cannot be read, or depend on where they stand. */
function collectPseudoRules(holder, selectors) {
	let rules;
	try {
		rules = holder.cssRules;
	} catch {
		return false;
	}
	for (const rule of rules ?? []) {
		if (rule.styleSheet && !collectPseudoRules(rule.styleSheet, selectors))
			return false;
		const selector = rule.selectorText;
		if (selector && PSEUDO.test(selector)) {
			if (selector.includes('&') || rule.parentRule instanceof CSSStyleRule || holder.start !== undefined)
				return false;
			selectors.push(selector.replace(PSEUDO_PARTS, (match, name, at) => isCompoundStart(selector, at) ? '*' : ''));
		}
		if (rule.cssRules?.length && !collectPseudoRules(rule, selectors))
			return false;
	}
	return true;
}

const isCompoundStart = (selector, at) => at === 0 || /[\s,>+~(]/.test(selector[at - 1]);

/* The text of ::before or ::after, with spaces around when it is a block; '' for most. */
function pseudoText(element, which) {
	if (shadowOf(element) === null && !mayHavePseudo(element, tagOf(element), pseudoCandidates(rootOf(element))))
		return '';
	const key = pseudoContents.get(element) ?? {};
	if (key[which] === undefined) {
		pseudoContents.set(element, key);
		key[which] = computePseudoText(element, which);
	}
	return key[which];
}

function computePseudoText(element, which) {
	const style = getComputedStyle(element, which);
	const isShownText = style && style.content !== 'none' && style.content !== 'normal' && style.display !== 'none' &&
		style.visibility === 'visible';
	if (!isShownText)
		return '';
	const text = contentText(element, style.content);
	if (text === null)
		return '';
	return style.display === 'inline' ? text : ` ${text} `;
}

/* css-content 3: strings and attr() make text; what follows "/" is the text for assistive technology. */
function contentText(element, content) {
	const tokens = content.match(/"(?:[^"\\]|\\.)*"|\/|attr\([^)]*\)|[^\s"]+/g) ?? [];
	const slash = tokens.indexOf('/');
	let text = '';
	for (const token of slash < 0 ? tokens : tokens.slice(slash + 1)) {
		if (token[0] === '"')
			text += unquoteCSS(token);
		else if (token.startsWith('attr('))
			text += attributeOf(element, token.slice(5, -1).trim()) ?? '';
		else
			return null;
	}
	return text;
}

function unquoteCSS(token) {
	return token.slice(1, -1).replace(/\\([0-9a-fA-F]{1,6})\s?|\\(.)/g,
		(match, code, character) => code ? String.fromCodePoint(parseInt(code, 16)) : character);
}
